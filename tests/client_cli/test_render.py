"""A board as text, in columns that hold in every terminal."""

import unicodedata

import pytest

from client_cli.render import board_read_out, board_text, calculated_text, home_of, moves_text
from client_cli.style import Style
from protocol.events import Calculated, Destination
from protocol.picture import carry
from protocol.views import Board, CardMove
from tests.client_cli.samples import LAYOUT, RACE

LETTERS = Style(symbols=False)
SYMBOLS = Style()

LATE = Board(("KC QH JC", "", "TD", "", "", "", "", ""), ("9C", None), (8, 9, 11, 13))
BOARD_OF_LATE = """\
a	b			C home	D home	H home	S home
9C	-			8C	9D	JH	KS

1	2	3	4	5	6	7	8
KC	-	10D	-	-	-	-	-
QH
JC"""


def test_a_board_in_letters() -> None:
    assert board_text(LATE, LETTERS) == BOARD_OF_LATE


def test_a_fresh_board() -> None:
    lines = board_text(LAYOUT, SYMBOLS).splitlines()
    assert lines[1] == "-\t-\t-\t-\t-\t-\t-\t-"
    assert lines[4] == "J♦\t2♦\t9♥\tJ♣\t5♦\t7♥\t7♣\t5♥"
    assert lines[-1] == "6♠\t9♣\t2♥\t6♥"


@pytest.mark.parametrize("wide", ["", "♥", "♥♦", "♣♦♥♠"])
def test_columns_hold_whatever_width_a_terminal_gives_the_suits(wide: str) -> None:
    """microsoft/terminal 5822: suits that are drawn two cells wide."""
    shown = board_text(LAYOUT, SYMBOLS).splitlines()[4:]
    for line in shown:
        position = 0
        for column, text in enumerate(line.split("\t")):
            assert position == column * 8
            position += sum(2 if char in wide else 1 for char in text)
            position += 8 - position % 8


def test_everything_is_told_without_colour() -> None:
    """tty-solitaire 32: no colour, four colours, a screen reader."""
    plain, coloured = board_text(LAYOUT, SYMBOLS), board_text(LAYOUT, Style(colour=True))
    assert "\x1b" not in plain
    assert coloured.replace("\x1b[31m", "").replace("\x1b[0m", "") == plain
    assert "\x1b[31m2♦\x1b[0m" in coloured
    assert board_text(LAYOUT, LETTERS).isascii()
    assert not any(unicodedata.category(char) == "Cc" for char in plain if char not in "\t\n")


def test_cards_home_are_counted() -> None:
    assert home_of(LATE) == 41


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ((("3", "a", 1),), "2H from column 3 to cell a"),
        ((("5", "2", 1), ("6", "5", 1)), "6C from column 5 to column 2; 3D from column 6 to column 5"),
        ((("3", "8", 2),), "8D 2H from column 3 to column 8"),
        ((("6", "hd", 1),), "3D from column 6 home"),
        ((("3", "a", 1), ("a", "3", 1)), "2H from column 3 to cell a; 2H from cell a to column 3"),
        (
            (("3", "hh", 1), ("hh", "b", 1)),
            "2H from column 3 home; 2H from the foundation of hearts to cell b",
        ),
        ((), ""),
    ],
)
def test_moves_in_words(moves: tuple[CardMove, ...], text: str) -> None:
    assert moves_text(LAYOUT, moves, LETTERS) == text


def test_a_card_off_a_foundation() -> None:
    assert moves_text(LATE, (("hs", "b", 1),), LETTERS) == "KS from the foundation of spades to cell b"
    assert carry(LATE, (("hs", "b", 1),), n=1, score=0, actions=1).cells == ("9C", "KS")


def test_a_board_read_out() -> None:
    lines = board_read_out(LATE, LETTERS).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        *(f"column {number}" for number in range(1, 9)),
        *(f"cell {cell}" for cell in "abcd"[: len(LATE.cells)]),
        "the foundations",
    ]
    assert board_read_out(LAYOUT, LETTERS, "5") == "column 5: 5D AD JS 4H 8H 6C"
    assert board_read_out(LAYOUT, LETTERS, "c") == "cell c: empty"
    assert board_read_out(LAYOUT, LETTERS, "h") == "the foundations: all empty"
    assert board_read_out(LATE, LETTERS, "d") == "There is no cell d."


def test_the_move_calculator() -> None:
    places = (Destination("4", 0, "2H does not go on 6H"), Destination("a", 1), Destination("2", 6))
    assert calculated_text(Calculated(RACE, 1, 0, "3", places), LETTERS).splitlines() == [
        "From column 3:",
        "  to column 4: no card (2H does not go on 6H)",
        "  to cell a: 1 card",
        "  to column 2: up to 6 cards",
    ]
