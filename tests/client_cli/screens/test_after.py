"""After the race: standings, everybody's board, the result to copy, the rematch."""

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from client_cli.screens.after import AfterScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.wall import WallScreen
from protocol import commands, events
from tests.client_cli.screens.house import Person, hosting, person, races_with, watching
from tests.client_cli.screens.watching_scenes import after
from tests.end_to_end.player import Player
from tests.server.gateway.house import House
from tests.server.gateway.judging import Oracle, by_cards_in_cells


@pytest.fixture
async def bob(server: House) -> Player:
    return await server.guest("bob")


@pytest.fixture
async def ann(tmp_path: Path, server: House, bob: Player) -> AsyncIterator[Person]:
    """Ann, after a race in which she and bob have resigned, bob with a card in a cell."""
    async with person(tmp_path, "ann", seating=hosting(server.url)) as somebody:
        race = await races_with(bob, somebody)
        await bob.did(commands.Move, race, move="5d")
        await bob.did(commands.Resign, race)
        await somebody.reads("bob: resigned")
        await somebody.press("x", "y")
        await somebody.reaches(AfterScreen)
        yield somebody


async def test_standings(ann: Person) -> None:
    await ann.reads("The race is over.")
    assert ann.text.count("  resigned") == 2
    assert "the last board of ann" in ann.text


async def test_that_the_deal_was_not_the_promised_one_is_told_to_the_end(ann: Person) -> None:
    talk = ann.app.link._conversation
    assert talk is not None
    assert "NOT the deal" not in ann.text
    talk.session = replace(talk.session, promise="0" * 64)
    for key in ("tab", "l"):
        await ann.press(key)
        await ann.reads("NOT the deal you saw promised: 1")
    await ann.pilot.resize_terminal(80, 24)
    await ann.reads("NOT the deal you saw promised: 1")


async def test_the_way_out_is_there_where_room_is_short(ann: Person) -> None:
    await ann.reads("copy result (k)")
    await ann.pilot.resize_terminal(80, 24)
    await ann.until(lambda: "copy result (k)" not in ann.text)
    assert "home (q)" in ann.text
    await ann.pilot.resize_terminal(120, 40)
    await ann.reads("copy result (k)")


async def test_everybodys_board(ann: Person) -> None:
    await ann.press("tab")
    await ann.reads("the last board of bob")
    await ann.until(lambda: ann.table.shown is not None and ann.table.shown.cells[3] == "6C")
    await ann.press("tab")
    await ann.reads("the last board of ann")
    assert ann.table.shown == ann.board
    await ann.press("tab")
    await ann.until(lambda: ann.table.shown is not None and ann.table.shown.cells[3] == "6C")


async def test_until_when_a_game_could_be_won(tmp_path: Path) -> None:
    async with after(tmp_path, (120, 40), assessor=Oracle(by_cards_in_cells)) as (walt, _):
        await walt.press("tab", "tab")
        await walt.reads("the last board of Ben: winnable within 1")
        await walt.press("e")
        await walt.reads("Ben's game")
        await walt.reads("could be won to the end")
        await walt.reads("the boards of Ben and Ana first differed at step 96")
        await walt.press("escape")
        await walt.reads("the last board of Ben: winnable within 1")


async def test_the_result_is_copied(ann: Person) -> None:
    await ann.press("k")
    await ann.reads("copied")
    assert re.fullmatch(
        r"cellrace deal 1, 4 free cells, not won, \d of 52 home, \d+ actions? [▁▂▃▄▅▆▇█]{12}",
        ann.app.clipboard,
    )


async def test_what_was_said_does_not_stand_below_a_replay(ann: Person) -> None:
    await ann.press("k")
    await ann.reads("copied")
    await ann.press("p")
    await ann.reaches(ReplayScreen)
    assert "copied" not in ann.text


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


async def test_what_is_said_of_the_way_into_a_race_is_not_said_of_its_rematch(
    tmp_path: Path, server: House
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, word="port 2 was taken")) as ann:
        await ann.reads("port 2 was taken")
        race = ann.session.race
        await ann.press("s")
        await ann.reaches(RaceScreen)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("m")
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you, host)")
        assert ann.session.race != race
        assert "port 2" not in ann.text


async def test_who_raced_alone_is_not_sent_to_a_lobby_by_a_rematch(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), size=(80, 24)) as ann:
        await ann.reaches(RaceScreen)
        race = ann.session.race
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("m")
        await ann.until(lambda: ann.session.race != race and ann.session.is_racing)
        await ann.reaches(RaceScreen)


async def test_only_buttons_that_are_whole_and_of_use_are_shown(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), size=(80, 24)) as ann:
        await ann.reaches(RaceScreen)
        await ann.plays(["5a"])
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.reads("home (q)")
        await ann.press("l")
        await ann.reads("next board (Tab)")
        await ann.reads("home (q)")


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_home(ann: Person, key: str) -> None:
    await ann.reads("home (q)")
    await ann.reads("q home")
    await ann.press(key)
    await ann.reaches(HomeScreen)
    await ann.reads("Races you were in:")


async def test_the_race_as_lines_and_where_it_was_decided(tmp_path: Path) -> None:
    async with after(tmp_path, (80, 24)) as (walt, _):
        assert "Ana led for good from 2:28 on" in walt.text
        await walt.press("l")
        await walt.reads("Ana: 1st 2:52.700, 115 actions")
        await walt.press("l")
        await walt.reads("Ana led for good from 2:28 on")
        chart = "".join(line[:38] for line in walt.text.splitlines()[1:-4])
        assert set("ABC") <= set(chart)
        await walt.press(*["left"] * 60)
        await walt.reads("0:00  A Ana 0  B Ben 0  C Eve 0")
        await walt.press("tab")
        await walt.reads("Ana: 1st 2:52.700, 115 actions")
        await walt.press("tab")
        await walt.reads("the last board of Ben")


async def test_where_there_is_room_board_and_lines_at_once(tmp_path: Path) -> None:
    async with after(tmp_path, (120, 40)) as (walt, _):
        await walt.press("tab")
        await walt.reads("Ana: 1st 2:52.700, 115 actions")
        assert "Ana led for good from 2:28 on" in walt.text
        await walt.press("right")
        await walt.reads("A Ana 52  B Ben")


async def test_who_watched_is_offered_no_rematch_until_there_is_one(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await server.race(bob)
    await bob.did(commands.Resign, race)
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.reaches(AfterScreen)
        assert "rematch" not in walt.text
        await bob.did(commands.Rematch, race)
        await walt.reads("rematch (m)")
        await walt.reads(f"race {race} has a rematch: press m to watch it")
        await walt.press("m")
        await walt.reaches(WallScreen)
        await walt.reads("waiting for the start")
        assert walt.session.race != race


async def test_a_race_that_never_began_has_nothing_to_look_at(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await server.lobby(bob)
    await bob.did(commands.Leave, race)
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.reaches(AfterScreen)
        assert "replay" not in walt.text
        await walt.press("p", "e", "l", "tab", "left")
        await walt.reads("The race is over.")
        assert isinstance(walt.app.screen, AfterScreen)
