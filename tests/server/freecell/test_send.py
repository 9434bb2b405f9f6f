import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.moves import Illegal, check
from server.freecell.piles import FOUNDATIONS, PILES, Pile, is_cell, is_foundation, parse_pile
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS, Rules, customise
from server.freecell.send import send
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions

SOLITARIUM = RULESETS["solitarium"]
APP = RULESETS["app"]
ALL_RULES = [*RULESETS.values(), WITH_RETURNS, customise("solitarium", returns=False)]


def sent(position: Position, pile: str, rules: Rules = RACE, count: int | None = None) -> object:
    """The move ``send`` chooses, or the code of its refusal."""
    chosen = send(position, parse_pile(pile), rules, count)
    return chosen.code if isinstance(chosen, Illegal) else chosen


@given(positions, st.sampled_from(ALL_RULES), st.integers(-1, 16), st.none() | st.integers(-1, 14))
def test_what_send_chooses_is_always_legal(
    position: Position, rules: Rules, pile: int, count: int | None
) -> None:
    chosen = send(position, Pile(pile), rules, count)
    if isinstance(chosen, Illegal):
        assert chosen.detail
    else:
        assert check(position, chosen, rules) is None
        assert chosen.source == pile
        assert chosen.count == (count or 1)
        assert not (is_cell(chosen.source) and is_cell(chosen.dest))


def test_a_card_goes_to_its_foundation_before_anywhere_else() -> None:
    assert sent(board("2S", "3H", home="AS"), "1") == move("1", "hs")
    assert sent(board("", "3H", cells="- 2S", home="AS"), "b") == move("b", "hs")


def test_else_to_the_first_occupied_cascade_that_takes_it_left_to_right() -> None:
    position = board("", "KC", "9D 2S", "3D", "3H")
    assert sent(position, "3") == move("3", "4")


def test_else_to_the_first_empty_cascade() -> None:
    assert sent(board("9D 2S", "KC", "", "QH"), "1") == move("1", "3")


def test_else_from_a_cascade_to_the_first_empty_cell() -> None:
    full = board("9D 2S", *["KC"] * 7, cells="KD - -")
    assert sent(full, "1") == move("1", "b")


def test_a_card_in_a_cell_never_goes_to_another_cell() -> None:
    assert sent(board(*["KC"] * 8, cells="2S - -"), "a") == "nothing_to_send"


def test_a_card_with_nowhere_to_go_stays() -> None:
    refused = send(board("9D 2S", *["KC"] * 7, cells="KD"), parse_pile("1"), RACE)
    assert refused == Illegal("nothing_to_send", "2S has nowhere to go from cascade 1")


def test_never_to_its_own_cascade() -> None:
    # In a real deck no card takes itself; the cascade of a run must not count as the place for its own head.
    assert sent(board("3H 2S", *["KC"] * 7, cells="KD"), "1") == "nothing_to_send"
    assert sent(board("4S 3H 2S", *["KC"] * 7, cells="- -"), "1", count=2) == "nothing_to_send"


def test_the_head_of_a_run_moves_the_run_to_cascades_in_the_same_order() -> None:
    assert sent(board("KC 9D 8S", "", "KC", "TS", "TC"), "1", count=2) == move("1", "4", 2)
    assert sent(board("KC 9D 8S", "KC", "", "", "KC"), "1", count=2) == move("1", "3", 2)


def test_a_run_never_goes_home_or_to_a_cell() -> None:
    assert sent(board("3H 2S", *["KC"] * 7, cells="- -", home="AS 2H"), "1", count=2) == "nothing_to_send"


def test_a_run_passes_over_destinations_beyond_capacity() -> None:
    # One empty cascade as destination leaves 1 card at a time; the occupied cascade to its right takes 2.
    position = board("KC 9D 8S", "", "KC", "KC", "TS", "KC", "KC", "KC", cells="KD")
    assert sent(position, "1", count=2) == move("1", "5", 2)


def test_if_only_capacity_is_in_the_way_the_refusal_says_the_numbers() -> None:
    position = board("KC 9D 8S 7D", "TS", *["KC"] * 6, cells="KD -")
    refused = send(position, parse_pile("1"), RACE, 3)
    assert isinstance(refused, Illegal)
    assert refused.code == "too_many_cards"
    assert refused.detail.startswith("3 cards need 2 free cells; you have 1")


def test_a_card_that_heads_no_run_is_refused() -> None:
    assert sent(board("KC 9D 8D", "TS"), "1", count=2) == "not_a_run"
    assert sent(board("KC 9D 8D", *["KC"] * 7), "1", count=2) == "not_a_run"


@pytest.mark.parametrize(("pile", "count"), [("1", 0), ("1", -1), ("1", 4), ("a", 2), ("hs", 2)])
def test_a_run_that_cannot_be_there_is_refused(pile: str, count: int) -> None:
    assert sent(board("KC 9D 8S", cells="KD", home="2S"), pile, SOLITARIUM, count) == "bad_count"


@pytest.mark.parametrize(
    ("pile", "refused"), [("8", "empty_source"), ("b", "empty_source"), ("d", "no_such_cell")]
)
def test_where_no_card_is_none_is_sent(pile: str, refused: str) -> None:
    assert sent(board("KC", cells="KD - -"), pile) == refused


def test_a_count_of_one_is_the_available_card() -> None:
    assert sent(board("2S", "3H", home="AS"), "1", count=1) == move("1", "hs")


@pytest.mark.parametrize("name", ["classic", "cardems"])
def test_some_rulesets_have_no_send(name: str) -> None:
    assert sent(board("AS"), "1", RULESETS[name]) == "no_send"


def test_app_tries_the_foundation_only() -> None:
    assert sent(board("AS"), "1", APP) == move("1", "hs")
    assert sent(board("2S", "3H"), "1", APP) == "nothing_to_send"
    assert sent(board("3H 2S"), "1", APP, count=2) == "no_send"
    assert sent(board("3H", home="2S"), "hs", APP) == "no_send"


def test_off_a_foundation_solitarium_sends_to_cascades_else_to_the_first_empty_cell() -> None:
    assert sent(board("", "3H", "3D", home="2S"), "hs", SOLITARIUM) == move("hs", "2")
    assert sent(board("KC", "", home="2S"), "hs", SOLITARIUM) == move("hs", "2")
    assert sent(board(*["KC"] * 8, cells="KD -", home="2S"), "hs", SOLITARIUM) == move("hs", "b")
    assert sent(board(*["KC"] * 8, cells="KD", home="2S"), "hs", SOLITARIUM) == "nothing_to_send"


def test_kpat_396882_without_returns_send_takes_nothing_off_a_foundation() -> None:
    position = board("3H", home="2S KC KD KH")
    for pile in FOUNDATIONS:
        for rules in (RACE, customise("solitarium", returns=False)):
            refused = send(position, pile, rules)
            assert isinstance(refused, Illegal)
            assert refused.code == "no_returns"


def test_returns_alone_do_not_make_send_take_cards_off_a_foundation() -> None:
    assert sent(board("3H", home="2S"), "hs", WITH_RETURNS) == "no_send"


def test_every_pile_of_a_won_board() -> None:
    won = board(home="KC KD KH KS")
    for pile in PILES:
        chosen = send(won, pile, RACE)
        assert isinstance(chosen, Illegal)
        assert chosen.code == ("no_returns" if is_foundation(pile) else "empty_source")
