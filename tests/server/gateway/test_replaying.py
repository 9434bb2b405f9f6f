import asyncio
from collections.abc import Iterable
from typing import cast

import pytest

from server import race_log
from server.gateway.replaying import read_log
from server.gateway.turns import Turns
from server.race.events import Resigned, Stamped
from server.store.base import PAGE, Store, Stored
from tests.server.gateway.races import ANA, CODE


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
