"""From the logs of attempts to the tables of results, so that nothing is lost and nothing is there twice.

The append that ends an attempt marks its log as unprojected. Here its rows are put, each only if it is not
there yet, and then the mark is taken away. Whatever dies in between, the mark is still there, and somebody
does it all again, which changes nothing that was done.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from server import race_log
from server.clock import Clock
from server.daily import rows
from server.daily.boards import Boards
from server.daily.naming import Daily, attempt_of, read_attempt
from server.daily.referee import Referee, Result, Unsound
from server.race.state import PlayerId
from server.store.base import PAGE, Damaged, Store, Unavailable

log = logging.getLogger(__name__)

AGAIN_MS: Final = 60_000
"""How often a node looks for what others left undone, if nobody asks for a board."""

FRESH_MS: Final = 1_000
"""How old such a look may be where somebody asks."""

PATIENCE_S: Final = 1.0
"""How long those who ask wait for what others left undone; after a long time there may be much of it."""

_TOLD: Final = (Unsound, race_log.BrokenLog, race_log.NewerLog, Damaged)
"""What says by itself what is wrong with a log."""

_AT_ONCE: Final = 200
_SLICE: Final = 50


class Projector:
    """Writes results. Any number of them may do so for one store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._boards = Boards(store)
        self._clock = clock
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._given_up: set[str] = set()
        self._catching_up: asyncio.Task[None] | None = None
        self._caught_up_ms = -FRESH_MS
        self._patient_until_s = 0.0

    async def run(self) -> None:
        """Look for what is left undone, now and then, for ever."""
        while True:
            await self._quietly(again=True)
            await self._clock.sleep_until(self._clock.now_ms() + AGAIN_MS)

    async def sweep(self, *, again: bool = True) -> None:
        """Write all results that are to be written, as far as the attempts are over.

        Args:
            again: whether those that were given up are tried again.

        Raises:
            Unavailable: the store is away.
        """
        for log_id in await self._store.unprojected(_AT_ONCE + len(self._given_up)):
            if again or log_id not in self._given_up:
                await self.project(log_id)

    async def caught_up(self) -> None:
        """Wait until what ended anywhere is written, but not for long: all who ask wait once for one look.

        A node that dies between a win and its row leaves the row to whoever asks for a board next.
        """
        await self.settled()
        if self._catching_up is None and self._caught_up_ms + FRESH_MS <= self._clock.now_ms():
            self._caught_up_ms = self._clock.now_ms()
            loop = asyncio.get_running_loop()
            self._catching_up = loop.create_task(self._quietly(again=False))
            self._catching_up.add_done_callback(self._done_catching_up)
            self._patient_until_s = loop.time() + PATIENCE_S
        if self._catching_up is not None:
            left_s = self._patient_until_s - asyncio.get_running_loop().time()
            await asyncio.wait([self._catching_up], timeout=max(0, left_s))

    async def _quietly(self, *, again: bool) -> None:
        try:
            await self.sweep(again=again)
        except Unavailable as error:
            log.warning("results are written later: %s", error.detail)
        except Exception:
            log.exception("a round of writing results was cut short")

    def _done_catching_up(self, _: asyncio.Task[None]) -> None:
        self._catching_up = None

    def soon(self, log_id: str) -> None:
        """Write the result of an attempt that has just ended; if that fails, the next round does."""
        if log_id not in self._under_way:
            task = asyncio.get_running_loop().create_task(self._project_quietly(log_id))
            self._under_way[log_id] = task
            task.add_done_callback(lambda _: self._under_way.pop(log_id, None))

    async def settled(self) -> None:
        """Wait until everything that ended here is written, or was found not to be possible now."""
        # Not gathered: one who stops waiting must not stop the writing, nor have the others stop waiting.
        if self._under_way:
            await asyncio.wait(self._under_way.values())

    async def close(self) -> None:
        """Leave the rest to others."""
        tasks = [*self._under_way.values(), *filter(None, [self._catching_up])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _project_quietly(self, log_id: str) -> None:
        try:
            await self.project(log_id)
        except Unavailable as error:
            log.warning("the result of %s is written later: %s", log_id, error.detail)

    async def project(self, log_id: str) -> None:
        """Write the result of one attempt, and take its mark away; nothing while it is not over.

        Raises:
            Unavailable: the store is away. How far it came does not matter.
        """
        try:
            if not await self._put_rows(log_id):
                return
        except Exception as error:
            if isinstance(error, Unavailable) and not isinstance(error, Damaged):
                raise
            self._give_up(log_id, error)  # whatever it is, it must not keep the others waiting
            return
        await self._store.projected(log_id)

    async def result_of(self, daily: Daily, player: PlayerId) -> Result | None:
        """What a player's attempt that is over came to, written now if it is not; None if it cannot be told.

        Raises:
            Unavailable: the store is away.
        """
        code = attempt_of(daily, player)
        found = await self._boards.own_result(daily, player)
        if found is None:
            await self.project(code)
            found = await self._boards.own_result(daily, player)
        if found is None and code not in self._given_up:
            # A newer program has written it, so that here it cannot be read; the log may be as it was.
            with suppress(Unsound, race_log.BrokenLog):
                found = await self._played_again(code)
        return found

    def _give_up(self, log_id: str, error: Exception) -> None:
        """Leave a log for a program that makes more of it, and tell that once."""
        if log_id not in self._given_up:
            self._given_up.add(log_id)
            log.error(
                "no result of %s can be written: %s", log_id, error, exc_info=not isinstance(error, _TOLD)
            )

    async def _put_rows(self, log_id: str) -> bool:
        """Put the rows of one attempt that are not there yet; whether it is over, and so all of them are."""
        if await self._is_written(log_id):
            return True
        result = await self._played_again(log_id)
        if result is None:
            return False
        for table, row in rows.puts(result):
            await self._store.results.put_if_absent(table, *row)
        return True

    async def _is_written(self, log_id: str) -> bool:
        found = read_attempt(log_id)
        if found is None:
            raise Unsound(f"{log_id} is no name of an attempt")
        daily, player = found
        # By whatever program: what it wrote stays.
        return await self._store.results.get(rows.days_table(player, daily.cells), daily.day) is not None

    async def _played_again(self, log_id: str) -> Result | None:
        referee = Referee(log_id)
        after = 0
        while page := await self._store.read(log_id, after, PAGE):
            for start in range(0, len(page), _SLICE):
                for stamped in race_log.read_all(page[start : start + _SLICE]):
                    referee.take(stamped)
                await asyncio.sleep(0)
            after = page[-1].seq
            if len(page) < PAGE:
                break
        return referee.result()
