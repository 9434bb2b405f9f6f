"""The logs in the SQLite file: what a batch of appends comes to, and what is read. No threads, no asyncio.

All appends of a batch go into one transaction, each judged on its own on the state that those before it
leave. The ends of the logs in use are kept in memory; they change only when the transaction is committed, and
if it fails they are all forgotten, so that memory never knows more than the file.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, NamedTuple, TypeAlias

from server.clock import Clock
from server.store.append_call import AppendCall
from server.store.base import (
    CLEAR,
    KEEP,
    PAGE,
    START,
    Appended,
    Conflict,
    Diverged,
    Due,
    Outcome,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Wake,
    WakeMark,
)

ENDS_KEPT: Final = 16_384
"""Ends of logs kept in memory, at most; some 4 MiB."""

# Rows in one statement, at most. SQLite takes 32 766 values in one (older ones 999), and the connection keeps
# as many statements ready as there are sizes.
_ROWS: Final = 128

# On a full disk a little still finds room where an append that failed had begun to write, so that a small
# probe would tell that all is well. This is about the most that one batch writes.
_PROBE_BYTES: Final = 1 << 20

# Sorts after every name of a log, for those are printable ASCII.
_AFTER_ALL: Final = "\x7f"

# A leap from each name to the next, instead of a look at every event.
_LIST_LOGS: Final = """
    WITH RECURSIVE names(log_id) AS (
        SELECT min(log_id) FROM events WHERE log_id > :after AND log_id >= :prefix AND log_id < :end
        UNION ALL
        SELECT (SELECT min(log_id) FROM events WHERE log_id > names.log_id AND log_id < :end)
        FROM names WHERE names.log_id IS NOT NULL
    )
    SELECT log_id FROM names WHERE log_id IS NOT NULL LIMIT :limit
"""


_Value: TypeAlias = str | int | bytes | None
_Statement: TypeAlias = tuple[str, Sequence[_Value]]


class End(NamedTuple):
    """The end of a log: its tip, and the stamp of its last event (0 if there is none)."""

    tip: Tip
    at_ms: int


@dataclass(frozen=True, slots=True)
class _Batch:
    """What the appends judged so far come to, by log, before any of it is written."""

    now_ms: int
    ends: dict[str, End] = field(default_factory=dict)
    events: dict[str, list[Stored]] = field(default_factory=dict)
    deadlines: dict[str, int | None] = field(default_factory=dict)
    unprojected: dict[str, int] = field(default_factory=dict)


class SqliteLogs:
    """The logs in one open file. All but `remembered_end` belongs to the thread that owns it."""

    __slots__ = ("_clock", "_ends", "_failed", "connection")

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        self.connection = connection
        self._clock = clock
        self._ends: dict[str, End] = {}
        self._failed = False

    # Appending.

    def append_all(self, calls: Sequence[AppendCall]) -> list[Outcome]:
        """Judge the calls in order and commit what they come to.

        Raises:
            sqlite3.Error: nothing of the batch is stored, whatever its calls might have come to.
        """
        batch = _Batch(self._clock.now_ms())
        outcomes = [self._judge(call, batch) for call in calls]
        if batch.ends:
            self._write(batch)
        return outcomes

    def restore(
        self, log_id: str, rows: Sequence[Stored], due_ms: Wake, *, unprojected: bool = False
    ) -> bool:
        """See `Store.restore`.

        Raises:
            sqlite3.Error: nothing of it is stored.
        """
        if self.end(log_id).tip != START:
            return False
        last = rows[-1]
        batch = _Batch(self._clock.now_ms())
        batch.events[log_id] = list(rows)
        batch.ends[log_id] = End(Tip(last.seq, last.tag), last.at_ms)
        if not isinstance(due_ms, WakeMark):
            batch.deadlines[log_id] = due_ms
        if unprojected:
            batch.unprojected[log_id] = batch.now_ms
        self._write(batch)
        return True

    def _judge(self, call: AppendCall, batch: _Batch) -> Outcome:
        log_id, after = call.log_id, call.after
        end = batch.ends.get(log_id) or self.end(log_id)
        if after != end.tip:
            return self._missed(log_id, after, batch)
        at_ms = max(batch.now_ms, end.at_ms)
        if call.not_before is not None and at_ms < call.not_before:
            return TooEarly(at_ms)
        if call.not_after is not None and at_ms > call.not_after:
            return TooLate(at_ms)
        new = [Stored(seq, at_ms, call.tag, data) for seq, data in enumerate(call.events, after.seq + 1)]
        batch.events.setdefault(log_id, []).extend(new)
        batch.ends[log_id] = End(Tip(after.seq + len(new), call.tag), at_ms)
        if call.wake is CLEAR:
            batch.deadlines[log_id] = None
        elif call.wake is not KEEP:
            batch.deadlines[log_id] = at_ms + call.wake
        if call.unprojected:
            batch.unprojected[log_id] = at_ms
        return Appended(after.seq + 1, at_ms)

    def _missed(self, log_id: str, after: Tip, batch: _Batch) -> Conflict | Diverged:
        """What follows `after`, this batch's own events counted; the log does not end there."""
        new = [event for event in batch.events.get(log_id, ()) if event.seq >= after.seq]
        if after == START:
            return Conflict(tuple([*self.read(log_id, 0, PAGE), *new][:PAGE]))
        # From `after` itself on, to see whether it is there.
        held = [*self.read(log_id, after.seq - 1, PAGE + 1), *new][: PAGE + 1]
        if not held or (held[0].seq, held[0].tag) != (after.seq, after.tag):
            return Diverged()
        return Conflict(tuple(held[1:]))

    def _write(self, batch: _Batch) -> None:
        try:
            self._commit(list(_statements(batch)))
        except BaseException:
            self._ends.clear()
            self._failed = True
            raise
        self._failed = False
        for log_id, end in batch.ends.items():
            self._remember(log_id, end)

    def _commit(self, statements: Sequence[_Statement]) -> None:
        # One alone is a transaction by itself. That matters: each call into SQLite gives up the interpreter
        # lock, and when the event loop is busy that may take long to come back.
        if len(statements) == 1:
            self.connection.execute(*statements[0])
            return
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            for sql, values in statements:
                self.connection.execute(sql, values)
            self.connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # when the disk is full SQLite mostly has done so itself
                self.connection.execute("ROLLBACK")
            raise

    # Ends of logs.

    def _remember(self, log_id: str, end: End) -> None:
        self._ends.pop(log_id, None)  # so that it becomes the youngest
        self._ends[log_id] = end
        if len(self._ends) > ENDS_KEPT:
            del self._ends[next(iter(self._ends))]

    def remembered_end(self, log_id: str) -> End | None:
        """The end of the log if it is in memory. Any thread may ask."""
        return self._ends.get(log_id)

    def end(self, log_id: str) -> End:
        """The end of the log, all that is committed counted."""
        if (end := self._ends.get(log_id)) is not None:
            return end
        row = self.connection.execute(
            "SELECT seq, tag, at_ms FROM events WHERE log_id = ? ORDER BY seq DESC LIMIT 1", (log_id,)
        ).fetchone()
        if row is None:
            return End(START, 0)
        end = End(Tip(row[0], row[1]), row[2])
        self._remember(log_id, end)
        return end

    # Reading.

    def read(self, log_id: str, after: int, limit: int) -> list[Stored]:
        """See `Store.read`."""
        rows = self.connection.execute(
            "SELECT seq, at_ms, tag, data FROM events WHERE log_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (log_id, after, limit),
        )
        return [Stored._make(row) for row in rows]

    def due(self, until_ms: int, limit: int) -> list[Due]:
        """See `Store.due`."""
        rows = self.connection.execute(
            "SELECT log_id, at_ms FROM deadlines WHERE at_ms <= ? ORDER BY at_ms, log_id LIMIT ?",
            (until_ms, limit),
        )
        return [Due._make(row) for row in rows]

    def next_due(self) -> int | None:
        """See `Store.next_due`."""
        at_ms: int | None = self.connection.execute("SELECT min(at_ms) FROM deadlines").fetchone()[0]
        return at_ms

    def unprojected(self, limit: int) -> list[str]:
        """See `Store.unprojected`."""
        rows = self.connection.execute(
            "SELECT log_id FROM unprojected ORDER BY at_ms, log_id LIMIT ?", (limit,)
        )
        return [log_id for (log_id,) in rows]

    def projected(self, log_id: str) -> None:
        """See `Store.projected`."""
        self.connection.execute("DELETE FROM unprojected WHERE log_id = ?", (log_id,))

    def list_logs(self, prefix: str, after: str, limit: int) -> list[str]:
        """See `Store.list_logs`."""
        bounds = {"prefix": prefix, "end": prefix + _AFTER_ALL, "after": after, "limit": limit}
        return [log_id for (log_id,) in self.connection.execute(_LIST_LOGS, bounds)]

    def check(self) -> None:
        """Commit something that means nothing; more of it if the last append failed."""
        size = _PROBE_BYTES if self._failed else 1
        self.connection.execute("REPLACE INTO probe VALUES (1, zeroblob(?))", (size,))
        self._failed = False

    def close(self) -> None:
        """Close the file and give up the lock."""
        self.connection.close()


def _statements(batch: _Batch) -> Iterator[_Statement]:
    """What writes the batch, in few statements of many rows each."""
    events = [(log_id, *event) for log_id, new in batch.events.items() for event in new]
    yield from _inserts("INSERT INTO events VALUES", events)
    yield from _inserts(
        "REPLACE INTO deadlines VALUES", [row for row in batch.deadlines.items() if row[1] is not None]
    )
    yield from _inserts("REPLACE INTO unprojected VALUES", [*batch.unprojected.items()])
    ended = [log_id for log_id, at_ms in batch.deadlines.items() if at_ms is None]
    if ended:
        marks = ", ".join("?" * len(ended))
        yield f"DELETE FROM deadlines WHERE log_id IN ({marks})", ended  # noqa: S608 - question marks


def _inserts(head: str, rows: Sequence[tuple[_Value, ...]]) -> Iterator[_Statement]:
    for start in range(0, len(rows), _ROWS):
        some = rows[start : start + _ROWS]
        row = "(" + ", ".join("?" * len(some[0])) + ")"
        yield f"{head} {', '.join([row] * len(some))}", list(chain.from_iterable(some))
