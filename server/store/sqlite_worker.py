"""The thread that owns the SQLite file. It knows no event loop: answers go out through `post`.

Jobs come in a queue. The thread takes whatever has gathered there while the last commit was under way, puts
all appends of it into one transaction, and gives the answers only after the commit. So one caller gets a
commit of his own, and a thousand callers share one.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from server.clock import Clock
from server.store.append_call import AppendCall
from server.store.base import Outcome, Unavailable
from server.store.sqlite_file import open_file
from server.store.sqlite_logs import SqliteLogs

Settle: TypeAlias = Callable[[], None]
"""Gives one answer to whoever waits for it; for `post` to call where he waits."""

Query: TypeAlias = Callable[[SqliteLogs], Settle]
"""Anything but an append. It does not raise: what goes wrong is an answer as well."""

# A batch ends with the job that reaches one of these. More appends would hardly be faster, and their answers
# are given in one turn of the event loop; more reads would keep the appends behind them waiting.
_BATCH_APPENDS: Final = 128
_BATCH_BYTES: Final = 1 << 20
_BATCH_QUERIES: Final = 16

# A full disk does not empty itself at once.
_RETRY_MS: Final = 2000


@dataclass(frozen=True, slots=True)
class AppendJob:
    """An append, and who is told what it came to."""

    call: AppendCall
    settle: Callable[[Outcome | Exception], None]


def as_unavailable(error: Exception) -> Exception:
    """What a caller is told: an error of SQLite is the store's trouble, any other is a fault of ours."""
    return Unavailable(f"SQLite: {error}", retry_ms=_RETRY_MS) if isinstance(error, sqlite3.Error) else error


class SqliteWorker:
    """Owns the file from its making to the end of what was submitted before `stop`.

    Args:
        path: the file.
        clock: what appends are stamped by; asked from the thread.
        post: called from the thread with answers, each to be given in turn.
        opened: the first answer: the logs, or why the file cannot be opened.
        closed: the last answer; it follows at once on a file that cannot be opened.
    """

    __slots__ = ("_clock", "_closed", "_jobs", "_opened", "_path", "_post", "_stopping")

    def __init__(
        self,
        path: Path,
        clock: Clock,
        post: Callable[[Sequence[Settle]], None],
        opened: Callable[[SqliteLogs | Exception], None],
        closed: Settle,
    ) -> None:
        self._path = path
        self._clock = clock
        self._post = post
        self._opened = opened
        self._closed = closed
        self._stopping = False
        self._jobs: queue.SimpleQueue[AppendJob | Query | None] = queue.SimpleQueue()
        # A daemon: a program that fails to close its store must end all the same, and the file does not mind.
        threading.Thread(target=self._run, name="cellrace-sqlite", daemon=True).start()

    def submit(self, job: AppendJob | Query) -> None:
        """Hand over a job. What comes after `stop` is never looked at."""
        self._jobs.put(job)

    def stop(self) -> None:
        """Let the thread close the file when it has done everything submitted so far."""
        self._jobs.put(None)

    # The rest runs on the thread.

    def _run(self) -> None:
        try:
            logs = SqliteLogs(open_file(self._path), self._clock)
        except Exception as error:  # noqa: BLE001 - it is raised where the opener waits
            self._post([partial(self._opened, error), self._closed])
            return
        self._post([partial(self._opened, logs)])
        while jobs := self._take():
            self._do(jobs, logs)
        logs.close()
        self._post([self._closed])

    def _take(self) -> list[AppendJob | Query]:
        """Wait for a job, and take what else is there; nothing means that it is time to stop."""
        jobs: list[AppendJob | Query] = []
        appends = size = queries = 0
        while not self._stopping:
            try:
                job = self._jobs.get(block=not jobs)
            except queue.Empty:
                break
            if job is None:
                self._stopping = True
                break
            jobs.append(job)
            if isinstance(job, AppendJob):
                appends += 1
                size += sum(map(len, job.call.events))
            else:
                queries += 1
            if appends == _BATCH_APPENDS or size >= _BATCH_BYTES or queries == _BATCH_QUERIES:
                break
        return jobs

    def _do(self, jobs: list[AppendJob | Query], logs: SqliteLogs) -> None:
        # Queries after the appends, for only then is what they see committed.
        if appends := [job for job in jobs if isinstance(job, AppendJob)]:
            self._post(_append(appends, logs))
        if queries := [job for job in jobs if not isinstance(job, AppendJob)]:
            self._post([query(logs) for query in queries])


def _append(jobs: Sequence[AppendJob], logs: SqliteLogs) -> list[Settle]:
    try:
        outcomes = logs.append_all([job.call for job in jobs])
    except Exception as error:  # noqa: BLE001 - it is raised where the callers wait
        return [partial(job.settle, as_unavailable(error)) for job in jobs]
    return [partial(job.settle, outcome) for job, outcome in zip(jobs, outcomes, strict=True)]
