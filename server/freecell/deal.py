"""The numbered deals: Microsoft's, extended to 2^33 - 1 as FreeCell Pro does."""

from collections.abc import Iterator
from typing import Final

from server.freecell.cards import DECK, Card
from server.freecell.position import Position
from server.freecell.wording import Wording, say

MIN_DEAL: Final = 1
MAX_DEAL: Final = 2**33 - 1

UNWINNABLE_WITH_4: Final = frozenset({11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948})
"""The deals of 1..1 000 000 that cannot be won with four free cells.

Found by exhaustive search by the makers of FreeCell solvers; lost even where cards may come back off the
foundations. 495340, seen on some lists, can be won.
"""


class DealError(ValueError):
    """Not the number of a deal."""


def check_deal(number: object) -> int:
    """Return ``number`` when it is that of a deal.

    Raises:
        DealError: telling the range, for anything but a whole number from 1 to 2^33 - 1 (``True`` and ``1.0``
            included).
    """
    if type(number) is not int or not MIN_DEAL <= number <= MAX_DEAL:
        raise DealError(
            say("a deal is a whole number from {first} to {last}", first=MIN_DEAL, last=MAX_DEAL)
            + _not(number)
        )
    return number


def _not(given: object) -> Wording:
    if isinstance(given, int) and abs(given) >= 10**20:
        return say(", not one that long")
    shown = ascii(given)
    return say(", not {shown}", shown=shown if len(shown) <= 24 else f"{shown[:24]}...")


def deal(number: int, cells: int = 4) -> Position:
    """Deal a number; the layout is the same for every number of cells.

    Args:
        number: the deal, 1..2^33 - 1.
        cells: how many free cells there are, 0..4 (0 exists only to replay solutions).

    Raises:
        DealError: when there is no such deal.
        ValueError: when there cannot be so many cells.
    """
    check_deal(number)
    if not 0 <= cells <= 4:
        raise ValueError(f"there are 0 to 4 free cells, not {cells}")
    cascades: list[list[Card]] = [[] for _ in range(8)]
    deck = list(DECK)
    for dealt, random in enumerate(_random_numbers(number)):
        chosen = random % len(deck)
        deck[chosen], deck[-1] = deck[-1], deck[chosen]
        cascades[dealt % 8].append(deck.pop())
    return Position(tuple(map(tuple, cascades)), (None,) * cells, (0, 0, 0, 0))


def _random_numbers(number: int) -> Iterator[int]:
    """Yield the 52 draws of a deal.

    Up to 2^31 it is the 15-bit generator of Microsoft's C library. FreeCell Pro went on with a 16th bit,
    always set, up to 2^32 and with 16 bits plus one beyond; the state always has 32 bits.
    """
    state = number % 2**32
    for _ in DECK:
        state = (214013 * state + 2531011) % 2**32
        if number < 2**31:
            yield state >> 16 & 0x7FFF
        elif number < 2**32:
            yield state >> 16 & 0x7FFF | 0x8000
        else:
            yield (state >> 16) + 1
