"""Whether a move is legal: the one judge of every command."""

from server.freecell.capacity import check_run
from server.freecell.cards import DECK, Card, fits, make_card, rank
from server.freecell.movement import Move, carry, top_card
from server.freecell.piles import (
    FIRST_CELL,
    FIRST_FOUNDATION,
    PILES,
    Pile,
    home_of,
    is_cell,
    pile_name,
)
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules
from server.freecell.wording import counted, say


def check(position: Position, move: Move, rules: Rules) -> Illegal | None:
    """Why a move is not legal; ``None`` when it is. Any integers may come in."""
    source, dest, count = move
    if not (0 <= source < len(PILES) and 0 <= dest < len(PILES)):
        return Illegal("no_such_pile", "piles go from 0 to 15")
    if source == dest:
        return Illegal(
            "same_pile", say("{pile:pile} is where the card already is: choose another pile", pile=source)
        )
    if count < 1:
        return Illegal("bad_count", say("a move takes at least 1 card, not {count}", count=count))
    if source < FIRST_CELL:
        cascade = position.cascades[source]
        if count > len(cascade):
            return _too_few(source, len(cascade), count)
        head = cascade[-count]
    else:
        found = _find_single(position, source, count, rules)
        if isinstance(found, Illegal):
            return found
        head = found
    if dest < FIRST_CELL:
        return _check_cascade(position, move, head)
    if count > 1:
        detail = say("only one card at a time goes to {dest:pile}, not {count}", dest=dest, count=count)
        return Illegal("bad_count", detail)
    if dest < FIRST_FOUNDATION:
        return _check_cell(position, dest)
    return _check_foundation(position, source, dest, head)


def apply(position: Position, move: Move, rules: Rules) -> Position | Illegal:
    """The position after a move, or why it is not legal."""
    return check(position, move, rules) or carry(position, move)


def find_card(position: Position, pile: Pile) -> Card | Illegal:
    """The available card of a pile, or why there is none. Any integer may come in."""
    if not 0 <= pile < len(PILES):
        return Illegal("no_such_pile", "piles go from 0 to 15")
    if is_cell(pile) and pile - FIRST_CELL >= len(position.cells):
        return _no_such_cell(position, pile)
    card = top_card(position, pile)
    return _too_few(pile, 0, 1) if card is None else card


def check_returns(rules: Rules) -> Illegal | None:
    """Why no card may be taken off a foundation, where none may."""
    return (
        None if rules.returns else Illegal("no_returns", "in these rules a card on a foundation stays there")
    )


def _too_few(pile: Pile, there: int, count: int) -> Illegal:
    if there:
        one, many = "{pile:pile} has {n} card, not {count}", "{pile:pile} has {n} cards, not {count}"
        return Illegal("bad_count", counted(one, many, there, pile=pile, count=count))
    return Illegal("empty_source", say("there is no card on {pile:pile}", pile=pile))


def _no_such_cell(position: Position, pile: Pile) -> Illegal:
    match len(position.cells):
        case 0:
            detail = say("there is no {cell:pile}: this game has none", cell=pile)
        case 1:
            detail = say("there is no {cell:pile}: a is the only one", cell=pile)
        case cells:
            last = pile_name(Pile(FIRST_CELL + cells - 1))
            detail = say("there is no {cell:pile}: cells go from a to {last}", cell=pile, last=last)
    return Illegal("no_such_cell", detail)


def _find_single(position: Position, source: Pile, count: int, rules: Rules) -> Card | Illegal:
    """The card a move takes from a cell or a foundation."""
    if source >= FIRST_FOUNDATION and (refused := check_returns(rules)):
        return refused
    if count > 1:
        detail = say("only one card at a time leaves {source:pile}, not {count}", source=source, count=count)
        return Illegal("bad_count", detail)
    return find_card(position, source)


def _check_cascade(position: Position, move: Move, head: Card) -> Illegal | None:
    source, dest, count = move
    target = position.cascades[dest]
    if target and not fits(head, target[-1]):
        return _does_not_fit(head, target[-1])
    return check_run(position, position.cascades[source], count, to_empty=not target) if count > 1 else None


def _does_not_fit(head: Card, onto: Card) -> Illegal:
    if rank(onto) == 1:
        detail = say("{head:card} does not go on {onto:card}: nothing goes on an ace", head=head, onto=onto)
        return Illegal("wrong_order", detail)
    one, other = (card for card in DECK if fits(card, onto))
    text = "{head:card} does not go on {onto:card}: it takes {one:card} or {other:card}"
    return Illegal("wrong_order", say(text, head=head, onto=onto, one=one, other=other))


def _check_cell(position: Position, dest: Pile) -> Illegal | None:
    index = dest - FIRST_CELL
    if index >= len(position.cells):
        return _no_such_cell(position, dest)
    held = position.cells[index]
    if held is None:
        return None
    text = "{cell:pile} holds {held:card}, and a cell holds one card"
    return Illegal("cell_taken", say(text, cell=dest, held=held))


def _check_foundation(position: Position, source: Pile, dest: Pile, card: Card) -> Illegal | None:
    if source >= FIRST_FOUNDATION:
        return Illegal(
            "home_to_home", "a card taken off a foundation goes to a cascade or to an empty free cell"
        )
    if home_of(card) != dest:
        text = "{card:card} goes to {home:pile}, not to {dest:pile}"
        return Illegal("wrong_suit", say(text, card=card, home=home_of(card), dest=dest))
    top = position.foundations[dest - FIRST_FOUNDATION]
    if rank(card) == top + 1:
        return None
    wanted = make_card(top + 1, dest - FIRST_FOUNDATION)
    text = "{card:card} cannot go home yet: {home:pile} waits for {wanted:card}"
    return Illegal("not_next", say(text, card=card, home=dest, wanted=wanted))
