"""The full screen in this process, driven by keys and mouse, at a real server in the same event loop."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from client_cli import language
from client_cli.cli import build_parser
from client_cli.identity import server_key
from client_cli.screens.app import RaceApp
from client_cli.screens.board_view import Spot, spot_at
from client_cli.screens.card_table import CardTable
from client_cli.screens.link import Link
from client_cli.screens.race import RaceScreen
from client_cli.screens.room import Room
from client_cli.screens.seating import Seating
from client_cli.session import Session
from client_cli.wiring import Server
from client_cli.world import World, monotonic_ms
from protocol.commands import Create, Join, Move, Settings, Watch
from protocol.views import Board
from tests.end_to_end.player import Player

PATIENCE_S = 20.0
DEAL_1 = Settings(deal=1, countdown_s=0, watch="live")


class Clock:
    """The clock behind the screen, which the test moves."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> int:
        return self.ms


class Person:
    """Somebody at a screen."""

    def __init__(self, app: RaceApp, pilot: Pilot[str]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def until(self, condition: Callable[[], object], what: str = "it never came about") -> None:
        """Wait for something; screens, threads and sockets get their moments meanwhile."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():
                    await self.pilot.pause()
        except TimeoutError:
            raise AssertionError(f"{what}; the screen:\n{self.text}") from None

    async def reaches(self, room: type[Room]) -> None:
        """Wait for a screen."""
        await self.until(lambda: isinstance(self.app.screen, room), f"no {room.__name__}")
        await self.pilot.pause()

    async def reads(self, text: str) -> None:
        """Wait until that stands somewhere on the screen."""
        await self.until(lambda: text in self.text, f"{text!r} was never shown")

    async def reads_wrapped(self, text: str) -> None:
        """The same for a text that may stand on several lines, in a frame or not."""
        await self.until(
            lambda: text in " ".join(self.text.replace("│", " ").split()), f"{text!r} was never shown"
        )

    async def click(self, spot: Spot, *, twice: bool = False) -> None:
        """Click on a card or an empty place of the board."""
        do = self.pilot.double_click if twice else self.pilot.click
        assert await do(CardTable, offset=place_of(self.table, spot))

    async def drag(self, spot: Spot, dest: Spot) -> None:
        """Draw cards from there to there."""
        await self.pilot.mouse_down(CardTable, offset=place_of(self.table, spot))
        await self.pilot.hover(CardTable, offset=place_of(self.table, dest))
        await self.pilot.mouse_up(CardTable, offset=place_of(self.table, dest))

    async def plays(self, moves: Iterable[str]) -> None:
        """Ask for moves without a key for each: of a whole race only the ends are worth the time."""
        for move in moves:
            await self.app.link.ask(Move("", 0, 0, move))
        await self.settled()

    @property
    def table(self) -> CardTable:
        """The board on the screen."""
        return self.app.screen.query_one(CardTable)

    @property
    def board(self) -> Board:
        """The board at the seat."""
        assert self.session.board is not None
        return self.session.board

    async def settled(self) -> None:
        """Wait until the server has answered everything."""
        await self.until(lambda: self.session.is_settled)
        await self.pilot.pause()

    async def ticks(self) -> None:
        """Let the screen look at the clock, as it does now and then."""
        self.app.tick()
        await self.pilot.pause()

    @property
    def session(self) -> Session:
        assert self.app.link.session is not None
        return self.app.link.session

    @property
    def text(self) -> str:
        """What stands on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text.rstrip() for strip in strips)


@asynccontextmanager
async def person(
    folder: Path,
    name: str,
    *options: str,
    seating: Seating | None = None,
    size: tuple[int, int] = (120, 40),
    environment: dict[str, str] | None = None,
    now_ms: Callable[[], int] = monotonic_ms,
) -> AsyncIterator[Person]:
    """Somebody who sits down at a screen, by a clock that may be another than the real one."""
    home = folder / name
    args = build_parser().parse_args(["home", "--name", name, *options])
    world = World(
        {"CELLRACE_HOME": str(home), "TERM": "xterm", **(environment or {})}, 0, Utf8(), True, now_ms
    )
    language.use(language.language_of(args.lang, world.environment))
    app = RaceApp(args, world, seating)
    async with app.run_test(size=size) as pilot:
        yield Person(app, pilot)


async def sits_with(bob: Player, ann: Person) -> str:
    """Bob takes a seat in the lobby of the race that ann hosts; its code."""
    await ann.reads("settings (e)")
    await bob.sit(ann.session.race)
    await ann.reads(bob.name)
    # Who has come a moment ago is taken to be there, even if the server does not say so: past that moment.
    await ann.until(lambda: bob.id in (ann.session.here or ()) and not ann.session.arrived)
    return ann.session.race


async def races_with(bob: Player, ann: Person) -> str:
    """The same, and she starts it."""
    race = await sits_with(bob, ann)
    await ann.press("s")
    await ann.reaches(RaceScreen)
    await ann.settled()
    await bob.reach(race, "running")
    return race


def stands_still(somebody: Person, link: Link | None = None) -> list[bool]:
    """Let no time pass before the next attempt, or it would be made by itself; one entry a wait."""
    talk, asleep = (link or somebody.app.link)._conversation, list[bool]()
    assert talk is not None

    async def forever(_: float) -> None:
        asleep.append(True)
        await asyncio.Event().wait()

    talk._around = replace(talk._around, sleep=forever)
    return asleep


class Utf8(io.StringIO):
    """An output that can carry the suits."""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the base class has an attribute there
        return "utf-8"


def hosting(url: str, settings: Settings = DEAL_1, **more: Any) -> Seating:
    """A race of one's own on a server."""
    server = Server(url, server_key(url))
    return Seating(server, Session(Create("an-id-for-tests", settings)), url, **more)


def joining(url: str, race: str) -> Seating:
    """A seat in somebody's race."""
    return Seating(Server(url, server_key(url)), Session(Join(race)), url)


def watching(url: str, race: str, **more: Any) -> Seating:
    """A place among those who watch somebody's race."""
    return Seating(Server(url, server_key(url)), Session(Watch(race)), url, **more)


def place_of(table: CardTable, spot: Spot) -> tuple[int, int]:
    """A cell of the board on which that spot is drawn."""
    assert table.shown is not None
    for y in range(table.size.height):
        for x in range(table.size.width):
            if spot_at(table.shown, table._shape, x, y) == spot:
                return x, y
    raise AssertionError(f"{spot} is not drawn")
