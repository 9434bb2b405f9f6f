import pytest

from server.freecell.deal import deal
from server.freecell.movement import Move
from server.freecell.piles import FOUNDATIONS, Pile
from server.freecell.position import parse_position
from server.solver.lines import BadLineError, play_through

# Everything is home but the kings: clubs and diamonds in cascades, hearts and spades in cells.
KINGS = parse_position("KC\nKD\n" + "-\n" * 6 + "cells: KH KS - -\nhome: QC QD QH QS\n")


def test_every_kind_of_move_is_read() -> None:
    raw = (
        bytes([1, 0, 2, 1]),  # KC to cell c
        bytes([3, 2, 3, 1]),  # on to cell d
        bytes([2, 3, 4, 1]),  # to cascade 5
        bytes([0, 4, 5, 1]),  # on to cascade 6
        bytes([4, 5, 0, 1]),  # home
        bytes([4, 1, 0, 1]),
        bytes([5, 0, 0, 1]),
        bytes([5, 1, 0, 1]),
    )
    clubs, diamonds, hearts, spades = FOUNDATIONS
    assert play_through(KINGS, raw) == (
        Move(Pile(0), Pile(10)),
        Move(Pile(10), Pile(11)),
        Move(Pile(11), Pile(4)),
        Move(Pile(4), Pile(5)),
        Move(Pile(5), clubs),
        Move(Pile(1), diamonds),
        Move(Pile(8), hearts),
        Move(Pile(9), spades),
    )


@pytest.mark.parametrize(
    "raw", [(0, 0, 1, 1), (4, 0, 0, 1), (5, 0, 0, 1), (2, 0, 0, 1), (0, 0, 200, 1), (9, 9, 9, 9)]
)
def test_an_illegal_move_is_refused(raw: tuple[int, ...]) -> None:
    with pytest.raises(BadLineError, match="move 1: "):
        play_through(deal(1), [bytes(raw)])


def test_a_line_that_stops_short_is_refused() -> None:
    with pytest.raises(BadLineError, match="after 1 moves the game is not won"):
        play_through(KINGS, [bytes([4, 0, 0, 1])])
