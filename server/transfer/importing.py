"""From lines to a store.

A log is written when its last line was read and nothing was wrong with it, all of it or nothing. So whatever
stops an import, no log is half there, and the same import may be done again.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from server.store.base import CLEAR, KEEP, PAGE, Store, Stored, Wake
from server.store.checks import check_restore, check_row
from server.store.results import Row
from server.transfer.lines import (
    FORM,
    BadLine,
    End,
    EventLine,
    Head,
    Line,
    LogEnd,
    ResultLine,
    read,
    result_of,
    row_of,
)
from server.transfer.progress import Progress

MAX_LINE: Final = 1 << 24
"""Bytes in a line, at most."""

_TO_BE_PROJECTED: Final = "daily:"
"""How the names begin of logs that come to results: they are written once more, lest one was not yet."""


class BadInput(ValueError):
    """The lines are no whole export. The text says where and why."""


class LineSource(Protocol):
    """What lines are read from; a file opened for bytes is one."""

    def readline(self, limit: int, /) -> bytes:
        """The next line with its end, or so much of it; nothing at the end."""
        ...


@dataclass(slots=True)
class Imported:
    """What became of the logs and results, besides those that were imported."""

    already_there: int = 0
    different: list[str] = field(default_factory=list)
    """Logs, and rows of results, of which the store has others by the same names. They were left alone."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A log as the lines tell it."""

    name: str
    rows: list[Stored]
    due_ms: Wake


@dataclass(frozen=True, slots=True)
class _Result:
    """A row of results as its line tells it."""

    table: str
    row: Row


async def import_logs(store: Store, source: LineSource, progress: Progress) -> Imported:
    """Write the logs and results that are not there yet.

    Raises:
        BadInput: a line is not what it should be, or the last is missing. The logs before it are imported.
        Unavailable: the store cannot take more.
    """
    result = Imported()
    for log in _logs(source):
        if isinstance(log, _Result):
            await _bring_result(store, log, progress, result)
        elif await store.restore(
            log.name, log.rows, log.due_ms, unprojected=log.name.startswith(_TO_BE_PROJECTED)
        ):
            progress.did(len(log.rows))
        elif await _is_there(store, log):
            result.already_there += 1
        else:
            result.different.append(log.name)
    return result


async def _bring_result(store: Store, one: _Result, progress: Progress, result: Imported) -> None:
    if await store.results.get(one.table, one.row.key) == one.row:
        result.already_there += 1
    elif await store.results.put_if_absent(one.table, *one.row):
        progress.did_results(1)
    else:
        result.different.append(f"{one.table} {one.row.key}")


async def _is_there(store: Store, log: _Log) -> bool:
    """Whether the store has just this log."""
    for start in range(0, len(log.rows) + 1, PAGE):
        if await store.read(log.name, start, PAGE) != log.rows[start : start + PAGE]:
            return False
    return True


def _logs(source: LineSource) -> Iterator[_Log | _Result]:
    lines = _Lines(source)
    try:
        yield from _read_logs(lines)
    except BadLine as error:
        raise BadInput(f"line {lines.number}: {error}") from None


def _read_logs(lines: "_Lines") -> Iterator[_Log | _Result]:
    head = lines.next()
    if not isinstance(head, Head) or head.export != "cellrace":
        raise BadLine("this is not the first line of an export")
    if head.form != FORM:
        raise BadLine(f"the export has form {head.form}, and this program reads form {FORM}")
    logs = events = results = 0
    while not isinstance(line := lines.next(), End):
        if isinstance(line, ResultLine):
            yield _read_result(line)
            results += 1
            continue
        log = _read_log(lines, line)
        yield log
        logs += 1
        events += len(log.rows)
    if (line.logs, line.events, line.results) != (logs, events, results):
        raise BadLine(
            f"there should be {line.logs} logs with {line.events} events, and {line.results} results, before "
            f"this, and there are {logs} with {events}, and {results}"
        )
    lines.must_end()


def _read_result(line: ResultLine) -> _Result:
    row = result_of(line)
    try:
        check_row(line.table, row.key, row.score)
    except ValueError as error:
        raise BadLine(f"{line.table}: {error}") from None
    return _Result(line.table, row)


def _read_log(lines: "_Lines", line: Line) -> _Log:
    """The log that begins with this line."""
    rows: list[Stored] = []
    digest = hashlib.sha256()
    name = line.log if isinstance(line, EventLine) else ""
    while isinstance(line, EventLine):
        if (line.log, line.seq) != (name, len(rows) + 1):
            raise BadLine(f"this should be event {len(rows) + 1} of {name}")
        rows.append(row_of(line))
        digest.update(lines.text)
        line = lines.next()
    if not rows:
        raise BadLine("a log should begin here")
    if not isinstance(line, LogEnd) or (line.log, line.events) != (name, len(rows)):
        raise BadLine(f"this should say that {name} ends with {len(rows)} events")
    if line.sha256 != digest.hexdigest():
        raise BadLine(f"the events of {name} are not those that were exported")
    due_ms = _deadline(line)
    try:
        check_restore(name, rows, due_ms)
    except ValueError as error:
        raise BadLine(f"{name}: {error}") from None
    return _Log(name, rows, due_ms)


def _deadline(end: LogEnd) -> Wake:
    if end.due_ms is not None:
        return end.due_ms
    # Of all logs only races are ever over and done with.
    return CLEAR if end.log.startswith("race:") else KEEP


class _Lines:
    """The lines one by one; `text` and `number` are those of the last that was read."""

    def __init__(self, source: LineSource) -> None:
        self._source = source
        self.text = b""
        self.number = 0

    def next(self) -> Line:
        """The next line; raises `BadLine`."""
        self._read()
        if not self.text.endswith(b"\n"):
            is_cut = len(self.text) < MAX_LINE
            raise BadLine("the export ends here, before its last line" if is_cut else "this is too long")
        return read(self.text)

    def must_end(self) -> None:
        """Raise `BadLine` if there is another line."""
        self._read()
        if self.text:
            raise BadLine("this follows the last line of the export")

    def _read(self) -> None:
        self.text = self._source.readline(MAX_LINE)
        self.number += 1
