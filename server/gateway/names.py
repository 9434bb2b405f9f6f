"""Names and chat lines as they may be stored and shown: nothing a peer sent reaches a terminal raw."""

import unicodedata
from typing import Final

from server.freecell.wording import say

MAX_NAME: Final = 24
"""Columns on a terminal."""

MAX_TEXT: Final = 300
MAX_MARKS: Final = 2
"""Combining marks on one letter, at most; Vietnamese needs two."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me"})
_BLANK_SPANS: Final = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0100, 0xE01EF),
)
_BLANK: Final = frozenset(chr(code) for first, last in _BLANK_SPANS for code in range(first, last + 1))
"""Characters that are drawn as nothing: Unicode's default ignorables, and the empty Braille."""


class BadName(ValueError):
    """A name nobody may have. The text says what is wrong."""


def clean_name(raw: str) -> str:
    """A name as it is used: NFKC, single spaces, 1-24 columns on a terminal, on which some letters take two.

    Letters of every script are kept.

    Raises:
        BadName: control, format or private characters, too long, too many marks on a letter, or nothing left.
    """
    name = " ".join(unicodedata.normalize("NFKC", raw).split())
    hidden = next((char for char in name if _is_hidden(char)), None)
    if hidden is not None:
        text = "a name cannot hold the invisible character {code}"
        raise BadName(say(text, code=f"U+{ord(hidden):04X}"))
    if _most_marks(name) > MAX_MARKS:
        raise BadName("a name cannot pile marks on a letter")
    columns = sum(_columns(char) for char in name)
    if not any(char.isalnum() for char in name):
        raise BadName("a name needs a letter or a digit")
    if columns > MAX_NAME:
        text = "a name takes {most} columns on a terminal at most; this one takes {columns}"
        raise BadName(say(text, most=MAX_NAME, columns=columns))
    return name


def clean_text(raw: str) -> str:
    """A chat line as it is stored: what a name cannot hold is taken out; empty if nothing is left."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", " ".join(raw.split())):
        if _is_hidden(char):
            continue
        marks = marks + 1 if _is_mark(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    text = unicodedata.normalize("NFC", "".join(kept))
    return " ".join(text.split())[:MAX_TEXT].rstrip()


def _columns(char: str) -> int:
    """How many columns a terminal gives a character (Unicode Standard Annex 11)."""
    if _is_mark(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def _is_hidden(char: str) -> bool:
    return char in _BLANK or unicodedata.category(char) in _HIDDEN


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS


def _most_marks(text: str) -> int:
    most = marks = 0
    for char in text:
        marks = marks + 1 if _is_mark(char) else 0
        most = max(most, marks)
    return most
