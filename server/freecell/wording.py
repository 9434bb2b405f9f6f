"""Sentences for people, made so that a client can say them in another language.

A sentence is written once, in English, where it is needed. Its gaps stand in braces: ``{held:card}`` is a
card, ``{dest:pile}`` a pile, ``{most}`` any other number or name. It is a text like any other, and remembers
of what it was made.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from server.freecell.cards import Card, card_name
from server.freecell.piles import Pile, pile_name, pile_words

_GAP: Final = re.compile(r"\{(\w+)(?::(card|pile))?\}")


class Phrase(NamedTuple):
    """A piece of a sentence that is translated as a whole.

    Attributes:
        text: English with its gaps.
        values: what fills them, cards and piles by their names. Where the text depends on a number, that is
            ``n``.
    """

    text: str
    values: Mapping[str, str | int]


class Wording(str):
    """An English text, and the phrases that it was made of."""

    __slots__ = ("phrases",)

    phrases: tuple[Phrase, ...]

    def __add__(self, more: str) -> "Wording":
        return _joined(str(self) + str(more), self.phrases + phrases_of(more))


def say(text: str, **values: str | int) -> Wording:
    """Fill the gaps of a text: cards and piles as the numbers they are, anything else as it is to be read."""
    named = dict(values)

    def fill(gap: re.Match[str]) -> str:
        name, kind = gap[1], gap[2]
        if kind == "card":
            named[name] = card_name(Card(int(values[name])))
        if kind == "pile":
            pile = Pile(int(values[name]))
            named[name] = pile_name(pile)
            return pile_words(pile)
        return str(named[name])

    filled = _GAP.sub(fill, text)
    return _joined(filled, (Phrase(text, named),))


def counted(one: str, many: str, n: int, **values: str | int) -> Wording:
    """Fill the gaps of a text that is another one for a single thing; ``{n}`` is how many there are."""
    return say(one if n == 1 else many, n=n, **values)


def phrases_of(text: str) -> tuple[Phrase, ...]:
    """What a text is made of; a plain one is a phrase without gaps."""
    return text.phrases if isinstance(text, Wording) else (Phrase(text, {}),)


def words_of(error: Exception) -> str:
    """What an error was raised with, which ``str`` would make a plain text of."""
    return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)


def _joined(text: str, phrases: tuple[Phrase, ...]) -> Wording:
    wording = Wording(text)
    wording.phrases = phrases
    return wording
