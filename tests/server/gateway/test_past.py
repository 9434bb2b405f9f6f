import asyncio
from collections.abc import Iterable
from typing import cast

import pytest

from server import race_log
from server.gateway import past
from server.gateway.past import KEPT, Replays, read_log
from server.gateway.turns import Turns
from server.race.events import Resigned, Stamped
from server.race.replays import Step
from server.race.state import PlayerId
from server.store.base import PAGE, Store, Stored
from tests.server.gateway.races import ANA, CODE, Scribe


class Shelf:
    """One log, there at once."""

    def __init__(self, rows: list[Stored]) -> None:
        self.rows = rows

    async def read(self, _: str, after: int, most: int) -> list[Stored]:
        return self.rows[after : after + most]


async def test_many_who_read_logs_hold_up_others_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    event = Resigned(ANA, 1)
    turn, begun = 0, list[int]()
    rows = [Stored(n, 0, b"tag", b"") for n in range(1, 2 * PAGE)]

    def read_all(page: Iterable[Stored]) -> list[Stamped]:
        begun.append(turn)
        return [Stamped(row.seq, 0, event) for row in page]

    monkeypatch.setattr(race_log, "read_all", read_all)
    turns = Turns()
    reading = asyncio.gather(*(read_log(cast("Store", Shelf(rows)), CODE, turns) for _ in range(20)))
    while not reading.done():
        turn += 1
        await asyncio.sleep(0)
    assert [len(log) for log in reading.result()] == [len(rows)] * 20
    assert len(begun) == len(set(begun)) == 40


async def test_steps_are_read_once_for_all_and_those_of_few_racers_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = list[PlayerId]()
    under_way = most_under_way = 0

    async def steps_of(_: list[Stamped], player: PlayerId, __: Turns) -> list[Step]:
        nonlocal under_way, most_under_way
        read.append(player)
        under_way += 1
        most_under_way = max(most_under_way, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return []

    monkeypatch.setattr(past, "steps_of", steps_of)
    replays, race = Replays(cast("Store", Shelf([])), Turns()), Scribe().race
    players = [PlayerId(f"player-{number}") for number in range(KEPT + 8)]
    await asyncio.gather(*(replays.steps(race, player) for player in players for _ in range(2)))
    assert (read, most_under_way, len(replays)) == (players, 1, KEPT)
    await replays.steps(race, players[-1])
    assert len(read) == len(players)
    await replays.steps(race, players[0])
    assert len(read) == len(players) + 1
