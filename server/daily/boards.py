"""Reading the boards: pages with ranks, and where one stands.

A row that a newer program wrote, or that is broken, is passed over, and said to be once. It counts all the
same: the ranks and the places of those after it are as if it could be read.
"""

import logging
from dataclasses import dataclass

from server.daily import rows
from server.daily.naming import Daily
from server.daily.referee import Result
from server.race.state import PlayerId
from server.store.base import Store
from server.store.results import Row

log = logging.getLogger(__name__)

MAX_ROWS = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a board. Equal scores share a rank; the next is 1 + the number of those before it."""

    rank: int
    score: int
    result: Result


@dataclass(frozen=True, slots=True)
class Page:
    """Some lines of a board.

    Attributes:
        of: how many lines the board has, also those that cannot be read.
        lines: those that can.
        unreadable: how many were passed over before, between and after them.
        more: whether there are others after all of these.
    """

    of: int
    lines: tuple[Line, ...]
    unreadable: int
    more: bool


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


class Boards:
    """Reads the boards of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._told: set[str] = set()

    async def page(self, table: str, start: int, limit: int = MAX_ROWS) -> Page:
        """The lines of a board from place `start` on, counted from 0; none only where none is left to read.

        Raises:
            Unavailable: the store cannot tell.
        """
        size, place = await self._store.results.size(table), start
        lines: list[Line] = []
        while not lines and (found := await self._store.results.range(table, place, limit)):
            first = await self._store.results.rank(table, found[0].score)
            lines = self._ranked(found, place, first)
            place += len(found)
        return Page(size, tuple(lines), place - start - len(lines), place < size)

    def _ranked(self, found: list[Row], start: int, first: int) -> list[Line]:
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
            result = self._read(row)
            if result is not None:
                lines.append(Line(rank, row.score, result))
            before = row.score
        return lines

    async def place_of(self, table: str, score: int) -> Place:
        """Where a score that is on a board stands there.

        Raises:
            Unavailable: the store cannot tell.
        """
        size = await self._store.results.size(table)
        rank = await self._store.results.rank(table, score)
        up_to = await self._store.results.rank(table, score + 1) - 1
        return Place(rank, size, max(0, size - up_to))

    async def results_of(self, player: PlayerId, cells: int) -> list[Result]:
        """All that a player has played with so many cells, in order of days.

        Raises:
            Unavailable: the store cannot tell.
        """
        found: list[Row] = []
        while some := await self._store.results.range(rows.days_table(player, cells), len(found)):
            found += some
        return [result for result in map(self._read, found) if result is not None]

    async def own_result(self, daily: Daily, player: PlayerId) -> Result | None:
        """What a player's ranked attempt came to; None if that is not written, or he has not played.

        Raises:
            Unavailable: the store cannot tell.
        """
        row = await self._store.results.get(rows.days_table(player, daily.cells), daily.day)
        return None if row is None else self._read(row)

    async def own_line(self, daily: Daily, by: rows.By, player: PlayerId) -> Line | None:
        """A player's line on the board of a daily; None if he is not on it.

        Raises:
            Unavailable: the store cannot tell.
        """
        table = rows.day_table(daily, by)
        row = await self._store.results.get(table, player)
        result = None if row is None else self._read(row)
        if row is None or result is None:
            return None
        return Line(await self._store.results.rank(table, row.score), row.score, result)

    def _read(self, row: Row) -> Result | None:
        """The result in a row; None if it cannot be read."""
        try:
            return rows.read(row)
        except rows.UnreadableRow as error:
            why = str(error)
            if why not in self._told:
                # Not each time that somebody looks at a board.
                self._told.add(why)
                log.warning("a result is not shown: %s", why)
            return None
