"""Safe autoplay, which published solutions assume.

No ruleset here moves a card by itself; this is for reading solutions.
"""

from server.freecell.cards import Card, is_red, rank
from server.freecell.movement import Move, carry, top_card
from server.freecell.piles import CASCADES, CELLS, FIRST_FOUNDATION, home_of
from server.freecell.position import Position


def safe_moves(position: Position) -> tuple[Move, ...]:
    """The moves home that safe autoplay makes, in order.

    Aces and twos always go; a higher card once both foundations of the other colour have reached its rank
    minus one.
    """
    moves: list[Move] = []
    while (move := _next_move(position)) is not None:
        moves.append(move)
        position = carry(position, move)
    return tuple(moves)


def _next_move(position: Position) -> Move | None:
    for source in CASCADES + CELLS[: len(position.cells)]:
        card = top_card(position, source)
        if card is not None and _is_safe(card, position.foundations):
            return Move(source, home_of(card))
    return None


def _is_safe(card: Card, tops: tuple[int, int, int, int]) -> bool:
    height = rank(card)
    if height != tops[home_of(card) - FIRST_FOUNDATION] + 1:
        return False
    clubs, diamonds, hearts, spades = tops
    lower = min(clubs, spades) if is_red(card) else min(diamonds, hearts)
    return height <= 2 or lower >= height - 1
