"""Piles: every place a card can be, as a small integer.

0..7 are the cascades, 8..11 the free cells a-d, 12..15 the foundations C D H S.
"""

from typing import Final, NewType

from server.freecell.cards import SUITS, Card

Pile = NewType("Pile", int)

CASCADES: Final = tuple(Pile(number) for number in range(8))
CELLS: Final = tuple(Pile(number) for number in range(8, 12))
FOUNDATIONS: Final = tuple(Pile(number) for number in range(12, 16))
PILES: Final = CASCADES + CELLS + FOUNDATIONS

FIRST_CELL: Final = 8
FIRST_FOUNDATION: Final = 12

_NAMES: tuple[str, ...] = (*"12345678", *"abcd", *(f"h{suit}" for suit in SUITS.lower()))
_PILES = {name: pile for pile, name in zip(PILES, _NAMES, strict=True)}
_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


def is_cascade(pile: Pile) -> bool:
    """Whether a pile is one of the eight cascades."""
    return 0 <= pile < FIRST_CELL


def is_cell(pile: Pile) -> bool:
    """Whether a pile is a free cell, one a ruleset has taken away included."""
    return FIRST_CELL <= pile < FIRST_FOUNDATION


def is_foundation(pile: Pile) -> bool:
    """Whether a pile is one of the four foundations."""
    return FIRST_FOUNDATION <= pile < len(PILES)


def home_of(card: Card) -> Pile:
    """The foundation a card belongs to."""
    return FOUNDATIONS[card & 3]


def pile_name(pile: Pile) -> str:
    """The name of a pile: ``1``..``8``, ``a``..``d``, ``hc`` ``hd`` ``hh`` ``hs``."""
    return _NAMES[pile]


def pile_words(pile: Pile) -> str:
    """A pile as a sentence names it: ``cascade 3``, ``cell a``, ``the foundation of hearts``."""
    if is_cascade(pile):
        return f"cascade {_NAMES[pile]}"
    if is_cell(pile):
        return f"cell {_NAMES[pile]}"
    return f"the foundation of {_SUIT_WORDS[pile - FIRST_FOUNDATION]}"


def parse_pile(text: str) -> Pile:
    """Read a pile as ``pile_name`` writes it, in either case.

    Raises:
        ValueError: naming the text, when it is no pile.
    """
    pile = _PILES.get(text.lower()) if text.isascii() else None
    if pile is None:
        raise ValueError(f"{text[:20]!a} is not a pile")
    return pile
