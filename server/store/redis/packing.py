"""The packed form of a quiet log: all its events in one compressed value.

Redis can neither make nor read it, so whoever asks for such a log gets the value whole and looks for himself.
Packing and unpacking a long log takes milliseconds, which is why that is done beside the event loop.
"""

import asyncio
import zlib
from collections.abc import Sequence
from typing import Final

from server.store.base import PAGE, START, Conflict, Damaged, Diverged, Stored, Tip
from server.store.redis.replies import read_rows, write_rows

_FORM: Final = b"\x01"

# Up to this many bytes it is quicker to do it at once than to ask a thread.
_SHORT: Final = 16_384


def pack(rows: list[Stored]) -> bytes:
    """The packed form of a whole log."""
    return _FORM + zlib.compress(write_rows(rows))


def unpack(packed: bytes) -> list[Stored]:
    """The log in the packed form.

    Raises:
        Damaged: it is, or was packed by a newer version.
    """
    try:
        if packed[:1] == _FORM:
            return read_rows(zlib.decompress(packed[1:]))
    except zlib.error as error:
        raise Damaged(f"a packed log cannot be read: {error}") from error
    raise Damaged(f"a packed log cannot be read: its form is {packed[:1].hex() or 'nothing'}")


async def pack_aside(rows: list[Stored]) -> bytes:
    """`pack`, while the event loop goes on."""
    if sum(len(row.data) for row in rows) <= _SHORT:
        return pack(rows)
    return await asyncio.to_thread(pack, rows)


async def unpack_aside(packed: bytes) -> list[Stored]:
    """`unpack`, while the event loop goes on."""
    if len(packed) <= _SHORT // 4:
        return unpack(packed)
    return await asyncio.to_thread(unpack, packed)


def tip_of(log: Sequence[Stored]) -> Tip:
    """Where a whole log ends."""
    return Tip(log[-1].seq, log[-1].tag) if log else START


def missed(log: Sequence[Stored], after: Tip) -> Conflict | Diverged:
    """What became of a whole log that does not end at `after`: as the script of the same name tells it."""
    holds = after == START or (0 < after.seq <= len(log) and log[after.seq - 1].tag == after.tag)
    return Conflict(tuple(log[after.seq : after.seq + PAGE])) if holds else Diverged()
