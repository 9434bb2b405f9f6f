"""Asking Redis: within a time, again when an answer was lost, and learning the time from every reply.

All scripts but the append may simply be run once more when it is unknown whether they ran.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeVar

from server.clock import Clock
from server.store.base import Damaged, Unavailable
from server.store.redis.driver import Driver, DriverError, Lost
from server.store.redis.keys import PARTITIONS
from server.store.redis.replies import Reply, read_reply
from server.store.redis.scripts import Script
from server.store.redis.server_time import ServerTime
from server.store.redis.timing import Timing

_T = TypeVar("_T")

_RETRY_MS = 1000

_DAMAGED = ("WRONGTYPE", "ERR user_script")
"""How the errors begin that say that a key holds something else than what was put there."""


class Calls:
    """Runs scripts for the store. What it raises is `Unavailable`, but for `once`."""

    def __init__(self, driver: Driver, clock: Clock, timing: Timing) -> None:
        self.driver = driver
        self.timing = timing
        self.time = ServerTime(clock)
        self._clock = clock
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._closing = False

    def refuse_if_closed(self) -> None:
        """Raise `Unavailable` if nothing is to be asked any more."""
        if self._closing:
            raise Unavailable("the store is closed", retry_ms=_RETRY_MS)

    async def within_time(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Await a call of the store, for as long as one may take.

        Raises:
            Unavailable: it took longer, or the store is closed.
        """
        if self._closing:
            work.close()
        self.refuse_if_closed()
        self._under_way += 1
        self._idle.clear()
        try:
            async with asyncio.timeout(self.timing.call_s):
                return await work
        except TimeoutError:
            raise Unavailable("Redis did not answer in time", retry_ms=_RETRY_MS) from None
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    async def close(self) -> None:
        """Take no more calls, and wait for those under way."""
        self._closing = True
        await self._idle.wait()
        await self.driver.close()

    async def once(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> Reply:
        """Run a script once.

        Raises:
            DriverError: as `Driver.run`.
        """
        sent_ms = self._clock.now_ms()
        reply = read_reply(await self.driver.run(script, keys, args))
        self.time.note(sent_ms, reply.now_us)
        return reply

    async def ask(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> Reply:
        """Run a script that may run twice, until it has answered."""
        return await self._insist(lambda: self.once(script, keys, args))

    async def ask_everywhere(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> None:
        """Run a script on all servers that take writes, until all have answered."""
        sent_ms = self._clock.now_ms()
        for reply in await self._insist(lambda: self.driver.run_everywhere(script, keys, args)):
            self.time.note(sent_ms, read_reply(reply).now_us)

    async def _insist(self, run: Callable[[], Awaitable[_T]]) -> _T:
        while True:
            try:
                return await run()
            except Lost:
                await self.pause()
            except DriverError as error:
                raise as_unavailable(error) from error

    async def ask_partitions(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[Reply]:
        """Run a script on the keys of all partitions: at once where they live together, else one by one.

        A cluster that has lost some of them answers for the others.
        """
        if self.driver.is_one_place:
            return [await self.ask(script, keys, args)]
        return answers(await self.ask_each(script, ([key] for key in keys), args))

    async def ask_each(
        self, script: Script, keys: Iterable[Sequence[bytes]], args: Sequence[bytes]
    ) -> list[Reply | BaseException]:
        """Run a script for each of these lists of keys, all at once; what each came to, in their order."""
        asked = (self.ask(script, some, args) for some in keys)
        return await asyncio.gather(*asked, return_exceptions=True)

    async def pause(self) -> None:
        """Wait a moment before asking again."""
        await asyncio.sleep(self.timing.pause_s)


def answers(replies: Sequence[Reply | BaseException]) -> list[Reply]:
    """The answers among these; if there is none, raises what came instead."""
    found = [reply for reply in replies if isinstance(reply, Reply)]
    if not found:
        for error in replies:
            if isinstance(error, BaseException):
                raise error
    return found


def as_unavailable(error: DriverError) -> Unavailable:
    """What a caller is told of a script that did not bring a result."""
    if str(error).startswith(_DAMAGED):
        return Damaged(f"Redis: {error}", retry_ms=_RETRY_MS)
    return Unavailable(f"Redis: {error}", retry_ms=_RETRY_MS)


ALL_PARTITIONS = range(PARTITIONS)
