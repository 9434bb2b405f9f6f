"""From a store to lines.

The store may be in use. Each log is written as it was at one moment, with the deadline it had then; different
logs at different moments, in the order of their names.
"""

import hashlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.store.base import PAGE, Store, Stored
from server.transfer.lines import FORM, End, Head, LogEnd, event_line, result_line, write
from server.transfer.progress import Progress

# Further than that the clocks of the machines that make up a store are not apart.
_MARGIN_MS: Final = 5_000
_EVER: Final = 2**53
_ALL: Final = 2**40


class NoSuchLog(LookupError):
    """A log that was asked for by name is not there."""


async def export_logs(
    store: Store, put: Callable[[bytes], object], progress: Progress, names: Sequence[str] | None = None
) -> None:
    """Put all logs and results, or the logs with these names, line by line.

    Raises:
        NoSuchLog: there is none of such a name.
        Unavailable: the store cannot tell.
    """
    put(write(Head("cellrace", FORM)))
    deadlines = await _deadlines(store)
    async for name in _all_names(store) if names is None else _these(names):
        rows, due_ms = await _whole(store, name, deadlines)
        if rows:
            _put_log(put, name, rows, due_ms)
            progress.did(len(rows))
        elif names is not None:
            raise NoSuchLog(name)
    if names is None:
        await _put_results(store, put, progress)
    put(write(End(progress.logs, progress.events, progress.results)))


async def _put_results(store: Store, put: Callable[[bytes], object], progress: Progress) -> None:
    """Put all rows of results. What was not there yet is made anew from the logs where they are brought."""
    async for table in _all_tables(store):
        start = 0
        while rows := await store.results.range(table, start):
            for row in rows:
                put(write(result_line(table, row)))
            progress.did_results(len(rows))
            start += len(rows)


def _put_log(put: Callable[[bytes], object], name: str, rows: Sequence[Stored], due_ms: int | None) -> None:
    digest = hashlib.sha256()
    for row in rows:
        line = write(event_line(name, row))
        digest.update(line)
        put(line)
    put(write(LogEnd(name, len(rows), due_ms, digest.hexdigest())))


@dataclass(frozen=True, slots=True)
class _Deadlines:
    """All deadlines there were at one moment, which was not before `asked_ms`."""

    asked_ms: int
    by_name: Mapping[str, int]


async def _deadlines(store: Store) -> _Deadlines:
    asked_ms = store.now_ms()
    return _Deadlines(asked_ms, {due.log_id: due.at_ms for due in await store.due(_EVER, _ALL)})


async def _whole(store: Store, name: str, deadlines: _Deadlines) -> tuple[list[Stored], int | None]:
    """A log, and the deadline it had when it ended there.

    Only appends change a deadline. So if a log has not changed since the deadlines were asked, its deadline
    is among them. If it has, they are asked before and after it is read, until they say the same.
    """
    rows = await _rest(store, name, 0)
    due_ms = deadlines.by_name.get(name)
    if not rows or rows[-1].at_ms < deadlines.asked_ms - _MARGIN_MS:
        return rows, due_ms
    while True:
        due_after_ms = (await _deadlines(store)).by_name.get(name)
        if due_after_ms == due_ms:
            return rows, due_ms
        due_ms = due_after_ms
        rows += await _rest(store, name, len(rows))


async def _rest(store: Store, name: str, after: int) -> list[Stored]:
    rows: list[Stored] = []
    while page := await store.read(name, after + len(rows), PAGE):
        rows += page
        if len(page) < PAGE:
            break
    return rows


async def _all_names(store: Store) -> AsyncIterator[str]:
    after = ""
    while names := await store.list_logs("", after, PAGE):
        for name in names:
            yield name
        after = names[-1]


async def _all_tables(store: Store) -> AsyncIterator[str]:
    after = ""
    while names := await store.results.tables(after):
        for name in names:
            yield name
        after = names[-1]


async def _these(names: Sequence[str]) -> AsyncIterator[str]:
    for name in names:
        yield name
