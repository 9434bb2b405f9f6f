"""Cards: small integers 0..51, ``AC AD AH AS 2C ... KS``, the order of the deck before a deal."""

from typing import Final, NewType

Card = NewType("Card", int)
"""``4 * (rank - 1) + suit``."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
DECK: Final = tuple(Card(number) for number in range(52))

_RED = (False, True, True, False)
_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = {name: card for card, name in zip(DECK, _NAMES, strict=True)}


def rank(card: Card) -> int:
    """The rank of a card, 1 (ace) to 13 (king)."""
    return (card >> 2) + 1


def suit(card: Card) -> int:
    """The suit of a card, 0..3 for C D H S."""
    return card & 3


def is_red(card: Card) -> bool:
    """Whether a card is a diamond or a heart."""
    return _RED[card & 3]


def make_card(rank: int, suit: int) -> Card:
    """The card of a rank (1..13) and a suit (0..3)."""
    return Card(4 * rank - 4 + suit)


_TAKES = tuple(
    frozenset(card for card in DECK if rank(card) + 1 == rank(onto) and is_red(card) != is_red(onto))
    for onto in DECK
)


def fits(card: Card, onto: Card) -> bool:
    """Whether ``card`` may lie on ``onto`` in a cascade: opposite colour and exactly one rank lower."""
    return card in _TAKES[onto]


def card_name(card: Card) -> str:
    """The two characters of a card, such as ``TH``."""
    return _NAMES[card]


def parse_card(text: str) -> Card:
    """Read a card as ``card_name`` writes it, in either case. Ten is only ``T``.

    Raises:
        ValueError: naming the text, when it is no card.
    """
    card = _CARDS.get(text.upper()) if text.isascii() else None
    if card is None:
        raise ValueError(
            f"{text[:20]!a} is not a card (a card is a rank, A 2-9 T J Q K, and a suit, C D H S)"
        )
    return card
