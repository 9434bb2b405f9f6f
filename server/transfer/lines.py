"""The lines of an export, written and read. Each is a JSON object; the file is one by itself that says so.

    {"export":"cellrace","form":1}                                             the first line
    {"log":"race:ABCDEFGH","seq":1,"at_ms":1790000000000,"tag":"00...","data":"..."}      one for each event
    {"log":"race:ABCDEFGH","events":57,"due_ms":1790000900000,"sha256":"..."}  after the last event of a log
    {"table":"day:2026-11-30:4:time","key":"mfrggzdfmztwq2lk","score":83000,"data":"..."}     a row of results
    {"logs":12,"events":3456,"results":78}                                     the last line

`data` is the bytes of the event as the UTF-8 text that they are; of bytes that are none it is `data_base64`.
`sha256` is that of the lines of the log's events, line ends included, so that nothing comes in that was
damaged on the way.
"""

import base64
from typing import Any, Final

import msgspec
import orjson

from server.store.base import Stored
from server.store.results import Row

FORM: Final = 1
"""The version of this form."""


class BadLine(ValueError):
    """A line that is none of an export. The text says why."""


class Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    export: str
    form: int


class EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An event; `data` or `data_base64` is there."""

    log: str
    seq: int
    at_ms: int
    tag: str
    data: str | None = None
    data_base64: str | None = None


class LogEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What follows the events of a log: how many they were, and its deadline if it has one."""

    log: str
    events: int
    due_ms: int | None
    sha256: str


class ResultLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of a table of results; `data` or `data_base64` is there."""

    table: str
    key: str
    score: int
    data: str | None = None
    data_base64: str | None = None


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last line: how many logs, events and rows of results there were."""

    logs: int
    events: int
    results: int = 0


Line = Head | EventLine | LogEnd | ResultLine | End

# Each kind by a field that no other has. The last has none, and comes last.
_KINDS: Final[tuple[tuple[str, type[Line]], ...]] = (
    ("seq", EventLine),
    ("sha256", LogEnd),
    ("table", ResultLine),
    ("export", Head),
    ("logs", End),
)


def write(line: Line) -> bytes:
    """The bytes of a line, its end included."""
    return orjson.dumps(msgspec.to_builtins(line), option=orjson.OPT_APPEND_NEWLINE)


def read(text: bytes) -> Line:
    """The line in these bytes.

    Raises:
        BadLine: it is none.
    """
    try:
        fields: Any = orjson.loads(text)
    except ValueError:
        raise BadLine("this is no JSON") from None
    if isinstance(fields, dict):
        for field, kind in _KINDS:
            if field in fields:
                try:
                    return msgspec.convert(fields, kind)
                except msgspec.ValidationError as error:
                    raise BadLine(str(error)) from None
    raise BadLine("this is no line of an export")


def event_line(log: str, row: Stored) -> EventLine:
    """The line of a stored event."""
    try:
        text = row.data.decode()
    except UnicodeDecodeError:
        encoded = base64.b64encode(row.data).decode()
        return EventLine(log, row.seq, row.at_ms, row.tag.hex(), data_base64=encoded)
    return EventLine(log, row.seq, row.at_ms, row.tag.hex(), data=text)


def row_of(line: EventLine) -> Stored:
    """The stored event of a line.

    Raises:
        BadLine: its tag or its data is none.
    """
    try:
        tag = bytes.fromhex(line.tag)
    except ValueError:
        raise BadLine("the tag is not in hexadecimal") from None
    return Stored(line.seq, line.at_ms, tag, _data(line))


def result_line(table: str, row: Row) -> ResultLine:
    """The line of a row of results."""
    try:
        text = row.data.decode()
    except UnicodeDecodeError:
        encoded = base64.b64encode(row.data).decode()
        return ResultLine(table, row.key, row.score, data_base64=encoded)
    return ResultLine(table, row.key, row.score, data=text)


def result_of(line: ResultLine) -> Row:
    """The row of results of a line.

    Raises:
        BadLine: its data is none.
    """
    return Row(line.key, line.score, _data(line))


def _data(line: EventLine | ResultLine) -> bytes:
    match (line.data, line.data_base64):
        case (str(text), None):
            return text.encode()
        case (None, str(text)):
            try:
                return base64.b64decode(text, validate=True)
            except ValueError:
                raise BadLine("the data is not in base 64") from None
        case _:
            raise BadLine("there should be data or data_base64")
