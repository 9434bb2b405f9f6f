"""What scripts return, read: bytes in, values out."""

from dataclasses import dataclass
from struct import Struct
from typing import Final

from server.store.base import Due, Stored, Tip
from server.store.results import Row

_NUMBER: Final = Struct(">Q")
_EVENT: Final = Struct(">IQ8s")  # its length without these 4 bytes, its stamp, its tag
_EVENT_HEAD: Final = 16  # what of the length is stamp and tag
_DUE: Final = Struct(">QI")
_SIZE: Final = Struct(">I")


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


def read_rows(body: bytes, start: int = 0) -> list[Stored]:
    """The events in the body, from this offset to its end."""
    if start == len(body):
        return []
    rows: list[Stored] = []
    (seq,) = _NUMBER.unpack_from(body, start)
    place = start + _NUMBER.size
    while place < len(body):
        size, at_ms, tag = _EVENT.unpack_from(body, place)
        data = place + _EVENT.size
        place = data + size - _EVENT_HEAD
        rows.append(Stored(seq, at_ms, tag, body[data:place]))
        seq += 1
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


def read_due(body: bytes) -> list[Due]:
    """Names and times, in no particular order."""
    found: list[Due] = []
    place = 0
    while place < len(body):
        at_ms, size = _DUE.unpack_from(body, place)
        place += _DUE.size
        found.append(Due(body[place : place + size].decode("ascii"), at_ms))
        place += size
    return found


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
        rows.append(Row(body[key : key + size].decode("ascii"), score, body[data:place]))
    return rows


def read_names(body: bytes) -> list[str]:
    """Names of logs, in order."""
    return body.decode("ascii").split()
