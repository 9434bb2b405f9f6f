"""The embedded store: one SQLite file, one thread that owns it, one commit for all that waits.

One process may have the file open, and one store in it. That is why `is_newest` may answer from memory.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from server.clock import Clock
from server.store.append_call import AppendCall
from server.store.base import KEEP, PAGE, Appended, Due, Outcome, Stored, Tip, Unavailable, Wake
from server.store.checks import check_append, check_name, check_number, check_restore
from server.store.notes import Notes, OnNote
from server.store.sqlite_logs import SqliteLogs
from server.store.sqlite_results import SqliteResults
from server.store.sqlite_worker import AppendJob, Query, Settle, SqliteWorker, as_unavailable

MAX_WAITING: Final = 20_000
"""Calls handed over and not answered yet, at most; one more is `Unavailable`."""

_BUSY_RETRY_MS: Final = 250

# A loop that is always busy lets go of the interpreter lock only for moments too short for the thread to take
# it, and wakes the thread each time, so that it never comes to demand it: commits of seconds were seen. So
# while calls wait and none has been answered for this long, the loop stops for a moment that is long enough.
_GIVE_WAY_S: Final = 0.002
_PAUSE_S: Final = 0.00005

_T = TypeVar("_T")
_OnEvents = Callable[[Sequence[Stored]], None]


async def open_sqlite(path: Path | str, clock: Clock) -> "SqliteStore":
    """Open the store in the file at `path`, made if there is none. Beside it, `path`-wal comes and goes.

    Raises:
        StoreInUse: someone has it open.
        CannotOpen: there is no such folder, no permission, or something else in the file.
    """
    store = SqliteStore(Path(path), clock)
    try:
        await store.opened()
    except BaseException:
        await store.close()
        raise
    return store


class SqliteStore:
    """A `Store` in one file. It belongs to the event loop it was made on; made by `open_sqlite`."""

    __slots__ = (
        "_answered",
        "_clock",
        "_closed",
        "_closing",
        "_giving_way",
        "_logs",
        "_loop",
        "_notes",
        "_waiting",
        "_watchers",
        "_worker",
        "results",
    )

    def __init__(self, path: Path, clock: Clock) -> None:
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._logs: asyncio.Future[SqliteLogs] = self._loop.create_future()
        self._closed: asyncio.Future[None] = self._loop.create_future()
        self._closing = False
        self._waiting = 0
        self._answered = 0
        self._giving_way: asyncio.TimerHandle | None = None
        self._watchers: dict[str, dict[object, _OnEvents]] = {}
        self._notes = Notes()
        self.results = SqliteResults(self._ask)
        self._worker = SqliteWorker(
            path,
            clock,
            post=self._post,
            opened=partial(_settle, self._logs),
            closed=partial(_settle, self._closed, None),
        )

    async def opened(self) -> None:
        """Return once the file is open; raise what `open_sqlite` raises."""
        await self._logs

    # Writing.

    async def append(
        self,
        log_id: str,
        after: Tip,
        events: Sequence[bytes],
        *,
        tag: bytes,
        not_before: int | None = None,
        not_after: int | None = None,
        wake: Wake = KEEP,
        unprojected: bool = False,
    ) -> Outcome:
        """See `Store.append`."""
        check_append(log_id, after, events, tag, wake)
        call = AppendCall(log_id, after, tuple(events), tag, not_before, not_after, wake, unprojected)
        answer: asyncio.Future[Outcome] = self._loop.create_future()
        self._submit(AppendJob(call, partial(self._appended, call, answer)))
        return await answer

    def _appended(
        self, call: AppendCall, answer: asyncio.Future[Outcome], outcome: Outcome | Exception
    ) -> None:
        self._answer(answer, outcome)
        if isinstance(outcome, Appended) and call.log_id in self._watchers:
            self._tell(
                call.log_id,
                tuple(
                    Stored(seq, outcome.at_ms, call.tag, data)
                    for seq, data in enumerate(call.events, outcome.first_seq)
                ),
            )

    async def restore(
        self, log_id: str, rows: Sequence[Stored], due_ms: Wake, *, unprojected: bool = False
    ) -> bool:
        """See `Store.restore`."""
        check_restore(log_id, rows, due_ms)
        log = tuple(rows)
        is_done = await self._ask(lambda logs: logs.restore(log_id, log, due_ms, unprojected=unprojected))
        if is_done and log_id in self._watchers:
            self._tell(log_id, log)
        return is_done

    async def projected(self, log_id: str) -> None:
        """See `Store.projected`."""
        check_name(log_id)
        await self._ask(lambda logs: logs.projected(log_id))

    async def check(self) -> None:
        """See `Store.check`. It costs a commit."""
        await self._ask(SqliteLogs.check)

    # Reading.

    async def read(self, log_id: str, after: int = 0, limit: int = PAGE) -> list[Stored]:
        """See `Store.read`."""
        check_name(log_id)
        check_number("the number of an event", after)
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: logs.read(log_id, after, limit))

    async def is_newest(self, log_id: str, tip: Tip) -> bool:
        """See `Store.is_newest`. Waits for nothing if the log is in use."""
        check_name(log_id)
        self._refuse_if_closed()
        # Memory learns of a commit before anyone else does, so it is as good as a read begun now.
        end = self._logs.result().remembered_end(log_id)
        if end is None:
            end = await self._ask(lambda logs: logs.end(log_id))
        return end.tip == tip

    async def due(self, until_ms: int, limit: int) -> list[Due]:
        """See `Store.due`."""
        check_number("a time", until_ms)
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: logs.due(until_ms, limit))

    async def next_due(self) -> int | None:
        """See `Store.next_due`."""
        return await self._ask(SqliteLogs.next_due)

    async def unprojected(self, limit: int) -> list[str]:
        """See `Store.unprojected`."""
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: logs.unprojected(limit))

    async def list_logs(self, prefix: str, after: str = "", limit: int = PAGE) -> list[str]:
        """See `Store.list_logs`."""
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: logs.list_logs(prefix, after, limit))

    def now_ms(self) -> int:
        """See `Store.now_ms`; here it is the time of this process."""
        return self._clock.now_ms()

    # Watching.

    def watch(self, log_id: str, on_events: _OnEvents) -> Callable[[], None]:
        """See `Store.watch`. Here nothing is lost, and a watcher is told before the append returns."""
        check_name(log_id)
        key = object()
        self._watchers.setdefault(log_id, {})[key] = on_events

        def unwatch() -> None:
            watchers = self._watchers.get(log_id, {})
            if watchers.pop(key, None) is not None and not watchers:
                del self._watchers[log_id]

        return unwatch

    async def announce(self, log_id: str, note: bytes) -> None:
        """See `Store.announce`. Here nothing gets lost."""
        check_name(log_id)
        self._refuse_if_closed()
        self._loop.call_soon(self._notes.tell, log_id, note)

    def hear(self, log_id: str, on_note: OnNote) -> Callable[[], None]:
        """See `Store.hear`."""
        check_name(log_id)
        return self._notes.add(log_id, on_note)

    def _tell(self, log_id: str, events: tuple[Stored, ...]) -> None:
        watchers = self._watchers[log_id]
        for key, on_events in tuple(watchers.items()):
            if key not in watchers:  # one of those before ended the watch of this one
                continue
            try:
                on_events(events)
            except Exception as error:  # noqa: BLE001 - a watcher's fault is not the other watchers'
                context = {"message": f"a watcher of {log_id} failed", "exception": error}
                self._loop.call_exception_handler(context)

    # The way to the thread and back.

    async def close(self) -> None:
        """See `Store.close`."""
        if not self._closing:
            self._closing = True
            self._worker.stop()
        # Shielded, for the file is closed whether or not this caller still waits for it.
        await asyncio.shield(self._closed)
        self._watchers.clear()

    def _refuse_if_closed(self) -> None:
        if self._closing:
            raise Unavailable("the store is closed")

    def _submit(self, job: AppendJob | Query) -> None:
        self._refuse_if_closed()
        if self._waiting >= MAX_WAITING:
            raise Unavailable(f"{MAX_WAITING} calls are waiting for the store", retry_ms=_BUSY_RETRY_MS)
        self._waiting += 1
        self._worker.submit(job)
        if self._giving_way is None:
            self._giving_way = self._loop.call_later(_GIVE_WAY_S, self._give_way, self._answered)

    async def _ask(self, ask: Callable[[SqliteLogs], _T]) -> _T:
        answer: asyncio.Future[_T] = self._loop.create_future()

        def query(logs: SqliteLogs) -> Settle:
            try:
                return partial(self._answer, answer, ask(logs))
            except Exception as error:  # noqa: BLE001 - it is raised where the caller waits
                return partial(self._answer, answer, as_unavailable(error))

        self._submit(query)
        return await answer

    def _post(self, settles: Sequence[Settle]) -> None:
        # On the thread. A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(_settle_all, settles)

    def _give_way(self, answered: int) -> None:
        if not self._waiting:
            self._giving_way = None
            return
        if answered == self._answered:
            time.sleep(_PAUSE_S)
        self._giving_way = self._loop.call_later(_GIVE_WAY_S, self._give_way, self._answered)

    def _answer(self, answer: asyncio.Future[_T], value: _T | Exception) -> None:
        self._waiting -= 1
        self._answered += 1
        _settle(answer, value)


def _settle_all(settles: Sequence[Settle]) -> None:
    for settle in settles:
        settle()


def _settle(answer: asyncio.Future[_T], value: _T | Exception) -> None:
    if answer.done():  # its caller was cancelled
        return
    if isinstance(value, Exception):
        answer.set_exception(value)
    else:
        answer.set_result(value)
