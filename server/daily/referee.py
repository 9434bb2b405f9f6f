"""What a ranked attempt came to, found by playing it again: no other word is taken for it.

Every move that the log holds is checked once more by the rules, and the win by the cards.
"""

from dataclasses import dataclass
from itertools import pairwise

from server.daily.naming import Daily, read_attempt
from server.freecell.moves import Move, carry, check
from server.freecell.position import Position
from server.freecell.rulesets import Rules
from server.race.curves import Point, new_points
from server.race.events import AutoFinished, BoardEvent, HintTaken, Moved, Restarted, Stamped, Undone
from server.race.evolve import begin, evolve
from server.race.state import Phase, PlayerId, Race, Standing

CURVE_POINTS = 12


@dataclass(frozen=True, slots=True)
class Result:
    """What an attempt came to.

    Attributes:
        won: whether all cards came home in time; if not, the rest tells how far it came.
        ms: from the reveal of the deal to the win, or to the end.
        actions: accepted commands for the board, undone ones included, undos not.
        taken_back: undos and restarts.
        hinted: whether a hint was asked for.
        curve: cards home at so many times, evenly spread from the reveal to the end.
    """

    daily: Daily
    player: PlayerId
    name: str
    won: bool
    ms: int
    actions: int
    taken_back: int
    hinted: bool
    curve: tuple[int, ...]


class Unsound(Exception):
    """A log that is no attempt played by the rules."""


class Referee:
    """Plays one attempt again, event by event."""

    __slots__ = ("_code", "_hinted", "_points", "_race", "_taken_back", "daily", "player")

    def __init__(self, code: str) -> None:
        found = read_attempt(code)
        if found is None:
            raise Unsound(f"{code} is no name of an attempt")
        self.daily, self.player = found
        self._code = code
        self._race: Race | None = None
        self._points: list[Point] = []
        self._taken_back = 0
        self._hinted = False

    def take(self, stamped: Stamped) -> None:
        """One more event.

        Raises:
            Unsound: the rules do not allow it.
        """
        before = self._race
        if before is None:
            self._race = begin(stamped)
            if self._race.life.code != self._code:
                raise Unsound(f"{self._code}: the log is that of {self._race.life.code}")
            return
        event = stamped.event
        if isinstance(event, BoardEvent):
            self._check(before, event)
        self._taken_back += isinstance(event, Undone | Restarted)
        self._hinted = self._hinted or isinstance(event, HintTaken)
        self._race = evolve(before, stamped)
        self._points += (point for player, point in new_points(before, stamped, self._race))

    def _check(self, race: Race, event: BoardEvent) -> None:
        member = race.members.get(event.player)
        if event.player != self.player or member is None or member.game is None:
            raise Unsound(f"{self._code}: a move of {event.player}")
        moves = event.moves if isinstance(event, AutoFinished) else ()
        moves = (event.move,) if isinstance(event, Moved) else moves
        if not are_legal(member.game.position, moves, member.game.rules):
            raise Unsound(f"{self._code}: an illegal move after event {race.seq}")

    def result(self) -> Result | None:
        """What it came to; None while it is not over.

        Raises:
            Unsound: it is said to be won, and is not.
        """
        race = self._race
        member = race.members.get(self.player) if race else None
        if race is None or race.life.phase is not Phase.OVER:
            return None
        if member is None or member.game is None or member.ended_at is None:
            raise Unsound(f"{self._code}: nobody has played it")
        won = member.standing is Standing.FINISHED
        if won != member.game.position.is_won:
            raise Unsound(f"{self._code}: it is not as it is said to have ended")
        ms = member.ended_at - race.life.started_at
        return Result(
            self.daily,
            self.player,
            member.name,
            won,
            ms,
            member.game.actions,
            self._taken_back,
            self._hinted,
            sampled(self._points, ms),
        )


def are_legal(position: Position, moves: tuple[Move, ...], rules: Rules) -> bool:
    """Whether each of the moves is legal on the position that those before it lead to."""
    for move in moves:
        if check(position, move, rules) is not None:
            return False
        position = carry(position, move)
    return True


def sampled(points: list[Point], ms: int) -> tuple[int, ...]:
    """Cards home at `CURVE_POINTS` times, the first after one step, the last at `ms`.

    Args:
        points: in order of time; each holds until the next.
        ms: the end.
    """
    times = [ms * step // CURVE_POINTS for step in range(1, CURVE_POINTS + 1)]
    spans = list(pairwise([*points, Point(ms + 1, 0)]))
    return tuple(next((now.home for now, then in reversed(spans) if now.ms <= time), 0) for time in times)
