"""Positions compared without regard to the order of cascades and of cells.

What is known of one arrangement holds for every other: a move is kept by the places that its piles have when
they are sorted, and read back for the arrangement at hand.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from server.freecell.movement import Move
from server.freecell.piles import FIRST_CELL, FIRST_FOUNDATION, Pile
from server.freecell.position import Position

KEY_BYTES: Final = 16
"""Two positions with one key are not to be met: among 2^40 the chance is below one in 2^48."""

_END: Final = 0xFF
_EMPTY: Final = 0xFE


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How the piles of one position lie when they are sorted.

    Attributes:
        key: the same for all arrangements of the same cards.
        piles: by place, the pile that is there: cascades at 0..7, cells from 8 on.
    """

    key: bytes
    piles: tuple[Pile, ...]

    def sorted_move(self, move: Move) -> Move:
        """A move of this position, by the places of its piles."""
        source, dest, count = move
        return Move(self._place(source), self._place(dest), count)

    def own_move(self, move: Move) -> Move:
        """A move by places, in this position."""
        source, dest, count = move
        return Move(self._pile(source), self._pile(dest), count)

    def _place(self, pile: Pile) -> Pile:
        return pile if pile >= FIRST_FOUNDATION else Pile(self.piles.index(pile))

    def _pile(self, place: Pile) -> Pile:
        return place if place >= FIRST_FOUNDATION else self.piles[place]


def arrange(position: Position) -> Arrangement:
    """Sort the piles of a position, which has all the cards that are not on them on the foundations."""
    cascades, cells, _ = position
    columns = sorted(range(8), key=cascades.__getitem__)
    held = sorted(range(len(cells)), key=lambda cell: _EMPTY if (card := cells[cell]) is None else card)
    text = bytearray()
    for column in columns:
        text += bytes(cascades[column])
        text.append(_END)
    text += bytes(_EMPTY if (card := cells[cell]) is None else card for cell in held)
    piles = (*map(Pile, columns), *(Pile(FIRST_CELL + cell) for cell in held))
    return Arrangement(blake2b(text, digest_size=KEY_BYTES).digest(), piles)


def key_of(position: Position) -> bytes:
    """The key of a position, in any arrangement."""
    return arrange(position).key
