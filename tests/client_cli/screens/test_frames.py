import pytest
from msgspec.structs import replace

from client_cli.screens.frames import frames
from protocol.picture import Hole, carry
from protocol.views import Board
from tests.client_cli.samples import LAYOUT


def cards(board: Board) -> list[str]:
    return sorted([*" ".join(board.cascades).split(), *(card for card in board.cells if card)])


def test_one_card_goes_at_once() -> None:
    assert frames(LAYOUT, (("5", "a", 1),)) == []


def test_the_cards_of_a_run_go_one_by_one() -> None:
    run = replace(LAYOUT, cascades=("9D", "KC 8S 7H 6C", *LAYOUT.cascades[2:]))
    between = frames(run, (("2", "1", 3),))
    assert [board.cascades[:2] for board in between] == [("9D 8S", "KC 7H 6C"), ("9D 8S 7H", "KC 6C")]
    assert all(cards(board) == cards(run) for board in between)


def test_many_moves_are_shown_one_after_the_other() -> None:
    moves = (("5", "a", 1), ("5", "b", 1), ("1", "c", 1))
    first = carry(LAYOUT, moves[:1], n=0, score=0, actions=0)
    second = carry(LAYOUT, moves[:2], n=0, score=0, actions=0)
    assert frames(LAYOUT, moves) == [first, second]


def test_nothing_moves_nothing_is_shown() -> None:
    assert frames(LAYOUT, ()) == []


def test_moves_on_another_board() -> None:
    with pytest.raises(Hole):
        frames(LAYOUT, (("a", "1", 1),))
