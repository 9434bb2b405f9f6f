"""Deal codes: ``FC1-C4-AAAAAKH`` is deal 327 with 4 free cells.

Seven base-32 digits, most significant first, ``A``-``Z`` then ``2``-``7``; ``A`` is 0. A code carries no
ruleset.
"""

from typing import Final

from server.freecell.deal import MAX_DEAL, MIN_DEAL, check_deal
from server.freecell.wording import say

DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

_LENGTH = 7
_FORM = say("; a code looks like FC1-C4-AAAAAKH")


class CodeError(ValueError):
    """Text that is no deal code; says what is wrong with it."""


def deal_code(number: int, cells: int) -> str:
    """Write the code of a deal.

    Args:
        number: the deal, 1..2^33 - 1.
        cells: free cells, 1..4.

    Raises:
        DealError: when there is no such deal.
        CodeError: when there is no code for so many cells.
    """
    check_deal(number)
    if not 1 <= cells <= 4:
        raise CodeError(say("a code is for 1 to 4 free cells, not {cells}", cells=cells))
    digits = (DIGITS[number >> 5 * place & 31] for place in reversed(range(_LENGTH)))
    return f"FC1-C{cells}-{''.join(digits)}"


def parse_code(text: str) -> tuple[int, int]:
    """Read a code, in either case and with or without spaces around it.

    Returns:
        The deal number and the number of free cells.

    Raises:
        CodeError: saying what is wrong. ``0 1 8 9`` are refused and not mapped to letters they look like.
    """
    code = text.strip()
    if not code.isascii():
        raise CodeError(say("a code has only letters A-Z, digits and dashes") + _FORM)
    version, _, rest = code.upper().partition("-")
    cells, _, digits = rest.partition("-")
    if version != "FC1":
        raise CodeError(say("a code begins with FC1-, not {shown}", shown=ascii(version[:20])) + _FORM)
    if len(cells) != 2 or cells[0] != "C" or cells[1] not in "1234":
        text = "the second part of a code is C1, C2, C3 or C4, not {shown}"
        raise CodeError(say(text, shown=ascii(cells[:20])) + _FORM)
    return _parse_number(digits), int(cells[1])


def _parse_number(digits: str) -> int:
    if wrong := sorted(set(digits) - set(DIGITS)):
        shown = " ".join(wrong[:8]).encode("unicode_escape").decode()
        text = "the last part of a code has only A-Z and 2-7 (0 1 8 9 are never used), not {shown}"
        raise CodeError(say(text, shown=shown))
    if len(digits) != _LENGTH:
        text = "the last part of a code has {length} characters, not {given}"
        raise CodeError(say(text, length=_LENGTH, given=len(digits)) + _FORM)
    number = 0
    for digit in digits:
        number = number << 5 | DIGITS.index(digit)
    if not MIN_DEAL <= number <= MAX_DEAL:
        text = "the code stands for deal {deal}; deals go from {first} to {last}"
        raise CodeError(say(text, deal=number, first=MIN_DEAL, last=MAX_DEAL))
    return number
