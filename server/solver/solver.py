"""What a server asks about positions: off its event loop, bounded, and remembered.

Searches are done by the processes of a `Crew`. A board has one request waiting at most: a newer one takes its
place, and the older one is answered "unknown". Boards and lines are searched in turn, and lines, which take
long, never by all processes: so many as may wait for lines, boards go on being judged.
"""

import asyncio
import os
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from server.freecell.movement import Move
from server.freecell.position import Position
from server.solver.canonical import key_of
from server.solver.crew import Crew
from server.solver.memory import Memory
from server.solver.search import PATIENT, USUAL, Line, NoLine, Result, Undecided
from server.solver.verdict import Lost, Unknown, Verdict, Winnable

MAX_WAITING: Final = 1_000
"""Requests of a kind that wait at once; one more is answered "unknown"."""


@dataclass(slots=True, eq=False)
class _Request:
    position: Position
    states: int
    result: asyncio.Future[Result] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def answer(self, result: Result) -> None:
        if not self.result.done():
            self.result.set_result(result)


class Solver:
    """One server's knowledge of what can still be won. All of it runs on one event loop."""

    def __init__(self, crew: Crew | None = None, memory: Memory | None = None) -> None:
        self._crew = crew or Crew(usual_size())
        self._memory = memory or Memory()
        self._waiting: dict[Hashable, _Request] = {}
        self._urgent: dict[Hashable, _Request] = {}
        self._lines: dict[Hashable, _Request] = {}
        self._searching: set[asyncio.Task[None]] = set()
        self._busy = 0
        self._busy_with_lines = 0
        self._is_turn_of_lines = False
        self._closed = False

    @property
    def missing(self) -> str:
        """Why there is no solver here; empty while there may be one."""
        return self._crew.missing

    def find_out(self) -> None:
        """Find out now, not at the first search, whether there is a solver; it takes some milliseconds."""
        self._crew.find_out()

    def look(self, position: Position) -> Verdict:
        """What is known already."""
        return self._memory.look(position, 0) or Unknown()

    async def ask(self, position: Position, board: Hashable, *, urgent: bool = False) -> Verdict:
        """The verdict on the newest position of a board.

        Args:
            position: of 1 to 4 cells.
            board: names it; a request for the same board that still waits is answered "unknown".
            urgent: whether to go before requests that are not.
        """
        known = self._memory.look(position, USUAL)
        if known is not None:
            self._drop(board)
            return known
        queue = self._urgent if urgent else self._waiting
        await self._result(_Request(position, USUAL), board, queue)
        return self.look(position)

    async def line(self, position: Position) -> tuple[Move, ...] | None:
        """Moves that win from a position, by every ruleset; None if none are found. It may take seconds."""
        if isinstance(self._memory.look(position, PATIENT), Lost | Unknown):
            return None
        result = await self._result(_Request(position, PATIENT), object(), self._lines)
        return result.moves if isinstance(result, Line) else None

    async def close(self) -> None:
        """Answer what waits with "unknown", and end all processes."""
        self._closed = True
        for queue in self._queues:
            for request in queue.values():
                request.answer(Undecided())
            queue.clear()
        for task in self._searching:
            task.cancel()
        await asyncio.gather(*self._searching, return_exceptions=True)
        await self._crew.close()

    @property
    def _queues(self) -> tuple[dict[Hashable, _Request], ...]:
        return self._urgent, self._waiting, self._lines

    async def _result(self, request: _Request, board: Hashable, queue: dict[Hashable, _Request]) -> Result:
        if self._closed or self._crew.missing:
            return Undecided()
        replaces = any(board in waiting for waiting in self._queues)
        if not replaces and len(queue) >= MAX_WAITING:
            return Undecided()
        self._put(request, board, queue)
        if self._busy < self._crew.size:
            self._busy += 1
            task = asyncio.create_task(self._search())
            self._searching.add(task)
            task.add_done_callback(self._searching.discard)
        try:
            return await request.result
        finally:
            self._withdraw(request, board)

    def _withdraw(self, request: _Request, board: Hashable) -> None:
        """Whoever asked is answered, or waits no more."""
        for queue in self._queues:
            if queue.get(board) is request:
                del queue[board]

    def _put(self, request: _Request, board: Hashable, queue: dict[Hashable, _Request]) -> None:
        """Have a request wait; it takes the place of an older one of its board."""
        older = queue.get(board)
        if older is None:
            self._drop(board)
        else:
            older.answer(Undecided())
        queue[board] = request

    def _drop(self, board: Hashable) -> None:
        for queue in (self._urgent, self._waiting):
            older = queue.pop(board, None)
            if older is not None:
                older.answer(Undecided())

    async def _search(self) -> None:
        """Search for one request after the other, as long as any waits."""
        try:
            while queue := self._next_queue():
                request = queue.pop(next(iter(queue)))
                is_line = queue is self._lines
                self._is_turn_of_lines = not is_line
                self._busy_with_lines += is_line
                try:
                    request.answer(await self._found(request))
                finally:
                    self._busy_with_lines -= is_line
                    request.answer(Undecided())
        finally:
            # At once: whoever was answered may ask again before this task has ended.
            self._busy -= 1

    def _next_queue(self) -> dict[Hashable, _Request]:
        """Where the next request is to be taken from; empty if none is to be."""
        may_be_line = self._busy_with_lines < max(1, self._crew.size - 1)
        if may_be_line and self._is_turn_of_lines and not self._urgent and self._lines:
            return self._lines
        return self._urgent or self._waiting or (self._lines if may_be_line else {})

    async def _found(self, request: _Request) -> Result:
        position, states = request.position, request.states
        known = self._memory.look(position, states)
        if known is not None and (states == USUAL or not isinstance(known, Winnable)):
            return Undecided()  # Found out for another board meanwhile; the verdict is looked up there.
        result, steps = await self._crew.search(position, states)
        match result:
            case Line():
                self._memory.keep_line(steps)
            case NoLine():
                self._memory.keep_lost(key_of(position))
            case Undecided() if not self._crew.missing:
                self._memory.keep_undecided(key_of(position), states)
            case Undecided():
                pass
        return result


def usual_size() -> int:
    """As many processes as leave the server half of the processors."""
    return max(1, min(4, (os.cpu_count() or 1) // 2))
