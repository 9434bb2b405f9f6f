"""Until when games could be won, looked for when somebody asks: bounded, and remembered by a node."""

from collections import OrderedDict
from typing import Final, NamedTuple, cast

from server.freecell.position import Position
from server.gateway.verdicts import Assessor
from server.race.reports import Finding, Trail, search
from server.race.state import PlayerId, RaceCode
from server.solver.verdict import Lost, Winnable

MAX_ASKED: Final = 64
"""Positions of one game that are asked about; halving the longest takes a dozen or two."""

KEPT: Final = 1_000


class _Game(NamedTuple):
    """A racer's game. A log that lost its tail may have come to another end since."""

    code: RaceCode
    player: PlayerId
    boards: int
    end: Position


class Findings:
    """What was found out of games."""

    def __init__(self, assessor: Assessor | None) -> None:
        self._assessor = assessor
        self._kept: OrderedDict[_Game, Finding] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    async def of(self, code: RaceCode, player: PlayerId, walked: Trail) -> Finding:
        """Until when a game could be won; it may take seconds.

        Args:
            code: of a race that is over.
            player: one of its racers.
            walked: the boards of his game.
        """
        game = _Game(code, player, len(walked.positions), walked.positions[-1])
        kept = self._kept.get(game)
        if kept is not None:
            self._kept.move_to_end(game)
            return kept
        finding = await self._search(walked)
        if _is_exact(finding, walked):
            # What stays open may be found out another time, by a solver that is less busy.
            self._kept[game] = finding
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return finding

    async def _search(self, walked: Trail) -> Finding:
        # One game may be asked about by several at once, who must not take each other's turn.
        board = object()
        searching = search(walked, MAX_ASKED)
        answer: bool | None = None
        while True:
            try:
                position = searching.send(answer)
            except StopIteration as end:
                return cast("Finding", end.value)
            answer = await self._can_be_won(position, board)

    async def _can_be_won(self, position: Position, board: object) -> bool | None:
        if self._assessor is None:
            return None
        match await self._assessor.ask(position, board):
            case Winnable():
                return True
            case Lost():
                return False
            case _:
                return None


def _is_exact(finding: Finding, walked: Trail) -> bool:
    after = 0 if finding.winnable_to is None else finding.winnable_to + 1
    return finding.lost_from == (after if after < len(walked.positions) else None)
