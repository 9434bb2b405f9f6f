"""A server of one's own behind the full screen: who is asked before it ends, and what ends with it."""

from pathlib import Path

import pytest

from client_cli.hosting import ALONE_AT
from client_cli.screens.after import AfterScreen
from client_cli.screens.dialogs import Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.wall import WallScreen
from protocol import commands
from tests.client_cli.screens.house import Person, hosting, person, races_with, sits_with, watching
from tests.client_cli.screens.lent import Lent
from tests.server.gateway.house import House

EVERYWHERE = ("0.0.0.0", 8765)
ASKS = "The server ends with you, for the others too. Leave all the same?"


@pytest.fixture
def lent(server: House) -> Lent:
    """The server, lent to a screen as its own; it listens for others."""
    return Lent(server.url, EVERYWHERE)


async def goes_home(somebody: Person) -> None:
    await somebody.press("q")
    await somebody.reaches(HomeScreen)


async def test_an_invitation_that_nobody_elsewhere_can_follow_says_so(
    tmp_path: Path, server: House, lent: Lent
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own), size=(80, 24)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("for friends elsewhere, go on with: cellrace host")


async def test_it_stays_up_as_long_as_others_race_there(tmp_path: Path, server: House, lent: Lent) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own)) as ann:
        race = await races_with(bob, ann)
        await ann.press("x", "y")
        await ann.reads("q home")
        await goes_home(ann)
        await ann.reads(f"the server on this machine stays up for {race}; it ends when you leave")
        assert lent.is_up
        await ann.press("ctrl+q")
        await ann.reads(ASKS)
        await ann.press("n")
        await ann.reaches(HomeScreen)
        ann.app.screen.query_one("#races").focus()
        await ann.press("enter")
        await ann.reaches(RaceScreen)
        await bob.did(commands.Resign, race)
        await ann.reaches(AfterScreen)
        await ann.press("ctrl+q")
        await ann.reads(ASKS)
        await ann.press("n")
        await ann.reaches(AfterScreen)
        await bob.close()
        await ann.until(lambda: ann.session.here == frozenset({ann.session.player}))
        await goes_home(ann)
        await ann.until(lambda: not lent.is_up)


async def test_who_hosts_again_keeps_the_one_on_which_others_race(
    tmp_path: Path, server: House, lent: Lent
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own)) as ann:
        race = await races_with(bob, ann)
        await ann.press("x", "y")
        await ann.reads("q home")
        await goes_home(ann)
        await ann.press("o")
        await ann.reaches(LobbyScreen)
        await ann.reads("settings (e)")
        assert ann.session.race != race
        assert ann.app.link.server == lent.own.server
        await ann.app.go_home()
        await ann.reads(f"the server on this machine stays up for {race}; it ends when you leave")
        assert lent.is_up
        await bob.did(commands.Move, race, move="5a")


async def test_a_race_from_which_all_went_on_to_a_rematch_does_not_keep_it_up(
    tmp_path: Path, server: House, lent: Lent
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own)) as ann:
        race = await races_with(bob, ann)
        await bob.did(commands.Resign, race)
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("m")
        await ann.reaches(LobbyScreen)
        await ann.until(lambda: ann.session.race not in {race, ""})
        await sits_with(bob, ann)
        await bob.close()
        await ann.until(lambda: ann.session.here == frozenset({ann.session.player}))
        await ann.app.go_home()
        await ann.until(lambda: not lent.is_up)


async def test_who_looks_on_alone_does_not_keep_it_up(tmp_path: Path, server: House, lent: Lent) -> None:
    bob = await server.guest("bob")
    race = await server.race(bob)
    await bob.did(commands.Resign, race)
    await bob.close()
    async with person(tmp_path, "ann", seating=watching(server.url, race, own=lent.own)) as ann:
        await ann.reaches(AfterScreen)
        await ann.until(lambda: ann.session.watchers == 1)
        await goes_home(ann)
        await ann.until(lambda: not lent.is_up)
        assert "stays up" not in ann.text


async def test_others_on_a_wall_of_several_keep_it_up(tmp_path: Path, server: House, lent: Lent) -> None:
    bob, cleo = await server.guest("bob"), await server.guest("cleo")
    over, runs = await server.race(bob), await server.race(cleo)
    await bob.did(commands.Resign, over)
    await bob.close()
    seating = watching(server.url, over, beside=(runs,), own=lent.own)
    async with person(tmp_path, "ann", seating=seating) as ann:
        await ann.reaches(WallScreen)
        await ann.reads("cleo")
        await ann.press("ctrl+q")
        await ann.reads(ASKS)
        await ann.press("n")
        await ann.reaches(WallScreen)
        await ann.press("escape")
        await ann.reaches(HomeScreen)
        await ann.reads(f"the server on this machine stays up for {runs}; it ends when you leave")


@pytest.mark.parametrize("with_bob", [True, False])
async def test_the_lobby_may_be_left_to_others(
    tmp_path: Path, server: House, lent: Lent, *, with_bob: bool
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own)) as ann:
        await ann.reads("settings (e)")
        race = await sits_with(bob, ann) if with_bob else ann.session.race
        await ann.press("q")
        if with_bob:
            await ann.reaches(HomeScreen)
            await ann.reads(f"the server on this machine stays up for {race}; it ends when you leave")
            assert lent.is_up
        else:
            await ann.until(lambda: not ann.app.is_running)
    assert not lent.is_up


async def test_who_is_in_a_race_elsewhere_is_not_asked_for_others_there(
    tmp_path: Path, server: House
) -> None:
    lent = Lent("ws://127.0.0.1:9")
    bob = await server.guest("bob")
    race = await server.race(bob, settings=commands.Settings(deal=1, countdown_s=0, watch="live"))
    async with person(tmp_path, "ann", seating=watching(server.url, race, own=lent.own)) as ann:
        await ann.reaches(WallScreen)
        await ann.reads("bob")
        await ann.press("ctrl+q")
        await ann.until(lambda: not ann.app.is_running)


class TestEndingByItself:
    async def test_ends_the_race_that_is_there(self, tmp_path: Path, server: House, lent: Lent) -> None:
        async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own, starts=True)) as ann:
            await ann.reaches(RaceScreen)
            lent.crash()
            await ann.until(lambda: isinstance(ann.app.screen, Reading))
            await ann.reads("it has ended")
            assert "The server has ended" in ann.text
            await ann.press("escape")
            await ann.reaches(HomeScreen)

    async def test_leaves_a_race_elsewhere_alone(self, tmp_path: Path, server: House) -> None:
        lent = Lent("ws://127.0.0.1:9")
        async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own, starts=True)) as ann:
            await ann.reaches(RaceScreen)
            lent.crash()
            await ann.reads("it has ended")
            assert isinstance(ann.app.screen, RaceScreen)
            await ann.settled()
            await ann.press("5", "a")
            await ann.settled()
            assert ann.board.cells[0] == "6C"

    async def test_is_said_at_home_and_nothing_is_asked_any_more(
        self, tmp_path: Path, server: House, lent: Lent
    ) -> None:
        bob = await server.guest("bob")
        async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own)) as ann:
            await races_with(bob, ann)
            await ann.press("x", "y")
            await ann.reads("q home")
            await goes_home(ann)
            await ann.reads("stays up")
            lent.crash()
            await ann.reads("it has ended")
            assert isinstance(ann.app.screen, HomeScreen)
            await ann.press("ctrl+q")
            await ann.until(lambda: not ann.app.is_running)


async def test_a_race_that_is_left_at_home_keeps_it_up_and_nobody_is_asked_for_that(
    tmp_path: Path, server: House
) -> None:
    lent = Lent(server.url, ALONE_AT)
    async with person(tmp_path, "ann", seating=hosting(server.url, own=lent.own, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        await ann.app.go_home()
        await ann.reads("stays up")
        assert lent.is_up
        await ann.press("ctrl+q")
        await ann.until(lambda: not ann.app.is_running)
