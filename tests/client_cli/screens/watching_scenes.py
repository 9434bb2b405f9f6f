"""Screens of those who watch, worth a picture: the same each time, but for code and port."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from client_cli.screens.wall import WallScreen
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Person, person, solution, watching
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, house

NAMES: Final = ("ann", "bob", "cleo", "dan", "eve", "fay", "gil", "hal")


@asynccontextmanager
async def wall(
    folder: Path, size: tuple[int, int], *options: str, racers: int = 4, actions: int = 30
) -> AsyncIterator[tuple[Person, list[Player]]]:
    """Somebody watches the middle of a race of so many."""
    async with house(folder) as server:
        guests = [await server.guest(name) for name in NAMES[:racers]]
        race = await server.race(*guests, settings=DEAL_1)
        await run(server, guests, race, actions)
        seating, now_ms = watching(server.url, race), server.clock.now_ms
        async with person(folder, "walt", *options, seating=seating, size=size, now_ms=now_ms) as walt:
            await walt.reaches(WallScreen)
            await walt.until(lambda: walt.app.link.curves.of and walt.session.watchers)
            await walt.ticks()
            yield walt, guests


async def run(server: House, guests: list[Player], race: str, actions: int) -> None:
    """Let everybody move, each at a pace of his own; the first makes `actions` moves."""
    moves = solution().split()
    paces = [(700 + 400 * place, iter(moves[: actions - 3 * place])) for place, _ in enumerate(guests)]
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
