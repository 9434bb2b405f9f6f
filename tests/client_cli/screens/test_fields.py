"""Fields to write in: what is typed is read on the screen, in every field there is."""

from pathlib import Path

import pytest
from textual.widgets import Input

from client_cli.screens.after import AfterScreen
from client_cli.screens.forms import SettingsWindow
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.wall import WallScreen
from client_cli.screens.widgets import ChatInput
from client_cli.settings import LABELS
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Person, hosting, person, watching
from tests.client_cli.screens.scenes import LOOKS, SIZES
from tests.server.gateway.house import House


async def reads_what_is_typed(ann: Person, field: str) -> None:
    """Type into a field and read it, letter by letter, in the row where the field is."""
    shown = ann.app.screen.query_one(field, Input)
    shown.focus()
    await ann.until(lambda: ann.app.focused is shown)
    shown.value = ""
    await ann.press(*"zebra")
    row = shown.content_region
    assert row.height == 1, field
    await ann.until(lambda: "zebra" in ann.text.splitlines()[row.y][row.x : row.right], field)


async def reads_what_is_said(ann: Person) -> None:
    """The line to the others: first what it is for, then the letters; Enter sends them."""
    await ann.press("t")
    await ann.reads("; Enter sends, Esc does not")
    await reads_what_is_typed(ann, "ChatInput")
    await ann.press("enter")
    await ann.reads("ann: zebra")
    assert not ann.app.screen.query_one(ChatInput).display


@pytest.mark.parametrize(("size", "look"), [*zip(SIZES, ("colour", "ascii", "no-color"), strict=True)])
async def test_what_is_said_is_read_while_it_is_typed(
    tmp_path: Path, server: House, size: tuple[int, int], look: str
) -> None:
    async with person(tmp_path, "ann", *LOOKS[look], seating=hosting(server.url), size=size) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you")
        await reads_what_is_said(ann)
        await ann.press("s")
        await ann.reaches(RaceScreen)
        await reads_what_is_said(ann)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await reads_what_is_said(ann)


async def test_who_watches_reads_what_he_types(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await bob.create(DEAL_1)
    async with person(tmp_path, "ann", seating=watching(server.url, race), size=(120, 40)) as ann:
        await ann.reaches(WallScreen)
        await ann.until(lambda: ann.session.picture is not None)
        await bob.did(commands.Start, race)
        await ann.reads("0/52")
        await reads_what_is_said(ann)


async def test_what_is_typed_on_the_first_screen_and_in_the_settings(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", size=(80, 24)) as ann:
        await ann.reaches(HomeScreen)
        for field in ("#name", "#server", "#code"):
            await reads_what_is_typed(ann, field)
    async with person(tmp_path, "ann", seating=hosting(server.url), size=(80, 24)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you")
        await ann.press("e")
        await ann.until(lambda: isinstance(ann.app.screen, SettingsWindow))
        for name in LABELS:
            await reads_what_is_typed(ann, f"#{name}")
