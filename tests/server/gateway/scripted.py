"""A store that does to the gateway what a network and a rival node can do to it, one append after another."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from server.store.base import (
    KEEP,
    PAGE,
    Damaged,
    Diverged,
    Due,
    Outcome,
    Store,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Unavailable,
    Wake,
)
from server.store.results import Results


class Trouble(Enum):
    """What may befall an append."""

    REPLY_LOST = auto()
    """It takes effect, and nobody is told."""
    SENT_TWICE = auto()
    """It takes effect, is sent again by something on the way, and that answer is the one that arrives."""
    DOWN = auto()
    """It never arrives."""


Fate = Trouble | TooEarly | TooLate | Diverged | Callable[[], Awaitable[object]]
"""A trouble, an answer given instead of trying, or something that happens before the append arrives."""


class AppendSeen(NamedTuple):
    """An append that was asked for."""

    log_id: str
    after: Tip
    events: tuple[bytes, ...]
    not_before: int | None
    not_after: int | None
    wake: Wake


@dataclass(slots=True)
class ScriptedStore:
    """Another store, with a script of what befalls the next appends and a gate that holds everything up."""

    inner: Store
    fates: list[Fate] = field(default_factory=list)
    appends: list[AppendSeen] = field(default_factory=list)
    newest_asked: int = 0
    reads: int = 0
    damaged: set[str] = field(default_factory=set)
    """Logs that it can make no sense of."""
    reads_to_fail: int = 0
    """So many of the next reads fail."""
    before_read: Callable[[], Awaitable[object]] | None = None
    """Happens before the next read arrives."""
    deaf: bool = False
    """Watchers are told nothing, as when a subscription is gone."""
    down: bool = False
    """Reads and questions fail, as when the store is away."""
    refuses: Callable[[str], bool] = lambda log_id: False
    """Whether appends to this log fail, while all else is well."""
    ahead_ms: int = 0
    """How wrong the guess of the store's time is."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """Closed with `clear`: appends and questions wait before they reach the store."""

    def __post_init__(self) -> None:
        self.gate.set()

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
        self.appends.append(AppendSeen(log_id, after, tuple(events), not_before, not_after, wake))
        await self.gate.wait()
        if log_id in self.damaged:
            raise Damaged(f"{log_id} makes no sense")
        if self.down or self.refuses(log_id):
            raise Unavailable("away", retry_ms=700)
        fate = self.fates.pop(0) if self.fates else None
        if isinstance(fate, TooEarly | TooLate | Diverged):
            return fate
        if fate is Trouble.DOWN:
            raise Unavailable("down", retry_ms=700)
        if callable(fate):
            await fate()

        async def send() -> Outcome:
            return await self.inner.append(
                log_id,
                after,
                events,
                tag=tag,
                not_before=not_before,
                not_after=not_after,
                wake=wake,
                unprojected=unprojected,
            )

        outcome = await send()
        if fate is Trouble.SENT_TWICE:
            return await send()
        if fate is Trouble.REPLY_LOST:
            raise Unavailable("the reply was lost", retry_ms=700)
        return outcome

    @property
    def results(self) -> Results:
        return self.inner.results

    async def restore(
        self, log_id: str, rows: Sequence[Stored], due_ms: Wake, *, unprojected: bool = False
    ) -> bool:
        return await self.inner.restore(log_id, rows, due_ms, unprojected=unprojected)

    async def unprojected(self, limit: int) -> list[str]:
        self._refuse_if_down()
        return await self.inner.unprojected(limit)

    async def projected(self, log_id: str) -> None:
        self._refuse_if_down()
        await self.inner.projected(log_id)

    async def read(self, log_id: str, after: int = 0, limit: int = PAGE) -> list[Stored]:
        self.reads += 1
        self._refuse_if_down()
        if log_id in self.damaged:
            raise Damaged(f"{log_id} makes no sense")
        if self.reads_to_fail:
            self.reads_to_fail -= 1
            raise Unavailable("this read failed", retry_ms=700)
        if self.before_read:
            happening, self.before_read = self.before_read, None
            await happening()
        return await self.inner.read(log_id, after, limit)

    async def is_newest(self, log_id: str, tip: Tip) -> bool:
        self.newest_asked += 1
        await self.gate.wait()
        self._refuse_if_down()
        return await self.inner.is_newest(log_id, tip)

    def watch(self, log_id: str, on_events: Callable[[Sequence[Stored]], None]) -> Callable[[], None]:
        return self.inner.watch(log_id, lambda events: None if self.deaf else on_events(events))

    async def announce(self, log_id: str, note: bytes) -> None:
        self._refuse_if_down()
        await self.inner.announce(log_id, note)

    def hear(self, log_id: str, on_note: Callable[[bytes], None]) -> Callable[[], None]:
        return self.inner.hear(log_id, on_note)

    async def due(self, until_ms: int, limit: int) -> list[Due]:
        self._refuse_if_down()
        return await self.inner.due(until_ms, limit)

    async def next_due(self) -> int | None:
        return await self.inner.next_due()

    async def list_logs(self, prefix: str, after: str = "", limit: int = PAGE) -> list[str]:
        return await self.inner.list_logs(prefix, after, limit)

    def now_ms(self) -> int:
        return self.inner.now_ms() + self.ahead_ms

    async def check(self) -> None:
        self._refuse_if_down()
        await self.inner.check()

    async def close(self) -> None:
        await self.inner.close()

    def _refuse_if_down(self) -> None:
        if self.down:
            raise Unavailable("away", retry_ms=700)
