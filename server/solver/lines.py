"""Lines of the library, in our moves and played through by our rules."""

from collections.abc import Iterable
from enum import IntEnum

from server.freecell.legality import check
from server.freecell.movement import Move, carry, top_card
from server.freecell.piles import FIRST_CELL, Pile, home_of
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS


class _Kind(IntEnum):
    """The library's kinds of moves; there are more, which no FreeCell has."""

    CASCADE_TO_CASCADE = 0
    CASCADE_TO_CELL = 1
    CELL_TO_CASCADE = 2
    CELL_TO_CELL = 3
    CASCADE_HOME = 4
    CELL_HOME = 5


_FROM_CELL = (_Kind.CELL_TO_CASCADE, _Kind.CELL_TO_CELL, _Kind.CELL_HOME)
_TO_CELL = (_Kind.CASCADE_TO_CELL, _Kind.CELL_TO_CELL)
_HOME = (_Kind.CASCADE_HOME, _Kind.CELL_HOME)

# No line takes a card off a foundation; how many cells there are, the position tells.
_RULES = RULESETS["classic"]


class BadLineError(Exception):
    """What the library gave does not win by our rules; says where it fails."""


def play_through(position: Position, raw: Iterable[bytes]) -> tuple[Move, ...]:
    """The moves of a line, once it has won.

    Args:
        position: where it begins.
        raw: as `engine.Found` has them.

    Raises:
        BadLineError: a move is illegal, or the line ends before the game is won.
    """
    moves: list[Move] = []
    for kind, source, dest, count in raw:
        move = _translate(position, kind, source, dest, count)
        refused = check(position, move, _RULES)
        if refused:
            raise BadLineError(f"move {len(moves) + 1}: {refused.detail}")
        moves.append(move)
        position = carry(position, move)
    if not position.is_won:
        raise BadLineError(f"after {len(moves)} moves the game is not won")
    return tuple(moves)


def _translate(position: Position, kind: int, source: int, dest: int, count: int) -> Move:
    """The move that these bytes stand for; `check` judges it."""
    pile = Pile(source + FIRST_CELL if kind in _FROM_CELL else source)
    if kind in _HOME:
        card = top_card(position, pile)
        return Move(pile, pile if card is None else home_of(card))
    to = Pile(dest + FIRST_CELL if kind in _TO_CELL else dest)
    return Move(pile, to, count if kind == _Kind.CASCADE_TO_CASCADE else 1)
