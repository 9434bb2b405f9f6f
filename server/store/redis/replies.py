"""What scripts return, read: bytes in, values out."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Concatenate, Final, ParamSpec, TypeVar

from server.store.base import Damaged, Due, Stored, Tip
from server.store.results import Row

_NUMBER: Final = Struct(">Q")
_EVENT: Final = Struct(">IQ8s")  # its length without these 4 bytes, its stamp, its tag
_EVENT_HEAD: Final = 16  # what of the length is stamp and tag
_DUE: Final = Struct(">QI")
_SIZE: Final = Struct(">I")

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _or_damaged(read: Callable[Concatenate[bytes, _P], _T]) -> Callable[Concatenate[bytes, _P], _T]:
    """Have a function say by `Damaged` that there is something else in Redis than what was put there."""

    def reading(body: bytes, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return read(body, *args, **kwargs)
        except struct.error as error:
            raise Damaged(f"what Redis holds cannot be read: {error}") from error

    reading.__doc__ = read.__doc__
    return reading


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply taken apart: what the script came to, the time of Redis, and what follows."""

    kind: str
    now_us: int
    body: bytes


def token_of(reply: bytes) -> bytes:
    """The token of the call that a script answers."""
    return reply[1:9]


def read_reply(reply: bytes) -> Reply:
    """Take apart what a script returned."""
    return Reply(chr(reply[0]), _NUMBER.unpack_from(reply, 9)[0], reply[17:])


def read_number(body: bytes, place: int = 0) -> int:
    """The number at this place in units of 8 bytes."""
    number: int = _NUMBER.unpack_from(body, 8 * place)[0]
    return number


@_or_damaged
def read_rows(body: bytes, start: int = 0) -> list[Stored]:
    """The events in the body, from this offset to its end."""
    if start == len(body):
        return []
    rows: list[Stored] = []
    (seq,) = _NUMBER.unpack_from(body, start)
    place = start + _NUMBER.size
    while place < len(body):
        size, at_ms, tag = _EVENT.unpack_from(body, place)
        if size < _EVENT_HEAD:
            raise struct.error(f"an event of {size} bytes")
        data = place + _EVENT.size
        place = data + size - _EVENT_HEAD
        rows.append(Stored(seq, at_ms, tag, body[data:place]))
        seq += 1
    if place != len(body):
        raise struct.error(f"{place - len(body)} bytes too few")
    return rows


def write_rows(rows: list[Stored]) -> bytes:
    """The bytes that `read_rows` makes `rows` of. There is one or more, and their numbers have no gap."""
    parts = [_NUMBER.pack(rows[0].seq)]
    for row in rows:
        parts += _EVENT.pack(len(row.data) + _EVENT_HEAD, row.at_ms, row.tag), row.data
    return b"".join(parts)


def read_message(message: bytes) -> tuple[Tip, list[Stored]]:
    """What is published of an append: where the log ended before it, and the events."""
    (seq,) = _NUMBER.unpack_from(message)
    return Tip(seq, message[8:16] if seq else b""), read_rows(message, 16)


@_or_damaged
def read_due(body: bytes) -> list[Due]:
    """Names and times, in no particular order. A name that begins with a space is that of a broken index."""
    found: list[Due] = []
    place = 0
    while place < len(body):
        at_ms, size = _DUE.unpack_from(body, place)
        place += _DUE.size
        found.append(Due(_name(body[place : place + size]), at_ms))
        place += size
    return found


@_or_damaged
def read_result_rows(body: bytes) -> list[Row]:
    """Rows of a table of results, in their order."""
    rows: list[Row] = []
    place = 0
    while place < len(body):
        score, size = _DUE.unpack_from(body, place)
        key = place + _DUE.size
        (length,) = _SIZE.unpack_from(body, key + size)
        data = key + size + _SIZE.size
        place = data + length
        rows.append(Row(_name(body[key : key + size]), score, body[data:place]))
    return rows


def read_names(body: bytes) -> list[str]:
    """Names of logs, in order."""
    return _name(body).split()


def _name(name: bytes) -> str:
    """A name; if it is none that was given here, one that nothing has."""
    return name.decode("ascii", "backslashreplace")
