"""Moves, and carrying them out without asking whether they are legal."""

from collections.abc import Iterable
from typing import NamedTuple, cast

from server.freecell.cards import Card, make_card
from server.freecell.piles import FIRST_CELL, FIRST_FOUNDATION, Pile
from server.freecell.position import Cell, Position


class Move(NamedTuple):
    """Some cards from one pile to another; more than one only from cascade to cascade."""

    source: Pile
    dest: Pile
    count: int = 1  # type: ignore[assignment]  # hides tuple.count, which nobody asks of a move


def reverse(move: Move) -> Move:
    """The move that puts the same cards back."""
    source, dest, count = move
    return Move(dest, source, count)


def top_card(position: Position, pile: Pile) -> Card | None:
    """The available card of a pile (of a foundation: its top card), ``None`` when the pile is empty."""
    if pile < FIRST_CELL:
        cascade = position.cascades[pile]
        return cascade[-1] if cascade else None
    if pile < FIRST_FOUNDATION:
        return position.cells[pile - FIRST_CELL]
    top = position.foundations[pile - FIRST_FOUNDATION]
    return make_card(top, pile - FIRST_FOUNDATION) if top else None


def carry(position: Position, move: Move) -> Position:
    """The position after a move, which is not checked.

    Takes whatever can be carried: legal moves, what undoes them, whole runs, cards off a foundation.
    """
    source, dest, count = move
    cascades, cells, foundations = position
    if source < FIRST_CELL and dest < FIRST_CELL:
        columns = list(cascades)
        cards = columns[source]
        columns[source] = cards[:-count]
        columns[dest] += cards[-count:]
        return Position(tuple(columns), cells, foundations)

    # A single card. Each part of the position is copied only if the move touches it.
    if source < FIRST_CELL:
        columns = list(cascades)
        cards = columns[source]
        card = cards[-1]
        columns[source] = cards[:-1]
        cascades = tuple(columns)
    elif source < FIRST_FOUNDATION:
        # Only an unchecked move of a card that is not there could make this None.
        card = cast("Card", cells[source - FIRST_CELL])
        cells = _with_cell(cells, source - FIRST_CELL, None)
    else:
        index = source - FIRST_FOUNDATION
        card = make_card(foundations[index], index)
        foundations = _with_top(foundations, index, foundations[index] - 1)

    if dest < FIRST_CELL:
        columns = list(cascades)
        columns[dest] += (card,)
        cascades = tuple(columns)
    elif dest < FIRST_FOUNDATION:
        cells = _with_cell(cells, dest - FIRST_CELL, card)
    else:
        foundations = _with_top(foundations, dest - FIRST_FOUNDATION, (card >> 2) + 1)
    return Position(cascades, cells, foundations)


def carry_all(position: Position, moves: Iterable[Move]) -> Position:
    """The position after several moves, none of them checked."""
    for move in moves:
        position = carry(position, move)
    return position


def _with_cell(cells: tuple[Cell, ...], index: int, card: Cell) -> tuple[Cell, ...]:
    changed = list(cells)
    changed[index] = card
    return tuple(changed)


def _with_top(foundations: tuple[int, int, int, int], index: int, top: int) -> tuple[int, int, int, int]:
    changed = list(foundations)
    changed[index] = top
    return cast("tuple[int, int, int, int]", tuple(changed))
