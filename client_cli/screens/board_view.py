"""Where each pile of a board lies, worked out once, for drawing and for the mouse. Pure.

Every card is five cells or more: a cell for marks, three for rank and suit, and a last one that is left free.
A terminal that draws a suit wider than the one cell it takes spills into that, and not over the next card.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from client_cli.screens.look import SUITS
from protocol.picture import RANKS
from protocol.views import Board

CASCADES: Final = "12345678"
CELLS: Final = "abcd"
HOMES: Final = ("hc", "hd", "hh", "hs")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a board: a pile, and how many of its cards lie from there on (0 where it is empty)."""

    pile: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class View:
    """What is to be drawn.

    Attributes:
        board: the cards.
        picked: what was picked up.
        cursor: where the arrows stand; None while they are not used.
        reach: piles that the picked cards may go to, and how many may.
        waiting: piles that a move, not answered yet, is about.
        hint: the piles of a hint.
    """

    board: Board
    picked: Spot | None = None
    cursor: Spot | None = None
    reach: Mapping[str, int] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()
    hint: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Shape:
    """The measures of a drawing in cells and rows: a card, the gap between two, its face, its visible top."""

    card: int
    gap: int
    face: int
    step: int
    height: int

    @property
    def stride(self) -> int:
        """From one column to the next."""
        return self.card + self.gap

    @property
    def width(self) -> int:
        """Of the whole board."""
        return 8 * self.stride - self.gap

    @property
    def cascade_top(self) -> int:
        """The row of the first card of each cascade."""
        return self.face + (3 if self.face > 1 else 2)


SMALLEST: Final = Shape(card=5, gap=1, face=1, step=1, height=20)
_SHAPES: Final = ((9, 2, 4), (9, 2, 3), (7, 1, 3), (7, 1, 1), (5, 1, 1))


def shape_for(width: int, height: int, longest: int) -> Shape:
    """The largest drawing that fits.

    Args:
        width: cells there are.
        height: rows there are.
        longest: cards in the longest cascade there will be room for; a longer one is cut at its top.
    """
    for card, gap, face in _SHAPES:
        for step in (2, 1) if face > 1 else (1,):
            shape = Shape(card, gap, face, step, height)
            if shape.width <= width and shape.cascade_top + step * (longest - 1) + face <= height:
                return shape
    return Shape(5, 1, 1, 1, height)


def cascades_of(board: Board) -> list[list[str]]:
    """The cards of each cascade, the available one last."""
    return [line.split() for line in board.cascades]


def longest_of(board: Board) -> int:
    """Cards in the longest cascade."""
    return max(1, *(len(cards) for cards in cascades_of(board)))


def spot_at(board: Board, shape: Shape, x: int, y: int) -> Spot | None:
    """What lies at that cell of the drawing; below a cascade is its available card."""
    place, inside = divmod(x, shape.stride)
    if not 0 <= place < 8 or inside >= shape.card or y < 0:
        return None
    if y < shape.cascade_top - 1:
        pile = top_pile(board, place)
        return Spot(pile, 1 if top_card(board, pile) else 0) if pile else None
    cards = cascades_of(board)[place]
    hidden = hidden_cards(shape, len(cards))
    row = max(0, y - shape.cascade_top) // shape.step + hidden
    return Spot(CASCADES[place], max(1, len(cards) - row) if cards else 0)


def card_at(board: Board, spot: Spot) -> str | None:
    """The card of a spot."""
    if spot.pile in CASCADES:
        cards = cascades_of(board)[CASCADES.index(spot.pile)]
        return cards[-spot.count] if 1 <= spot.count <= len(cards) else None
    return top_card(board, spot.pile)


def top_pile(board: Board, place: int) -> str:
    """The pile above column `place`: cells to the left, foundations to the right."""
    if place < 4:
        return CELLS[place] if place < len(board.cells) else ""
    return HOMES[place - 4]


def top_card(board: Board, pile: str) -> str | None:
    """The card in a cell, or the top one of a foundation."""
    if pile in CELLS:
        return board.cells[CELLS.index(pile)]
    suit = HOMES.index(pile)
    return RANKS[board.home[suit] - 1] + SUITS[suit] if board.home[suit] else None


def hidden_cards(shape: Shape, cards: int) -> int:
    """How many cards of a cascade there is no room for: those at its top, never the ones in play."""
    rows = shape.height - shape.cascade_top - (shape.face - 1)
    return max(0, cards - max(1, rows // shape.step))
