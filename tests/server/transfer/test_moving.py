"""From a server on SQLite to servers on Redis and back, a race going on all the while."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from protocol import commands
from server.app import running
from server.clock import SystemClock
from server.config import Config
from server.store.base import Store
from server.store.opening import open_store
from server.store.redis.opening import open_redis
from tests.end_to_end.player import Player
from tests.redis_server import PATIENT, RedisServer, redis_running
from tests.server.gateway.house import AMPLE
from tests.server.transfer.logs import EVER, contents, exported, fill_store, imported
from tests.solutions import moves_of

MOVES = moves_of(1)
SETTINGS = commands.Settings(deal=1, countdown_s=0, time_limit_s=600)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_running(tmp_path / "redis") as server:
        yield server


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = await open_store(url, SystemClock())
    try:
        yield store
    finally:
        await store.close()


async def move(source: str, target: str) -> list[bytes]:
    """Bring everything from one store into another; the lines by which it went."""
    async with opened(source) as store:
        lines = await exported(store)
        before = await contents(store)
    async with opened(target) as store:
        await imported(store, lines)
        assert await contents(store) == before
    return lines


async def test_there_and_back_the_logs_are_the_same(redis: RedisServer, tmp_path: Path) -> None:
    first, second = (f"sqlite:{tmp_path / name}" for name in ("first", "second"))
    async with opened(first) as store:
        await fill_store(store)
    there = await move(first, redis.url)
    back = await move(redis.url, second)
    async with opened(second) as store:
        assert there == back == await exported(store)


async def test_a_running_race_goes_on_where_it_was_brought(redis: RedisServer, tmp_path: Path) -> None:
    first, second = (f"sqlite:{tmp_path / name}" for name in ("first", "second"))
    async with running(Config(port=0, store=first, limits=AMPLE)) as server:
        ann = Player(server.url, "Ann")
        await ann.connect()
        race = await ann.create(SETTINGS)
        await ann.did(commands.Start, race)
        await ann.reach(race, "running")
        for text in MOVES[:40]:
            await ann.did(commands.Move, race, move=text)
        board = ann.chair(race).board
        await ann.close()

    await move(first, redis.url)
    async with running(Config(port=0, store=redis.url, limits=AMPLE)) as server:
        again = Player(server.url, "Ann", token=ann.token)
        welcome = await again.connect()
        assert welcome.races == (race,)
        seat = await again.sit(race)
        assert (seat.board, seat.n) == (board, 40)
        for text in MOVES[40:80]:
            await again.did(commands.Move, race, move=text)
        await again.close()

    await move(redis.url, second)
    async with opened(second) as store:
        (due,) = await store.due(EVER, 10)
        begun = (await store.read(f"race:{race}", 0, 1))[0].at_ms
        assert due.log_id == f"race:{race}"
        assert begun + 600_000 <= due.at_ms < begun + 660_000
    async with running(Config(port=0, store=second, limits=AMPLE)) as server:
        last = Player(server.url, "Ann", token=ann.token)
        await last.connect()
        await last.sit(race)
        for text in MOVES[80:]:
            await last.did(commands.Move, race, move=text)
        following = await last.reach(race, "over")
        (racer,) = following.picture.racers
        assert (racer.rank, racer.home) == (1, 52)
        await last.close()


async def test_a_race_that_is_over_may_be_forgotten_on_redis_and_nothing_else(
    redis: RedisServer, tmp_path: Path
) -> None:
    source = f"sqlite:{tmp_path / 'first'}"
    async with opened(source) as first:
        await fill_store(first)
        lines = await exported(first)
        names = await first.list_logs("")
    store = await open_redis(redis.url, SystemClock(), replace(PATIENT, retire_ms=0))
    try:
        await imported(store, lines)
        assert await exported(store) == lines
        async with asyncio.timeout(20):
            while await packed(redis) != ["player:ann", "race:AAAAAAAA", "server"]:
                await store.sweeper.sweep()
        assert await exported(store) == lines
    finally:
        await store.close()
    redis.tell("FLUSHALL")
    store = await open_redis(f"{redis.url}?keep_days=0", SystemClock(), replace(PATIENT, retire_ms=0))
    try:
        await imported(store, lines)
        async with asyncio.timeout(20):
            while await packed(redis) != ["player:ann", "server"]:
                await store.sweeper.sweep()
        assert await store.list_logs("") == [name for name in names if name != "race:AAAAAAAA"]
    finally:
        await store.close()


async def packed(redis: RedisServer) -> list[str]:
    """The names of the logs that are packed."""
    keys = await asyncio.to_thread(redis.tell, "KEYS", "*:packed:*")
    return sorted(key.partition(":packed:")[2] for key in keys)
