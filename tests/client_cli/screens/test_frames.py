import pytest

from client_cli.screens.frames import frames
from protocol.picture import Hole, carry
from tests.client_cli.samples import LAYOUT

MOVES = (("5", "a", 1), ("5", "b", 1), ("1", "c", 1))


def test_one_card_goes_at_once() -> None:
    assert frames(LAYOUT, (("5", "a", 1),), 9) == []


def test_moves_are_shown_one_after_the_other() -> None:
    first = carry(LAYOUT, MOVES[:1], n=0, score=0, actions=0)
    second = carry(LAYOUT, MOVES[:2], n=0, score=0, actions=0)
    assert frames(LAYOUT, MOVES, 9) == [first, second]


@pytest.mark.parametrize("most", range(1, 20))
def test_there_are_never_more_than_there_is_time_for(most: int) -> None:
    moves = tuple(move for _ in range(6) for move in (("5", "a", 1), ("a", "5", 1)))
    shown = frames(LAYOUT, moves, most)
    assert 1 <= len(shown) <= most
    assert shown[0] == carry(LAYOUT, moves[:1], n=0, score=0, actions=0)
    assert most < 11 or len(shown) == 11


def test_nothing_moves_nothing_is_shown() -> None:
    assert frames(LAYOUT, (), 9) == []


def test_moves_on_another_board() -> None:
    with pytest.raises(Hole):
        frames(LAYOUT, (("a", "1", 1),), 9)
