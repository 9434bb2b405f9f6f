"""A board where there is little room: cards of three cells, to look at and not to play on. Pure.

A card is rank and suit (`T` for ten), and a cell left free, for terminals that draw a suit wider than that.
"""

from typing import Final

from client_cli.screens.board_view import cascades_of
from client_cli.screens.canvas import Canvas, Span
from client_cli.screens.look import SUITS, Look
from protocol.picture import RANKS
from protocol.views import Board

CARD: Final = 3
NARROW: Final = 8 * CARD
"""Cells of a board whose columns touch."""
WIDE: Final = NARROW + 7
"""Cells of one whose columns do not."""
LOWEST: Final = 9
"""Rows below which too little of the columns is seen."""


def small_lines(board: Board, look: Look, width: int, height: int) -> list[list[Span]]:
    """The drawing: `height` lines of `WIDE` cells where there is that much room, else of `NARROW`."""
    stride = CARD + (width >= WIDE)
    canvas = Canvas(8 * stride - (stride - CARD), height)
    for place, card in enumerate(board.cells):
        _put(canvas, look, place * stride, 0, card)
    for place, top in enumerate(board.home, start=4):
        card = RANKS[top - 1] + SUITS[place - 4] if top else None
        _put(canvas, look, place * stride, 0, card, empty=look.suit(SUITS[place - 4]))
    columns = cascades_of(board)
    longest = max(1, *(len(cards) for cards in columns))
    first = 2 if longest + 2 <= height else 1
    for place, cards in enumerate(columns):
        hidden = max(0, len(cards) - (height - first))
        for row, card in enumerate(cards[hidden:]):
            _put(canvas, look, place * stride, first + row, card)
        if not cards:
            _put(canvas, look, place * stride, first, None)
        if hidden:
            canvas.put(place * stride, first, look.signs.more.center(CARD), "label")
    return canvas.lines()


def _put(canvas: Canvas, look: Look, x: int, y: int, card: str | None, *, empty: str = "-") -> None:
    if card is None:
        canvas.put(x, y, f"{empty} ", "slot")
    else:
        canvas.put(x, y, f"{card[0]}{look.suit(card[1])} ", card[1])
