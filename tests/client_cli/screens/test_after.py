"""After the race: standings, everybody's board, the result to copy, the rematch."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client_cli.screens.after import AfterScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from protocol import commands, events
from tests.client_cli.screens.house import Person, hosting, person
from tests.end_to_end.player import Player
from tests.server.gateway.house import House


@pytest.fixture
async def bob(server: House) -> Player:
    return await server.guest("bob")


@pytest.fixture
async def ann(tmp_path: Path, server: House, bob: Player) -> AsyncIterator[Person]:
    """Ann, after a race in which she and bob have resigned, bob with a card in a cell."""
    async with person(tmp_path, "ann", seating=hosting(server.url)) as somebody:
        await somebody.reads("settings (e)")
        await bob.sit(somebody.session.race)
        await somebody.reads("bob")
        await somebody.press("s")
        await bob.reach(somebody.session.race, "running")
        await bob.did(commands.Move, somebody.session.race, move="5d")
        await bob.did(commands.Resign, somebody.session.race)
        await somebody.reads("bob: resigned")
        await somebody.press("x", "y")
        await somebody.reaches(AfterScreen)
        yield somebody


async def test_standings(ann: Person) -> None:
    await ann.reads("The race is over.")
    assert ann.text.count("  resigned") == 2
    assert "the last board of ann" in ann.text


async def test_everybodys_board(ann: Person) -> None:
    await ann.press("b")
    await ann.reads("the last board of bob")
    await ann.until(lambda: ann.table.shown is not None and ann.table.shown.cells[3] == "6C")
    await ann.press("b")
    await ann.reads("the last board of ann")
    assert ann.table.shown == ann.board
    await ann.press("b")
    await ann.until(lambda: ann.table.shown is not None and ann.table.shown.cells[3] == "6C")


async def test_the_result_is_copied(ann: Person) -> None:
    await ann.press("c")
    await ann.reads("copied")
    assert ann.app.clipboard.startswith("cellrace deal 1: ")
    assert "bob resigned" in ann.app.clipboard
    assert ann.session.race in ann.app.clipboard


async def test_a_rematch(ann: Person, bob: Player) -> None:
    race = ann.session.race
    await ann.press("m")
    await ann.reaches(LobbyScreen)
    await ann.until(lambda: ann.session.race not in {race, ""})
    await bob.start(commands.Rematch, race)
    ready = await bob.hear(events.RematchReady)
    await bob.sit(ready.next)
    await ann.reads("bob")
    assert ready.next == ann.session.race


async def test_home(ann: Person) -> None:
    await ann.press("escape")
    await ann.reaches(HomeScreen)
    await ann.reads("Races you were in:")
