"""A race's settings as a person gives them: on the command line, or in the lobby (`/set cells 3`)."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, get_args

import msgspec

from client_cli.language import mark, tr
from protocol.commands import Ruleset, Settings


class BadSetting(ValueError):
    """No such setting, or no such value; says what there is."""


YES_OR_NO: Final = (mark("yes"), mark("no"))
_YES_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
_WATCHED: Final = (mark("none"), mark("progress"), mark("delayed"), mark("live"))
RANDOM: Final = mark("random")
AS_RULES: Final = mark("as the rules have it")
"""What a person reads where an undo limit is not set."""

_IN_LANGUAGE: Final = frozenset({*YES_OR_NO, *_WATCHED, RANDOM})
"""Values that are said in the reader's language, and read in it or in English; the others are names."""


def said(value: object) -> str:
    """A value of a setting as a person reads it, who may type it so."""
    if isinstance(value, bool):
        return tr(YES_OR_NO[0] if value else YES_OR_NO[1])
    return tr(str(value)) if value in _IN_LANGUAGE else tr(AS_RULES) if value is None else str(value)


class Choice(NamedTuple):
    """A setting as a person meets it.

    Attributes:
        name: what is typed for it: `--cells`, `/set cells`.
        placeholder: what stands for its value in the help of a command.
        words: what it may be, if that is one of a few words.
        meaning: what it does.
        range: what it may be otherwise.
    """

    name: str
    placeholder: str
    words: tuple[str, ...]
    meaning: str
    range: str = ""

    @property
    def values(self) -> str:
        """What it may be, in words."""
        return _either(tuple(map(said, self.words))) if self.words else tr(self.range)

    @property
    def values_in_shell(self) -> str:
        """The same for a command line, where a value is best one word, as in English all of them are."""
        has_gaps = any(" " in said(word) for word in self.words)
        return _either(self.words) if has_gaps else self.values


CHOICES: Final[Mapping[str, Choice]] = {
    "ruleset": Choice("rules", mark("RULES"), get_args(Ruleset), mark("the rules to play by")),
    "cells": Choice("cells", mark("N"), (), mark("free cells"), mark("1 to 4")),
    "deal": Choice(
        "deal",
        mark("DEAL"),
        (),
        mark("the cards"),
        mark('a number from 1 to 8589934591, a deal code or "random"'),
    ),
    "time_limit_s": Choice(
        "time-limit",
        mark("SECONDS"),
        (),
        mark("how long the race lasts at most"),
        mark("10 to 86400 seconds"),
    ),
    "max_racers": Choice("max-racers", mark("N"), (), mark("seats"), mark("2 to 100")),
    "countdown_s": Choice(
        "countdown", mark("SECONDS"), (), mark("from the start signal to the cards"), mark("0 to 60 seconds")
    ),
    "watch": Choice("watch", mark("WHAT"), _WATCHED, mark("what watchers see of the boards")),
    "delay_s": Choice(
        "delay", mark("SECONDS"), (), mark("how late watchers see the boards"), mark("1 to 600 seconds")
    ),
    "returns": Choice(
        "returns", mark("YES/NO"), YES_OR_NO, mark("whether cards may come back off the foundations")
    ),
    "undo_limit": Choice(
        "undo-limit",
        mark("N"),
        (),
        mark("how many actions can be undone"),
        mark("0 to 3000, or rules: as the rules have it"),
    ),
    "hints": Choice("hints", mark("YES/NO"), YES_OR_NO, mark("whether hints may be asked for")),
}
"""Every field of `Settings`."""

LABELS: Final = {
    "ruleset": mark("rules"),
    "cells": mark("free cells"),
    "deal": mark("deal"),
    "returns": mark("cards come back"),
    "undo_limit": mark("actions to undo"),
    "hints": mark("hints"),
    "time_limit_s": mark("time limit (s)"),
    "countdown_s": mark("countdown (s)"),
    "max_racers": mark("seats"),
    "watch": mark("watchers see"),
    "delay_s": mark("how late (s)"),
}
"""Every setting, by what it is called where there is room for a word or two."""

_OF_RULESET: Final = ("cells", "returns", "undo_limit", "hints")
"""What another ruleset brings with it, unless it is set anew."""


def changed(
    settings: Settings, name: str, value: str, called: str = "", *, is_in_shell: bool = False
) -> Settings:
    """The settings with one of them changed. What goes together, the server decides.

    Args:
        settings: as they are.
        name: the field, or what is typed for it.
        value: as it was typed.
        called: what an error calls the setting, if not by that name.
        is_in_shell: whether it was typed on a command line, for an error to name what can be typed there.

    Raises:
        BadSetting: in words for the one who typed it.
    """
    field = _FIELDS.get(name.lower().replace("_", "-"))
    if field is None:
        there = ", ".join(choice.name for choice in CHOICES.values())
        raise BadSetting(
            tr("there is no setting {name}; there are {there}").format(name=repr(name), there=there)
        )
    fields = msgspec.to_builtins(settings)
    if field == "ruleset":
        fields = {key: old for key, old in fields.items() if key not in _OF_RULESET}
    try:
        return msgspec.convert({**fields, field: _read(field, value.strip())}, Settings)
    except (msgspec.ValidationError, ValueError):
        text = tr("{name} is {values}; not {value}")
        values = CHOICES[field].values_in_shell if is_in_shell else CHOICES[field].values
        raise BadSetting(text.format(name=called or name, values=values, value=repr(value))) from None


def _read(field: str, text: str) -> object:
    """The value a person means; ValueError where there is none."""
    match field:
        case "ruleset":
            return text.lower()
        case "watch":
            return _in_english(text, _WATCHED)
        case "returns" | "hints":
            return _truth(text.lower())
        case "deal":
            return int(text) if text.removeprefix("-").isdecimal() else _in_english(text, (RANDOM,))
        case "undo_limit" if text.lower() in {"rules", "none", tr("rules"), tr(AS_RULES).lower()}:
            return None
        case _:
            return int(text)


def _either(words: tuple[str, ...]) -> str:
    *most, last = words
    return f"{', '.join(most)} {tr('or')} {last}"


def _in_english(text: str, words: Iterable[str]) -> str:
    """The word that is meant, in English or the reader's language; what is none of them stays as it is."""
    return next((word for word in words if text.lower() in {word, tr(word).lower()}), text)


def _truth(text: str) -> bool:
    """What yes or no means, in English or the reader's language."""
    yes, no = (tr(word) for word in YES_OR_NO)
    meant = {**_YES_NO, yes: True, no: False}.get(text)
    if meant is None:
        raise ValueError(text)
    return meant


_FIELDS: Final = (
    {choice.name: field for field, choice in CHOICES.items()}
    | {field.replace("_", "-"): field for field in CHOICES}
    | {"seats": "max_racers"}
)
"""What may be typed for each field."""
