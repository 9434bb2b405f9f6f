"""The server on each kind of store."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from protocol import commands, events
from server.app import Running, running
from server.clock import Clock, SystemClock
from server.config import Config
from server.daily.keys import LOG
from server.gateway.limits import Limits
from server.store.base import START
from server.store.opening import open_store
from tests.contract.helpers import put
from tests.end_to_end.player import Player
from tests.redis_server import RedisServer, redis_running
from tests.server.gateway.house import eventually
from tests.server.gateway.scripted import ScriptedStore


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_running(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def two_nodes(redis: RedisServer) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two servers on one Redis."""
    config = Config(port=0, store=redis.url, limits=Limits())
    async with running(config) as one, running(config) as other:
        yield one.url, other.url


async def readiness(url: str) -> int:
    """The status of a server's /readyz."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: here\r\n\r\n")
    status = (await reader.read()).split(b" ")[1]
    writer.close()
    await writer.wait_closed()
    return int(status)


async def becomes(url: str, status: int) -> None:
    """Wait until a server's /readyz says this."""
    async with asyncio.timeout(20):
        while await readiness(url) != status:  # noqa: ASYNC110 - nobody tells when it changes
            await asyncio.sleep(0.05)


async def test_what_is_made_on_one_node_is_there_on_the_other(two_nodes: tuple[str, str]) -> None:
    ann, bob = (Player(url, name) for url, name in zip(two_nodes, ("Ann", "Bob"), strict=True))
    await ann.connect()
    await bob.connect()
    race = await ann.create()
    await bob.sit(race)
    await ann.until(
        lambda: len(ann.pictures[race, "seat"].picture.racers) == 2, "the other's coming, on another node"
    )
    for player in (ann, bob):
        await player.close()


async def test_readyz_is_false_while_redis_is_away_and_true_again_by_itself(
    redis: RedisServer, two_nodes: tuple[str, str]
) -> None:
    assert [await readiness(url) for url in two_nodes] == [HTTPStatus.OK, HTTPStatus.OK]
    redis.stop()
    for url in two_nodes:
        await becomes(url, HTTPStatus.SERVICE_UNAVAILABLE)
    await asyncio.to_thread(redis.start)
    for url in two_nodes:
        await becomes(url, HTTPStatus.OK)


async def test_readyz_is_false_while_redis_does_not_answer(
    redis: RedisServer, two_nodes: tuple[str, str]
) -> None:
    redis.pause()
    await becomes(two_nodes[0], HTTPStatus.SERVICE_UNAVAILABLE)
    redis.resume()
    await becomes(two_nodes[0], HTTPStatus.OK)


# A server's life, on an embedded store.


def on_file(folder: Path, port: int = 0) -> Config:
    return Config(port=port, store=f"sqlite:{folder / 'races.sqlite'}")


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


async def test_a_server_that_is_gone_leaves_no_task_and_gives_its_file_and_port_back(tmp_path: Path) -> None:
    await asyncio.sleep(0)
    before = asyncio.all_tasks()
    port = 0
    for _ in range(3):
        async with running(on_file(tmp_path, port)) as server:
            port = int(server.url.rsplit(":", 1)[1])
            ann = Player(server.url, "Ann")
            await ann.connect()
            await ann.create()
            await ann.close()
        assert asyncio.all_tasks() == before


async def test_a_port_that_is_taken_leaves_the_store_closed(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    async with running(on_file(tmp_path / "other")) as server:
        port = int(server.url.rsplit(":", 1)[1])
        with pytest.raises(OSError, match="in use"):
            async with running(on_file(tmp_path, port)):
                pass
    assert names(tmp_path) == ["other"]
    async with running(on_file(tmp_path)) as server:
        assert await readiness(server.url) == HTTPStatus.OK


async def test_a_block_that_fails_closes_the_server_all_the_same(tmp_path: Path) -> None:
    urls: list[str] = []

    async def fail() -> None:
        async with running(on_file(tmp_path)) as server:
            urls.append(server.url)
            raise RuntimeError("as it happens")

    with pytest.raises(RuntimeError, match="as it happens"):
        await fail()
    with pytest.raises(ConnectionRefusedError):
        await readiness(urls[0])
    async with running(on_file(tmp_path)):
        pass


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> list[ScriptedStore]:
    """The stores of the servers to come, each of which does what its script says."""
    stores: list[ScriptedStore] = []

    async def open_scripted(url: str, clock: Clock) -> ScriptedStore:
        stores.append(ScriptedStore(await open_store(url, clock)))
        return stores[-1]

    monkeypatch.setattr("server.app.open_store", open_scripted)
    return stores


async def say_while_the_store_is_held(server: Running, store: ScriptedStore) -> tuple[Player, str]:
    """Somebody whose line is on its way into a store that does not take it yet; her race."""
    ann = Player(server.url, "Ann")
    await ann.connect()
    race = await ann.create()
    store.gate.clear()
    store.appends.clear()
    await ann.start(commands.Say, race, text="in the last moment")
    await eventually(lambda: store.appends, "the append is under way")
    return ann, race


async def test_what_is_being_appended_when_it_goes_down_is_finished(
    tmp_path: Path, scripted: list[ScriptedStore]
) -> None:
    async with running(on_file(tmp_path)) as server:
        ann, race = await say_while_the_store_is_held(server, scripted[0])
        asyncio.get_running_loop().call_later(0.2, scripted[0].gate.set)
    await ann.ended()
    async with running(on_file(tmp_path)) as server:
        ann.url = server.url
        await ann.connect()
        assert (await ann.sit(race)).last_c == 1
        assert [line.text for line in ann.pictures[race, "seat"].picture.chat] == ["in the last moment"]
        await ann.close()


async def test_a_store_that_hangs_does_not_keep_a_server_that_goes_down(
    tmp_path: Path,
    scripted: list[ScriptedStore],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("server.app.SETTLE_S", 0.2)
    async with running(on_file(tmp_path)) as server:
        ann, race = await say_while_the_store_is_held(server, scripted[0])
    await ann.ended()
    assert not ann.chair(race).acks
    assert "were not stored in time" in caplog.text


async def test_where_the_key_of_the_dailies_makes_no_sense_there_is_no_daily_and_all_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = await open_store(on_file(tmp_path).store, SystemClock())
    await put(store, LOG, START, b'["daily_key",{"key":"no hex","table":1},1]')
    await store.close()
    async with running(on_file(tmp_path)) as server:
        for deal in ("random", 617):
            ann = Player(server.url, "Ann")
            await ann.connect()
            await ann.create(commands.Settings(deal=deal))
            await ann.close()
        ann = Player(server.url, "Ann")
        await ann.connect()
        told = await ann.ask(commands.Daily(0))
        assert isinstance(told, events.Refused), told
        assert (told.code, told.retry_ms) == ("no_such_day", None)
        await ann.close()
    assert "there is no deal of the day: the key of the dailies cannot be read" in caplog.text
