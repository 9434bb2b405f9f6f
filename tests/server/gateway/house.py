"""A whole server in the test's own event loop, on a clock that the test moves, and people who come to it."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from protocol import codec, commands, events, picture
from protocol.views import Board, Picture
from server.app import running
from server.config import Config
from server.gateway import wire
from server.gateway.coach import Coach
from server.gateway.hub import Hub
from server.gateway.keeper import log_id
from server.gateway.limits import Limits, Rate
from server.gateway.listener import Listener
from server.gateway.node import Node, make_node
from server.gateway.verdicts import Assessor
from server.race.events import Stamped
from server.race.evolve import fold
from server.race.state import Member, PlayerId, Race, RaceCode
from server.race.views import View
from server.race_log import read_all
from server.store.base import Stored
from server.store.sqlite import open_sqlite
from tests.clock import FakeClock
from tests.end_to_end.player import PATIENCE_S, Player
from tests.server.gateway.races import Scribe
from tests.server.gateway.scripted import ScriptedStore

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
        while page := await self.node.store.read(log_id(RaceCode(race)), len(rows)):
            rows += page
        return read_all(rows)

    async def fold(self, race: str) -> Race:
        """The race as its log tells."""
        return fold(await self.log(race))

    async def hub(self, race: str) -> Hub:
        """The live race."""
        return await self.node.hubs.open(RaceCode(race))

    async def check(self) -> None:
        """Hold what every guest believes against the logs.

        Each picture is that of the log folded up to where the picture ends, the board at each seat that
        of the fold.
        """
        logs: dict[str, list[Stamped]] = {}
        folded: dict[tuple[str, int], Race] = {}

        async def race_at(race: str, to: int | None = None) -> Race | None:
            if race not in logs:
                logs[race] = await self.log(race)
            end = len(logs[race]) if to is None else to
            if end and (race, end) not in folded:
                folded[race, end] = fold(logs[race][:end])
            return folded.get((race, end))

        for guest in self.guests:
            for (race, _), following in guest.pictures.items():
                assert following.pages_left == 0
                then = await race_at(race, following.to)
                assert then is not None
                assert following.picture == picture_at(then, following), (guest.name, race)
            for race, chair in guest.chairs.items():
                now = await race_at(race)
                member = now.members.get(PlayerId(guest.id)) if now else None
                if member is not None and member.seated and member.session == chair.session:
                    assert chair.board == board_of(member), (guest.name, race)
                    assert chair.n == member.n


def picture_at(race: Race, following: picture.Following) -> Picture:
    """What one sees of this race who has this feed and view."""
    made: picture.Following | None = None
    for page in wire.snapshot(race, following.feed, View(following.view), following.tag, None):
        event = codec.read_event(codec.encode(page))
        assert isinstance(event, events.Snapshot)
        made = picture.start(event, made)
    assert made is not None
    return made.picture


def board_of(member: Member) -> Board | None:
    """A member's board as it goes over the wire."""
    race = Race(0, LIFE, {member.player: member})
    return wire.seat(race, member, None).board


LIFE: Final = Scribe().race.life
"""Any race's life, to make a race around a member."""


@asynccontextmanager
async def house(
    folder: Path,
    limits: Limits = AMPLE,
    *,
    clock: FakeClock | None = None,
    coach: Coach | None = None,
    assessor: Assessor | None = None,
) -> AsyncIterator[House]:
    """A server with its store in `folder`; at the end what its guests believe is checked."""
    clock = clock or FakeClock()
    config = Config(port=0, store=f"sqlite:{folder / 'races.sqlite'}", limits=limits)
    async with running(config, clock, coach, assessor) as server:
        built = House(server.url, server.node, clock)
        yield built
        await built.check()
        for guest in built.guests:
            await guest.close()


@asynccontextmanager
async def shaky_house(
    folder: Path, limits: Limits = AMPLE, *, clock: FakeClock | None = None, narrow: bool = False
) -> AsyncIterator[tuple[House, ScriptedStore]]:
    """The same on a store that does what its script says."""
    clock = clock or FakeClock()
    store = await open_sqlite(folder / "races.sqlite", clock)
    try:
        async with one_node(ScriptedStore(store), clock, limits, narrow=narrow) as (built, scripted):
            yield built, scripted
    finally:
        await store.close()


@asynccontextmanager
async def two_nodes(
    folder: Path, limits: Limits = AMPLE, *, coach: Coach | None = None
) -> AsyncIterator[tuple[tuple[House, ScriptedStore], tuple[House, ScriptedStore]]]:
    """Two servers on one store; each reaches it over a script of its own."""
    clock = FakeClock()
    store = await open_sqlite(folder / "races.sqlite", clock)
    try:
        async with (
            one_node(ScriptedStore(store), clock, limits, coach=coach) as one,
            one_node(ScriptedStore(store), clock, limits, coach=coach) as other,
        ):
            yield one, other
    finally:
        await store.close()


@asynccontextmanager
async def one_node(
    store: ScriptedStore,
    clock: FakeClock,
    limits: Limits,
    *,
    narrow: bool = False,
    coach: Coach | None = None,
) -> AsyncIterator[tuple[House, ScriptedStore]]:
    """A server on a store that was opened before, and stays open.

    With `narrow`, the system holds little of what is on its way to a guest, so that one who does not read is
    noticed soon.
    """
    node = make_node(store, clock, limits, coach)
    listener = Listener(node)
    built = House(f"ws://127.0.0.1:{await listener.open('127.0.0.1', 0)}", node, clock)
    node.hubs.start()
    if narrow:
        assert listener._server is not None
        for listening in listener._server.sockets:
            listening.setsockopt(
                socket.SOL_SOCKET, socket.SO_SNDBUF, 4096
            )  # those that are accepted inherit it
    try:
        yield built, store
        await built.check()
        for guest in built.guests:
            await guest.close()
    finally:
        await listener.close()
        await node.hubs.close()


async def eventually(condition: Callable[[], object], what: str) -> None:
    """Wait for something that nothing announces; threads and sockets get their moments meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - it is for what sets no event
            await asyncio.sleep(0.001)
    assert condition(), what
