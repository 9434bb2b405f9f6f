"""A coach who knows the lines of a few deals, and no solver."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from server.freecell.deal import deal
from server.freecell.moves import Move
from server.freecell.position import Position
from server.gateway.coach import Coach
from tests.server.gateway.races import SETUP
from tests.server.race.races import line_of

LINE: Final = line_of(SETUP)
"""A line of deal 1 with four cells, on which the tests race."""


@dataclass(slots=True)
class Memory:
    """Knows the line of deal 1 and no other; answers at once, unless `gate` is closed."""

    asked: int = 0
    waiting: int = 0
    missing: str = ""
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def line(self, position: Position) -> Sequence[Move] | None:
        self.asked += 1
        self.waiting += 1
        try:
            await self.gate.wait()
        finally:
            self.waiting -= 1
        return LINE if position == deal(1, 4) and not self.missing else None


def coach(memory: Memory | None = None) -> Coach:
    """A coach whose robots are never in luck."""
    return Coach(memory or Memory(), Random(7))
