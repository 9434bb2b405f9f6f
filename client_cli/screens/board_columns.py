"""A board as lines of text, column by column. Pure.

A move changes two columns of eight. What a column looks like is worked out once for each thing that it may
hold, and found again by that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from client_cli.screens.board_view import (
    CASCADES,
    CELLS,
    Shape,
    Spot,
    View,
    cascades_of,
    hidden_cards,
    top_card,
    top_pile,
)
from client_cli.screens.canvas import Canvas, Span
from client_cli.screens.look import Look

Lines = tuple[tuple[Span, ...], ...]

_KEPT: Final = 1024
"""Columns that are remembered; the cards of several boards, in several states."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on a pile: see `View`."""

    picked: int = 0
    cursor: int | None = None
    reach: int = 0
    waits: bool = False
    hinted: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A cascade, and the cell or foundation above it; `top` is "" where there is none."""

    top: str
    card: str | None
    top_marks: Marks
    cascade: str
    cards: tuple[str, ...]
    marks: Marks


def board_lines(view: View, shape: Shape, look: Look) -> list[list[Span]]:
    """The drawing: `shape.height` lines of `shape.width` cells."""
    columns = board_columns(view, shape, look)
    return [joined(columns, y) for y in range(shape.height)]


def board_columns(view: View, shape: Shape, look: Look) -> tuple[Lines, ...]:
    """The eight columns: each as lines of `shape.stride` cells, the last one without the gap."""
    cascades = cascades_of(view.board)
    return tuple(
        _drawn(_column(view, place, tuple(cascades[place])), shape, look, is_last=place == 7)
        for place in range(8)
    )


def joined(columns: Sequence[Lines], y: int) -> list[Span]:
    """A line of the whole board, cells of one kind together."""
    spans: list[Span] = []
    for column in columns:
        for span in column[y]:
            if spans and spans[-1].kind == span.kind:
                spans[-1] = Span(spans[-1].text + span.text, span.kind)
            else:
                spans.append(span)
    return spans


def _column(view: View, place: int, cards: tuple[str, ...]) -> Column:
    top, cascade = top_pile(view.board, place), CASCADES[place]
    card = top_card(view.board, top) if top else None
    return Column(top, card, _marks(view, top), cascade, cards, _marks(view, cascade))


def _marks(view: View, pile: str) -> Marks:
    picked, cursor = view.picked, view.cursor
    return Marks(
        picked.count if picked is not None and picked.pile == pile else 0,
        cursor.count if cursor is not None and cursor.pile == pile else None,
        view.reach.get(pile, 0),
        pile in view.waiting,
        pile in view.hint,
    )


@lru_cache(_KEPT)
def _drawn(column: Column, shape: Shape, look: Look, *, is_last: bool) -> Lines:
    canvas = Canvas(shape.card if is_last else shape.stride, shape.height)
    if column.top:
        name = column.top if column.top in CELLS else look.suit(column.top[1].upper())
        _label(canvas, column.top_marks, shape, look, name, 0)
        if column.card is None:
            _slot(canvas, column.top_marks, shape, look, 1)
        else:
            _card(canvas, column.top_marks, shape, look, Spot(column.top), column.card, 1)
    _cascade(canvas, column, shape, look)
    return tuple(tuple(line) for line in canvas.lines())


def _cascade(canvas: Canvas, column: Column, shape: Shape, look: Look) -> None:
    pile, cards, marks = column.cascade, column.cards, column.marks
    _label(canvas, marks, shape, look, pile, shape.cascade_top - 1)
    if not cards:
        _slot(canvas, marks, shape, look, shape.cascade_top)
        return
    hidden = hidden_cards(shape, len(cards))
    for row, card in enumerate(cards[hidden:]):
        spot = Spot(pile, len(cards) - hidden - row)
        _card(canvas, marks, shape, look, spot, card, shape.cascade_top + row * shape.step)
    if hidden:
        canvas.put(0, shape.cascade_top, look.signs.more.center(shape.card), "label")


def _label(canvas: Canvas, marks: Marks, shape: Shape, look: Look, name: str, y: int) -> None:
    """The name of a pile; with it how many cards may go there, or that the server was asked."""
    text, kind = name, "label"
    if marks.reach:
        text, kind = f"{name}+{marks.reach}", "reach"
    elif marks.waits:
        text, kind = f"{name}{look.signs.waiting}", "wait"
    elif marks.hinted:
        text, kind = f"{name}!", "reach"
    canvas.put(max(0, (shape.card - len(text)) // 2), y, text, kind)


def _slot(canvas: Canvas, marks: Marks, shape: Shape, look: Look, y: int) -> None:
    """An empty place: a frame where there is room for one."""
    kind, inside = "reach" if marks.reach else "slot", shape.card - 2
    left, right = (" ", " ") if marks.cursor is None else ("[", "]")
    if shape.face < 3:
        canvas.put(0, y, left + "-".center(inside) + right, kind)
        return
    top, side, bottom = look.signs.frame
    if marks.cursor is not None:
        side = f"{left} {right}"
    for row, part in enumerate((top, *(side for _ in range(shape.face - 2)), bottom)):
        canvas.put(0, y + row, part[0] + part[1] * inside + part[2], kind)


def _card(canvas: Canvas, marks: Marks, shape: Shape, look: Look, spot: Spot, card: str, y: int) -> None:
    # Without paper under them, edges and second names would look like something else.
    rows = shape.face if spot.count == 1 else shape.step
    picked = spot.count <= marks.picked
    left = look.signs.picked if picked else " "
    right = " "
    if marks.cursor == spot.count:
        left, right = "[", "]"
    kind = card[-1] + ("*" if picked else "")
    for row in range(rows):
        canvas.put(0, y + row, " " * shape.card, kind)
    canvas.put(0, y, left + look.card(card), kind)
    canvas.put(shape.card - 1, y, right, kind)
    if spot.count > 1 and rows > 1 and look.colour:
        canvas.put(0, y + rows - 1, look.signs.edge * shape.card, "edge*" if picked else "edge")
    if rows >= 3 and look.colour:
        canvas.put(0, y + rows - 1, f"{look.card(card).strip():>{shape.card - 1}}", kind)
