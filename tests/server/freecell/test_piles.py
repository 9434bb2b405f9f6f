import pytest

from server.freecell.cards import DECK, SUITS, suit
from server.freecell.piles import (
    CASCADES,
    CELLS,
    FOUNDATIONS,
    PILES,
    home_of,
    is_cascade,
    is_cell,
    is_foundation,
    parse_pile,
    pile_name,
    pile_words,
)


def test_the_piles_are_numbered_and_named() -> None:
    assert list(PILES) == list(range(16))
    assert [pile_name(pile) for pile in CASCADES] == list("12345678")
    assert [pile_name(pile) for pile in CELLS] == list("abcd")
    assert [pile_name(pile) for pile in FOUNDATIONS] == ["hc", "hd", "hh", "hs"]


def test_every_pile_is_of_one_kind() -> None:
    assert [pile for pile in PILES if is_cascade(pile)] == list(CASCADES)
    assert [pile for pile in PILES if is_cell(pile)] == list(CELLS)
    assert [pile for pile in PILES if is_foundation(pile)] == list(FOUNDATIONS)


def test_a_pile_is_read_as_it_is_written_in_either_case() -> None:
    for pile in PILES:
        assert parse_pile(pile_name(pile)) == pile
        assert parse_pile(pile_name(pile).upper()) == pile


@pytest.mark.parametrize("text", ["", "0", "9", "e", "h", "hx", "1 ", "\u0661", "12"])
def test_what_is_no_pile_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not a pile") as refused:
        parse_pile(text)
    assert ascii(text) in str(refused.value)


def test_a_card_belongs_to_the_foundation_of_its_suit() -> None:
    for card in DECK:
        assert pile_name(home_of(card)) == "h" + SUITS[suit(card)].lower()


def test_sentences_name_piles_in_words() -> None:
    words = [pile_words(parse_pile(name)) for name in ("3", "a", "hh")]
    assert words == ["cascade 3", "cell a", "the foundation of hearts"]
