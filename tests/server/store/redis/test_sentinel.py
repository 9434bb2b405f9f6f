"""`redis+sentinel://`: a real Sentinel, and a failover that it is told to make."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.base import START, Appended, CannotOpen, Diverged, Tip, Unavailable, new_tag
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.opening import MakeDriver
from server.store.redis.timing import Timing
from tests.redis_server import RedisServer, free_port, wait_until
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import Watcher, Writer, check_logs, put, until, until_up, write_logs

LOGS = [f"race:{number}" for number in range(5)]
QUICK = Timing(call_s=10.0, answer_s=0.5, connect_s=0.5, heartbeat_s=0.1, deaf_s=0.5, silence_ms=500)


class Sentinels:
    """A server, its replica, and a Sentinel that watches them."""

    def __init__(self, folder: Path) -> None:
        self.first = RedisServer(folder / "first", "--repl-diskless-sync-delay", "0")
        self.second = RedisServer(folder / "second", "--replicaof", "127.0.0.1", str(self.first.port))
        self.sentinel = RedisServer(folder / "sentinel", "--sentinel")

    @property
    def url(self) -> str:
        # The first one is not there, and must not matter.
        return f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{self.sentinel.port}/races"

    def start(self) -> None:
        self.first.start()
        self.second.start()
        wait_until(
            lambda: "online" in str(self.first.tell("INFO", "replication")), "the replica does not come"
        )
        self.sentinel.start()
        self.sentinel.tell("SENTINEL", "MONITOR", "races", "127.0.0.1", self.first.port, 1)
        self.sentinel.tell("SENTINEL", "SET", "races", "down-after-milliseconds", 500)
        self.sentinel.tell("SENTINEL", "SET", "races", "failover-timeout", 2000)
        wait_until(
            lambda: len(self.sentinel.tell("SENTINEL", "REPLICAS", "races")) == 1, "no replica is known"
        )

    def stop(self) -> None:
        for server in (self.sentinel, self.second, self.first):
            server.kill()

    def named(self) -> int:
        """The port of the server that the Sentinel names."""
        return int(self.sentinel.tell("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "races")[1])


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[Sentinels]:
    sentinels = Sentinels(tmp_path)
    try:
        sentinels.start()
        yield sentinels
    finally:
        sentinels.stop()


@pytest.fixture
def make() -> MakeDriver:
    return RedisPyDriver


async def test_a_forced_failover_under_load_is_gone_through(open_: Open, sentinels: Sentinels) -> None:
    store = await open_(sentinels.url, timing=QUICK)
    watchers = [Watcher() for _ in LOGS]
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        store.watch(log_id, watcher)
    over = asyncio.Event()

    async def fail_over() -> None:
        await asyncio.sleep(0.2)
        await asyncio.to_thread(sentinels.sentinel.tell, "SENTINEL", "FAILOVER", "races")
        await asyncio.to_thread(
            wait_until, lambda: sentinels.named() == sentinels.second.port, "no failover comes about"
        )
        await until_up(store)
        await asyncio.sleep(0.2)
        over.set()

    failing = asyncio.create_task(fail_over())
    writers = await write_logs(store, LOGS, while_=lambda: not over.is_set())
    await failing
    # It was in order, so that nothing was lost; Sentinel first lets the replica catch up.
    await check_logs(store, writers)
    assert sentinels.second.tell("DBSIZE") > 0
    await all_told(writers, watchers)


async def all_told(writers: list[Writer], watchers: list[Watcher]) -> None:
    for writer, watcher in zip(writers, watchers, strict=True):
        many = writer.tip.seq
        await watcher.hear(many)
        assert watcher.seqs == [*range(1, many + 1)]


async def test_a_replica_promoted_without_the_last_writes_is_noticed(
    open_: Open, sentinels: Sentinels
) -> None:
    store = await open_(sentinels.url, timing=QUICK)
    watcher = Watcher()
    store.watch("race:A", watcher)
    kept = await put(store, "race:A", START, b"kept")
    sentinels.first.tell("WAIT", 1, 5000)
    # The link breaks, so that the replica gets no more of it.
    sentinels.second.tell("REPLICAOF", "NO", "ONE")
    lost = await put(store, "race:A", kept, b"lost")
    await watcher.hear(2)
    sentinels.first.kill()
    sentinels.sentinel.tell("SENTINEL", "REMOVE", "races")
    sentinels.sentinel.tell("SENTINEL", "MONITOR", "races", "127.0.0.1", sentinels.second.port, 1)
    await until_up(store)

    assert not await store.is_newest("race:A", lost)
    assert await store.append("race:A", lost, [b"x"], tag=new_tag()) == Diverged()
    assert [event.data for event in await store.read("race:A")] == [b"kept"]
    outcome = await store.append("race:A", kept, [b"again"], tag=new_tag())
    assert isinstance(outcome, Appended)
    # Who watches is told that there is less, and then what follows what is left.
    await until(lambda: [] in watcher.calls)
    again = Tip(2, (await store.read("race:A", 1))[0].tag)
    await put(store, "race:A", again, b"and more")
    await until(lambda: watcher.events[-1].data == b"and more")


@pytest.mark.parametrize("says", ["READONLY", "NOREPLICAS"])
async def test_a_server_that_takes_no_writes_any_more_is_left_for_the_one_that_does(
    open_: Open, sentinels: Sentinels, says: str
) -> None:
    store = await open_(sentinels.url, timing=QUICK)
    tip = await put(store, "race:A", START, b"x")
    sentinels.first.tell("WAIT", 1, 5000)
    # The Sentinel has named another, and no connection ends.
    sentinels.second.tell("REPLICAOF", "NO", "ONE")
    sentinels.sentinel.tell("SENTINEL", "REMOVE", "races")
    sentinels.sentinel.tell("SENTINEL", "MONITOR", "races", "127.0.0.1", sentinels.second.port, 1)
    if says == "READONLY":
        sentinels.first.tell("REPLICAOF", "127.0.0.1", sentinels.second.port)
    else:
        sentinels.first.tell("CONFIG", "SET", "min-replicas-to-write", "1")
    with pytest.raises(Unavailable, match=says):
        await store.append("race:A", tip, [b"y"], tag=new_tag())
    await put(store, "race:A", tip, b"y")
    assert len(await store.read("race:A")) == 2


async def test_a_service_that_no_sentinel_knows_is_refused(open_: Open, sentinels: Sentinels) -> None:
    with pytest.raises(CannotOpen, match="no Sentinel names the server"):
        await open_(sentinels.url.replace("/races", "/other"))
