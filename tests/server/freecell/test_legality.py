from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.cards import DECK, card_name, rank
from server.freecell.deal import deal
from server.freecell.legality import find_card
from server.freecell.moves import ILLEGAL_CODES, Illegal, Move, apply, carry, check
from server.freecell.piles import PILES, Pile, home_of
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from tests.server.freecell.boards import RACE, WITH_RETURNS, all_cards, board, move, positions, walk


def code(position: Position, made: Move, *, returns: bool = True) -> str | None:
    refused = check(position, made, WITH_RETURNS if returns else RACE)
    return refused.code if refused else None


@pytest.mark.parametrize(
    ("made", "refused"),
    [
        (Move(Pile(16), Pile(0)), "no_such_pile"),
        (Move(Pile(0), Pile(-1)), "no_such_pile"),
        (Move(Pile(-8), Pile(-8)), "no_such_pile"),
        (move("1", "1"), "same_pile"),
        (move("a", "a"), "same_pile"),
        (move("hs", "hs"), "same_pile"),
        (move("1", "2", 0), "bad_count"),
        (move("1", "2", -3), "bad_count"),
        (move("2", "4", 3), "bad_count"),
        (move("5", "4", 1), "empty_source"),
        (move("b", "4"), "empty_source"),
        (move("hd", "4"), "empty_source"),
        (move("a", "5", 2), "bad_count"),
        (move("hs", "5", 2), "bad_count"),
        (move("1", "c", 2), "bad_count"),
        (move("1", "hs", 2), "bad_count"),
        (move("d", "1"), "no_such_cell"),
        (move("1", "d"), "no_such_cell"),
        (move("1", "a"), "cell_taken"),
        (move("hs", "a"), "cell_taken"),
        (move("1", "2"), "wrong_order"),
        (move("a", "1"), "wrong_order"),
        (move("hs", "1"), "wrong_order"),
        (move("1", "hh"), "wrong_suit"),
        (move("1", "hs"), "not_next"),
        (move("a", "hc"), "wrong_suit"),
        (move("a", "hh"), "not_next"),
        (move("hs", "hh"), "home_to_home"),
        (move("1", "5"), None),
        (move("1", "b"), None),
        (move("2", "3"), None),
        (move("2", "3", 2), "wrong_order"),
        (move("4", "hs"), None),
        (move("a", "3"), None),
        (move("a", "b"), None),
        (move("a", "5"), None),
        (move("hs", "6"), None),
        (move("hs", "5"), None),
        (move("hs", "b"), None),
        (move("hh", "c"), None),
    ],
)
def test_every_reason_for_a_refusal(made: Move, refused: str | None) -> None:
    position = board("4S", "9S 8D", "9C", "3S", "", "3H", cells="8H - -", home="2S AH")
    assert code(position, made) == refused


def test_a_refusal_says_what_would_have_to_be_different() -> None:
    position = board("4S", "9S 8D", "9C", "AS", cells="8H -", home="2S 2H")
    details = {
        move("1", "2"): "4S does not go on 8D: it takes 7C or 7S",
        move("1", "4"): "4S does not go on AS: nothing goes on an ace",
        move("1", "hs"): "4S cannot go home yet: the foundation of spades waits for 3S",
        move("1", "hd"): "4S goes to the foundation of spades, not to the foundation of diamonds",
        move("1", "a"): "cell a holds 8H, and a cell holds one card",
        move("1", "c"): "there is no cell c: cells go from a to b",
        move("1", "5", 2): "cascade 1 has 1 card, not 2",
        move("2", "5", 3): "cascade 2 has 2 cards, not 3",
        move("8", "5"): "there is no card on cascade 8",
        move("b", "1"): "there is no card on cell b",
        move("2", "b", 2): "only one card at a time goes to cell b, not 2",
        move("a", "5", 2): "only one card at a time leaves cell a, not 2",
        move("hh", "5"): "in these rules a card on a foundation stays there",
    }
    found = {made: check(position, made, RACE) for made in details}
    assert {made: refused.detail for made, refused in found.items() if refused} == details


@pytest.mark.parametrize(("cells", "said"), [("-", "a is the only one"), ("", "this game has none")])
def test_a_cell_that_does_not_exist_is_refused_as_no_such_cell(cells: str, said: str) -> None:
    assert check(board("4S", cells=cells), move("1", "d"), RACE) == Illegal(
        "no_such_cell", f"there is no cell d: {said}"
    )


def test_kpat_230354_each_card_goes_to_an_empty_cascade() -> None:
    for card in DECK:
        position = board(card_name(card))
        after = apply(position, move("1", "8"), RACE)
        assert after == board("", "", "", "", "", "", "", card_name(card))


def test_unleashed_firmware_253_only_aces_start_a_foundation() -> None:
    for card in DECK:
        position = board(card_name(card))
        for pile in PILES[12:]:
            taken = check(position, Move(Pile(0), pile), RACE) is None
            assert taken == (rank(card) == 1 and pile == home_of(card))


def test_unleashed_firmware_253_the_two_of_spades_does_not_go_on_the_ace_of_hearts() -> None:
    position = board("2S", home="AH")
    assert code(position, move("1", "hh")) == "wrong_suit"
    assert code(position, move("1", "hs")) == "not_next"


def test_react_solitaire_6_no_buried_card_and_no_two_cards_go_home() -> None:
    position = board("AS KD", "3H 2S", home="AS AH")
    assert code(position, move("1", "hs")) == "wrong_suit"
    assert code(position, move("2", "hs", 2)) == "bad_count"
    assert code(position, move("2", "hs")) is None


@given(positions, st.integers(-1, 16), st.integers(-1, 16), st.integers(-1, 14), st.booleans())
def test_react_solitaire_6_always_52_distinct_cards(
    position: Position, source: int, dest: int, count: int, returns: bool
) -> None:
    after = apply(position, Move(Pile(source), Pile(dest), count), WITH_RETURNS if returns else RACE)
    if isinstance(after, Illegal):
        assert after.code in ILLEGAL_CODES
        assert after.detail
    else:
        assert sorted(all_cards(after)) == list(DECK)
        assert after != position


@given(st.integers(1, 2**33 - 1), st.integers(0, 4), st.randoms(use_true_random=False))
def test_52_distinct_cards_after_any_sequence_of_moves(number: int, cells: int, random: Random) -> None:
    for _, position in walk(deal(number, cells), random, 40, returns=True):
        assert sorted(all_cards(position)) == list(DECK)


@given(positions)
def test_kpat_396882_without_returns_no_card_leaves_a_foundation(position: Position) -> None:
    for source in PILES[12:]:
        for dest in PILES[:12]:
            for count in (1, 2):
                refused = check(position, Move(source, dest, count), RACE)
                assert refused is not None
                assert refused.code == "no_returns"


@pytest.mark.parametrize(
    ("name", "taken"), [(name, name in ("app", "solitarium", "cardems")) for name in RULESETS]
)
def test_a_ruleset_with_returns_takes_any_top_card_back(name: str, taken: bool) -> None:
    position = board("2H", "3H", home="AS 2C")
    for made in (move("hs", "1"), move("hs", "a"), move("hs", "8"), move("hc", "2")):
        assert (check(position, made, RULESETS[name]) is None) is taken


def test_a_whole_run_may_go_to_an_empty_cascade_and_back() -> None:
    position = board("KS QH JS")
    away = carry(position, move("1", "2", 3))
    assert check(position, move("1", "2", 3), RACE) is None
    assert away == board("", "KS QH JS")
    assert carry(away, move("2", "1", 3)) == position


def test_the_available_card_of_a_pile_is_found_or_refused() -> None:
    position = board("4S 3D", cells="8H -", home="2S")
    found = {name: find_card(position, move(name, "1").source) for name in ("1", "a", "hs")}
    assert {name: card_name(card) for name, card in found.items() if not isinstance(card, Illegal)} == {
        "1": "3D",
        "a": "8H",
        "hs": "2S",
    }
    wrong = [find_card(position, Pile(pile)) for pile in (1, 9, 10, 12, -1, 16)]
    codes = [found.code for found in wrong if isinstance(found, Illegal)]
    assert codes == [
        "empty_source",
        "empty_source",
        "no_such_cell",
        "empty_source",
        "no_such_pile",
        "no_such_pile",
    ]
