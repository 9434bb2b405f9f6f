"""What the player likes and where he was last, kept between two runs in the config folder."""

import os
import tempfile
from pathlib import Path
from typing import Final

import msgspec

MAX_RECENT: Final = 8


class Recent(msgspec.Struct, frozen=True):
    """A race one was in, and the address of its server; "" for the one of this machine.

    The rest is known once it is over: deal, racers, one's own rank if one finished.
    """

    race: str
    server: str
    watched: bool = False
    is_over: bool = False
    deal: int = 0
    racers: int = 0
    rank: int = 0


class Preferences(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is kept. What a newer version has written besides is let go."""

    four_colours: bool = False
    contrast: bool = False
    letters: bool = False
    animated: bool = True
    name: str = ""
    server: str = ""
    recent: tuple[Recent, ...] = ()

    def with_race(self, newest: Recent) -> "Preferences":
        """The same, with a race at the head of the recent ones; who raced in it is no mere watcher."""
        known = next((recent for recent in self.recent if recent.race == newest.race), newest)
        others = tuple(recent for recent in self.recent if recent.race != newest.race)
        newest = msgspec.structs.replace(newest, watched=newest.watched and known.watched)
        return msgspec.structs.replace(self, recent=(newest, *others)[:MAX_RECENT])


def load(folder: Path) -> Preferences:
    """What was kept; nothing where there is no such file, or one that cannot be read."""
    try:
        return msgspec.json.decode((folder / "screen.json").read_bytes(), type=Preferences)
    except (OSError, msgspec.DecodeError):
        return Preferences()


def save(folder: Path, preferences: Preferences) -> str:
    """Keep them, whole or not at all; why that could not be done, or nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=folder, prefix=".screen-")
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(preferences)))
        Path(name).replace(folder / "screen.json")
    except OSError as error:
        return error.strerror or str(error)
    return ""
