import pytest

from server.freecell.movement import carry_all
from server.freecell.moves import carry
from server.freecell.rulesets import Scoring
from server.freecell.scoring import first_score, score_after
from tests.server.freecell.boards import board, move

BOARD = board("3S", "4H", "9S 8D 7S", "9C", cells="5S 4D - -", home="2S 3H 3D")

MOVES = {
    "cascade to a foundation": move("1", "hs"),
    "cell to a foundation": move("b", "hd"),
    "cell to a cascade": move("b", "8"),
    "cascade to a cascade": move("1", "2"),
    "supermove": move("3", "4", 2),
    "cascade to a cell": move("1", "c"),
    "cell to a cell": move("a", "c"),
    "foundation to a cascade": move("hs", "8"),
    "foundation to a cell": move("hs", "c"),
}


def scores(scoring: Scoring, before: int) -> dict[str, int]:
    return {kind: score_after(scoring, before, (made,), carry(BOARD, made)) for kind, made in MOVES.items()}


def test_app_gives_10_for_a_card_home_and_5_for_one_from_a_cell_to_a_cascade() -> None:
    assert scores(Scoring.APP, 40) == dict.fromkeys(MOVES, 40) | {
        "cascade to a foundation": 50,
        "cell to a foundation": 50,
        "cell to a cascade": 45,
    }


def test_app_gives_5_onto_an_occupied_cascade_too() -> None:
    after = carry(board("5H", cells="4S"), move("a", "1"))
    assert score_after(Scoring.APP, 0, (move("a", "1"),), after) == 5


def test_cardems_gives_10_for_a_card_home_and_takes_15_for_one_back() -> None:
    assert scores(Scoring.CARDEMS, 40) == dict.fromkeys(MOVES, 40) | {
        "cascade to a foundation": 50,
        "cell to a foundation": 50,
        "foundation to a cascade": 25,
        "foundation to a cell": 25,
    }


@pytest.mark.parametrize("pile", ["hc", "hd", "hh", "hs"])
def test_cardems_counts_every_foundation(pile: str) -> None:
    start = board(home="2C 2D 2H 2S")
    taken = carry(start, move(pile, "a"))
    assert score_after(Scoring.CARDEMS, 40, (move(pile, "a"),), taken) == 25
    assert score_after(Scoring.CARDEMS, 25, (move("a", pile),), start) == 35


def test_home_counts_the_cards_on_the_foundations() -> None:
    assert scores(Scoring.HOME, 40) == dict.fromkeys(MOVES, 8) | {
        "cascade to a foundation": 9,
        "cell to a foundation": 9,
        "foundation to a cascade": 7,
        "foundation to a cell": 7,
    }


def test_none_is_always_0() -> None:
    assert scores(Scoring.NONE, 0) == dict.fromkeys(MOVES, 0)


@pytest.mark.parametrize("before", [0, 5, 14, 15, 16])
def test_the_floor_is_0_at_every_action(before: int) -> None:
    assert scores(Scoring.CARDEMS, before)["foundation to a cell"] == max(0, before - 15)


def test_an_action_of_several_moves_is_scored_as_one() -> None:
    made = (move("1", "hs"), move("b", "hd"), move("2", "hh"))
    after = carry_all(BOARD, made)
    assert score_after(Scoring.APP, 1, made, after) == 31
    assert score_after(Scoring.CARDEMS, 1, made, after) == 31
    assert score_after(Scoring.HOME, 1, made, after) == 11


def test_a_board_nobody_touched_has_its_cards_home_or_nothing() -> None:
    assert {scoring: first_score(scoring, BOARD) for scoring in Scoring} == {
        Scoring.NONE: 0,
        Scoring.HOME: 8,
        Scoring.APP: 0,
        Scoring.CARDEMS: 0,
    }
