"""A race's settings as a person gives them: on the command line, or in the lobby (`/set cells 3`)."""

from collections.abc import Mapping
from typing import Final, NamedTuple, get_args

import msgspec

from protocol.commands import Ruleset, Settings, WatchPolicy


class BadSetting(ValueError):
    """No such setting, or no such value; says what there is."""


class Choice(NamedTuple):
    """What a setting may be: as a placeholder, and in words; and what it does."""

    placeholder: str
    values: str
    meaning: str


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


CHOICES: Final[Mapping[str, Choice]] = {
    "ruleset": Choice("RULES", _listed(get_args(Ruleset)), "the rules to play by"),
    "cells": Choice("N", "1 to 4", "free cells"),
    "deal": Choice("DEAL", 'a number from 1 to 8589934591, a deal code or "random"', "the cards"),
    "time_limit_s": Choice("SECONDS", "10 to 86400 seconds", "how long the race lasts at most"),
    "max_racers": Choice("N", "2 to 100", "seats"),
    "countdown_s": Choice("SECONDS", "0 to 60 seconds", "from the start signal to the cards"),
    "watch": Choice("WHAT", _listed(get_args(WatchPolicy)), "what watchers see of the boards"),
    "delay_s": Choice("SECONDS", "1 to 600 seconds", "how late watchers see the boards"),
    "returns": Choice("YES/NO", "yes or no", "whether cards may come back off the foundations"),
    "undo_limit": Choice("N", "0 to 3000, or none: as the rules have it", "how many actions can be undone"),
    "hints": Choice("YES/NO", "yes or no", "whether hints may be asked for"),
}
"""Every field of `Settings`."""

_YES_NO: Final = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
_OF_RULESET: Final = ("cells", "returns", "undo_limit", "hints")
"""What another ruleset brings with it, unless it is set anew."""


def changed(settings: Settings, name: str, value: str) -> Settings:
    """The settings with one of them changed. What goes together, the server decides.

    Raises:
        BadSetting: in words for the one who typed it.
    """
    name = _FULL_NAMES.get(name.lower().replace("-", "_"), name)
    choice = CHOICES.get(name)
    if choice is None:
        raise BadSetting(f"there is no setting {name!r}; there are {', '.join(CHOICES)}")
    fields = msgspec.to_builtins(settings)
    if name == "ruleset":
        fields = {key: old for key, old in fields.items() if key not in _OF_RULESET}
    try:
        return msgspec.convert({**fields, name: _read(name, value.strip())}, Settings)
    except (msgspec.ValidationError, ValueError):
        raise BadSetting(f"{name} is {choice.values}; not {value!r}") from None


def _read(name: str, text: str) -> object:
    """The value a person means; ValueError where there is none."""
    match name:
        case "ruleset" | "watch":
            return text.lower()
        case "returns" | "hints":
            if text.lower() not in _YES_NO:
                raise ValueError(text)
            return _YES_NO[text.lower()]
        case "deal":
            return (
                int(text) if text.removeprefix("-").isdecimal() else text.lower() if text.isalpha() else text
            )
        case "undo_limit" if text.lower() == "none":
            return None
        case _:
            return int(text)


_FULL_NAMES: Final = (
    {name.removesuffix("_s"): name for name in CHOICES}
    | {name: name for name in CHOICES}
    | {"rules": "ruleset"}
)
