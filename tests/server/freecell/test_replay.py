import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.deal import deal
from server.freecell.movement import carry_all
from server.freecell.moves import Illegal
from server.freecell.notation import Dialect, split_moves
from server.freecell.replay import Replay, replay
from server.freecell.rulesets import RULESETS
from tests.server.freecell.boards import RACE, SOLUTIONS, WITH_RETURNS, board, cards, move


def play(
    solution: dict[str, Any],
    rules: str | None = None,
    *,
    autoplay: bool | None = None,
    dialect: Dialect = Dialect.STANDARD,
) -> Replay:
    """Play a solution of the vectors through as it says, or otherwise."""
    return replay(
        deal(solution["deal"], solution["free_cells"]),
        RULESETS[rules or solution["rules"]],
        split_moves(solution["moves"]),
        autoplay=solution["autoplay"] == "safe" if autoplay is None else autoplay,
        dialect=dialect,
    )


@pytest.mark.parametrize(
    "solution", SOLUTIONS, ids=lambda solution: f"{solution['deal']}-{solution['free_cells']}"
)
def test_every_solution_of_the_vectors_wins(solution: dict[str, Any]) -> None:
    result = play(solution)
    assert result.error is None
    assert result.position.is_won
    assert result.accepted == len(split_moves(solution["moves"]))
    assert carry_all(deal(solution["deal"], solution["free_cells"]), result.moves) == result.position


@pytest.mark.parametrize(
    "solution", [one for one in SOLUTIONS if one["autoplay"] == "safe"], ids=lambda one: one["deal"]
)
def test_two_solutions_need_safe_autoplay(solution: dict[str, Any]) -> None:
    assert not play(solution, autoplay=False).position.is_won


def test_one_solution_needs_returns() -> None:
    (solution,) = (one for one in SOLUTIONS if one["deal"] == 345)
    result = play(solution, "race")
    assert result.error is not None
    assert result.error.code == "no_returns"
    assert split_moves(solution["moves"])[result.accepted] == "hs4"


def test_a_refused_move_ends_the_replay_where_the_board_stands() -> None:
    result = replay(board("5H", "6S"), RACE, ["12", "1a", "2a"])
    assert result == Replay(
        board("", "6S 5H"),
        1,
        Illegal("empty_source", "there is no card on cascade 1"),
        (move("1", "2"),),
    )


def test_a_move_that_cannot_be_read_is_an_error_too() -> None:
    result = replay(board("5H"), RACE, ["1x"])
    assert result.accepted == 0
    assert result.error is not None
    assert result.error.code == "bad_notation"


def test_after_a_win_no_move_is_taken() -> None:
    result = replay(board("KS", home="KC KD KH QS"), WITH_RETURNS, ["1h", "hs1"])
    assert result.accepted == 1
    assert result.error == Illegal("already_won", "the game was won before this move")
    assert result.position.is_won


def test_without_moves_nothing_happens() -> None:
    assert replay(deal(1), RACE, []) == Replay(deal(1), 0, None, ())


def test_autoplay_runs_at_the_deal_and_after_every_move() -> None:
    start = board("2S 9C", "AH", home="AS")
    assert replay(start, RACE, [], autoplay=True).moves == (move("2", "hh"),)
    assert replay(start, RACE, ["1a"], autoplay=True) == Replay(
        board("", "", cells="9C - - -", home="2S AH"),
        1,
        None,
        (move("2", "hh"), move("1", "a"), move("1", "hs")),
    )


def test_while_autoplay_is_on_nothing_comes_off_a_foundation() -> None:
    start = board("3H KC", home="2S AH")
    assert replay(start, WITH_RETURNS, ["hs2"]).error is None
    refused = replay(start, WITH_RETURNS, ["hs2"], autoplay=True).error
    assert refused is not None
    assert refused.code == "no_returns"


def test_the_dialect_says_what_a_plain_move_to_an_empty_cascade_takes() -> None:
    start = board("9S 8D 7S")
    ends = {
        dialect: replay(start, RACE, ["12"], dialect=dialect).position.cascades[:2] for dialect in Dialect
    }
    assert ends == {
        Dialect.STANDARD: ((), cards("9S 8D 7S")),
        Dialect.EXTENDED: (cards("9S 8D"), cards("7S")),
    }


def without_v1(solution: dict[str, Any]) -> dict[str, Any]:
    """A solution as fc-solve writes it: a plain move to an empty cascade is one of a single card."""
    return solution | {"moves": re.sub(r"v1\b", "", solution["moves"])}


COUNTED = [solution for solution in SOLUTIONS if "v1 " in solution["moves"]]


@pytest.mark.parametrize("solution", COUNTED, ids=lambda one: f"{one['deal']}-{one['free_cells']}")
def test_fc_solve_writes_no_v1_and_its_dialect_reads_that_as_one_card(solution: dict[str, Any]) -> None:
    result = play(without_v1(solution), dialect=Dialect.EXTENDED)
    assert result.error is None
    assert result.position.is_won


def test_fc_solve_read_as_standard_notation_does_not_always_win() -> None:
    lost = [one["deal"] for one in COUNTED if not play(without_v1(one)).position.is_won]
    assert lost == [617, 31465, 6000000000, 5, 345]


@given(st.lists(st.text("12345678abcdhsv", max_size=4), max_size=30), st.booleans())
def test_no_text_breaks_a_replay(tokens: list[str], autoplay: bool) -> None:
    result = replay(deal(617), WITH_RETURNS, tokens, autoplay=autoplay)
    assert (result.error is None) == (result.accepted == len(tokens))
