"""Reading what racers did out of the log of a race that is over."""

import asyncio
from collections import OrderedDict
from typing import Final

from server import race_log
from server.gateway.keeper import log_id
from server.gateway.turns import Turns
from server.race.events import Stamped
from server.race.replays import Step, steps
from server.race.state import PlayerId, Race, RaceCode
from server.store.base import PAGE, Store

KEPT: Final = 32
"""Racers whose steps are kept; those of a long game take megabytes."""

_SLICE: Final = 100


class Replays:
    """The steps last asked for, kept because they are asked for page by page.

    They are of one node, and read for one after the other, so that memory holds few however many ask.
    """

    def __init__(self, store: Store, turns: Turns) -> None:
        self._store = store
        self._turns = turns
        self._kept: OrderedDict[tuple[RaceCode, int, PlayerId], list[Step]] = OrderedDict()
        self._reading = asyncio.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    async def steps(self, race: Race, player: PlayerId) -> list[Step]:
        """All steps of a racer, in order, in a race that is over.

        Raises:
            Unavailable: the store cannot tell.
        """
        key = (race.life.code, race.life.over_at, player)
        if key not in self._kept:
            async with self._reading:
                if key not in self._kept:
                    log = await read_log(self._store, race.life.code, self._turns)
                    self._keep(key, await steps_of(log, player, self._turns))
        self._kept.move_to_end(key)
        return self._kept[key]

    def _keep(self, key: tuple[RaceCode, int, PlayerId], found: list[Step]) -> None:
        self._kept[key] = found
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)


async def read_log(store: Store, code: RaceCode, turns: Turns) -> list[Stamped]:
    """The whole log of a race, page by page in turns.

    Raises:
        Unavailable: the store cannot tell.
    """
    log: list[Stamped] = []
    while rows := await store.read(log_id(code), len(log), PAGE):
        await turns.mine()
        log += race_log.read_all(rows)
        if len(rows) < PAGE:
            break
    return log


async def steps_of(log: list[Stamped], player: PlayerId, turns: Turns) -> list[Step]:
    """All steps of a racer, a few in each turn."""
    await turns.mine()
    found: list[Step] = []
    for step in steps(log, player):
        found.append(step)
        if len(found) % _SLICE == 0:
            await turns.mine()
    return found
