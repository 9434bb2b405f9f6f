"""What can be undone or redone: a persistent stack of packed actions."""

from collections.abc import Iterable
from typing import NamedTuple

from server.freecell.movement import Move
from server.freecell.piles import Pile
from server.freecell.position import Position


class History(NamedTuple):
    """One action and those before it; ``None`` is the empty stack. Pushing and popping share what is below.

    Two stacks can be thousands deep: nothing here recurses, and whatever a tuple would do by recursion is
    replaced.

    Attributes:
        action: the moves made, packed; or, for a restart, the whole position on its other side.
        score: the score on the other side of the action: before it in a past, after it in a future.
        below: the rest of the stack.
    """

    action: int | Position
    score: int
    below: "History | None"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return False
        mine: History | None = self
        theirs: History | None = other
        while mine is not theirs:
            if mine is None or theirs is None or mine.action != theirs.action or mine.score != theirs.score:
                return False
            mine, theirs = mine.below, theirs.below
        return True

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.action, self.score))

    def __repr__(self) -> str:
        return f"<History: {self.action!r}, {self.score}, ...>"


def pack(moves: Iterable[Move]) -> int:
    """Moves as one integer: a 1, then 12 bits a move (source, destination, count), first move highest."""
    packed = 1
    for source, dest, count in moves:
        packed = packed << 12 | source << 8 | dest << 4 | count
    return packed


def unpack(packed: int) -> tuple[Move, ...]:
    """The moves ``pack`` packed."""
    moves: list[Move] = []
    while packed > 1:
        moves.append(Move(Pile(packed >> 8 & 15), Pile(packed >> 4 & 15), packed & 15))
        packed >>= 12
    return tuple(reversed(moves))


def unpack_reversed(packed: int) -> tuple[Move, ...]:
    """The moves that take back what ``pack`` packed: each reversed, the last one first."""
    moves: list[Move] = []
    while packed > 1:
        moves.append(Move(Pile(packed >> 4 & 15), Pile(packed >> 8 & 15), packed & 15))
        packed >>= 12
    return tuple(moves)
