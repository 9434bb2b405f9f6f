"""A whole server in the test's own event loop, on a clock that the test moves, and people who come to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from protocol import commands
from server.app import running
from server.config import Config
from server.gateway.hub import Hub
from server.gateway.limits import Limits, Rate
from server.gateway.node import Node
from server.race.events import Stamped
from server.race.evolve import fold
from server.race.state import Race, RaceCode
from server.race_log import read_all
from server.store.base import Stored
from tests.clock import FakeClock
from tests.end_to_end.player import PATIENCE_S, Player

_AMPLE: Final = Rate(1000, 100_000)
AMPLE: Final = Limits(
    moves=_AMPLE, chat=_AMPLE, joins=_AMPLE, questions=_AMPLE, creates=_AMPLE, misses=_AMPLE
)
"""Limits that nobody reaches, for tests of something else."""

AT_ONCE: Final = commands.Settings(deal=1, countdown_s=0, watch="live")
"""A race on a deal with a known solution, that starts as soon as it is told to."""


@dataclass(slots=True)
class House:
    """A running server and its guests."""

    url: str
    node: Node
    clock: FakeClock
    guests: list[Player] = field(default_factory=list)

    def stranger(self, name: str, token: str | None = None) -> Player:
        """Somebody who has not connected yet."""
        guest = Player(self.url, name, token=token)
        self.guests.append(guest)
        return guest

    async def guest(self, name: str, token: str | None = None) -> Player:
        """Somebody who has said hello."""
        guest = self.stranger(name, token)
        await guest.connect()
        return guest

    async def again(self, guest: Player) -> Player:
        """The same player on a second connection."""
        return await self.guest(guest.name, guest.token)

    async def lobby(self, *racers: Player, settings: commands.Settings = AT_ONCE) -> str:
        """A race in which these have a seat, the first of them as host."""
        race = await racers[0].create(settings)
        for racer in racers[1:]:
            await racer.sit(race)
        return race

    async def race(self, *racers: Player, settings: commands.Settings = AT_ONCE) -> str:
        """The same, running."""
        race = await self.lobby(*racers, settings=settings)
        await racers[0].did(commands.Start, race)
        await self.clock.advance(settings.countdown_s * 1000)
        for racer in racers:
            await racer.reach(race, "running")
        return race

    async def log(self, race: str) -> list[Stamped]:
        """The race's log as the store has it."""
        rows: list[Stored] = []
        while page := await self.node.store.read(f"race:{race}", len(rows)):
            rows += page
        return read_all(rows)

    async def fold(self, race: str) -> Race:
        """The race as its log tells."""
        return fold(await self.log(race))

    async def hub(self, race: str) -> Hub:
        """The live race."""
        return await self.node.hubs.open(RaceCode(race))


@asynccontextmanager
async def house(
    folder: Path, limits: Limits = AMPLE, *, clock: FakeClock | None = None
) -> AsyncIterator[House]:
    """A server with its store in `folder`; at the end every guest's account is checked."""
    clock = clock or FakeClock()
    config = Config(port=0, store=f"sqlite:{folder / 'races.sqlite'}", limits=limits)
    async with running(config, clock) as server:
        built = House(server.url, server.node, clock)
        yield built
        for guest in built.guests:
            await guest.close()


async def eventually(condition: Callable[[], object], what: str) -> None:
    """Wait for something that nothing announces; threads and sockets get their moments meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - it is for what sets no event
            await asyncio.sleep(0.001)
    assert condition(), what
