"""The server's key, from which all dailies are drawn: made on the first start and kept in the log `server`.

The log is appended to only where it ends, so whichever node comes first makes the key, and all others find
it.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import orjson

from server.daily.calendar import day_at
from server.daily.drawing import KEY_BYTES
from server.deals.certified import VERSION
from server.store.base import PAGE, START, Appended, Damaged, Store, Stored, Tip, new_tag

LOG: Final = "server"
FORMAT: Final = 1
"""The version of this module's bytes."""

_KIND: Final = "daily_key"


class NewerKey(Exception):
    """The key was made by a newer version of the program, which alone can draw by it."""


class BrokenKey(Damaged):
    """A key is kept, but makes no sense: there are no dailies until it is mended."""


@dataclass(frozen=True, slots=True)
class DailyKeyMade:
    """The event: the key in hex, and the version of the table of deals that it draws from."""

    key: str
    table: int


@dataclass(frozen=True, slots=True)
class DailyKey:
    """The key, and the day on which it was made: the first that has dailies."""

    secret: bytes
    since: str


async def find_key(store: Store) -> DailyKey | None:
    """The key; None if none was made yet.

    Raises:
        NewerKey: a newer program made it.
        BrokenKey: it is kept, but makes no sense.
        Unavailable: the store cannot tell.
    """
    key, _ = await _look(store)
    return key


async def make_key(store: Store, known: DailyKey | None = None) -> DailyKey:
    """The key, made if there is none; if there was one that the store has lost, `known`, it is put back.

    Raises:
        NewerKey, BrokenKey, Unavailable: as `find_key`.
    """
    while True:
        key, tip = await _look(store)
        if key is not None:
            return key
        secret = secrets.token_bytes(KEY_BYTES) if known is None else known.secret
        made = DailyKeyMade(secret.hex(), VERSION)
        data = orjson.dumps([_KIND, msgspec.to_builtins(made), FORMAT])
        outcome = await store.append(LOG, tip, [data], tag=new_tag())
        if isinstance(outcome, Appended):
            return DailyKey(bytes.fromhex(made.key), day_at(outcome.at_ms))


async def _look(store: Store) -> tuple[DailyKey | None, Tip]:
    tip = START
    while rows := await _page(store, tip):
        for row in rows:
            key = _read(row)
            if key is not None:
                return key, Tip(row.seq, row.tag)
        tip = Tip(rows[-1].seq, rows[-1].tag)
    return None, tip


async def _page(store: Store, tip: Tip) -> Sequence[Stored]:
    try:
        return await store.read(LOG, tip.seq, PAGE)
    except Damaged as error:
        raise BrokenKey(error.detail) from error


def _read(row: Stored) -> DailyKey | None:
    """The key in an event; None for an event of another kind."""
    try:
        parts: Any = orjson.loads(row.data)
        kind, fields, version = parts
    except (ValueError, TypeError):
        return None
    if kind != _KIND:
        return None
    try:
        return DailyKey(_secret(fields, version), day_at(row.at_ms))
    except (ValueError, TypeError) as error:
        raise BrokenKey(f"the key of the dailies cannot be read: {error}") from error


def _secret(fields: object, version: int) -> bytes:
    if version > FORMAT:
        raise NewerKey(f"the key of the dailies has format {version}")
    made = msgspec.convert(fields, DailyKeyMade)
    if made.table != VERSION:
        raise NewerKey(f"the key of the dailies draws from table {made.table}")
    secret = bytes.fromhex(made.key)
    if len(secret) != KEY_BYTES:
        raise ValueError(f"it has {len(secret)} bytes, not {KEY_BYTES}")
    return secret
