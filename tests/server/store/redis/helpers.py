"""What the tests of the Redis store share."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from server.store.base import (
    KEEP,
    START,
    Appended,
    Conflict,
    Store,
    Stored,
    Tip,
    Unavailable,
    Wake,
    new_tag,
)

CALL_S = 2.0
"""What is promised of a call: it has its answer, or fails, within this."""

SLACK_S = 1.0
"""A machine that stands still for a moment is no store that waits for longer."""


async def put(store: Store, log_id: str, after: Tip, *events: bytes, wake: Wake = KEEP) -> Tip:
    """Append what must be taken, and return where the log ends now."""
    tag = new_tag()
    outcome = await store.append(log_id, after, events, tag=tag, wake=wake)
    assert isinstance(outcome, Appended), outcome
    return Tip(after.seq + len(events), tag)


async def until(holds: Callable[[], bool | Awaitable[bool]], within_s: float = 20.0) -> None:
    """Return once the condition holds; for what happens in another process, which tells nobody."""
    async with asyncio.timeout(within_s):
        while True:
            held = holds()
            if held if isinstance(held, bool) else await held:
                return
            await asyncio.sleep(0.005)


async def until_up(store: Store) -> None:
    """Wait until the store takes writes."""

    async def takes_writes() -> bool:
        with suppress(Unavailable):
            await store.check()
            return True
        return False

    await until(takes_writes)


class Watcher:
    """Remembers what it was told, and lets a test wait until it was told enough."""

    def __init__(self) -> None:
        self.calls: list[list[Stored]] = []
        self._told = asyncio.Event()

    @property
    def events(self) -> list[Stored]:
        return [event for call in self.calls for event in call]

    @property
    def seqs(self) -> list[int]:
        return [event.seq for event in self.events]

    def __call__(self, events: Sequence[Stored]) -> None:
        self.calls.append([*events])
        self._told.set()

    async def hear(self, many: int, within_s: float = 20.0) -> list[Stored]:
        async with asyncio.timeout(within_s):
            while len(self.events) < many:
                self._told.clear()
                await self._told.wait()
        return self.events


@dataclass
class Writer:
    """Appends `0`, `1`, `2`, ... to a log, each until the log has it, and remembers what was acknowledged."""

    store: Store
    log_id: str
    tip: Tip = START
    acknowledged: list[tuple[int, bytes]] = field(default_factory=list)
    slowest_s: float = 0.0
    unavailable: int = 0

    async def write(self, number: int) -> None:
        data = b"%d" % number
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            try:
                done = await self._try(data)
            except Unavailable:
                self.unavailable += 1
                await asyncio.sleep(0.01)
                done = False
            self.slowest_s = max(self.slowest_s, loop.time() - began)
            if done:
                return

    async def _try(self, data: bytes) -> bool:
        for event in await self.store.read(self.log_id, self.tip.seq):
            self.tip = Tip(event.seq, event.tag)
            if event.data == data:
                return True
        tag = new_tag()
        outcome = await self.store.append(self.log_id, self.tip, [data], tag=tag)
        if isinstance(outcome, Appended):
            self.tip = Tip(outcome.first_seq, tag)
            self.acknowledged.append((outcome.first_seq, data))
            return True
        assert isinstance(outcome, Conflict), outcome
        return False


async def write_logs(store: Store, logs: Sequence[str], *, while_: Callable[[], bool]) -> list[Writer]:
    """Write to all these logs at once for as long as the condition holds; at least one event each."""
    writers = [Writer(store, log_id) for log_id in logs]

    async def go_on(writer: Writer) -> None:
        number = 0
        while number == 0 or while_():
            await writer.write(number)
            number += 1

    await asyncio.gather(*(go_on(writer) for writer in writers))
    return writers


async def check_logs(store: Store, writers: Sequence[Writer]) -> None:
    """Each log has each number once and in order, and every acknowledged one where it was said to be."""
    for writer in writers:
        log: list[Stored] = []
        while page := await store.read(writer.log_id, len(log)):
            log += page
        assert [event.data for event in log] == [b"%d" % number for number in range(len(log))]
        assert writer.acknowledged
        for seq, data in writer.acknowledged:
            assert log[seq - 1].data == data


@asynccontextmanager
async def trouble(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Do something over and over while the block runs."""

    async def again_and_again() -> None:
        while True:
            await work()

    task = asyncio.create_task(again_and_again())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
