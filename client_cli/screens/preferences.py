"""What the player likes and where he was last, kept between two runs in the config folder."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from client_cli.clean import clean
from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.identity import can_be_name
from client_cli.os_words import why_of
from client_cli.small_file import read_small, write_whole
from protocol.sense import is_race

MAX_RECENT: Final = 8
LEFT: Final = "left"
SENT_OUT: Final = "sent out"
"""What becomes of a seat before the start, as it is kept."""

MAX_NAMED: Final = 2
"""So many of the others are remembered by name."""

_LONGEST: Final = 24
"""Characters of a text that a server has told; names may be longer."""
_LONGEST_FILE: Final = 65_536


class Recent(msgspec.Struct, frozen=True):
    """A race one was in, and the address of its server; "" for the one of this machine.

    The rest as far as it is known: the day it was on here, as in `2026-11-30`, the first of the others, the
    deal, how many raced, and one's own rank if one finished. `end` is how it ended for oneself otherwise:
    `resigned`, `out_of_time`, or what became of the seat. `daily` is the day that the deal is the
    daily of, and `cells` are its free cells. `against` is what it is raced against as a ghost.
    """

    race: str
    server: str
    watched: bool = False
    is_over: bool = False
    deal: int = 0
    racers: int = 0
    rank: int = 0
    day: str = ""
    others: tuple[str, ...] = ()
    end: str = ""
    daily: str = ""
    cells: int = 0
    against: Haunt | None = None


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is kept. What a newer version has written besides is let go."""

    four_colours: bool = False
    contrast: bool = False
    letters: bool = False
    animated: bool = True
    name: str = ""
    server: str = ""
    recent: tuple[Recent, ...] = ()

    def knows(self, race: str) -> bool:
        """Whether a race is among the recent ones."""
        return any(recent.race == race for recent in self.recent)

    def ghost_in(self, race: str) -> Haunt | None:
        """What one has raced against as a ghost in one of the recent races."""
        return next((recent.against for recent in self.recent if recent.race == race), None)

    def with_news(self, race: str, **changes: object) -> "Preferences":
        """The same, with these fields of a recent race as they were heard to be; its place stays."""
        recent = tuple(
            msgspec.structs.replace(recent, **changes) if recent.race == race else recent
            for recent in self.recent
        )
        return msgspec.structs.replace(self, recent=recent)

    def with_race(self, newest: Recent) -> "Preferences":
        """The same, with a race at the head of the recent ones.

        Who raced in it is no mere watcher later, its day is the one on which it was first known, and its
        ghost is not lost by a way back that names none.
        """
        known = next((recent for recent in self.recent if recent.race == newest.race), newest)
        others = tuple(recent for recent in self.recent if recent.race != newest.race)
        watched, day = newest.watched and known.watched, known.day or newest.day
        against = newest.against or known.against
        newest = _bounded(msgspec.structs.replace(newest, watched=watched, day=day, against=against))
        return msgspec.structs.replace(self, recent=(newest, *others)[:MAX_RECENT])


def load(folder: Path) -> Preferences:
    """What was kept; nothing where there is no such file, or one that cannot be read or makes no sense."""
    try:
        text = read_small(folder / "screen.json", _LONGEST_FILE)
        fields = msgspec.json.decode(text, type=dict[str, object])
        recent = fields.pop("recent", ())
        kept = msgspec.convert(fields, Preferences)
    except (OSError, ClientError, msgspec.DecodeError, RecursionError):
        return Preferences()
    name = clean(kept.name).strip()
    return msgspec.structs.replace(
        kept,
        name=name if can_be_name(name) else "",
        server=clean(kept.server),
        recent=tuple(_read(recent)),
    )


def _read(recent: object) -> Iterator[Recent]:
    """The races in it that can be gone back to; one that cannot be read does not cost the others."""
    for fields in recent if isinstance(recent, list) else ():
        with suppress(msgspec.ValidationError):
            race = msgspec.convert(fields, Recent)
            if is_race(race.race) and clean(race.server) == race.server:
                yield _bounded(race)


def _bounded(recent: Recent) -> Recent:
    """The same with what a server has told of it as short as it mostly is: it must not cost the way back."""
    against = recent.against
    if against is not None and not (is_race(against.race) and len(against.player) <= _LONGEST):
        against = None
    return msgspec.structs.replace(
        recent,
        day=_short(recent.day),
        daily=_short(recent.daily),
        others=tuple(map(_short, recent.others[:MAX_NAMED])),
        end=_short(recent.end),
        against=against,
    )


def _short(text: str) -> str:
    return clean(text)[:_LONGEST]


def save(folder: Path, preferences: Preferences) -> str:
    """Keep them, whole or not at all; why that could not be done, or nothing.

    A race that is too long for `load` to take it is let go.
    """
    text = msgspec.json.format(msgspec.json.encode(preferences))
    if len(text) > _LONGEST_FILE and preferences.recent:
        longest = max(preferences.recent, key=lambda recent: len(msgspec.json.encode(recent)))
        others = tuple(recent for recent in preferences.recent if recent != longest)
        return save(folder, msgspec.structs.replace(preferences, recent=others))
    try:
        write_whole(folder / "screen.json", text)
    except OSError as error:
        return why_of(error)
    return ""
