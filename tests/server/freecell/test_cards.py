import pytest

from server.freecell.cards import (
    DECK,
    RANKS,
    SUITS,
    card_name,
    fits,
    is_red,
    make_card,
    parse_card,
    rank,
    suit,
)


def test_the_deck_is_in_the_order_of_the_deals() -> None:
    names = [card_name(card) for card in DECK]
    assert names[:6] == ["AC", "AD", "AH", "AS", "2C", "2D"]
    assert names[-1] == "KS"
    assert len(set(names)) == 52
    assert list(DECK) == list(range(52))


def test_a_card_is_its_rank_and_suit() -> None:
    for card in DECK:
        assert card_name(card) == RANKS[rank(card) - 1] + SUITS[suit(card)]
        assert make_card(rank(card), suit(card)) == card
        assert is_red(card) == (SUITS[suit(card)] in "DH")


def test_a_card_is_read_as_it_is_written_in_either_case() -> None:
    for card in DECK:
        assert parse_card(card_name(card)) == card
        assert parse_card(card_name(card).lower()) == card


@pytest.mark.parametrize(
    "text", ["", "A", "10H", "1H", "HT", "TX", "TH ", "0C", "\u017fS", "K\u2663", "\u212aC"]
)
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as refused:
        parse_card(text)
    assert ascii(text) in str(refused.value)


def test_a_card_fits_on_the_opposite_colour_one_rank_higher() -> None:
    for card in DECK:
        for onto in DECK:
            assert fits(card, onto) == (rank(onto) - rank(card) == 1 and is_red(card) != is_red(onto))
