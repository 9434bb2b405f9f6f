"""A clock that moves only when a test moves it."""

import asyncio
import heapq
from itertools import count

# Turns of the event loop that a task gets to react to the time it was woken at, before the time moves on. A
# chain of tasks that wake one another takes a turn or two each; what waits for a thread or a socket takes
# longer, and a test of that awaits the thing itself.
_TURNS = 20


class FakeClock:
    """A `Clock` for tests: `advance` instead of waiting."""

    def __init__(self, start_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = start_ms
        self._order = count()
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        return self._now_ms

    async def sleep_until(self, at_ms: int) -> None:
        if at_ms <= self._now_ms:
            return
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (at_ms, next(self._order), woken))
        await woken

    async def advance(self, ms: int) -> None:
        """Let `ms` milliseconds pass; see `advance_to`."""
        await self.advance_to(self._now_ms + ms)

    async def advance_to(self, at_ms: int) -> None:
        """Let the time become `at_ms`: wake who sleeps until then in order of time, each at his time exactly.

        Between two times the tasks run, and who goes to sleep anew meanwhile is woken in this same call if it
        is time.
        """
        if at_ms < self._now_ms:
            raise ValueError(f"time does not run backwards: {at_ms} is before {self._now_ms}")
        await _let_tasks_run()
        while self._sleepers and self._sleepers[0][0] <= at_ms:
            self._now_ms = self._sleepers[0][0]
            while self._sleepers and self._sleepers[0][0] <= self._now_ms:
                _, _, woken = heapq.heappop(self._sleepers)
                if not woken.done():  # the sleeper was cancelled
                    woken.set_result(None)
            await _let_tasks_run()
        self._now_ms = at_ms

    def set_back(self, ms: int) -> None:
        """Break the promise of `Clock`, as a restart on a machine with a wrong clock does."""
        self._now_ms -= ms


async def _let_tasks_run() -> None:
    for _ in range(_TURNS):
        await asyncio.sleep(0)
