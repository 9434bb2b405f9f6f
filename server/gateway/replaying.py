"""Reading what a racer did out of the log of a race that is over."""

import asyncio

from server import race_log
from server.gateway.keeper import log_id
from server.race.events import Stamped
from server.race.replays import Step, steps
from server.race.state import PlayerId, RaceCode
from server.store.base import PAGE, Store

_SLICE = 100


class Replays:
    """The steps last asked for, kept because they are asked for page by page."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._of: tuple[RaceCode, PlayerId] | None = None
        self._steps: list[Step] = []

    async def steps(self, code: RaceCode, player: PlayerId) -> list[Step]:
        """All steps of a racer, in order.

        Raises:
            Unavailable: the store cannot tell.
        """
        if self._of != (code, player):
            self._steps = await self._read(code, player)
            self._of = (code, player)
        return self._steps

    async def _read(self, code: RaceCode, player: PlayerId) -> list[Step]:
        log: list[Stamped] = []
        while rows := await self._store.read(log_id(code), len(log), PAGE):
            log += race_log.read_all(rows)
            await asyncio.sleep(0)
            if len(rows) < PAGE:
                break
        found: list[Step] = []
        for step in steps(log, player):
            found.append(step)
            if len(found) % _SLICE == 0:
                await asyncio.sleep(0)
        return found
