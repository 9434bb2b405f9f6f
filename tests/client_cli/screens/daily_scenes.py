"""Screens of the deal of the day, worth a picture: the same each time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from client_cli.screens.after import AfterScreen
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.race import RaceScreen
from protocol import commands
from server.daily import almanac
from server.daily.calendar import shifted, starts_ms
from server.daily.keys import make_key
from server.daily.naming import Daily
from server.daily.referee import Result
from server.daily.rows import puts
from server.race.state import PlayerId
from server.store.sqlite import open_sqlite
from tests.client_cli.screens.house import Person, person
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, house
from tests.solutions import moves_of

DAY: Final = "2026-11-30"
NOON: Final = starts_ms(DAY) + 12 * 3_600_000
SINCE: Final = shifted(DAY, -40)
MOVES: Final = moves_of()
AT_ONCE: Final = 10
"""Moves that are played without the clock going on."""

NAMES: Final = ("bob", "cleo", "dan", "eve", "fay", "gil", "hal", "ida", "joe", "kim", "lea", "max")


@asynccontextmanager
async def calendar(folder: Path) -> AsyncIterator[House]:
    """A server at noon that has had dailies for weeks; those for four cells are deal 1, for two deal 2."""
    store = await open_sqlite(folder / "races.sqlite", FakeClock(starts_ms(SINCE)))
    await make_key(store)
    await store.close()
    with patch.object(almanac, "deal_of", lambda _, cells: 1 if cells == 4 else 2):
        async with house(folder, clock=FakeClock(NOON)) as server:
            yield server


async def put(server: House, name: str, ms: int, *, day: str = DAY, cells: int = 4, **more: object) -> None:
    """A result as its row tells it, without the attempt."""
    fields: dict[str, object] = {"won": True, "actions": 90 + ms % 30, "taken_back": 0, "hinted": False}
    player = more.pop("player", None) or PlayerId((name * 16)[:16])
    result = Result(Daily(day, cells), player, name, ms=ms, curve=(), **{**fields, **more})  # type: ignore[arg-type]  # as they fit
    for table, row in puts(result):
        assert await server.node.store.results.put_if_absent(table, row.key, row.score, row.data)


async def win(ann: Person, server: House, *, ms: int = 183_456) -> None:
    """Begin the ranked attempt and win it, in so much time."""
    await ann.press("s", "y")
    await ann.reaches(RaceScreen)
    chunks = [MOVES[first : first + AT_ONCE] for first in range(0, len(MOVES), AT_ONCE)]
    spent = 0
    for place, moves in enumerate(chunks, 1):
        await server.clock.advance(ms * place // len(chunks) - spent)
        spent = ms * place // len(chunks)
        await ann.plays(moves)
    await ann.reaches(AfterScreen)


@asynccontextmanager
async def daily(
    folder: Path, size: tuple[int, int], *options: str, played: bool = True
) -> AsyncIterator[tuple[Person, House]]:
    """Noon of a day that others have played; ann too, in most of the scenes."""
    async with calendar(folder) as server:
        for place, name in enumerate(NAMES):
            await put(server, name, 141_207 + 20_150 * place, taken_back=place % 3, hinted=place % 4 == 1)
            if place % 3 == 0:
                await put(server, name, 901_333 + 60_457 * place, cells=2)
        here = ("--server", server.url)
        async with person(folder, "ann", *here, *options, size=size, now_ms=server.clock.now_ms) as ann:
            await ann.reaches(HomeScreen)
            await ann.press("d")
            await ann.reaches(DailyScreen)
            await ann.until(lambda: len(ann.app.desk.answers.records) == 2)
            await past(server, ann.app.desk.player)
            if played:
                await win(ann, server)
                await ann.press("q")
                await ann.reaches(DailyScreen)
            await fresh(ann)
            yield ann, server


async def past(server: House, player: str) -> None:
    """What ann has played on the days before."""
    for back in range(1, 9):
        day = shifted(DAY, -back)
        if back != 6:
            await put(server, "ann", 150_000 + 7_351 * back, day=day, player=player, won=back != 4)
        for place, name in enumerate(NAMES[: 3 + back]):
            await put(server, name, 120_111 + 13_577 * place, day=day)


async def fresh(ann: Person) -> None:
    """Let everything that is shown be asked for anew, and drawn."""
    ann.app.desk.answers = type(ann.app.desk.answers)(ann.app.desk.answers.today)
    await ann.app.desk.ask_day()
    await ann.until(lambda: len(ann.app.desk.answers.records) == 2)
    await ann.ticks()


@asynccontextmanager
async def boards(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, House]]:
    """The leaderboard of the day."""
    async with daily(folder, size, *options) as (ann, server):
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        await ann.until(lambda: ann.app.desk.shown_board is not None)
        await ann.press("down", "down")
        await ann.ticks()
        yield ann, server


@asynccontextmanager
async def me(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, House]]:
    """What ann has done on all days."""
    async with daily(folder, size, *options) as (ann, server):
        await ann.press("m")
        await ann.reaches(MeScreen)
        await ann.ticks()
        yield ann, server


@asynccontextmanager
async def haunted(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, House]]:
    """The middle of ann's ranked attempt, against the ghost of bob, who has won before her."""
    async with calendar(folder) as server:
        bob = await server.guest("bob")
        await run(bob, server, 141_207)
        here = ("--server", server.url)
        async with person(folder, "ann", *here, *options, size=size, now_ms=server.clock.now_ms) as ann:
            await ann.reaches(HomeScreen)
            await ann.press("d")
            await ann.reaches(DailyScreen)
            await ann.until(lambda: len(ann.app.desk.answers.records) == 2)
            await ann.press("g", "down", "enter")
            await ann.until(lambda: ann.app.desk.haunt)
            await ann.press("s", "y")
            await ann.reaches(RaceScreen)
            await ann.until(lambda: ann.app.link.ghost is not None)
            await server.clock.advance(100_000)
            await ann.plays(MOVES[:40])
            await ann.until(lambda: not ann.table._frames)
            await ann.ticks()
            yield ann, server


async def run(player: Player, server: House, ms: int) -> str:
    """Somebody begins his ranked attempt and wins it, in so much time; its name."""
    race = await player.attempt(DAY)
    spent = 0
    for place, move in enumerate(MOVES, 1):
        await server.clock.advance(ms * place // len(MOVES) - spent)
        spent = ms * place // len(MOVES)
        await player.did(commands.Move, race, move=move)
    return race


@asynccontextmanager
async def ended(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, House]]:
    """Ann's ranked attempt is over, and won."""
    async with haunted(folder, size, *options) as (ann, server):
        await server.clock.advance(20_000)
        await ann.plays(MOVES[40:])
        await ann.reaches(AfterScreen)
        await ann.until(lambda: "▁" in ann.text or "0000" in ann.text, "no result")
        await ann.pilot.pause()
        yield ann, server
