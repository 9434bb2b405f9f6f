"""A board as lines of text: pure. Where each pile lies is worked out once, for drawing and for the mouse.

Every card is five cells or more: a cell for marks, three for rank and suit, and a last one that is left free.
A terminal that draws a suit wider than the one cell it takes spills into that, and not over the next card.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from client_cli.screens.canvas import Canvas, Span
from client_cli.screens.look import SUITS, Look
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


def board_lines(view: View, shape: Shape, look: Look) -> list[list[Span]]:
    """The drawing: `shape.height` lines of `shape.width` cells."""
    canvas = Canvas(shape.width, shape.height)
    for place in range(8):
        pile = _top_pile(view.board, place)
        if pile:
            _top_place(canvas, view, shape, look, pile, place)
    for place, cards in enumerate(cascades_of(view.board)):
        _cascade(canvas, view, shape, look, place, cards)
    return canvas.lines()


def spot_at(board: Board, shape: Shape, x: int, y: int) -> Spot | None:
    """What lies at that cell of the drawing; below a cascade is its available card."""
    place, inside = divmod(x, shape.stride)
    if not 0 <= place < 8 or inside >= shape.card or y < 0:
        return None
    if y < shape.cascade_top - 1:
        pile = _top_pile(board, place)
        return Spot(pile, 1 if _top_card(board, pile) else 0) if pile else None
    cards = cascades_of(board)[place]
    hidden = _hidden(shape, len(cards))
    row = max(0, y - shape.cascade_top) // shape.step + hidden
    return Spot(CASCADES[place], max(1, len(cards) - row) if cards else 0)


def card_at(board: Board, spot: Spot) -> str | None:
    """The card of a spot."""
    if spot.pile in CASCADES:
        cards = cascades_of(board)[CASCADES.index(spot.pile)]
        return cards[-spot.count] if 1 <= spot.count <= len(cards) else None
    return _top_card(board, spot.pile)


def _top_pile(board: Board, place: int) -> str:
    """The pile above column `place`: cells to the left, foundations to the right."""
    if place < 4:
        return CELLS[place] if place < len(board.cells) else ""
    return HOMES[place - 4]


def _top_card(board: Board, pile: str) -> str | None:
    if pile in CELLS:
        return board.cells[CELLS.index(pile)]
    suit = HOMES.index(pile)
    return RANKS[board.home[suit] - 1] + SUITS[suit] if board.home[suit] else None


def _top_place(canvas: Canvas, view: View, shape: Shape, look: Look, pile: str, place: int) -> None:
    x = place * shape.stride
    name = pile if pile in CELLS else look.suit(pile[1].upper())
    _label(canvas, view, shape, look, pile, name, x, 0)
    card = _top_card(view.board, pile)
    if card is None:
        _slot(canvas, view, shape, pile, x, 1)
    else:
        _card(canvas, view, shape, look, Spot(pile), card, x, 1)


def _cascade(canvas: Canvas, view: View, shape: Shape, look: Look, place: int, cards: list[str]) -> None:
    x, pile = place * shape.stride, CASCADES[place]
    _label(canvas, view, shape, look, pile, pile, x, shape.cascade_top - 1)
    if not cards:
        _slot(canvas, view, shape, pile, x, shape.cascade_top)
        return
    hidden = _hidden(shape, len(cards))
    for row, card in enumerate(cards[hidden:]):
        y = shape.cascade_top + row * shape.step
        count = len(cards) - hidden - row
        _card(canvas, view, shape, look, Spot(pile, count), card, x, y)
    if hidden:
        canvas.put(x, shape.cascade_top, look.signs.more.center(shape.card), "label")


def _hidden(shape: Shape, cards: int) -> int:
    """How many cards of a cascade there is no room for: those at its top, never the ones in play."""
    rows = shape.height - shape.cascade_top - (shape.face - 1)
    return max(0, cards - max(1, rows // shape.step))


def _label(
    canvas: Canvas, view: View, shape: Shape, look: Look, pile: str, name: str, x: int, y: int
) -> None:
    """The name of a pile; with it how many cards may go there, or that the server was asked."""
    text, kind = name, "label"
    if view.reach.get(pile):
        text, kind = f"{name}+{view.reach[pile]}", "reach"
    elif pile in view.waiting:
        text, kind = f"{name}{look.signs.waiting}", "wait"
    elif pile in view.hint:
        text, kind = f"{name}!", "reach"
    canvas.put(x + max(0, (shape.card - len(text)) // 2), y, text, kind)


def _slot(canvas: Canvas, view: View, shape: Shape, pile: str, x: int, y: int) -> None:
    has_cursor = view.cursor is not None and view.cursor.pile == pile
    left, right = ("[", "]") if has_cursor else (" ", " ")
    middle = "-".center(shape.card - 2) if shape.face == 1 else "- -".center(shape.card - 2)
    canvas.put(x, y, left + middle + right, "reach" if view.reach.get(pile) else "slot")


def _card(
    canvas: Canvas, view: View, shape: Shape, look: Look, spot: Spot, card: str, x: int, y: int
) -> None:
    rows = shape.face if spot.count == 1 else shape.step
    picked = view.picked is not None and view.picked.pile == spot.pile and spot.count <= view.picked.count
    left = look.signs.picked if picked else " "
    right = " "
    if view.cursor == spot:
        left, right = "[", "]"
    kind = card[-1] + ("*" if picked else "")
    for row in range(rows):
        canvas.put(x, y + row, " " * shape.card, kind)
    canvas.put(x, y, left + look.card(card), kind)
    canvas.put(x + shape.card - 1, y, right, kind)
    if rows >= 3 and look.colour:  # without paper under it, it would look like another card
        canvas.put(x, y + rows - 1, f"{look.card(card).strip():>{shape.card - 1}}", kind)
