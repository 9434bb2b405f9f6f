"""The deal of the day on two nodes that share a Redis, by its clock."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from protocol import commands, events
from server.app import Running, running
from server.config import Config
from server.daily import almanac
from server.daily.naming import Daily
from server.daily.rows import By, day_table
from server.race.events import Started
from server.race_log import read_all
from tests.end_to_end.player import Player
from tests.redis_server import RedisServer, redis_running
from tests.server.gateway.house import AMPLE
from tests.solutions import moves_of

MOVES = moves_of(1)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_running(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def nodes(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Running]]:
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1 if cells == 4 else 2)
    config = Config(port=0, store=f"{redis.url}?keep_days=0", limits=AMPLE)
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(running(config)) for _ in range(2)]


async def test_one_attempt_one_row_and_the_same_board_on_every_node(nodes: list[Running]) -> None:
    one, other = nodes
    ana = Player(one.url, "Ana")
    await ana.connect()
    day = one.node.almanac.today
    twins = [Player(node.url, "Ana", token=ana.token) for node in nodes for _ in range(2)]
    for twin in twins:
        await twin.connect()
    begun = await asyncio.gather(*(player.ask(commands.Attempt(day)) for player in (ana, *twins)))
    (race,) = {answer.race for answer in begun}
    log = read_all(await one.node.store.read(race))
    assert sum(isinstance(stamped.event, Started) for stamped in log) == 1
    racer = Player(one.url, "Ana", token=ana.token)
    await racer.connect()
    await racer.sit(race)
    for move in MOVES[:-1]:
        await racer.did(commands.Move, race, move=move)
    winning = commands.Move(race, racer.chair(race).used_c + 1, len(MOVES) - 1, MOVES[-1])
    for _ in range(5):
        await racer.send(winning)
    again = Player(other.url, "Ana", token=ana.token)
    await again.connect()
    await again.sit(race)
    for _ in range(5):
        await again.send(winning)
    told = await again.ask(commands.Ranking(0))
    while not told.lines:  # the node that has the win may not have been told of it yet
        told = await again.ask(commands.Ranking(again.next_q()))
    assert isinstance(told, events.Ranks)
    assert [(line.rank, line.player) for line in told.lines] == [(1, ana.id)]
    for node in nodes:
        await node.node.projector.settled()
        assert await node.node.store.results.size(day_table(Daily(day, 4), By.TIME)) == 1
        assert await node.node.store.unprojected(9) == []
    for player in (ana, racer, again, *twins):
        await player.close()
