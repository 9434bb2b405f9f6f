"""Text of others, made safe for a terminal.

Names and chat come from people one has never met. An escape code in them could move the cursor or change the
window's title, a right-to-left mark could turn a line around. So every text of every event is cleaned as it
comes in, in one place.
"""

import unicodedata
from typing import Final

import msgspec

from protocol.events import Event

MAX_MARKS: Final = 4
"""Combining marks kept on one letter: more than any script needs, too few to smear over other lines."""

_TO_SPACE: Final = frozenset({"Cc", "Zl", "Zp"})
_DROPPED: Final = frozenset({"Cf", "Cs", "Co", "Cn"})
_MARKS: Final = frozenset({"Mn", "Me"})


def clean(text: str) -> str:
    """The text without invisible characters, and with few combining marks on a letter.

    Invisible are controls, format, private and unassigned characters. Controls and line separators become
    spaces, so that words on both sides stay apart.
    """
    if text.isascii() and text.isprintable():
        return text
    kept: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        if category in _TO_SPACE:
            kept.append(" ")
        elif category not in _DROPPED and marks <= MAX_MARKS:
            kept.append(character)
    return "".join(kept)


def clean_event(event: Event) -> Event:
    """The event with every text in it cleaned."""
    return msgspec.convert(_clean_all(msgspec.to_builtins(event)), type(event))


def _clean_all(value: object) -> object:
    match value:
        case str():
            return clean(value)
        case dict():
            return {_clean_all(key): _clean_all(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean_all(item) for item in value]
        case _:
            return value
