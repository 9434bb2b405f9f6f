"""What can still be won, told beside the boards to those who see them.

It is looked for only while somebody follows who is to be told, and of what he is shown: those who watch late
have a judge of their own, who knows no more than they do.
"""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from protocol import codec, views
from server.freecell.position import Position
from server.gateway import verdict_wire
from server.gateway.feed import Feed
from server.gateway.tasks import Tasks
from server.race.state import PlayerId
from server.race.verdicts import judged_boards
from server.race.views import Access, BoardView, View
from server.solver.verdict import Verdict

TELL_EVERY_S: Final = 0.1
"""Verdicts that are found within such a time are told at once."""


class Assessor(Protocol):
    """Who knows what can still be won."""

    @property
    def missing(self) -> str:
        """Why there is nothing to know it by; empty while there may be."""

    async def ask(self, position: Position, board: Hashable, *, urgent: bool = False) -> Verdict:
        """The verdict on the newest position of a board; an older request for it is answered "unknown"."""


@dataclass(slots=True, eq=False)
class Told:
    """What a follower has been told: all that this judge had found when he had found so many verdicts."""

    judge: "_Judge | None" = None
    found: int = 0


class Verdicts:
    """The verdicts on the boards of one live race."""

    def __init__(
        self, name: str, assessor: Assessor | None, tasks: Tasks, on_found: Callable[[], None]
    ) -> None:
        self._name = name
        self._assessor = assessor
        self._tasks = tasks
        self._on_found = on_found
        self._judges: dict[int, _Judge] = {}
        self._is_due = False

    def frames(self, feed: Feed, access: Access, name: views.Feed, told: Told) -> list[bytes]:
        """What a follower is to be told who has just been shown all that `feed` has."""
        if self._assessor is None or access.view is not View.BOARDS:
            return []
        judge = self._judges.get(access.delay_ms)
        if judge is None or judge.feed is not feed:
            if judge is not None:
                judge.rest()
            judge = _Judge(feed, self._name, self._assessor, self._tasks, self._found)
            self._judges[access.delay_ms] = judge
        judge.look()
        return judge.frames(name, told)

    def rest(self) -> None:
        """Nobody is left to be told."""
        for judge in self._judges.values():
            judge.rest()
        self._judges.clear()

    def _found(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(TELL_EVERY_S, self._tell)

    def _tell(self) -> None:
        self._is_due = False
        self._on_found()


class _Asked(NamedTuple):
    """The version of a board that was asked about, and what asks."""

    n: int
    judging: asyncio.Task[None]


@dataclass(frozen=True, slots=True)
class _Found:
    """A verdict: the how-manieth of its judge, and the message in each feed."""

    number: int
    frames: dict[views.Feed, bytes]


class _Judge:
    """The verdicts on the boards as one feed shows them. A feed never goes back, so neither do versions."""

    def __init__(
        self, feed: Feed, name: str, assessor: Assessor, tasks: Tasks, on_found: Callable[[], None]
    ) -> None:
        self.feed = feed
        self._name = name
        self._assessor = assessor
        self._tasks = tasks
        self._on_found = on_found
        self._seq = 0
        self._asked: dict[PlayerId, _Asked] = {}
        self._verdicts: dict[PlayerId, _Found] = {}
        self._found = 0

    def look(self) -> None:
        """Ask about the boards that have changed since the last look."""
        race = self.feed.race
        if race.seq == self._seq:
            return
        self._seq = race.seq
        boards = judged_boards(race, View.BOARDS)
        for player in self._asked.keys() - boards.keys():
            self._forget(player)
        for player, board in boards.items():
            asked = self._asked.get(player)
            if asked is None or asked.n != board.n:
                self._forget(player)
                judging = self._judge(player, board, returns=race.life.setup.rules.returns)
                self._asked[player] = _Asked(board.n, self._tasks.start(judging))

    def frames(self, name: views.Feed, told: Told) -> list[bytes]:
        """What a follower has not been told of the boards as they stand."""
        since = told.found if told.judge is self else 0
        told.judge, told.found = self, self._found
        if since == self._found:
            return []
        return [found.frames[name] for found in self._verdicts.values() if found.number > since]

    def rest(self) -> None:
        """Look for nothing any more."""
        for asked in self._asked.values():
            asked.judging.cancel()

    def _forget(self, player: PlayerId) -> None:
        asked = self._asked.pop(player, None)
        if asked is not None:
            asked.judging.cancel()
        self._verdicts.pop(player, None)

    async def _judge(self, player: PlayerId, board: BoardView, *, returns: bool) -> None:
        verdict = await self._assessor.ask(board.position, (self, player))
        if self._assessor.missing:
            return
        self._found += 1
        self._verdicts[player] = _Found(self._found, self._told(player, board.n, verdict, returns=returns))
        self._on_found()

    def _told(self, player: PlayerId, n: int, verdict: Verdict, *, returns: bool) -> dict[views.Feed, bytes]:
        names: tuple[views.Feed, ...] = ("seat", "watch")
        return {
            name: codec.encode(verdict_wire.verdict(self._name, name, player, n, verdict, returns=returns))
            for name in names
        }
