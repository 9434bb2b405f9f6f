"""The move calculator: how many cards could go where, and why not more."""

from typing import NamedTuple

from server.freecell.capacity import landing_count, most_at_once, run_length
from server.freecell.legality import check, find_card
from server.freecell.movement import Move
from server.freecell.piles import CASCADES, CELLS, Pile, home_of, is_cascade, is_foundation
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules


class Destination(NamedTuple):
    """One place the cards of a pile could go.

    Attributes:
        dest: the place.
        most: the most cards that may go there now. An occupied cascade takes exactly so many, an empty one
            any number up to it.
        why: where ``most`` is 0, why; else empty.
    """

    dest: Pile
    most: int
    why: str


def destinations(position: Position, pile: Pile, rules: Rules) -> tuple[Destination, ...]:
    """Judge every other place for the cards of a pile: cascades, free cells, the available card's foundation.

    An empty pile has no destinations, nor has one that does not exist.
    """
    card = find_card(position, pile)
    if isinstance(card, Illegal):
        return ()
    places = [dest for dest in CASCADES + CELLS[: len(position.cells)] if dest != pile]
    if not is_foundation(pile):
        places.append(home_of(card))
    return tuple(_judge(position, pile, dest, rules) for dest in places)


def _judge(position: Position, pile: Pile, dest: Pile, rules: Rules) -> Destination:
    count = _wanted_count(position, pile, dest)
    refused = check(position, Move(pile, dest, count), rules)
    return Destination(dest, 0, refused.detail) if refused else Destination(dest, count, "")


def _wanted_count(position: Position, pile: Pile, dest: Pile) -> int:
    """The count to ask about: what would land on an occupied cascade, the most for an empty one, else 1."""
    if not is_cascade(pile) or not is_cascade(dest):
        return 1
    cascade, target = position.cascades[pile], position.cascades[dest]
    if not target:
        return min(run_length(cascade), most_at_once(position, to_empty=True))
    count = landing_count(cascade, target[-1])
    return count if 1 <= count <= run_length(cascade) else 1
