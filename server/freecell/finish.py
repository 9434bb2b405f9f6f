"""Auto-finish: when nothing is buried any more the deal is won, and one command sends the rest home."""

from itertools import pairwise

from server.freecell.cards import Card, rank
from server.freecell.movement import Move, carry, top_card
from server.freecell.piles import CASCADES, CELLS, Pile, home_of
from server.freecell.position import Cascade, Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules


def is_offered(position: Position) -> bool:
    """Whether every cascade is non-increasing in rank from first to last card, and the game not yet won.

    Suits, colours and the cards in cells do not matter.
    """
    return not position.is_won and all(map(_is_sorted, position.cascades))


def check_finish(position: Position, rules: Rules) -> Illegal | None:
    """Why an auto-finish is refused; ``None`` when it is not."""
    if not rules.auto_finish:
        return Illegal("no_auto_finish", "these rules have no auto-finish")
    if position.is_won:
        return Illegal("already_won", "the game is already won")
    if not is_offered(position):
        return Illegal(
            "no_auto_finish", "auto-finish waits until no cascade has a higher card on a lower one"
        )
    return None


def finish_moves(position: Position) -> tuple[Move, ...]:
    """The single moves of an auto-finish: lowest rank first, among equals cascades 1-8, then cells a-d.

    Raises:
        ValueError: when it is not offered.
    """
    if not is_offered(position):
        raise ValueError("auto-finish is not offered on this position")
    moves: list[Move] = []
    while not position.is_won:
        source, card = min(_available(position), key=lambda place: (rank(place[1]), place[0]))
        moves.append(Move(source, home_of(card)))
        position = carry(position, moves[-1])
    return tuple(moves)


def _is_sorted(cascade: Cascade) -> bool:
    return all(rank(upper) >= rank(lower) for upper, lower in pairwise(cascade))


def _available(position: Position) -> list[tuple[Pile, Card]]:
    tops = ((pile, top_card(position, pile)) for pile in CASCADES + CELLS[: len(position.cells)])
    return [(pile, card) for pile, card in tops if card is not None]
