"""How many cards may move at once."""

from server.freecell.cards import Card, fits, rank
from server.freecell.position import Cascade, Position
from server.freecell.refusal import Illegal
from server.freecell.wording import Wording, counted, say


def capacity(free_cells: int, empty_cascades: int, *, to_empty: bool = False) -> int:
    """The most cards a supermove may carry.

    (empty free cells + 1) x 2^(empty cascades, the destination not counted).

    Args:
        free_cells: empty free cells, 0..4.
        empty_cascades: all empty cascades, 0..8, the destination included.
        to_empty: whether the destination is one of them.

    Raises:
        ValueError: when there cannot be so many, or the destination is empty and no cascade is.
    """
    if not 0 <= free_cells <= 4:
        raise ValueError(f"there are 0 to 4 free cells, not {free_cells}")
    if not 0 <= empty_cascades <= 8:
        raise ValueError(f"there are 0 to 8 empty cascades, not {empty_cascades}")
    if to_empty and not empty_cascades:
        raise ValueError("a move to an empty cascade needs at least 1 empty cascade")
    return (free_cells + 1) << (empty_cascades - to_empty)


def most_at_once(position: Position, *, to_empty: bool) -> int:
    """The capacity of a position, counted before the move: the cascade a run leaves is still occupied."""
    return (position.cells.count(None) + 1) << (position.cascades.count(()) - to_empty)


def run_length(cascade: Cascade) -> int:
    """How many cards at the end of a cascade form one run; 0 for an empty cascade."""
    length = min(1, len(cascade))
    while length < len(cascade) and fits(cascade[-length], cascade[-length - 1]):
        length += 1
    return length


def landing_count(cascade: Cascade, onto: Card) -> int:
    """How many cards would have to leave ``cascade`` for the first of them to be one rank below ``onto``.

    Goes by the rank of the last card alone: it can be below 1 or beyond the cascade, and says nothing of runs
    or colours.
    """
    return rank(onto) - rank(cascade[-1])


def check_run(position: Position, cascade: Cascade, count: int, *, to_empty: bool) -> Illegal | None:
    """Why the last ``count`` cards (2 or more) cannot be carried together; ``None`` when they can."""
    run = run_length(cascade)
    if run < count:
        return Illegal(
            "not_a_run",
            say(
                "the last {count} cards are not one run: {lower:card} does not follow {upper:card},"
                " so at most {run} can move together",
                count=count,
                lower=cascade[-run],
                upper=cascade[-run - 1],
                run=run,
            ),
        )
    if count > most_at_once(position, to_empty=to_empty):
        return Illegal("too_many_cards", _shortage(position, count, to_empty=to_empty))
    return None


def _shortage(position: Position, count: int, *, to_empty: bool) -> Wording:
    """Say the numbers: what is there, and what a move of ``count`` cards would need."""
    free = position.cells.count(None)
    spare = position.cascades.count(()) - to_empty
    needed = -(-count >> spare) - 1
    have = say("; you have {free}", free=free)
    if spare:
        have += counted(" and {n} empty cascade to spare", " and {n} empty cascades to spare", spare)
    return (
        counted("{count} cards need {n} free cell", "{count} cards need {n} free cells", needed, count=count)
        + have
        + say(", so at most {most} at once", most=most_at_once(position, to_empty=to_empty))
        + say(" (counting empty space only: card by card, other cards may help)")
    )
