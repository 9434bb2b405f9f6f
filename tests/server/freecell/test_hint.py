import pytest
from hypothesis import given

from server.freecell.deal import deal
from server.freecell.hint import hint
from server.freecell.moves import Move, carry, check, legal_moves
from server.freecell.piles import is_cell, is_foundation
from server.freecell.position import Position
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions


def is_idle(made: Move) -> bool:
    return is_foundation(made.source) or (is_cell(made.source) and is_cell(made.dest))


@given(positions)
def test_pysolfc_521_every_hint_is_legal(position: Position) -> None:
    chosen = hint(position, WITH_RETURNS)
    others = [made for made in legal_moves(position, WITH_RETURNS) if not is_idle(made)]
    if chosen is None:
        assert others == []
    else:
        assert check(position, chosen, WITH_RETURNS) is None
        assert chosen in others


@given(positions)
def test_the_same_position_has_the_same_hint_with_returns_or_without(position: Position) -> None:
    assert hint(position, RACE) == hint(Position(*position), RACE) == hint(position, WITH_RETURNS)


@given(positions)
def test_a_move_home_comes_first(position: Position) -> None:
    if any(is_foundation(made.dest) for made in legal_moves(position, RACE)):
        chosen = hint(position, RACE)
        assert chosen is not None
        assert is_foundation(chosen.dest)


def test_there_is_no_hint_where_only_withdrawals_are_left_or_nothing() -> None:
    columns = ("KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S")
    assert hint(board(*columns, cells="KC QC", home="5D"), WITH_RETURNS) is None
    assert hint(board(*[""] * 8, cells="-", home="KC KD KH KS"), RACE) is None


@pytest.mark.parametrize(
    ("position", "best"),
    [
        (board("9C", "3H", "2S", home="AS 2H"), move("3", "hs")),
        (board("9C", "KC", "KC", "KC", "KC", "KC", "KC", "KC", cells="8D - -"), move("a", "1")),
        (board("9C", "KC 8D", *["KC"] * 6, cells="-"), move("2", "1")),
        (board("KD 9C 8D", "TH", *["KC"] * 6, cells="-"), move("1", "2", 2)),
        (board("AS 9C", "KD 9S", *["KC"] * 6, cells="-"), move("1", "a")),
    ],
)
def test_a_hint_looks_like_progress(position: Position, best: Move) -> None:
    assert hint(position, RACE) == best


def test_a_lone_card_or_run_is_not_moved_to_another_empty_cascade_while_anything_else_is_there() -> None:
    assert hint(board("KD QS", "KC 3H", cells=""), RACE) == move("2", "3")


def test_a_run_is_not_taken_apart_only_to_be_put_together_again() -> None:
    assert hint(board("9C 8D", "KH 9S", "KC AH QD 2S", *["KC QC"] * 5, cells="-"), RACE) == move("3", "a")


def test_a_hint_is_not_what_the_next_hint_would_take_back() -> None:
    # 8D to 9S looks as good as QD to KS, but then nothing would look better than 8D back to 9C.
    assert hint(board("9C 8D", "9S", "KC QD", "KS", *["KD"] * 4, cells=""), RACE) == move("3", "4")


def test_where_every_move_would_be_taken_back_one_is_given_all_the_same() -> None:
    assert hint(board("9C 8D", "9S", *["KC"] * 6, cells=""), RACE) == move("1", "2")
    assert hint(board("KC", *["KD"] * 6, cells=""), RACE) == move("1", "8")


@pytest.mark.parametrize("number", [3, 5])
def test_some_deals_are_won_by_hints_alone(number: int) -> None:
    position = deal(number)
    while (chosen := hint(position, RACE)) is not None:
        position = carry(position, chosen)
    assert position.is_won
