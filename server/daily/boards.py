"""Reading the boards: pages with ranks, and where one stands."""

from dataclasses import dataclass

from server.daily import rows
from server.daily.naming import Daily
from server.daily.referee import Result
from server.race.state import PlayerId
from server.store.base import Store
from server.store.results import Row

MAX_ROWS = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a board. Equal scores share a rank; the next is 1 + the number of those before it."""

    rank: int
    score: int
    result: Result


@dataclass(frozen=True, slots=True)
class Place:
    """Where a score stands on a board.

    Attributes:
        rank: 1 + how many are better.
        of: how many there are.
        worse: how many are worse.
    """

    rank: int
    of: int
    worse: int

    @property
    def percentile(self) -> int | None:
        """How many of a hundred others he has left behind; None if there are no others."""
        return None if self.of < 2 else 100 * self.worse // (self.of - 1)


async def page(store: Store, table: str, start: int, limit: int = MAX_ROWS) -> tuple[int, list[Line]]:
    """How many lines a board has, and those from place `start` on, counted from 0.

    Raises:
        Unavailable: the store cannot tell.
    """
    size = await store.results.size(table)
    found = await store.results.range(table, start, limit)
    if not found:
        return size, []
    first = await store.results.rank(table, found[0].score)
    return size, ranked(found, start, first)


def ranked(found: list[Row], start: int, first: int) -> list[Line]:
    """Lines of rows that follow one another on a board.

    Args:
        found: the rows.
        start: the place of the first, counted from 0.
        first: its rank.
    """
    lines: list[Line] = []
    rank, before = first, None
    for place, row in enumerate(found, start + 1):
        if before is not None and row.score != before:
            rank = place
        lines.append(Line(rank, row.score, rows.read(row)))
        before = row.score
    return lines


async def place_of(store: Store, table: str, score: int) -> Place:
    """Where a score that is on a board stands there.

    Raises:
        Unavailable: the store cannot tell.
    """
    size = await store.results.size(table)
    rank = await store.results.rank(table, score)
    up_to = await store.results.rank(table, score + 1) - 1
    return Place(rank, size, max(0, size - up_to))


async def results_of(store: Store, player: PlayerId, cells: int) -> list[Result]:
    """All that a player has played with so many cells, in order of days.

    Raises:
        Unavailable: the store cannot tell.
    """
    found: list[Result] = []
    while some := await store.results.range(rows.days_table(player, cells), len(found)):
        found += map(rows.read, some)
    return found


async def own_line(store: Store, daily: Daily, by: rows.By, player: PlayerId) -> Line | None:
    """A player's line on the board of a daily; None if he is not on it.

    Raises:
        Unavailable: the store cannot tell.
    """
    table = rows.day_table(daily, by)
    row = await store.results.get(table, player)
    if row is None:
        return None
    return Line(await store.results.rank(table, row.score), row.score, rows.read(row))
