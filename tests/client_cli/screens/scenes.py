"""Screens worth a picture: the same each time, but for the race's code and the server's port."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console

from client_cli.screens.after import AfterScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from protocol import commands
from tests.client_cli.screens.house import Person, hosting, person
from tests.end_to_end.player import Player
from tests.server.gateway.house import house
from tests.solutions import moves_of

SIZES = ((80, 24), (120, 40), (200, 60))
LOOKS = {
    "colour": (),
    "four-colours": ("--four-colors",),
    "contrast": ("--high-contrast",),
    "ascii": ("--ascii",),
    "no-color": ("--no-color",),
}
CHOICES: Final[dict[str, set[str]]] = {
    "colour": set(),
    "four-colours": {"four_colours"},
    "contrast": {"contrast"},
    "ascii": {"letters"},
}
"""What is chosen for a look that need not be asked for at the start."""

STARTS = ("colour", "no-color")
"""The looks to start with, which show all of them by and by."""


async def looks(somebody: Person, start: str) -> AsyncIterator[str]:
    """Every look that can be had after a start with that one, one after another; their names."""
    if start not in CHOICES:
        yield start
        return
    for look, chosen in CHOICES.items():
        for name in ("four_colours", "contrast", "letters"):
            somebody.app.change_look(name, value=name in chosen)
        await somebody.pilot.pause()
        yield look


@asynccontextmanager
async def lobby(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, Player]]:
    """Ann, who hosts, and bob, who is ready."""
    async with house(folder) as server:
        bob = await server.guest("bob")
        seating = hosting(server.url)
        async with person(folder, "ann", *options, seating=seating, size=size, now_ms=lambda: 0) as ann:
            await ann.reaches(LobbyScreen)
            await ann.until(lambda: ann.session.phase == "lobby")
            await bob.sit(ann.session.race)
            await bob.did(commands.Ready, ann.session.race)
            await bob.did(commands.Say, ann.session.race, text="good luck!")
            await ann.reads("bob: good luck!")
            yield ann, bob


@asynccontextmanager
async def race(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, Player]]:
    """The middle of a race: bob is ahead, and ann has picked up a card."""
    async with lobby(folder, size, *options) as (ann, bob):
        await ann.press("s")
        await ann.reaches(RaceScreen)
        moves = moves_of()
        await bob.reach(ann.session.race, "running")
        for move in moves[:24]:
            await bob.did(commands.Move, ann.session.race, move=move)
        await ann.plays(moves[:14])
        await ann.until(lambda: max(racer.actions for racer in ann.session.racers) == 24)
        await ann.until(lambda: ann.session.me is not None and ann.session.me.actions == 14)
        await ann.until(lambda: not ann.table._frames)
        await ann.press("8")
        await ann.until(lambda: ann.table.view is not None and ann.table.view.reach)
        await ann.settled()
        await ann.pilot.pause()
        yield ann, bob


@asynccontextmanager
async def after(folder: Path, size: tuple[int, int], *options: str) -> AsyncIterator[tuple[Person, Player]]:
    """The end: both have resigned."""
    async with race(folder, size, *options) as (ann, bob):
        await bob.did(commands.Resign, ann.session.race)
        await ann.reads("bob: resigned")
        await ann.press("escape", "x", "y")
        await ann.reaches(AfterScreen)
        await ann.until(lambda: all(racer.state == "resigned" for racer in ann.session.racers))
        await ann.pilot.pause()
        yield ann, bob


def drawn(somebody: Person) -> str:
    """The screen with its colours, as a terminal gets them; what differs each time is replaced."""
    width, height = somebody.app.size
    out = StringIO()
    no_colour = not somebody.app.look.colour
    console = Console(
        file=out,
        width=width,
        height=height,
        color_system="truecolor",
        no_color=no_colour,
        force_terminal=True,
    )
    for strip in somebody.app.screen._compositor.render_strips():
        out.write(strip.render(console) + "\n")
    return told_apart(somebody, out.getvalue())


def told_apart(somebody: Person, text: str) -> str:
    """The text with the race's code and the port replaced by what takes as much room."""
    session = somebody.app.link.session
    text = text.replace(session.race, "ABCDEFGH") if session is not None else text
    return re.sub(r"127\.0\.0\.1:\d{5}", "127.0.0.1:00000", text)
