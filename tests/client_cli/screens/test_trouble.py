"""When the net fails, when the seat is taken elsewhere, when the server goes."""

import asyncio
from pathlib import Path

import pytest

from client_cli import reaching
from client_cli.connection import Over
from client_cli.screens.after import AfterScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.dialogs import Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.wall import WallScreen
from protocol.commands import Leave
from tests.client_cli.screens.house import (
    DEAL_1,
    hosting,
    joining,
    person,
    stands_still,
    watching,
)
from tests.end_to_end.bad_line import bad_line
from tests.end_to_end.process import server_process
from tests.server.gateway.house import House


async def test_a_lost_connection_is_said_at_once_and_the_board_is_the_same(
    tmp_path: Path, server: House
) -> None:
    async with (
        bad_line(server.url) as line,
        person(tmp_path, "ann", seating=hosting(line.url, starts=True)) as ann,
    ):
        await ann.reaches(RaceScreen)
        await ann.settled()
        await ann.press("5", "a")
        await ann.settled()
        line.carrying.clear()
        await ann.press("5", "b")
        await ann.reads("waiting for the server")
        await ann.reads("b…")
        line.cut_all()
        await ann.reads("trying again")
        await ann.press("5", "c")
        line.carrying.set()
        await ann.settled()
        assert ann.board.cells == ("6C", "8H", "4H", None)
        await ann.until(lambda: "trying again" not in ann.text)
        assert ann.board.actions == 3


async def test_who_does_not_want_to_wait_tries_at_once(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        assert "try now" not in ann.text
        await ann.press("f5")
        asleep = stands_still(ann)
        ann.app.link.drop()
        await ann.reads("or now with F5; what you do meanwhile is sent then")
        await ann.reads("? help  F5 try now")
        await ann.press("5", "a")
        await ann.press("f5")
        await ann.settled()
        await ann.until(lambda: "F5" not in ann.text)
        assert ann.board.cells[0] == "6C"
        assert asleep == [True]


async def test_the_desk_is_reached_again_at_once(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await ann.press("d")
        await ann.reaches(DailyScreen)
        await ann.until(lambda: ann.app.desk.player)
        stands_still(ann, ann.app.desk.link)
        ann.app.desk.link.drop()
        await ann.reads("F5 try now")
        await ann.press("f5")
        await ann.until(lambda: "F5" not in ann.text)


async def test_that_it_is_tried_is_said_while_it_lasts(tmp_path: Path, server: House) -> None:
    async with (
        bad_line(server.url) as line,
        person(tmp_path, "ann", seating=hosting(line.url, starts=True)) as ann,
    ):
        await ann.reaches(RaceScreen)
        await ann.settled()
        stands_still(ann)
        line.carrying.clear()
        line.cut_all()
        await ann.reads("F5 try now")
        await ann.press("f5")
        await ann.reads("! trying to connect ...")
        await ann.until(lambda: "F5" not in ann.text)
        line.carrying.set()
        await ann.until(lambda: "trying" not in ann.text)


async def test_a_network_that_falls_silent_is_noticed(
    tmp_path: Path, server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reaching.PING_S + reaching.ANSWER_S <= 10
    monkeypatch.setattr(reaching, "PING_S", 0.05)
    monkeypatch.setattr(reaching, "ANSWER_S", 0.2)
    async with (
        bad_line(server.url) as line,
        person(tmp_path, "ann", seating=hosting(line.url, starts=True)) as ann,
    ):
        await ann.reaches(RaceScreen)
        await ann.settled()
        stands_still(ann)
        line.carrying.clear()
        await ann.reads("F5 try now")
        line.carrying.set()
        await ann.press("f5")
        await ann.until(lambda: not ann.app.trouble)


async def test_who_gets_no_answer_can_leave_a_lobby(tmp_path: Path, server: House) -> None:
    async with bad_line(server.url) as line, person(tmp_path, "ann", seating=hosting(line.url)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.settled()
        line.carrying.clear()
        await ann.press("q", "q")
        await ann.reads("the server does not answer: q again goes home")
        assert sum(isinstance(command, Leave) for command in ann.session.speech.unanswered) == 1
        await ann.press("q")
        await ann.reads_wrapped("may still be kept")
        await ann.press("escape")
        await ann.reaches(HomeScreen)


async def test_news_that_comes_as_the_program_ends_is_no_matter(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        ann.app.exit()
    assert ann.app.room is None
    await ann.app.on_race_app_came(ann.app.Came(Over("it is over"), ann.app.link))


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_screen_may_be_drawn_once_more_after_its_race_was_left(
    tmp_path: Path, server: House, *, is_over: bool
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        if is_over:
            await ann.press("x", "y")
            await ann.reaches(AfterScreen)
        room = ann.app.room
        assert room is not None
        await ann.app.hang_up()
        room.hear(None)
        await ann.ticks()
        await ann.pilot.resize_terminal(80, 24)
        await ann.app.go_home()
        await ann.reaches(HomeScreen)


async def test_a_wall_may_be_drawn_once_more_after_its_race_was_left(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await server.race(bob, settings=DEAL_1)
    async with person(tmp_path, "walt", seating=watching(server.url, race)) as walt:
        await walt.reaches(WallScreen)
        await walt.app.hang_up()
        await walt.ticks()
        await walt.pilot.resize_terminal(80, 24)
        await walt.press("escape")
        await walt.reaches(HomeScreen)


async def test_played_from_elsewhere_is_said_and_not_fought(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        race = ann.session.race
        async with asyncio.timeout(20), person(tmp_path, "ann", seating=joining(server.url, race)) as again:
            await again.reaches(RaceScreen)
        await ann.until(lambda: isinstance(ann.app.screen, Reading))
        await ann.reads("another connection")
        await ann.press("escape")
        await ann.reaches(HomeScreen)


async def test_a_server_that_goes_down_and_comes_back(tmp_path: Path) -> None:
    async with server_process(tmp_path) as server:
        url = await server.start()
        async with person(tmp_path, "ann", seating=hosting(url, starts=True)) as ann:
            await ann.reaches(RaceScreen)
            await ann.press("5", "a")
            await ann.settled()
            await server.stop()
            await ann.reads("trying again")
            await server.start()
            await ann.until(lambda: "trying again" not in ann.text)
            await ann.press("5", "b")
            await ann.settled()
            assert ann.board.cells[:2] == ("6C", "8H")
