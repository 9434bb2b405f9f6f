"""A race some time ago, for those who watch with a delay."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

from server import race_log
from server.clock import Clock
from server.gateway.feed import Entry, Feed
from server.gateway.keeper import Keeper, log_id
from server.gateway.storetime import sleep_until_stored
from server.gateway.tasks import Tasks
from server.race.events import Stamped
from server.race.evolve import begin, evolve
from server.race.state import Race
from server.store.base import PAGE, Store

_FOLD_SLICE = 100


class DelayedFeed:
    """A feed that shows each event `delay_ms` after it happened.

    The first event of all, that the race is there, is shown at once.
    """

    def __init__(
        self,
        race: Race,
        tag: bytes,
        *,
        pending: Iterable[tuple[Stamped, bytes]],
        delay_ms: int,
        store: Store,
        clock: Clock,
        on_shown: Callable[[], None],
    ) -> None:
        self.feed = Feed(race, tag)
        self.delay_ms = delay_ms
        self._pending = deque(pending)
        self._store = store
        self._clock = clock
        self._on_shown = on_shown
        self._tasks = Tasks()
        self._timer: asyncio.Task[None] | None = None
        self._start_timer()

    def push(self, stamped: Iterable[Stamped], tag: bytes) -> None:
        """Take what happened just now, to be shown later."""
        self._pending.extend((one, tag) for one in stamped)
        self._start_timer()

    async def close(self) -> None:
        """Show nothing more."""
        await self._tasks.close()

    def _start_timer(self) -> None:
        if self._pending and (self._timer is None or self._timer.done()):
            self._timer = self._tasks.start(self._show_in_time())

    async def _show_in_time(self) -> None:
        while self._pending:
            await sleep_until_stored(self._store, self._clock, self._pending[0][0].at_ms + self.delay_ms)
            self._show_until(self._store.now_ms() - self.delay_ms)

    def _show_until(self, until_ms: int) -> None:
        entries: list[Entry] = []
        race = self.feed.race
        while self._pending and self._pending[0][0].at_ms <= until_ms:
            stamped, tag = self._pending.popleft()
            entries.append(Entry(race, stamped, evolve(race, stamped), tag))
            race = entries[-1].after
        if entries:
            self.feed.extend(entries)
            self._on_shown()


async def open_delayed(
    store: Store, clock: Clock, keeper: Keeper, delay_ms: int, on_shown: Callable[[], None]
) -> DelayedFeed:
    """The feed of a race at a delay, made from its log. On return it has all events that `keeper` has.

    Raises:
        Unavailable: the store cannot tell.
    """
    until_ms = store.now_ms() - delay_ms
    race: Race | None = None
    shown_tag = b""
    seq = 0
    pending: list[tuple[Stamped, bytes]] = []
    while race is None or seq < keeper.tip.seq:
        rows = await store.read(log_id(keeper.race.life.code), seq, PAGE)
        for place, row in enumerate(rows):
            stamped = race_log.read(row)
            if race is None:
                race, shown_tag = begin(stamped), row.tag
            elif not pending and stamped.at_ms <= until_ms:
                race, shown_tag = evolve(race, stamped), row.tag
            else:
                pending.append((stamped, row.tag))
            seq = row.seq
            if place % _FOLD_SLICE == _FOLD_SLICE - 1:
                await asyncio.sleep(0)
    # Between the last look at the keeper and here nothing is awaited, so no event is missed. What was read
    # beyond its tip it has yet to hand over, and must not come twice.
    kept = [(stamped, tag) for stamped, tag in pending if stamped.seq <= keeper.tip.seq]
    return DelayedFeed(
        race, shown_tag, pending=kept, delay_ms=delay_ms, store=store, clock=clock, on_shown=on_shown
    )
