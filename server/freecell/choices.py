"""Every legal move of a position."""

from collections.abc import Iterator

from server.freecell.capacity import landing_count, most_at_once, run_length
from server.freecell.cards import Card, fits, rank
from server.freecell.movement import Move, top_card
from server.freecell.piles import CASCADES, CELLS, FIRST_FOUNDATION, FOUNDATIONS, Pile, home_of
from server.freecell.position import Position
from server.freecell.rulesets import Rules


def legal_moves(position: Position, rules: Rules) -> tuple[Move, ...]:
    """Every move that is legal, by source, then destination, then count.

    To an empty cascade each number of cards is a move of its own, and so is each empty cell and each empty
    cascade.
    """
    return tuple(each_move(position, rules))


def each_move(position: Position, rules: Rules) -> Iterator[Move]:
    """The same moves in the same order, each found only when it is asked for."""
    sources = CASCADES + CELLS[: len(position.cells)]
    for source in sources + FOUNDATIONS if rules.returns else sources:
        card = top_card(position, source)
        if card is None:
            continue
        if source in CASCADES:
            yield from _run_moves(position, source)
        else:
            yield from _single_moves(position, source, card)
        for cell, held in zip(CELLS, position.cells, strict=False):
            if held is None:
                yield Move(source, cell)
        if (
            source not in FOUNDATIONS
            and rank(card) == position.foundations[home_of(card) - FIRST_FOUNDATION] + 1
        ):
            yield Move(source, home_of(card))


def is_blocked(position: Position, rules: Rules) -> bool:
    """Whether no legal move is left, not even a withdrawal the rules allow. A won board is not blocked."""
    return not position.is_won and next(each_move(position, rules), None) is None


def _run_moves(position: Position, source: Pile) -> Iterator[Move]:
    """Moves from cascade to cascade."""
    cascade = position.cascades[source]
    run = run_length(cascade)
    for dest, target in zip(CASCADES, position.cascades, strict=True):
        if not target:
            for count in range(1, min(run, most_at_once(position, to_empty=True)) + 1):
                yield Move(source, dest, count)
        elif dest != source:
            count = landing_count(cascade, target[-1])
            movable = min(run, most_at_once(position, to_empty=False))
            if 1 <= count <= movable and fits(cascade[-count], target[-1]):
                yield Move(source, dest, count)


def _single_moves(position: Position, source: Pile, card: Card) -> Iterator[Move]:
    """Moves from a cell or a foundation to a cascade."""
    for dest, target in zip(CASCADES, position.cascades, strict=True):
        if not target or fits(card, target[-1]):
            yield Move(source, dest)
