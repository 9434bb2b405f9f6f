"""How far everybody was at every time, in races that are asked about: read from the log once for all."""

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

from server import race_log
from server.gateway.hub import Hub
from server.gateway.keeper import NoSuchRace, log_id
from server.race.curves import Point, new_points
from server.race.evolve import begin, evolve
from server.race.state import PlayerId, Race, RaceCode
from server.store.base import PAGE, START, Store, Stored, Tip

_FOLD_SLICE: Final = 100


class Course:
    """One race so far: its newest state, and the points of its curves. It reads on when it is asked."""

    def __init__(self, store: Store, code: RaceCode) -> None:
        self._store = store
        self._log_id = log_id(code)
        self._race: Race | None = None
        self._tip = START
        self._points: dict[PlayerId, list[Point]] = {}
        self._reading = asyncio.Lock()

    async def newest(self) -> tuple[Race, dict[PlayerId, list[Point]]]:
        """The race as its log tells now, and all points of its curves.

        Raises:
            NoSuchRace: it has no log any more.
            Unavailable: the store cannot tell.
        """
        async with self._reading:
            rows = await self._rows()
            while rows:
                await self._fold(rows)
                rows = await self._store.read(self._log_id, self._tip.seq, PAGE)
            if self._race is None:
                raise NoSuchRace(self._log_id)
            return self._race, self._points

    async def _rows(self) -> list[Stored]:
        """What comes after what is known; from the beginning, if the log has lost some of that."""
        if self._race is not None:
            rows = await self._store.read(self._log_id, self._tip.seq - 1, PAGE)
            if rows and Tip(rows[0].seq, rows[0].tag) == self._tip:
                return rows[1:]
            self._race, self._tip, self._points = None, START, {}
        return await self._store.read(self._log_id, 0, PAGE)

    async def _fold(self, rows: list[Stored]) -> None:
        for row in rows:
            stamped, before = race_log.read(row), self._race
            self._race = begin(stamped) if before is None else evolve(before, stamped)
            for player, point in new_points(before, stamped, self._race) if before else ():
                self._points.setdefault(player, []).append(point)
            self._tip = Tip(row.seq, row.tag)
            if row.seq % _FOLD_SLICE == 0:
                await asyncio.sleep(0)


class Courses:
    """The courses that were asked about, each for as long as its race is live on this node."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._of: WeakKeyDictionary[Hub, Course] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._of)

    def of(self, hub: Hub) -> Course:
        """The course of a race; the same for all who ask."""
        if hub not in self._of:
            self._of[hub] = Course(self._store, hub.code)
        return self._of[hub]
