import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from server.clock import SystemClock
from server.store.base import START, CannotOpen, Unavailable
from server.store.opening import open_store
from server.store.redis.driver import OnHearing, OnMessage
from server.store.redis.driver_asyncio_redis import AsyncioRedisDriver
from server.store.redis.driver_cluster import ClusterDriver
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.opening import MakeDriver, _driver_for, open_driver
from server.store.redis.scripts import Script
from server.store.redis.timing import Timing
from server.store.redis.url import RedisUrl, read_url
from tests.redis_server import PATIENT, RedisServer, free_port
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import CALL_S, SLACK_S, put
from tests.server.store.redis.proxy import Proxy

SECRET = "correct horse battery"
QUOTED = "correct%20horse%20battery"


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("redis://h", AsyncioRedisDriver),
        ("redis://:pw@h/1", AsyncioRedisDriver),
        ("redis://user:pw@h", RedisPyDriver),
        ("rediss://h", RedisPyDriver),
        ("redis+sentinel://h/races", RedisPyDriver),
        ("redis+cluster://h", ClusterDriver),
    ],
)
def test_each_kind_of_url_has_the_client_that_can(url: str, driver: MakeDriver) -> None:
    assert _driver_for(read_url(url)) is driver


async def test_a_store_is_opened_by_its_url(server: RedisServer) -> None:
    store = await open_store(server.url, SystemClock())
    await put(store, "race:A", START, b"x")
    await store.close()


@pytest.mark.parametrize("url", ["", "sqlite", "sqlite:", "postgres://h", "/var/x.db", "REDIS+X://a:pw@h"])
async def test_what_is_no_store_is_refused_without_quoting_it(url: str) -> None:
    with pytest.raises(CannotOpen, match="a store is sqlite:PATH, or a URL that begins with one of redis"):
        await open_store(url, SystemClock())


async def test_the_database_of_the_url_is_used(open_: Open, server: RedisServer) -> None:
    one, other = await open_(f"{server.url}/1"), await open_(f"{server.url}/2")
    await put(one, "race:A", START, b"x")
    assert await other.read("race:A") == []
    assert await other.list_logs("") == []


# What is refused.


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
async def test_a_redis_that_may_evict_is_refused_in_one_clear_line(
    open_: Open, own_server: RedisServer, policy: str
) -> None:
    own_server.tell("CONFIG", "SET", "maxmemory-policy", policy)
    with pytest.raises(CannotOpen, match=f"its maxmemory-policy is {policy}.*set it to noeviction") as raised:
        await open_(own_server.url)
    assert "\n" not in str(raised.value)
    assert f"redis://127.0.0.1:{own_server.port}" in str(raised.value)


async def test_a_replica_is_refused(open_: Open, own_server: RedisServer, server: RedisServer) -> None:
    own_server.tell("REPLICAOF", "127.0.0.1", server.port)
    with pytest.raises(CannotOpen, match=r"it is a replica|LOADING|MASTERDOWN"):
        await open_(own_server.url)


async def test_a_redis_that_is_not_there_is_refused(open_: Open) -> None:
    with pytest.raises(CannotOpen, match=r"cannot open the store redis://127\.0\.0\.1"):
        await open_(f"redis://127.0.0.1:{free_port()}")


async def test_a_host_that_does_not_exist_is_refused(open_: Open) -> None:
    with pytest.raises(CannotOpen, match=r"cannot open the store redis://no\.such\.host\.invalid"):
        await open_("redis://no.such.host.invalid")


async def test_what_does_not_answer_is_refused_within_two_seconds(open_: Open, proxy: Proxy) -> None:
    proxy.passing.clear()
    began = asyncio.get_running_loop().time()
    with pytest.raises(CannotOpen, match="in time"):
        await open_(proxy.url, timing=Timing())
    assert asyncio.get_running_loop().time() - began < CALL_S + SLACK_S


async def test_what_is_no_redis_is_refused(open_: Open) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ESMTP\r\n")
        writer.close()

    mail = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = mail.sockets[0].getsockname()[1]
    with pytest.raises(CannotOpen):
        await open_(f"redis://127.0.0.1:{port}")
    mail.close()


class InfoDriver:
    """A Redis that tells what it is told to tell."""

    is_one_place = True

    def __init__(self, info: str) -> None:
        self._info = info
        self.is_closed = False

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        return b"N" + bytes(16)

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        return [b"I" + bytes(16) + self._info.encode()]

    def listen(self, on_message: OnMessage, on_hearing: OnHearing) -> None:
        pass

    def subscribe(self, channel: bytes) -> None:
        raise NotImplementedError

    unsubscribe = subscribe

    async def close(self) -> None:
        self.is_closed = True


GOOD = "redis_version:7.0.15\r\nrole:master\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n"


@pytest.mark.parametrize(
    ("told", "instead", "why"),
    [
        ("7.0.15", "6.2.14", "it is Redis 6.2.14, and cellrace needs 7"),
        ("7.0.15", "unknown", "it is Redis unknown"),
        ("role:master", "role:slave", "it is a replica"),
        ("noeviction", "allkeys-random", "maxmemory-policy is allkeys-random"),
    ],
)
async def test_a_redis_that_is_not_fit_is_refused_and_let_go(told: str, instead: str, why: str) -> None:
    drivers: list[InfoDriver] = []

    def make(url: RedisUrl, timing: Timing) -> InfoDriver:
        drivers.append(InfoDriver(GOOD.replace(told, instead)))
        return drivers[0]

    with pytest.raises(CannotOpen, match=why):
        await open_driver(make, read_url("redis://h"), SystemClock(), Timing())
    assert drivers[0].is_closed


@pytest.mark.parametrize("kept", ["0", "1"])
async def test_that_a_redis_keeps_no_log_of_its_own_is_said(
    caplog: pytest.LogCaptureFixture, kept: str
) -> None:
    info = GOOD.replace("aof_enabled:1", f"aof_enabled:{kept}")
    store = await open_driver(
        lambda url, timing: InfoDriver(info), read_url("redis://h"), SystemClock(), Timing()
    )
    await store.close()
    assert ("has no append-only file" in caplog.text) is (kept == "0")


# Passwords and users.


async def test_the_password_of_the_url_is_used(open_: Open, own_server: RedisServer) -> None:
    own_server.tell("CONFIG", "SET", "requirepass", SECRET)
    store = await open_(f"redis://:{QUOTED}@127.0.0.1:{own_server.port}")
    await put(store, "race:A", START, b"x")


def rules() -> list[str]:
    """What docs/operations.md lets a user do."""
    text = (Path(__file__).parents[4] / "docs" / "operations.md").read_text()
    found = re.search(r"ACL SETUSER cellrace on >PASSWORD (.*?)```", text, flags=re.DOTALL)
    assert found
    return found[1].split()


async def test_a_user_may_do_no_more_than_what_operations_md_says(open_: Open, server: RedisServer) -> None:
    server.tell("ACL", "SETUSER", "node", "reset", "on", f">{SECRET}", *rules())
    try:
        url = f"redis://node:{QUOTED}@127.0.0.1:{server.port}"
        store = await open_(url, driver=RedisPyDriver, timing=replace(PATIENT, retire_ms=0, keep_ms=0))
        heard = asyncio.Event()
        store.watch("race:A", lambda events: heard.set())
        tip = await put(store, "race:A", START, b"x", wake=5)
        async with asyncio.timeout(10):
            await heard.wait()
        await store.due(2**53, 1)
        await store.list_logs("")
        for _ in range(2):
            await store.results.put_if_absent("day:1", "ann", 5, b"row")
        await store.results.range("day:1")
        await store.results.get("day:1", "ann")
        assert await store.results.rank("day:1", 6) == 1 + await store.results.size("day:1")
        assert await store.results.tables() == ["day:1"]
        assert await store.unprojected(9) == []
        await store.projected("race:A")
        await store.restore("race:B", await store.read("race:A"), 5)
        await store.sweeper.sweep()
        assert await store.is_newest("race:A", tip)
    finally:
        server.tell("ACL", "DELUSER", "node")


@pytest.mark.parametrize(
    ("user", "why"),
    [("node", "WRONGPASS|invalid username-password"), ("", "WRONGPASS|invalid password|invalid username")],
)
async def test_no_secret_is_in_an_error_or_a_log(
    open_: Open,
    own_server: RedisServer,
    caplog: pytest.LogCaptureFixture,
    user: str,
    why: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    own_server.tell("CONFIG", "SET", "requirepass", "another")
    driver = RedisPyDriver if user else None
    with pytest.raises(CannotOpen, match=why) as raised:
        await open_(f"redis://{user}:{QUOTED}@127.0.0.1:{own_server.port}", driver=driver)
    errors: list[str] = []
    error: BaseException | None = raised.value
    while error is not None:
        errors.append(f"{error!r} {error}")
        error = error.__cause__ or error.__context__
    for text in (*errors, caplog.text):
        assert SECRET not in text
        assert QUOTED not in text
    assert "\n" not in str(raised.value)


async def test_no_secret_is_in_what_is_said_while_redis_comes_and_goes(
    open_: Open, own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    own_server.tell("CONFIG", "SET", "requirepass", SECRET)
    store = await open_(
        f"redis://:{QUOTED}@127.0.0.1:{own_server.port}", timing=Timing(heartbeat_s=0.05, deaf_s=0.1)
    )
    store.watch("race:A", print)
    await put(store, "race:A", START, b"x")
    own_server.stop()
    with pytest.raises(Unavailable) as raised:
        await store.read("race:A")
    await asyncio.sleep(0.3)
    for text in (str(raised.value), raised.value.detail, repr(store), caplog.text):
        assert SECRET not in text
        assert QUOTED not in text
