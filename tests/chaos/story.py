"""The story of each test: races begin, trouble comes, and the races go on to their ends."""

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from protocol import commands
from tests.chaos.script import script
from tests.chaos.traveller import Traveller
from tests.end_to_end.topology import NODES, Node

_ASKED: Final = os.environ.get("CELLRACE_CHAOS_S", "")
"""How long trouble is to last; `make chaos` says so, and then there are more races and racers, too."""

SECONDS: Final = float(_ASKED or 2)
DEALS: Final = (1, 617, 31465, 1000000, 2147483648)[: None if _ASKED else 3]
RACERS: Final = 4 if _ASKED else 2
"""In each race."""

LONGEST_SILENCE_S: Final = 35.0
"""A node that was told nothing of a race looks at its log after twenty seconds."""

BEFORE_TROUBLE: Final = 40
"""Commands that take effect before any trouble begins."""


@dataclass
class Story:
    """Three nodes, and some races of some racers and a watcher each, who go wherever there is a node.

    Args:
        nodes: where they may go.
        seed: of all that is left to chance.
        silence_s: how long they wait on a connection on which nothing comes.
        leaves_open: whether they walk away from such a connection without closing it.
        chat: whether racers say something now and then.
    """

    nodes: Sequence[Node]
    seed: int
    silence_s: float = LONGEST_SILENCE_S
    leaves_open: bool = False
    chat: bool = True
    tables: dict[str, list[Traveller]] = field(default_factory=dict)
    watchers: dict[str, Traveller] = field(default_factory=dict)
    effects: int = 0
    is_over: bool = False

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self._news = asyncio.Event()
        self._next = 0

    @property
    def travellers(self) -> list[Traveller]:
        """All of them."""
        return [*self.racers, *self.watchers.values()]

    @property
    def racers(self) -> list[Traveller]:
        """Those who race."""
        return [racer for table in self.tables.values() for racer in table]

    @property
    def breaks(self) -> list[str]:
        """What ended connections before their time."""
        return [why for traveller in self.travellers for why in traveller.travels.breaks]

    def traveller(self, name: str) -> Traveller:
        """One more; each begins with another node."""
        self._next += 1
        places = iter([self.nodes[self._next % len(self.nodes)].url])

        def choose() -> str:
            return next(places, None) or self.dice.choice(self.nodes).url

        return Traveller(name, choose, silence_s=self.silence_s, leaves_open=self.leaves_open)

    async def begin(self) -> None:
        """Have all races running, and all racers in them."""
        for code, racers in await asyncio.gather(*(self._begin(deal) for deal in DEALS)):
            self.tables[code] = racers
            self.watchers[code] = self.traveller("Watcher")

    async def _begin(self, deal: int) -> tuple[str, list[Traveller]]:
        racers = [self.traveller(f"Racer {number}") for number in range(RACERS)]
        for racer in racers:
            await racer.arrive()
        settings = commands.Settings(deal=deal, watch="live", countdown_s=0, time_limit_s=3600)
        code = await racers[0].create(settings)
        for racer in racers[1:]:
            await racer.take_seat(code)
        await racers[0].did(commands.Start, code)
        return code, racers

    async def tell(self, trouble: Callable[[], Awaitable[None]]) -> None:
        """Race on while there is trouble, and then to the end."""
        async with asyncio.TaskGroup() as group:
            for part in self._parts():
                group.create_task(part)
            group.create_task(self._trouble(trouble))

    async def break_off(self, trouble: Callable[[], Awaitable[None]]) -> list[BaseException | None]:
        """Race on until trouble ends it for everybody; what each of them found."""
        return (await asyncio.gather(self._trouble(trouble), *self._parts(), return_exceptions=True))[1:]

    def _parts(self) -> Iterator[Coroutine[None, None, None]]:
        for (code, racers), deal in zip(self.tables.items(), DEALS, strict=True):
            for place, racer in enumerate(racers):
                dice = random.Random(f"{self.seed}/{deal}/{place}")
                steps = script(deal, dice, lambda: self.is_over, chat=self.chat)
                yield racer.play(code, steps, self._counted)
            yield self.watchers[code].look_on(code)

    async def _trouble(self, trouble: Callable[[], Awaitable[None]]) -> None:
        await self.goes_on(BEFORE_TROUBLE)
        for code, racers in self.tables.items():
            for racer in racers:
                await racer.until(partial(_plays, racer, code), "his first moves")
            await self.watchers[code].until(partial(len, self.watchers[code].seen), "a picture")
        await trouble()
        self.is_over = True

    def _counted(self, effects: int) -> None:
        self.effects += effects
        self._news.set()

    async def goes_on(self, effects: int) -> None:
        """Wait until so many more commands have taken effect."""
        target = self.effects + effects
        while self.effects < target:
            self._news.clear()
            await self._news.wait()

    async def close(self) -> None:
        """End all connections, those that were left behind as well."""
        for traveller in self.travellers:
            await traveller.close()


def _plays(racer: Traveller, code: str) -> bool:
    return len(racer.chair(code).acks) > 1


@asynccontextmanager
async def telling(
    nodes: Sequence[Node],
    seed: int,
    *,
    silence_s: float = LONGEST_SILENCE_S,
    leaves_open: bool = False,
    chat: bool = True,
) -> AsyncIterator[Story]:
    """A story whose races have begun; see `Story`."""
    story = Story(nodes, seed, silence_s, leaves_open, chat)
    try:
        await story.begin()
        yield story
    finally:
        await story.close()


@asynccontextmanager
async def three_nodes(folder: Path, store: str) -> AsyncIterator[list[Node]]:
    """Three nodes on a store, as long as the block runs. They never print a traceback."""
    nodes = [Node(f"node-{number + 1}", folder, store) for number in range(NODES)]
    async with AsyncExitStack() as stack:
        for node in nodes:
            stack.push_async_callback(_end, node)
        await asyncio.gather(*(node.start() for node in nodes))
        yield nodes
    for node in nodes:
        assert "Traceback" not in node.log(), node.log()


async def _end(node: Node) -> None:
    if node.is_running:
        await node.kill()


async def every(seconds: float, act: Callable[[int], Awaitable[object]]) -> None:
    """Do something again and again for as long as trouble lasts, and twice at least; `seconds` apart."""
    loop = asyncio.get_running_loop()
    until = loop.time() + SECONDS
    turn = 0
    while loop.time() < until or turn < 2:
        await act(turn)
        turn += 1
        await asyncio.sleep(seconds)  # trouble keeps its own time


async def trouble_s(least_s: float) -> None:
    """Let trouble last as long as is asked for, and so many seconds at least."""
    await asyncio.sleep(max(least_s, SECONDS))
