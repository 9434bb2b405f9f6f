"""Races on two nodes that share a Redis, whatever their clocks say, and however long nobody did anything."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from protocol import commands, events
from server.app import Running, running
from server.clock import SystemClock
from server.config import Config
from server.race.events import Ended, Started
from server.race_log import read_all
from server.store.redis.store import RedisStore
from tests.end_to_end.player import Player
from tests.redis_server import RedisServer, redis_running
from tests.server.gateway.house import AMPLE


class WrongClock(SystemClock):
    """Ahead of the right time by so much; behind it, if that is negative."""

    def __init__(self, ahead_ms: int) -> None:
        super().__init__()
        self.ahead_ms = ahead_ms

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_running(tmp_path / "redis") as server:
        yield server


@asynccontextmanager
async def two_nodes(redis: RedisServer, *ahead_ms: int) -> AsyncIterator[tuple[Running, Running]]:
    config = Config(port=0, store=redis.url, limits=AMPLE)
    one, other = (WrongClock(ms) for ms in ahead_ms)
    async with running(config, one) as here, running(config, other) as there:
        yield here, there


@asynccontextmanager
async def guests(*places: tuple[str, Running]) -> AsyncIterator[Sequence[Player]]:
    players = [Player(node.url, name) for name, node in places]
    for player in players:
        await player.connect()
    yield players
    for player in players:
        await player.close()


async def test_nodes_whose_clocks_are_hours_apart_start_a_race_as_one_and_end_it_once(
    redis: RedisServer,
) -> None:
    settings = commands.Settings(deal=1, countdown_s=1, time_limit_s=10, watch="live")
    async with two_nodes(redis, 3_600_000, -7_200_000) as (one, other):
        async with guests(("Ana", one), ("Ben", other)) as (ana, ben):
            race = await ana.create(settings)
            await ben.sit(race)
            for player in (ana, ben):
                await player.did(commands.Ready, race, ready=True)
            loop = asyncio.get_running_loop()
            began = loop.time()
            for player in (ana, ben):
                await player.reach(race, "running")
                await player.did(commands.Move, race, move="5a")
            assert loop.time() - began < 10, "neither waits for hours"
            for player in (ana, ben):
                await player.did(commands.Resign, race)
            await ana.reach(race, "over")
            log = read_all(await other.node.store.read(f"race:{race}"))
        [started] = [one for one in log if isinstance(one.event, Started)]
        assert sum(isinstance(one.event, Ended) for one in log) == 1
        now_ms = SystemClock().now_ms()
        assert all(0 <= now_ms - one.at_ms < 60_000 for one in log), "by the clock of Redis"
        assert started.at_ms - log[3].at_ms >= settings.countdown_s * 1000


def pack_at_once(*nodes: Running) -> list[RedisStore]:
    """The stores of these nodes, told that ten minutes are over after each event."""
    stores: list[RedisStore] = []
    for running_node in nodes:
        store = running_node.node.store
        assert isinstance(store, RedisStore)
        store._calls.timing = replace(store._calls.timing, retire_ms=0)
        stores.append(store)
    return stores


async def test_who_did_nothing_for_so_long_that_all_was_packed_goes_on(redis: RedisServer) -> None:
    async with two_nodes(redis, 0, 0) as (one, other):
        stores = pack_at_once(one, other)

        async def a_while() -> None:
            for store in stores:
                await store.sweeper.sweep()

        async with guests(("Ana", one), ("Ben", other), ("Eve", other)) as (ana, ben, eve):
            race = await ana.create(commands.Settings(deal=1, countdown_s=0, watch="live"))
            await a_while()
            await ben.sit(race)
            await ana.did(commands.Start, race)
            await ben.reach(race, "running")
            await a_while()
            for player in (ana, ben):
                await player.did(commands.Resign, race)
            await ana.reach(race, "over")
            await a_while()
            assert any(f"packed:race:{race}" in key for key in redis.tell("KEYS", "*"))
            assert isinstance(await eve.watch(race), events.Watching)
            await ana.did(commands.Say, race, text="well")
            await eve.until(lambda: eve.pictures[race, "watch"].picture.chat, "what was said")
            await a_while()
            nexts = []
            for player in (ana, ben):
                await player.did(commands.Rematch, race)
                nexts.append((await player.hear(events.RematchReady)).next)
                await a_while()
            assert nexts[0] == nexts[1]
            for player in (ana, ben):
                await player.sit(nexts[0])
            await ana.did(commands.Start, nexts[0])
            await ben.reach(nexts[0], "running")
