"""Deals known to be winnable, or proved not to be, for a number of free cells.

With four cells the facts are those of the first million deals; with three, two and one they are a table of
deals 1..32000, which every node has.
"""

from enum import StrEnum
from typing import Final

from server.deals import table
from server.freecell.deal import UNWINNABLE_WITH_4, check_deal

KNOWN_WITH_4: Final = 1_000_000
"""With four cells all deals up to here but `UNWINNABLE_WITH_4` can be won."""

VERSION: Final = table.VERSION
"""Names the set that `draw` draws from: the same version, cells and number give the same deal for ever."""


class Known(StrEnum):
    """What is known of whether a game can be won."""

    WINNABLE = "winnable"
    """A line that wins is known; it holds under every ruleset."""
    UNWINNABLE = "unwinnable"
    """No line wins, not even one that takes cards back off the foundations where the rules allow it."""
    LOST_WITHOUT_RETURN = "lost_without_return"
    """No line wins without taking a card back off a foundation; with it, nobody knows."""
    UNKNOWN = "unknown"


def known(deal: int, cells: int, *, returns: bool) -> Known:
    """What is known of a deal, before anybody has moved.

    Args:
        deal: its number.
        cells: free cells, 1..4.
        returns: whether cards may come back off the foundations.

    Raises:
        DealError: there is no such deal.
        ValueError: there cannot be so many cells.
    """
    if is_certified(deal, cells):
        return Known.WINNABLE
    if not is_proved_unwinnable(deal, cells):
        return Known.UNKNOWN
    # The eight are lost with returns too, and fewer cells only take moves away.
    return Known.LOST_WITHOUT_RETURN if returns and deal not in UNWINNABLE_WITH_4 else Known.UNWINNABLE


def is_certified(deal: int, cells: int) -> bool:
    """Whether the deal is known to be winnable with so many cells, by any ruleset.

    Raises:
        DealError, ValueError: as `known`.
    """
    check_deal(deal)
    if _check_cells(cells) == 4:
        return deal <= KNOWN_WITH_4 and deal not in UNWINNABLE_WITH_4
    return deal <= table.DEALS and table.is_winnable(deal, cells)


def is_proved_unwinnable(deal: int, cells: int) -> bool:
    """Whether it is proved that the deal cannot be won with so many cells without taking a card back.

    Raises:
        DealError, ValueError: as `known`.
    """
    check_deal(deal)
    if deal in UNWINNABLE_WITH_4:
        return True
    return _check_cells(cells) < 4 and deal <= table.DEALS and table.is_lost(deal, cells)


def count(cells: int) -> int:
    """How many deals are certified for so many cells.

    Raises:
        ValueError: there cannot be so many cells.
    """
    return KNOWN_WITH_4 - len(UNWINNABLE_WITH_4) if _check_cells(cells) == 4 else len(table.winnable(cells))


def draw(cells: int, number: int) -> int:
    """The certified deal that a number falls on: the `number % count(cells)`-th, in ascending order.

    Args:
        cells: free cells, 1..4.
        number: 0 or more: a random number below `count(cells)`, or one so much larger that the remainder is
            as good as even, such as 32 bytes of an HMAC.

    Raises:
        ValueError: there cannot be so many cells, or the number is negative.
    """
    if number < 0:
        raise ValueError("a number to draw by is not negative")
    place = number % count(cells)
    if cells < 4:
        return table.winnable(cells)[place]
    deal = place + 1
    for unwinnable in sorted(UNWINNABLE_WITH_4):
        if unwinnable <= deal:
            deal += 1
    return deal


def _check_cells(cells: int) -> int:
    if not 1 <= cells <= 4:
        raise ValueError(f"there are 1 to 4 free cells, not {cells}")
    return cells
