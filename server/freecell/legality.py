"""Whether a move is legal: the one judge of every command."""

from server.freecell.capacity import check_run
from server.freecell.cards import Card, card_name, fits, make_card, rank
from server.freecell.movement import Move, carry, top_card
from server.freecell.piles import (
    FIRST_CELL,
    FIRST_FOUNDATION,
    PILES,
    Pile,
    home_of,
    is_cell,
    pile_name,
    pile_words,
)
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules


def check(position: Position, move: Move, rules: Rules) -> Illegal | None:
    """Why a move is not legal; ``None`` when it is. Any integers may come in."""
    source, dest, count = move
    if not (0 <= source < len(PILES) and 0 <= dest < len(PILES)):
        return Illegal("no_such_pile", "piles go from 0 to 15")
    if source == dest:
        return Illegal("same_pile", f"{pile_words(source)} is where the card already is: choose another pile")
    if count < 1:
        return Illegal("bad_count", f"a move takes at least 1 card, not {count}")
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
        return Illegal("bad_count", f"only one card at a time goes to {pile_words(dest)}, not {count}")
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
        cards = "1 card" if there == 1 else f"{there} cards"
        return Illegal("bad_count", f"{pile_words(pile)} has {cards}, not {count}")
    return Illegal("empty_source", f"there is no card on {pile_words(pile)}")


def _no_such_cell(position: Position, pile: Pile) -> Illegal:
    last = len(position.cells) - 1
    there = f"cells go from a to {pile_name(Pile(FIRST_CELL + last))}" if last > 0 else "a is the only one"
    return Illegal(
        "no_such_cell", f"there is no {pile_words(pile)}: {there if last >= 0 else 'this game has none'}"
    )


def _find_single(position: Position, source: Pile, count: int, rules: Rules) -> Card | Illegal:
    """The card a move takes from a cell or a foundation."""
    if source >= FIRST_FOUNDATION and (refused := check_returns(rules)):
        return refused
    if count > 1:
        return Illegal("bad_count", f"only one card at a time leaves {pile_words(source)}, not {count}")
    return find_card(position, source)


def _check_cascade(position: Position, move: Move, head: Card) -> Illegal | None:
    source, dest, count = move
    target = position.cascades[dest]
    if target and not fits(head, target[-1]):
        onto = card_name(target[-1])
        return Illegal("wrong_order", f"{card_name(head)} does not go on {onto}: {_takes(target[-1])}")
    return check_run(position, position.cascades[source], count, to_empty=not target) if count > 1 else None


def _takes(onto: Card) -> str:
    """What may lie on a card in a cascade, in words."""
    names = [card_name(card) for card in map(Card, range(52)) if fits(card, onto)]
    return f"it takes {' or '.join(names)}" if names else "nothing goes on an ace"


def _check_cell(position: Position, dest: Pile) -> Illegal | None:
    index = dest - FIRST_CELL
    if index >= len(position.cells):
        return _no_such_cell(position, dest)
    held = position.cells[index]
    if held is None:
        return None
    return Illegal("cell_taken", f"{pile_words(dest)} holds {card_name(held)}, and a cell holds one card")


def _check_foundation(position: Position, source: Pile, dest: Pile, card: Card) -> Illegal | None:
    if source >= FIRST_FOUNDATION:
        return Illegal(
            "home_to_home", "a card taken off a foundation goes to a cascade or to an empty free cell"
        )
    if home_of(card) != dest:
        return Illegal(
            "wrong_suit", f"{card_name(card)} goes to {pile_words(home_of(card))}, not to {pile_words(dest)}"
        )
    top = position.foundations[dest - FIRST_FOUNDATION]
    if rank(card) == top + 1:
        return None
    wanted = card_name(make_card(top + 1, dest - FIRST_FOUNDATION))
    return Illegal("not_next", f"{card_name(card)} cannot go home yet: {pile_words(dest)} waits for {wanted}")
