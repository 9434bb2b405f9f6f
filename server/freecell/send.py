"""``send``, the tap: a card goes where it would most likely be wanted."""

from server.freecell.capacity import check_run, run_length
from server.freecell.cards import Card, fits, rank
from server.freecell.legality import check_returns, find_card
from server.freecell.movement import Move
from server.freecell.piles import (
    CASCADES,
    CELLS,
    FIRST_FOUNDATION,
    Pile,
    home_of,
    is_cascade,
    is_foundation,
)
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules, Send
from server.freecell.wording import say


def send(position: Position, pile: Pile, rules: Rules, count: int | None = None) -> Move | Illegal:
    """Choose the move for a card that was tapped; it is always legal.

    A single card goes to its foundation; else to the first occupied cascade that takes it; else to the first
    empty cascade; else, from a cascade, to the first empty cell. A run goes to cascades only, passing over
    those beyond capacity. A card on a foundation comes off it, to a cascade or a cell, where the rules say
    so.

    Args:
        position: the board.
        pile: where the card is.
        rules: what ``send`` may do.
        count: ``None`` or 1 for the available card, ``k`` for the head of a run of ``k`` cards at the end of
            a cascade.
    """
    if rules.send is Send.NONE:
        return Illegal("no_send", "these rules have no send: say where the card goes")
    card = find_card(position, pile)
    if isinstance(card, Illegal):
        return card
    if count is not None and count != 1:
        return _send_run(position, pile, rules, count)
    if is_foundation(pile):
        return _send_back(position, pile, rules, card)
    if rank(card) == position.foundations[home_of(card) - FIRST_FOUNDATION] + 1:
        return Move(pile, home_of(card))
    if rules.send is Send.HOME:
        text = "{card:card} cannot go home yet, and send only goes there in these rules"
        return Illegal("nothing_to_send", say(text, card=card))
    return _send_single(position, pile, card, to_cell=is_cascade(pile))


def _send_single(position: Position, pile: Pile, card: Card, *, to_cell: bool) -> Move | Illegal:
    """Send a card that cannot go home."""
    for dest in _takers(position, pile, card):
        return Move(pile, dest)
    if to_cell:
        for dest, held in zip(CELLS, position.cells, strict=False):
            if held is None:
                return Move(pile, dest)
    detail = say("{card:card} has nowhere to go from {pile:pile}", card=card, pile=pile)
    return Illegal("nothing_to_send", detail)


def _send_back(position: Position, pile: Pile, rules: Rules, card: Card) -> Move | Illegal:
    if refused := check_returns(rules):
        return refused
    if rules.send is not Send.FULL_RETURNS:
        return Illegal(
            "no_send", "send takes no card off a foundation in these rules: say where the card goes"
        )
    return _send_single(position, pile, card, to_cell=True)


def _send_run(position: Position, pile: Pile, rules: Rules, count: int) -> Move | Illegal:
    if not is_cascade(pile) or not 1 <= count <= len(position.cascades[pile]):
        return Illegal("bad_count", say("{pile:pile} has no run of {count} cards", pile=pile, count=count))
    if rules.send is Send.HOME:
        return Illegal("no_send", "send moves single cards only in these rules: say where the run goes")
    cascade = position.cascades[pile]
    head = cascade[-count]
    refused: Illegal | None = None
    for dest in _takers(position, pile, head):
        beyond = check_run(position, cascade, count, to_empty=not position.cascades[dest])
        if beyond is None:
            return Move(pile, dest, count)
        refused = refused or beyond
    if run_length(cascade) < count:
        refused = check_run(position, cascade, count, to_empty=False)
    nowhere = say("the run from {head:card} has no cascade to go to", head=head)
    return refused or Illegal("nothing_to_send", nowhere)


def _takers(position: Position, pile: Pile, card: Card) -> list[Pile]:
    """The cascades other than its own that take a card: occupied ones left to right, then empty ones."""
    columns = tuple(zip(CASCADES, position.cascades, strict=True))
    occupied = [dest for dest, cards in columns if cards and dest != pile and fits(card, cards[-1])]
    return occupied + [dest for dest, cards in columns if not cards]
