"""A player's own log: who he is, and which races he has a part in.

A player exists once he creates or joins something. The id is made from the secret, so a token proves itself
even before there is a log; the log keeps the secret's hash only.
"""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, assert_never

import msgspec
import orjson

from server.race.state import PlayerId, RaceCode
from server.store.base import Stored

FORMAT: Final = 1
"""The version of this module's bytes, written into the first event of every log."""

MAX_OPEN_RACES: Final = 20
"""How many races that are not known to be over one player may have a part in."""


@dataclass(frozen=True, slots=True)
class Registered:
    """The player exists."""

    secret_hash: str
    name: str


@dataclass(frozen=True, slots=True)
class Entered:
    """He took, or is about to take, a seat in a race."""

    race: RaceCode


@dataclass(frozen=True, slots=True)
class Closed:
    """A race he was in was seen to be over, or never to have been."""

    race: RaceCode


Event = Registered | Entered | Closed
_KINDS: Final[dict[str, type[Event]]] = {"registered": Registered, "entered": Entered, "closed": Closed}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


class NewerLog(Exception):
    """The log was written by a newer version of the program, which alone can go on with it."""


class BrokenLog(Exception):
    """Bytes that are no event of any version."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player as his log tells; `open_races` in the order he entered them."""

    secret_hash: str = ""
    open_races: tuple[RaceCode, ...] = ()

    @property
    def exists(self) -> bool:
        """Whether there is a log."""
        return self.secret_hash != ""


def hash_of(secret: str) -> str:
    """SHA-256 of a secret, in hex."""
    return hashlib.sha256(secret.encode()).hexdigest()


def player_of(secret: str) -> PlayerId:
    """The id that belongs to a secret: the first 80 bits of its hash, as 16 base-32 digits."""
    digest = hashlib.sha256(secret.encode()).digest()
    return PlayerId(base64.b32encode(digest[:10]).decode().lower())


def secret_from(randomness: bytes) -> str:
    """A secret of 26 base-32 digits from 16 random bytes."""
    return base64.b32encode(randomness).decode().rstrip("=").lower()


def write(event: Event) -> bytes:
    """The bytes of an event."""
    parts: list[Any] = [_NAMES[type(event)], msgspec.to_builtins(event)]
    if isinstance(event, Registered):
        parts.append(FORMAT)
    return orjson.dumps(parts)


def fold(rows: Iterable[Stored]) -> Player:
    """The player after the events of his log.

    Raises:
        NewerLog: the log's format is newer than this program's.
        BrokenLog: some bytes are no event.
    """
    player = Player()
    for row in rows:
        player = _evolve(player, _read(row))
    return player


def _read(row: Stored) -> Event:
    try:
        kind, fields, *versions = orjson.loads(row.data)
        if any(version > FORMAT for version in versions):
            raise NewerLog(f"log format {versions[0]}; this program knows {FORMAT}")
        if kind == "registered" and not versions:
            raise ValueError("registered without the version of the format")
        return msgspec.convert(fields, _KINDS[kind])
    except (ValueError, TypeError, KeyError) as error:
        raise BrokenLog(f"event {row.seq}: {error}") from error


def _evolve(player: Player, event: Event) -> Player:
    match event:
        case Registered(secret_hash):
            return Player(secret_hash, player.open_races)
        case Entered(race):
            return Player(player.secret_hash, (*_without(player.open_races, race), race))
        case Closed(race):
            return Player(player.secret_hash, _without(player.open_races, race))
        case _:
            assert_never(event)


def _without(races: tuple[RaceCode, ...], race: RaceCode) -> tuple[RaceCode, ...]:
    return tuple(other for other in races if other != race)
