r"""What the player holds: from keys, clicks and drags to moves in notation. Pure; no rule of the game.

    nothing --a pile--> picked --another pile--> (a move goes out) --> nothing
       ^                  |  \--v--> counting --a digit--> picked, that many
       \---the same, Esc--/

Whether a move may be made, the server says.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from client_cli.lines import BoardDraft
from client_cli.screens.board_view import CASCADES, CELLS, HOMES, Spot, card_at, cascades_of
from protocol.commands import Move, Send
from protocol.views import Board

HOME: Final = "h"
_DIGITS: Final = "123456789abcd"


@dataclass(frozen=True, slots=True)
class Hand:
    """What is picked up.

    Attributes:
        picked: the cards; None with empty hands. `h` as its pile waits for the suit to take off a foundation.
        is_exact: whether the number of cards was chosen, and does not only follow from where they lie.
        is_said: whether it was typed: then it is sent whatever the destination, and the server judges it.
        counting: whether the number is about to be said.
    """

    picked: Spot | None = None
    is_exact: bool = False
    is_said: bool = False
    counting: bool = False


class Outcome(NamedTuple):
    """The hand after something was done, and what is asked of the server because of it."""

    hand: Hand
    draft: BoardDraft | None = None


EMPTY: Final = Hand()


def press(hand: Hand, key: str, board: Board, *, is_ahead: bool = False) -> Outcome:
    """A key of the notation: `1`-`8`, `a`-`d`, `h`, and `s` for a suit or a digit where one is waited for.

    Args:
        hand: what is picked up.
        key: the key.
        board: as far as it is known.
        is_ahead: whether moves are under way that will change it: then a pile may hold more than it seems.
    """
    if hand.counting and hand.picked is not None:
        count = _DIGITS.find(key) + 1
        return Outcome(
            Hand(replace(hand.picked, count=count), is_exact=True, is_said=True) if count else hand
        )
    if hand.picked is None:
        return Outcome(_picked_by_key(key, board, is_ahead=is_ahead))
    if hand.picked.pile == HOME:
        return Outcome(Hand(Spot(HOME + key)) if HOME + key in HOMES else EMPTY)
    return put(hand, key, board)


def count(hand: Hand) -> Hand:
    """The next key says how many cards."""
    can_count = hand.picked is not None and hand.picked.pile in CASCADES
    return replace(hand, counting=True) if can_count else hand


def more(hand: Hand, step: int, board: Board) -> Hand:
    """So many cards more of the same column, or fewer: at least one, at most all of them."""
    if hand.picked is None or hand.picked.pile not in CASCADES:
        return hand
    cards = len(cascades_of(board)[CASCADES.index(hand.picked.pile)])
    number = max(1, min(cards, hand.picked.count + step))
    return Hand(replace(hand.picked, count=number), is_exact=True)


def click(hand: Hand, spot: Spot, board: Board) -> Outcome:
    """A click, or Enter at the cursor: pick up, or put down."""
    if hand.picked is None:
        return Outcome(Hand(spot, is_exact=spot.count > 1) if spot.count else EMPTY)
    if hand.picked.pile == spot.pile:
        return Outcome(EMPTY if hand.picked == spot else Hand(spot, is_exact=spot.count > 1))
    return put(hand, spot.pile, board)


def drag(source: Spot, dest: str, board: Board) -> Outcome:
    """Cards drawn from one pile to another: exactly those."""
    return put(Hand(source, is_exact=True), dest, board) if source.count else Outcome(EMPTY)


def put(hand: Hand, dest: str, board: Board) -> Outcome:
    """Put what is picked down on a pile; on its own pile, back."""
    if hand.picked is None or hand.picked.pile == dest:
        return Outcome(EMPTY)
    source, number = hand.picked.pile, hand.picked.count
    is_run = source in CASCADES and dest in CASCADES
    is_to_empty = is_run and not cascades_of(board)[CASCADES.index(dest)]
    notation = source + (HOME if dest in HOMES else dest)
    if (is_run and hand.is_said) or (is_to_empty and hand.is_exact):
        notation += f"v{number:x}"
    return Outcome(EMPTY, Move("", 0, 0, notation))


def send(hand: Hand) -> Outcome:
    """Let the server find a place for what is picked."""
    if hand.picked is None or hand.picked.pile == HOME:
        return Outcome(EMPTY)
    return Outcome(EMPTY, Send("", 0, 0, hand.picked.pile, max(1, hand.picked.count)))


def walk(board: Board, cursor: Spot | None, direction: str) -> Spot:
    """Where an arrow leads: sideways over piles, up and down over the cards of a column and the row above."""
    if cursor is None:
        return _at_column(board, 0)
    is_column = cursor.pile in CASCADES
    place = _place(cursor.pile)
    if direction in {"left", "right"}:
        return _sideways(board, cursor, place, 1 if direction == "right" else -1)
    if not is_column:
        return _at_column(board, place) if direction == "down" else cursor
    cards = len(cascades_of(board)[place])
    if direction == "down":
        return replace(cursor, count=max(min(1, cards), cursor.count - 1))
    if cursor.count < cards:
        return replace(cursor, count=cursor.count + 1)
    return _in_top_row(board, place, 1)


def _sideways(board: Board, cursor: Spot, place: int, step: int) -> Spot:
    if cursor.pile in CASCADES:
        return _at_column(board, (place + step) % 8)
    return _in_top_row(board, (place + step) % 8, step)


def _in_top_row(board: Board, place: int, step: int) -> Spot:
    """The pile above a column, or the next one that there is."""
    while place < 4 and place >= len(board.cells):
        place = (place + step) % 8
    pile = CELLS[place] if place < 4 else HOMES[place - 4]
    return Spot(pile, 1 if card_at(board, Spot(pile)) else 0)


def _at_column(board: Board, place: int) -> Spot:
    return Spot(CASCADES[place], min(1, len(cascades_of(board)[place])))


def _place(pile: str) -> int:
    if pile in CASCADES:
        return CASCADES.index(pile)
    return CELLS.index(pile) if pile in CELLS else 4 + HOMES.index(pile)


def _picked_by_key(key: str, board: Board, *, is_ahead: bool) -> Hand:
    if key == HOME:
        return Hand(Spot(HOME, 0))
    if key not in CASCADES and key not in CELLS[: len(board.cells)]:
        return EMPTY
    spot = Spot(key)
    return Hand(spot) if is_ahead or card_at(board, spot) else EMPTY
