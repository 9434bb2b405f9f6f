"""Screens of those who watch, worth a picture: the same each time, but for code and port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from client_cli.screens.after import AfterScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.wall import WallScreen
from protocol import commands
from server import race_log
from server.gateway.keeper import log_id
from server.gateway.verdicts import Assessor
from server.race import commands as core
from server.race.state import Policy
from server.store.base import CLEAR, Stored
from tests.client_cli.screens.house import DEAL_1, Person, person, watching
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, house
from tests.server.gateway.races import ANA, BEN, CODE, EVE, SETUP, Scribe
from tests.solutions import moves_of

NAMES: Final = ("ann", "bob", "cleo", "dan", "eve", "fay", "gil", "hal")


@asynccontextmanager
async def wall(
    folder: Path,
    size: tuple[int, int],
    *options: str,
    racers: int = 4,
    actions: int = 30,
    assessor: Assessor | None = None,
) -> AsyncIterator[tuple[Person, list[Player]]]:
    """Somebody watches the middle of a race of so many."""
    async with house(folder, assessor=assessor) as server:
        guests = [await server.guest(name) for name in NAMES[:racers]]
        race = await server.race(*guests, settings=DEAL_1)
        await run(server, guests, race, actions)
        seating, now_ms = watching(server.url, race), server.clock.now_ms
        async with person(folder, "walt", *options, seating=seating, size=size, now_ms=now_ms) as walt:
            await walt.reaches(WallScreen)
            await walt.until(lambda: walt.app.link.curves.of and walt.session.watchers)
            await walt.ticks()
            yield walt, guests


@asynccontextmanager
async def lines(
    folder: Path, size: tuple[int, int], *options: str
) -> AsyncIterator[tuple[Person, list[Player]]]:
    """The race so far as lines, and a moment of it."""
    async with wall(folder, size, *options, racers=4, actions=90) as (walt, guests):
        await walt.press("l", *["left"] * 12)
        yield walt, guests


@asynccontextmanager
async def eight(
    folder: Path, size: tuple[int, int], *options: str
) -> AsyncIterator[tuple[Person, list[Player]]]:
    """As many boards as a wall has places."""
    async with wall(folder, size, *options, racers=8, actions=60) as scene:
        yield scene


async def run(server: House, guests: list[Player], race: str, actions: int) -> None:
    """Let everybody move, each at a pace of his own; the first makes `actions` moves."""
    moves = moves_of()
    paces = [(700 + 90 * place, iter(moves[: actions - 3 * place])) for place, _ in enumerate(guests)]
    dues = [pace for pace, _ in paces]
    playing = set(range(len(guests)))
    now_ms = 0
    while playing:
        place = min(playing, key=lambda one: dues[one])
        move = next(paces[place][1], None)
        if move is None:
            playing.discard(place)
            continue
        await server.clock.advance(dues[place] - now_ms)
        now_ms = dues[place]
        dues[place] += paces[place][0] + 300 * (len(move) * place % 3)
        await guests[place].did(commands.Move, race, move=move)


@asynccontextmanager
async def after(
    folder: Path, size: tuple[int, int], *options: str, assessor: Assessor | None = None
) -> AsyncIterator[tuple[Person, House]]:
    """Somebody looks at a race that is over: the first has won, the others have resigned."""
    scribe = written()
    clock = FakeClock(scribe.now_ms)
    async with house(folder, clock=clock, assessor=assessor) as server:
        rows = [Stored(seq, at_ms, scribe.tag, race_log.write(event)) for seq, at_ms, event in scribe.log]
        await server.node.store.restore(log_id(CODE), rows, CLEAR)
        seating = watching(server.url, CODE)
        async with person(folder, "walt", *options, seating=seating, size=size, now_ms=clock.now_ms) as walt:
            await walt.reaches(AfterScreen)
            await walt.until(lambda: walt.app.link.curves.of)
            await walt.settled()
            yield walt, server


@asynccontextmanager
async def replay(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, House]]:
    """Two of them beside each other in the middle of it."""
    async with after(folder, size, *options) as (walt, server):
        await walt.press("p")
        await walt.reaches(ReplayScreen)
        await walt.press("v", "4")
        await walt.until(lambda: walt.text.count("/52") == 2)
        yield walt, server


def written() -> Scribe:
    """A race of three from start to finish, written down without being played; one of them begins anew."""
    scribe = Scribe(replace(SETUP, policy=Policy.LIVE)).start(BEN, EVE)
    moves = moves_of()
    start_ms, turns = scribe.now_ms, []
    for place, player in enumerate((ANA, BEN, EVE)):
        ms = 0
        for turn, move in enumerate(moves[: len(moves) - 20 * place]):
            ms += 900 + 60 * place + 400 * (turn * (place + 3) % 4)
            turns.append((ms, player, move))
            if player == EVE and turn == 30:
                turns.append((ms + 1_500, player, ""))
                turns += [(ms + 2_000 + 40 * again, player, moves[again]) for again in range(turn + 1)]
                ms += 4_000
    for ms, player, move in sorted(turns):
        scribe.now_ms = start_ms + ms
        if move:
            scribe.move(player, move)
        else:
            member = scribe.race.members[player]
            scribe.do(core.Restart(player, member.session, member.last_c + 1, member.n))
    for player in (BEN, EVE):
        member = scribe.race.members[player]
        scribe.do(core.Resign(player, member.session, member.last_c + 1))
    return scribe
