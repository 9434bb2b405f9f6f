from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from client_cli.screens.board_view import Spot, card_at
from client_cli.screens.hand import EMPTY, Hand, Outcome, click, count, drag, more, press, send, walk
from protocol.commands import Move, Send
from protocol.views import Board
from tests.client_cli.samples import LAYOUT

BOARD = replace(LAYOUT, cascades=(*LAYOUT.cascades[:7], ""), cells=("5H", None, None), home=(0, 0, 0, 1))
"""An empty column 8, three cells of which a is taken, and the ace of spades home."""


def typed(keys: str, board: Board = BOARD) -> Outcome:
    outcome = Outcome(EMPTY)
    for key in keys:
        assert outcome.draft is None
        outcome = Outcome(count(outcome.hand)) if key == "v" else press(outcome.hand, key, board)
    return outcome


def notation(outcome: Outcome) -> str:
    assert isinstance(outcome.draft, Move), outcome
    assert outcome.hand == EMPTY
    return outcome.draft.move


@pytest.mark.parametrize("move", ["3b", "26", "7h", "a5", "ah", "ab", "18", "hs4", "hsb"])
def test_two_keys_are_a_move(move: str) -> None:
    assert notation(typed(move)) == move


def test_a_number_of_cards_that_is_typed() -> None:
    assert notation(typed("1v28")) == "18v2"
    assert notation(typed("1vd8")) == "18vd"
    assert notation(typed("1v22")) == "12v2"


@pytest.mark.parametrize("keys", ["8", "b", "d", "x", "33", "hh4"[:1] + "x", "aa"])
def test_what_leaves_the_hands_empty(keys: str) -> None:
    assert typed(keys) == Outcome(EMPTY)


def test_who_types_ahead_of_the_answers_may_pick_up_what_is_not_there_yet() -> None:
    assert press(EMPTY, "b", BOARD, is_ahead=True) == Outcome(Hand(Spot("b")))
    assert press(EMPTY, "x", BOARD, is_ahead=True) == Outcome(EMPTY)


def test_waiting_for_a_number_passes_over_what_is_none() -> None:
    hand = typed("1v").hand
    assert press(hand, "h", BOARD) == Outcome(hand)
    assert count(EMPTY) == EMPTY
    assert count(typed("a").hand) == typed("a").hand


def test_two_clicks_are_a_move() -> None:
    held = click(EMPTY, Spot("1"), BOARD)
    assert held == Outcome(Hand(Spot("1")))
    assert notation(click(held.hand, Spot("2"), BOARD)) == "12"
    assert notation(click(held.hand, Spot("8", 0), BOARD)) == "18"
    assert notation(click(held.hand, Spot("hd", 0), BOARD)) == "1h"
    assert notation(click(Hand(Spot("hs")), Spot("2"), BOARD)) == "hs2"


def test_a_click_deeper_in_a_column_says_how_many() -> None:
    held = click(EMPTY, Spot("1", 3), BOARD)
    assert notation(click(held.hand, Spot("8", 0), BOARD)) == "18v3"
    assert click(held.hand, Spot("1", 2), BOARD).hand == Hand(Spot("1", 2), is_exact=True)
    assert click(held.hand, Spot("1", 3), BOARD) == Outcome(EMPTY)


def test_one_card_more_and_one_fewer() -> None:
    hand = typed("1").hand
    for step, held in ((1, 2), (1, 3), (-1, 2), (9, 7), (-9, 1)):
        hand = more(hand, step, BOARD)
        assert hand == Hand(Spot("1", held), is_exact=True)
    assert notation(press(more(hand, 2, BOARD), "8", BOARD)) == "18v3"
    assert more(typed("a").hand, 1, BOARD) == typed("a").hand
    assert more(EMPTY, 1, BOARD) == EMPTY


def test_a_click_where_nothing_lies_picks_nothing_up() -> None:
    assert click(EMPTY, Spot("8", 0), BOARD) == Outcome(EMPTY)


def test_a_drag_means_exactly_these_cards() -> None:
    assert notation(drag(Spot("1"), "8", BOARD)) == "18v1"
    assert notation(drag(Spot("1", 2), "8", BOARD)) == "18v2"
    assert notation(drag(Spot("1", 2), "2", BOARD)) == "12"
    assert notation(drag(Spot("a"), "8", BOARD)) == "a8"
    assert drag(Spot("8", 0), "1", BOARD) == Outcome(EMPTY)


def test_sending() -> None:
    assert send(Hand(Spot("3", 2))) == Outcome(EMPTY, Send("", 0, 0, "3", 2))
    assert send(Hand(Spot("a"))) == Outcome(EMPTY, Send("", 0, 0, "a", 1))
    assert send(Hand(Spot("h", 0))) == send(EMPTY) == Outcome(EMPTY)


def walked(directions: Sequence[str], board: Board = BOARD) -> Spot:
    cursor: Spot | None = None
    for direction in directions:
        cursor = walk(board, cursor, direction)
    assert cursor is not None
    return cursor


@pytest.mark.parametrize(
    ("directions", "spot"),
    [
        ("d", Spot("1")),
        ("dl", Spot("8", 0)),
        ("drr", Spot("3")),
        ("duu", Spot("1", 3)),
        ("duud", Spot("1", 2)),
        ("dd", Spot("1")),
        ("dlu", Spot("hs")),
        ("dlul", Spot("hh", 0)),
        ("d" + "u" * 7, Spot("a")),
        ("d" + "u" * 7 + "l", Spot("hs")),
        ("d" + "u" * 7 + "rrr", Spot("hc", 0)),
        ("d" + "u" * 8 + "d", Spot("1")),
        ("drrr" + "u" * 7, Spot("hc", 0)),
    ],
)
def test_arrows(directions: str, spot: Spot) -> None:
    names = {"d": "down", "u": "up", "l": "left", "r": "right"}
    assert walked([names[letter] for letter in directions]) == spot
    assert (card_at(BOARD, spot) is not None) == (spot.count > 0)
