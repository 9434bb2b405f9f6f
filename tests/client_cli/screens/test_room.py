"""What all screens share: a terminal that is too small, and how long a line of notices stays."""

import asyncio
from pathlib import Path

import pytest

from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.room import READING_MS
from client_cli.screens.wall import WallScreen
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Clock, Person, hosting, person, watching
from tests.end_to_end.bad_line import bad_line
from tests.server.gateway.house import House

SMALL = (60, 20)


@pytest.mark.parametrize("size", [SMALL, (80, 23), (79, 24)])
async def test_no_race_begins_before_there_is_room_for_its_cards(
    tmp_path: Path, server: House, size: tuple[int, int]
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), size=size) as ann:
        await ann.reads_wrapped(f"The terminal has {size[0]} x {size[1]} cells; this needs 80 x 24.")
        await ann.reads_wrapped("leave with Ctrl+Q and start again with --text")
        await ann.ticks()
        assert ann.app.link.session is None
        await ann.pilot.resize_terminal(80, 24)
        await ann.reaches(RaceScreen)
        await ann.reads("deal 1")


async def test_a_key_does_nothing_on_a_screen_that_cannot_be_seen_but_to_leave(tmp_path: Path) -> None:
    async with person(tmp_path, "ann", size=SMALL) as ann:
        await ann.reaches(HomeScreen)
        await ann.reads("The terminal has")
        await ann.press("p", "o", "d", "question_mark")
        assert isinstance(ann.app.screen, HomeScreen)
        assert ann.app.link.session is None
        await ann.press("ctrl+q")
        await ann.until(lambda: not ann.app.is_running)


async def test_the_question_whether_to_leave_fits_where_a_terminal_has_become_small(
    tmp_path: Path, server: House
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        await ann.pilot.resize_terminal(*SMALL)
        await ann.press("ctrl+q")
        await ann.reads("leave (y)")
        await ann.reads("no (n)")
        assert next(line for line in ann.text.splitlines() if "╮" in line).index("╭") == 0


async def refused(ann: Person) -> None:
    await ann.reaches(RaceScreen)
    await ann.settled()
    await ann.press("5", "h")
    await ann.reads("5h: ")


async def test_a_refusal_goes_with_the_next_key_once_it_could_be_read(tmp_path: Path, server: House) -> None:
    clock = Clock()
    async with person(
        tmp_path, "ann", seating=hosting(server.url, starts=True), now_ms=clock, size=(80, 24)
    ) as ann:
        await refused(ann)
        clock.ms += READING_MS - 1
        await ann.press("6")
        assert "5h: " in ann.text, "it has hardly been seen"
        clock.ms += 1
        await ann.press("escape")
        await ann.until(lambda: "5h: " not in ann.text)


async def test_a_refusal_goes_with_a_click(tmp_path: Path, server: House) -> None:
    clock = Clock()
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), now_ms=clock) as ann:
        await refused(ann)
        clock.ms += READING_MS
        await ann.pilot.click("#board", offset=(3, 5))
        await ann.until(lambda: "5h: " not in ann.text)


async def test_what_a_key_says_stays(tmp_path: Path, server: House) -> None:
    clock = Clock()
    async with person(tmp_path, "ann", seating=hosting(server.url), now_ms=clock) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you")
        for _ in range(2):
            clock.ms += READING_MS
            await ann.press("c")
            await ann.reads("copied")
        await ann.press("question_mark", "escape")
        await ann.reads("copied")


async def test_that_a_watched_race_was_out_of_reach_is_no_news_once_it_is_back(
    tmp_path: Path, server: House
) -> None:
    bob, cleo = await server.guest("bob"), await server.guest("cleo")
    near, far = await server.race(bob, settings=DEAL_1), await server.race(cleo, settings=DEAL_1)
    async with bad_line(server.url) as line:
        seating = watching(line.url, near, beside=(far,))
        async with person(tmp_path, "walt", seating=seating) as walt:
            await walt.reaches(WallScreen)
            await walt.until(lambda: len(walt.app.screen.query("#wall")) and "cleo" in walt.text)
            line.carrying.clear()
            walt.app.sidelines.links[0].drop()
            await walt.reads("trying again")
            line.carrying.set()
            async with asyncio.timeout(20):
                await cleo.did(commands.Move, far, move="5a")
            await walt.until(lambda: "trying again" not in walt.text)
