import pytest
from hypothesis import given

from server.freecell.cards import DECK
from server.freecell.deal import deal
from server.freecell.position import Position, PositionError, parse_position, position_text
from tests.server.freecell.boards import LAYOUTS, all_cards, positions

DEAL_1 = "\n".join(LAYOUTS["1"])

WON = Position(((),) * 8, (None,) * 4, (13, 13, 13, 13))


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(PositionError) as refused:
        parse_position(text)
    assert str(refused.value) == "; ".join(refused.value.problems)
    return refused.value.problems


@given(positions)
def test_the_boards_of_the_tests_are_whole(position: Position) -> None:
    assert sorted(all_cards(position)) == list(DECK)


@given(positions)
def test_text_and_position_round_trip(position: Position) -> None:
    assert parse_position(position_text(position)) == position


def test_a_position_is_written_in_ten_lines() -> None:
    text = """\
JD KD 2S 4C 3S 6D 6S
2D KC KS 5C TD 8S 9C
9H 9S 9D TS 4S 8D
JC 5S QD QH TH QS 6H
5D JS 4H 8H 6C
7H QC AC
KH AH 4D JH 8C
5H 3H 3C 7S 7D TC
cells: 2C - 3D -
home: - AD - AS
"""
    moved = text.replace("9H 9S 9D TS 4S 8D\n", "9H 9S 9D TS 4S 8D 2H\n").replace("KH AH", "7C KH AH")
    assert position_text(parse_position(moved)) == moved


def test_a_won_board_has_only_dashes_and_kings() -> None:
    assert position_text(WON) == "-\n" * 8 + "cells: - - - -\nhome: KC KD KH KS\n"
    assert parse_position(position_text(WON)) == WON
    assert WON.is_won
    assert WON.home == 52


def test_a_deal_is_not_won() -> None:
    assert not deal(1).is_won
    assert deal(1).home == 0


@pytest.mark.parametrize("cells", range(5))
def test_eight_bare_lines_are_a_fresh_deal(cells: int) -> None:
    assert parse_position(DEAL_1, cells) == deal(1, cells)


def test_reading_ignores_case_blank_lines_and_spaces() -> None:
    assert parse_position("\n" + DEAL_1.lower().replace("\n", " \n\n  ") + "\nCELLS : - -\n HOME:") == deal(
        1, 2
    )


def test_no_cells_can_be_written_and_read() -> None:
    assert parse_position(position_text(deal(164, 0))) == deal(164, 0)


def test_a_doubled_and_a_missing_card_are_both_named() -> None:
    assert problems(DEAL_1.replace("JD", "2H")) == ("more than once: 2H", "missing: JD")


def test_a_card_lying_and_on_its_foundation_is_doubled() -> None:
    assert problems(DEAL_1 + "\nhome: 2S") == ("more than once: AS 2S",)


def test_an_unknown_card_is_named_with_its_place() -> None:
    found = problems(DEAL_1.replace("KD", "10D"))
    assert found[0].startswith("cascade 1: '10D' is not a card")
    assert found[1] == "missing: KD"


@pytest.mark.parametrize(("text", "count"), [("", 0), (DEAL_1.replace("\n", " ", 1), 7), (DEAL_1 + "\n-", 9)])
def test_a_wrong_number_of_lines_is_told(text: str, count: int) -> None:
    assert f"a board has 8 cascade lines, not {count}" in problems(text)


def test_every_problem_is_named_at_once() -> None:
    text = DEAL_1.replace("JD", "XX") + "\ncells: - - - - ZZ\nhome: 2S 3S\nhome: -\nnote: hello"
    assert [problem.split(" (")[0] for problem in problems(text)] == [
        "cascade 1: 'XX' is not a card",
        "there are two lines home:",
        "'note' is not a line of a board",
        "there are at most 4 cells, not 5",
        "cells: 'ZZ' is not a card",
        "home: two top cards of one suit, 3S the second",
        "more than once: AS 2S 3S",
        "missing: JD",
    ]


def test_an_unknown_card_on_a_foundation_is_named() -> None:
    assert problems(DEAL_1 + "\nhome: 1C")[0].startswith("home: '1C' is not a card")
