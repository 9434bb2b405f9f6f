"""Moves as people and solvers write them: standard FreeCell notation and its extensions.

A move is a source and a destination: ``1``-``8`` cascades, ``a``-``d`` free cells, ``h`` home. ``3a``,
``a5``, ``26``, ``7h``. To an empty cascade ``13v2`` says how many cards go (in hexadecimal). ``hs4`` takes a
card off a foundation.
"""

from enum import StrEnum

from server.freecell.capacity import landing_count, most_at_once, run_length
from server.freecell.legality import check_returns, find_card
from server.freecell.movement import Move
from server.freecell.piles import (
    CASCADES,
    CELLS,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FOUNDATIONS,
    Pile,
    home_of,
    parse_pile,
    pile_name,
)
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules
from server.freecell.wording import say


class Dialect(StrEnum):
    """What ``13`` means when cascade 3 is empty."""

    STANDARD = "standard"
    """The largest run allowed: what a person types, and what published solutions mean."""
    EXTENDED = "extended"
    """One card: the ``-snx`` output of fc-solve, which writes ``v`` for more."""


_TABLE = {pile_name(pile): pile for pile in CASCADES + CELLS}
_TABLE |= {name.upper(): pile for name, pile in _TABLE.items()}
_HOMES = {pile_name(pile)[1]: pile for pile in FOUNDATIONS}
_HOMES |= {name.upper(): pile for name, pile in _HOMES.items()}
_COUNTS = {digit: int(digit, 16) for digit in "123456789abcdABCD"}


def split_moves(text: str) -> list[str]:
    """The moves of a text, separated by any white space."""
    return text.split()


def read_pile(text: str) -> Pile | Illegal:
    """Read the name of a pile, in either case; or why it is none."""
    try:
        return parse_pile(text)
    except ValueError:
        words = "{shown} is not a pile: cascades are 1-8, cells a-d, foundations hc hd hh hs"
        return Illegal("bad_notation", say(words, shown=ascii(text[:20])))


def read_move(
    text: str, position: Position, rules: Rules, dialect: Dialect = Dialect.STANDARD
) -> Move | Illegal:
    """Read one move, in either case, and find out how many cards it takes.

    Returns:
        The move, still to be judged by ``check``; or why it cannot be read on this position.
    """
    first, second, rest = text[:1], text[1:2], text[2:]
    source = _TABLE.get(first)
    if source is None:
        return _read_withdrawal(text, rules) if first and first in "hH" else _unreadable(text)
    if second and second in "hH":
        return _unreadable(text) if rest else _read_homeward(position, source)
    dest = _TABLE.get(second)
    if dest is None:
        return _unreadable(text)
    if not rest:
        if source >= FIRST_CELL or dest >= FIRST_CELL or source == dest:
            return Move(source, dest)
        return _count_cards(position, source, dest, dialect)
    if len(rest) != 2 or rest[0] not in "vV" or (given := _COUNTS.get(rest[1])) is None:
        return _unreadable(text)
    return _read_counted(position, source, dest, given)


def _unreadable(text: str) -> Illegal:
    shown = ascii(text if len(text) <= 12 else text[:12] + "...")
    detail = say("{shown} is not a move; moves look like 3a, a5, 26, 7h, 13v2 or hs4", shown=shown)
    return Illegal("bad_notation", detail)


def _read_withdrawal(text: str, rules: Rules) -> Illegal | Move:
    source = _HOMES.get(text[1:2])
    if len(text) != 3 or source is None:
        return _unreadable(text)
    if refused := check_returns(rules):
        return refused
    dest = _TABLE.get(text[2])
    return _unreadable(text) if dest is None else Move(source, dest)


def _read_homeward(position: Position, source: Pile) -> Move | Illegal:
    card = find_card(position, source)
    return card if isinstance(card, Illegal) else Move(source, home_of(card))


def _count_cards(position: Position, source: Pile, dest: Pile, dialect: Dialect) -> Move | Illegal:
    """Find the count of a move from cascade to cascade that does not say it."""
    cascade = position.cascades[source]
    target = position.cascades[dest]
    if not cascade:
        return Move(source, dest)
    if not target:
        if dialect is Dialect.EXTENDED:
            return Move(source, dest)
        return Move(source, dest, min(run_length(cascade), most_at_once(position, to_empty=True)))
    count = landing_count(cascade, target[-1])
    if count == 1 or 1 < count <= run_length(cascade):
        return Move(source, dest, count)
    text = "nothing at the end of {source:pile} goes on {onto:card}"
    return Illegal("wrong_order", say(text, source=source, onto=target[-1]))


def _read_counted(position: Position, source: Pile, dest: Pile, given: int) -> Move | Illegal:
    """Judge the count of a move that says it."""
    if source >= FIRST_CELL or dest >= FIRST_CELL:
        return Illegal("bad_notation", "only a move from cascade to cascade may say how many cards it takes")
    if source == dest or not position.cascades[dest]:
        return Move(source, dest, given)
    move = _count_cards(position, source, dest, Dialect.STANDARD)
    if isinstance(move, Illegal) or move.count == given or not position.cascades[source]:
        return move
    text = "landing on {onto:card} takes {count} from {source:pile}, not {given}"
    onto = position.cascades[dest][-1]
    return Illegal("bad_count", say(text, onto=onto, count=move.count, source=source, given=given))


def write_move(move: Move, position: Position) -> str:
    """Write a move made on this position; to an empty cascade the count is always there."""
    source, dest, count = move
    text = pile_name(source) + ("h" if dest >= FIRST_FOUNDATION else pile_name(dest))
    if source < FIRST_CELL and dest < FIRST_CELL and not position.cascades[dest]:
        text += f"v{count:x}"
    return text
