"""What was found, by position: of every position on a line the next move and how many are left.

Whoever follows a line stays on it, and every step leaves fewer moves: so advice that comes from here does not
go round in circles. Bounded; what was not looked at for longest goes first.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.freecell.movement import Move, carry
from server.freecell.position import Position
from server.solver.canonical import arrange
from server.solver.verdict import Lost, Unknown, Verdict, Winnable

SIZE: Final = 100_000
"""Positions, a few hundred bytes each."""


class Step(NamedTuple):
    """A position on a line, by its key, and the move made there, by the places of the sorted piles."""

    key: bytes
    move: Move


class _Onward(NamedTuple):
    move: Move
    left: int


@dataclass(frozen=True, slots=True)
class _Tried:
    """A search with so many states did not decide."""

    states: int


_LOST: Final = Lost()


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
        self._known: OrderedDict[bytes, _Onward | Lost | _Tried] = OrderedDict()

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
        match found:
            case _Onward(move, left):
                return Winnable(arrangement.own_move(move), left)
            case Lost():
                return found
            case _Tried(tried):
                return Unknown() if tried >= states else None

    def keep_line(self, steps: Sequence[Step]) -> None:
        """Remember every position on a line that wins, unless a shorter way is known from there."""
        for left, step in enumerate(reversed(steps), start=1):
            found = self._known.get(step.key)
            if not isinstance(found, _Onward) or found.left > left:
                self._known[step.key] = _Onward(step.move, left)
            self._known.move_to_end(step.key)
        self._shrink()

    def keep_lost(self, key: bytes) -> None:
        """Remember that no line wins from this position."""
        self._known[key] = _LOST
        self._shrink()

    def keep_undecided(self, key: bytes, states: int) -> None:
        """Remember that so many states did not decide, unless more is known."""
        found = self._known.get(key)
        if found is None or (isinstance(found, _Tried) and found.states < states):
            self._known[key] = _Tried(states)
            self._shrink()

    def _shrink(self) -> None:
        while len(self._known) > self._size:
            self._known.popitem(last=False)
