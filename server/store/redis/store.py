"""The store on Redis, as `server.store.base` describes it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from server.clock import Clock
from server.store.append_call import AppendCall
from server.store.base import (
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
    Wake,
)
from server.store.checks import check_append, check_name, check_number, check_restore
from server.store.notes import Notes, OnNote
from server.store.redis.appending import append, restore
from server.store.redis.calls import ALL_PARTITIONS, Calls
from server.store.redis.driver import Driver
from server.store.redis.indexes import Indexes
from server.store.redis.keys import (
    channel_of,
    due_key,
    log_keys,
    log_of_channel,
    log_of_notes,
    names_key,
    note_channel,
    probe_key,
    unprojected_key,
)
from server.store.redis.listing import list_names
from server.store.redis.packing import missed, tip_of, unpack_aside
from server.store.redis.replies import read_message, read_rows
from server.store.redis.results import RedisResults
from server.store.redis.scripts import CALL, FOLLOW, IS_NEWEST, PROBE, PROJECTED, READ
from server.store.redis.sweep import Sweeper
from server.store.redis.timing import Timing
from server.store.redis.watches import Followed, Watches

TIPS_KEPT: Final = 16_384
"""Ends of logs that are remembered as seen last, at most; a few MiB. A watch begins at the one of its log."""

_SILENCE_LOOK_MS: Final = 1000
_EVER: Final = 2**53


class RedisStore:
    """A `Store` on Redis. It belongs to the event loop it was made on; made by `open_redis`."""

    def __init__(self, driver: Driver, clock: Clock, timing: Timing) -> None:
        self._clock = clock
        self._timing = timing
        self._calls = Calls(driver, clock, timing)
        self._indexes = Indexes(self._calls)
        self._tips: dict[str, Tip] = {}
        self._watches = Watches(
            self._follow,
            lambda log_id: driver.subscribe(channel_of(log_id.encode("ascii"))),
            lambda log_id: driver.unsubscribe(channel_of(log_id.encode("ascii"))),
            clock.now_ms,
        )
        self.results = RedisResults(self._calls)
        self._notes = Notes(
            lambda log_id: driver.subscribe(note_channel(log_id.encode("ascii"))),
            lambda log_id: driver.unsubscribe(note_channel(log_id.encode("ascii"))),
        )
        driver.listen(self._on_message, self._on_hearing)
        self.sweeper = Sweeper(self._calls, clock)
        loop = asyncio.get_running_loop()
        self._helpers = (loop.create_task(self.sweeper.run()), loop.create_task(self._mind_silence()))
        self._closing: asyncio.Task[None] | None = None

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
        outcome = await self._calls.within_time(append(self._calls, call))
        match outcome:
            case Appended():
                self._saw(log_id, Tip(after.seq + len(events), tag))
            case Conflict(rows):
                self._saw(log_id, tip_of(rows))
            case Diverged():
                self._tips.pop(log_id, None)
        return outcome

    async def restore(
        self, log_id: str, rows: Sequence[Stored], due_ms: Wake, *, unprojected: bool = False
    ) -> bool:
        """See `Store.restore`."""
        check_restore(log_id, rows, due_ms)
        return await self._calls.within_time(
            restore(self._calls, log_id, [*rows], due_ms, unprojected=unprojected)
        )

    async def projected(self, log_id: str) -> None:
        """See `Store.projected`."""
        check_name(log_id)
        name = log_id.encode("ascii")
        await self._calls.within_time(self._calls.ask(PROJECTED, log_keys(name), (name,)))

    async def check(self) -> None:
        """See `Store.check`. Something that means nothing is written on every server."""
        keys = [probe_key(number) for number in ALL_PARTITIONS]
        await self._calls.within_time(self._calls.ask_everywhere(PROBE, keys, (channel_of(b""),)))

    # Reading.

    async def read(self, log_id: str, after: int = 0, limit: int = PAGE) -> list[Stored]:
        """See `Store.read`."""
        check_name(log_id)
        check_number("the number of an event", after)
        check_number("a limit", limit, least=1)
        return await self._calls.within_time(self._read(log_id, after, limit))

    async def _read(self, log_id: str, after: int, limit: int) -> list[Stored]:
        name = log_id.encode("ascii")
        reply = await self._calls.ask(READ, log_keys(name), (name, b"%d" % after, b"%d" % limit))
        if reply.kind == "Z":
            rows = (await unpack_aside(reply.body))[after : after + limit]
        else:
            rows = read_rows(reply.body)
        if rows:
            self._saw(log_id, tip_of(rows))
        return rows

    async def is_newest(self, log_id: str, tip: Tip) -> bool:
        """See `Store.is_newest`."""
        check_name(log_id)
        return await self._calls.within_time(self._is_newest(log_id.encode("ascii"), tip))

    async def _is_newest(self, name: bytes, tip: Tip) -> bool:
        reply = await self._calls.ask(IS_NEWEST, log_keys(name), (name, b"%d" % tip.seq, tip.tag))
        return reply.kind == "N"

    async def due(self, until_ms: int, limit: int) -> list[Due]:
        """See `Store.due`."""
        check_number("a time", until_ms)
        check_number("a limit", limit, least=1)
        return await self._calls.within_time(self._due(due_key, until_ms, limit))

    async def _due(self, index: Callable[[int], bytes], until_ms: int, limit: int) -> list[Due]:
        return (await self._indexes.find_due(index, until_ms, limit))[:limit]

    async def next_due(self) -> int | None:
        """See `Store.next_due`."""
        found = await self._calls.within_time(self._due(due_key, _EVER, 1))
        return found[0].at_ms if found else None

    async def unprojected(self, limit: int) -> list[str]:
        """See `Store.unprojected`. Every partition is asked."""
        check_number("a limit", limit, least=1)
        found = await self._calls.within_time(self._due(unprojected_key, _EVER, limit))
        return [log_id for log_id, _ in found]

    async def list_logs(self, prefix: str, after: str = "", limit: int = PAGE) -> list[str]:
        """See `Store.list_logs`. Every partition is asked; this is for tools, not for players."""
        check_number("a limit", limit, least=1)
        return await self._calls.within_time(
            list_names(self._calls, names_key, prefix.encode(), after.encode(), limit)
        )

    def now_ms(self) -> int:
        """See `Store.now_ms`: Redis TIME, as every reply tells it."""
        return self._calls.time.now_ms()

    # Watching.

    def watch(self, log_id: str, on_events: Callable[[Sequence[Stored]], None]) -> Callable[[], None]:
        """See `Store.watch`."""
        check_name(log_id)
        return self._watches.add(log_id, self._tips.get(log_id, START), on_events)

    async def announce(self, log_id: str, note: bytes) -> None:
        """See `Store.announce`."""
        check_name(log_id)
        channel = note_channel(log_id.encode("ascii"))
        await self._calls.within_time(self._calls.ask(CALL, (), (channel, note)))

    def hear(self, log_id: str, on_note: OnNote) -> Callable[[], None]:
        """See `Store.hear`."""
        check_name(log_id)
        return self._notes.add(log_id, on_note)

    def _on_message(self, channel: bytes, message: bytes) -> None:
        noted = log_of_notes(channel)
        if noted is not None:
            self._notes.tell(noted.decode("ascii"), message)
        elif message:
            self._watches.on_message(log_of_channel(channel).decode("ascii"), *read_message(message))
        else:  # there is more to tell than a message should hold
            self._on_hearing([channel])

    def _on_hearing(self, channels: Sequence[bytes]) -> None:
        logs = (channel for channel in channels if log_of_notes(channel) is None)
        self._watches.on_hearing(log_of_channel(channel).decode("ascii") for channel in logs)

    async def _follow(self, log_id: str, tip: Tip) -> Followed:
        return await self._calls.within_time(self._followed(log_id.encode("ascii"), tip))

    async def _followed(self, name: bytes, tip: Tip) -> Followed:
        args = (name, b"%d" % tip.seq, tip.tag, b"%d" % PAGE)
        reply = await self._calls.ask(FOLLOW, log_keys(name), args)
        match reply.kind:
            case "C":
                rows: Sequence[Stored] = read_rows(reply.body)
            case "Z":
                log = await unpack_aside(reply.body)
                outcome = missed(log, tip)
                if isinstance(outcome, Diverged):
                    return Followed((), rewound_to=tip_of(log))
                rows = outcome.missed
            case "D":
                return Followed((), rewound_to=tip_of(read_rows(reply.body)))
            case _:
                return Followed(())
        return Followed(rows, more=len(rows) == PAGE)

    async def _mind_silence(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + _SILENCE_LOOK_MS)
            self._watches.ask_silent(self._clock.now_ms() - self._timing.silence_ms)

    def _saw(self, log_id: str, tip: Tip) -> None:
        """Remember how far a log is known here."""
        known = self._tips.pop(log_id, START)  # so that it becomes the youngest
        self._tips[log_id] = tip if tip.seq >= known.seq else known
        if len(self._tips) > TIPS_KEPT:
            del self._tips[next(iter(self._tips))]

    # The end.

    async def close(self) -> None:
        """See `Store.close`."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
        # Shielded, for all is let go whether or not this caller still waits for it.
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        for helper in self._helpers:
            helper.cancel()
        await asyncio.gather(*self._helpers, return_exceptions=True)
        await self._watches.close()
        await self._calls.close()
