"""What was found, by position: of every position on a line the next move and how many are left.

Whoever follows a line stays on it, and every step leaves fewer moves: so advice that comes from here does not
go round in circles. Bounded; what was not looked at for longest goes first.

What is kept of a position is one integer. A hundred thousand objects would be looked through whenever the
garbage collector goes through all there is, and all else in the process waits for that.
"""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from server.freecell.movement import Move, carry
from server.freecell.piles import Pile
from server.freecell.position import Position
from server.solver.canonical import arrange
from server.solver.verdict import Lost, Unknown, Verdict, Winnable

SIZE: Final = 100_000
"""Positions, two hundred bytes each."""


class Step(NamedTuple):
    """A position on a line, by its key, and the move made there, by the places of the sorted piles."""

    key: bytes
    move: Move


_LOST: Final = 0
"""Kept of a position from which no line wins; of one that so many states did not decide, their negative."""

_LEFT_BITS: Final = 12
"""Above the move there stands how many are left, of a position from which a line is known."""


def _onward(move: Move, left: int) -> int:
    source, dest, count = move
    return left << _LEFT_BITS | source << 8 | dest << 4 | count


def _move(onward: int) -> Move:
    return Move(Pile(onward >> 8 & 15), Pile(onward >> 4 & 15), onward & 15)


def steps_of(position: Position, moves: Sequence[Move]) -> tuple[Step, ...]:
    """A line as it is remembered."""
    steps: list[Step] = []
    for move in moves:
        arrangement = arrange(position)
        steps.append(Step(arrangement.key, arrangement.sorted_move(move)))
        position = carry(position, move)
    return tuple(steps)


class Memory:
    """Verdicts by position, in any arrangement of its piles."""

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._known: OrderedDict[bytes, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def look(self, position: Position, states: int) -> Verdict | None:
        """The verdict on a position; None if a search with so many states may still tell more."""
        if position.is_won:
            return Winnable(None, 0)
        arrangement = arrange(position)
        found = self._known.get(arrangement.key)
        if found is None:
            return None
        self._known.move_to_end(arrangement.key)
        if found > _LOST:
            return Winnable(arrangement.own_move(_move(found)), found >> _LEFT_BITS)
        if found == _LOST:
            return Lost()
        return Unknown() if -found >= states else None

    def keep_line(self, steps: Sequence[Step]) -> None:
        """Remember every position on a line that wins, unless a shorter way is known from there."""
        for left, step in enumerate(reversed(steps), start=1):
            found = self._known.get(step.key)
            if found is None or found <= _LOST or found >> _LEFT_BITS > left:
                self._known[step.key] = _onward(step.move, left)
            self._known.move_to_end(step.key)
        self._shrink()

    def keep_lost(self, key: bytes) -> None:
        """Remember that no line wins from this position."""
        self._known[key] = _LOST
        self._shrink()

    def keep_undecided(self, key: bytes, states: int) -> None:
        """Remember that so many states did not decide, unless more is known."""
        found = self._known.get(key)
        if found is None or 0 < -found < states:
            self._known[key] = -states
            self._shrink()

    def _shrink(self) -> None:
        while len(self._known) > self._size:
            self._known.popitem(last=False)
