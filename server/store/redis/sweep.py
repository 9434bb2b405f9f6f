"""Packing logs that have been quiet for some time, and forgetting finished ones whose time is over.

Any node does it, whenever it looks; a node that is slower finds it done. What is packed has no deadline and
got no event for `Timing.retire_ms`: a race that is over, but also a player's log, which as a stream would
cost ten times as much. What is forgotten, if anything, had a deadline that an append cleared.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Final

from server.clock import Clock
from server.store.base import PAGE, Damaged, Stored, Unavailable
from server.store.redis.calls import Calls
from server.store.redis.indexes import Indexes
from server.store.redis.keys import forget_key, log_keys, retire_key
from server.store.redis.packing import pack_aside, tip_of
from server.store.redis.replies import read_rows
from server.store.redis.scripts import FORGET, PACK, READ

log = logging.getLogger(__name__)

# Logs of one partition in one round, at most. What is left waits for the next.
_AT_ONCE: Final = 20


class Sweeper:
    """Goes round for ever; see `run`."""

    def __init__(self, calls: Calls, clock: Clock) -> None:
        self._calls = calls
        self._clock = clock
        self._indexes = Indexes(calls)
        self._given_up: set[str] = set()

    async def run(self) -> None:
        """Look for work every `Timing.sweep_ms`, more or less, so that not all nodes look at once."""
        while True:
            pause_ms = self._calls.timing.sweep_ms * random.uniform(0.5, 1)  # noqa: S311 - no secret
            await self._clock.sleep_until(self._clock.now_ms() + int(pause_ms))
            try:
                await self.sweep()
            except Unavailable as error:
                log.info("quiet logs are packed later: %s", error.detail)
            except Exception:
                log.exception("a round of packing was cut short")

    async def sweep(self) -> None:
        """Do what is due now.

        Raises:
            Unavailable: Redis is away.
        """
        for log_id in await self._find(retire_key):
            await self._try(log_id, self._pack)
        for log_id in await self._find(forget_key):
            await self._try(log_id, self._forget)

    async def _find(self, index: Callable[[int], bytes]) -> list[str]:
        # What was given up is still in its index, at the front; it must not fill the turn of the others.
        limit = _AT_ONCE + len(self._given_up)
        found = await self._indexes.find_due(index, self._calls.time.now_ms(), limit)
        return [due.log_id for due in found if due.log_id not in self._given_up]

    async def _try(self, log_id: str, tidy: Callable[[bytes], Awaitable[None]]) -> None:
        """Do one log, if what Redis holds of it makes sense; else leave it, and say so."""
        try:
            await tidy(log_id.encode("ascii"))
        except Damaged as error:
            self._given_up.add(log_id)
            log.error("%s is neither packed nor forgotten: %s", log_id, error.detail)  # noqa: TRY400 - it says it

    async def _forget(self, name: bytes) -> None:
        await self._calls.ask(FORGET, log_keys(name), (name,))

    async def _pack(self, name: bytes) -> None:
        rows = await self._read(name)
        if not rows:
            return
        end = tip_of(rows)
        args = (name, b"%d" % end.seq, end.tag, await pack_aside(rows))
        await self._calls.ask(PACK, log_keys(name), args)

    async def _read(self, name: bytes) -> list[Stored]:
        """The whole log; nothing if somebody has packed it meanwhile."""
        rows: list[Stored] = []
        while True:
            args = (name, b"%d" % len(rows), b"%d" % PAGE)
            reply = await self._calls.ask(READ, log_keys(name), args)
            if reply.kind == "Z":
                return []
            page = read_rows(reply.body)
            rows += page
            if len(page) < PAGE:
                return rows
            await asyncio.sleep(0)
