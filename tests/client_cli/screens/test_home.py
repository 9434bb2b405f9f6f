"""The first screen, and all ways from there into a race."""

import importlib.util
import socket
from pathlib import Path

import pytest
from textual.events import Paste
from textual.widgets import Input

from client_cli.folders import config_folder
from client_cli.hosting import ALONE_AT
from client_cli.local_server import local_server
from client_cli.screens import entrances
from client_cli.screens.after import AfterScreen
from client_cli.screens.dialogs import Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.preferences import Preferences, Recent, save
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.wall import WallScreen
from client_cli.world import this_day
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Person, hosting, person, races_with, watching
from tests.server.gateway.house import House
from tests.solutions import moves_of


async def write(somebody: Person, field: str, text: str) -> None:
    somebody.app.screen.query_one(f"#{field}", Input).value = text
    await somebody.pilot.pause()


async def test_play_now_on_a_named_server(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await ann.press("p")
        await ann.reaches(RaceScreen)
        await ann.reads("29:")


async def test_what_is_pasted_at_once_is_the_race_to_join(tmp_path: Path, server: House) -> None:
    host = await server.guest("bob")
    race = await server.lobby(host)
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        ann.app.post_message(Paste(f"cellrace join {race} --server {server.url}\n"))
        await ann.until(lambda: race in ann.app.screen.query_one("#code", Input).value)
        await ann.press("enter")
        await ann.reaches(LobbyScreen)


async def test_play_now_on_a_server_of_ones_own(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await ann.press("p")
        await ann.reaches(RaceScreen)
        assert ann.app.link.server is not None
        race, url = ann.session.race, ann.app.link.server.url
        await ann.app.go_home()
        await ann.reaches(HomeScreen)
        await ann.reads(f"1  {this_day()}  {race}  deal ")
        await ann.reads("not over when last seen  this machine")
        # A race that one left is gone on with; its server has stayed up for it.
        await ann.reads(f"the server on this machine stays up for {race}")
        await ann.press("p")
        await ann.reaches(RaceScreen)
        await ann.reads("You have a seat in a race already; going on with it.")
        assert ann.session.race == race
        assert ann.app.link.server.url == url
        await ann.app.go_home()
        await ann.reaches(HomeScreen)
        ann.app.screen.query_one("#races").focus()
        await ann.press("down", "enter")
        await ann.reaches(RaceScreen)
        assert ann.session.race == race


async def test_host_by_a_click_and_come_back_from_the_list(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        assert await ann.pilot.click("#do-host")
        await ann.reaches(LobbyScreen)
        race = ann.session.race
        await ann.app.go_home()
        await ann.reads(f"1  {this_day()}  {race}  not over when last seen  {server.url}")
        await ann.press("2")
        await ann.press("1")
        await ann.reaches(LobbyScreen)
        assert ann.session.race == race


@pytest.mark.parametrize("form", ["{race}", "{url}/{race}", "cellrace join {race} --server {url}"])
async def test_join_what_was_pasted(tmp_path: Path, server: House, form: str) -> None:
    host = await server.guest("host")
    race = await host.create(DEAL_1)
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        if form != "{race}":
            await write(ann, "server", "")
        await write(
            ann,
            "code",
            form.format(race=race.lower(), url=server.url)
            if form == "{race}"
            else form.format(race=race, url=server.url),
        )
        await ann.press("j")
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you)")


async def test_a_link_in_the_field_of_the_server_is_taken_for_what_it_is(
    tmp_path: Path, server: House
) -> None:
    host = await server.guest("host")
    race = await host.create(DEAL_1)
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "server", f"{server.url}/{race}")
        await ann.press("j")
        await ann.reaches(LobbyScreen)
        assert ann.session.race == race
        await ann.app.go_home()
        await ann.reaches(HomeScreen)
        await write(ann, "server", f"{server.url}/{race}")
        await ann.press("o")
        await ann.reaches(LobbyScreen)
        assert ann.session.race != race
        assert ann.app.public_url == server.url


async def test_once_home_nothing_keeps_the_races_of_this_machine_from_others(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await ann.press("p")
        await ann.reaches(RaceScreen)
        await ann.settled()
        race = ann.session.race
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        assert ann.app.upkeep.is_up
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.until(lambda: not ann.app.upkeep.is_up)
        await ann.app.upkeep.ended()
        folder = tmp_path / "ann"
        async with local_server(folder, *ALONE_AT, {"CELLRACE_HOME": str(folder)}):
            pass  # it would not have started
        # What was raced is there again, on another server on the same store.
        ann.app.screen.query_one("#races").focus()
        await ann.press("enter")
        await ann.reaches(AfterScreen)
        assert ann.session.race == race


async def test_what_is_no_code_is_said(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "code", "HELLO")
        await ann.press("j")
        await ann.reads("eight letters")


async def test_a_race_that_there_is_not(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "code", "ABCDEFGH")
        await ann.press("j")
        await ann.reads("there is no race")
        assert "That did not work" in ann.text
        await ann.press("escape")
        await ann.reaches(HomeScreen)
        assert "connecting" not in ann.text


async def test_where_the_usual_port_is_taken_another_one_is_hosted_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(entrances, "EVERYWHERE", f"127.0.0.1:{port}")
        async with person(tmp_path, "ann") as ann:
            await ann.reaches(HomeScreen)
            await ann.press("o")
            await ann.reaches(LobbyScreen)
            own = ann.app.upkeep.own
            assert own is not None
            other = own.public_url.rpartition(":")[2]
            assert other != str(port)
            await ann.reads(f"port {port} is taken on this machine: this server has port {other}")
            await ann.reads(f"cellrace join {ann.session.race} --server {own.public_url}")


async def test_where_there_is_no_listening_at_all_it_is_said_of_the_port_that_was_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entrances, "EVERYWHERE", "192.0.2.1:8765")  # for examples: no machine's own
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await ann.press("o")
        await ann.reads_wrapped("cannot listen on 192.0.2.1 port 8765: Cannot assign requested address;")
        await ann.reads_wrapped("write the address of another server above")
        assert "--listen" not in ann.text


async def test_what_cannot_be_had_is_said_without_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await ann.press("p")
        await ann.reads_wrapped("or write the address of another one above")
        assert "--" not in ann.text


async def test_a_server_that_there_is_not(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "server", "ws://127.0.0.1:9")
        await ann.press("o")
        await ann.reads("nothing listens there")


async def test_an_address_that_cannot_be(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "server", "ftp://x")
        await ann.press("o")
        await ann.reads("is not a server's address")


async def test_name_and_server_are_kept(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "name", "Анна")
        await write(ann, "server", server.url)
        await ann.press("o")
        await ann.reads("Анна (you, host)")
    assert ann.app.preferences.name == "Анна"
    assert ann.app.preferences.server == server.url


async def test_watching_a_race(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await server.race(bob)
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "code", race)
        await ann.press("w")
        await ann.reaches(WallScreen)
        await ann.reads("A bob")
        await ann.press("escape")
        await ann.reads(f"{race}  with bob  deal 1  watched  {server.url}")


async def test_a_race_that_is_over_is_looked_at_again(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    race = await server.race(bob)
    await bob.did(commands.Move, race, move="5a")
    await bob.did(commands.Resign, race)
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "code", f"{server.url}/{race}")
        await ann.press("w")
        await ann.reaches(AfterScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        ann.app.screen.query_one("#races").focus()
        await ann.press("enter")
        await ann.reaches(AfterScreen)
        await ann.press("p")
        await ann.reads("step 0 of 1")


async def test_a_race_that_was_left_is_known_to_have_ended_once_one_was_back_there(
    tmp_path: Path, server: House
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        race = await races_with(bob, ann)
        await ann.app.go_home()
        await ann.reads(f"{race}  with bob  deal 1  not over when last seen")
        await bob.did(commands.Resign, race)
        await server.clock.advance(1_800_000)
        await ann.press("1")
        await ann.reaches(AfterScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.reads(f"{race}  with bob  deal 1  out of time  {server.url}")


async def test_so_it_is_once_its_replay_was_looked_at(tmp_path: Path, server: House) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        race = await races_with(bob, ann)
    await bob.did(commands.Resign, race)
    await server.clock.advance(1_800_000)
    async with person(tmp_path, "ann", seating=watching(server.url, race, replays=True)) as ann:
        await ann.reaches(ReplayScreen)
        await ann.app.go_home()
        await ann.reads(f"{race}  with bob  deal 1  out of time  {server.url}")


async def test_a_lobby_that_one_has_left_does_not_go_on(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await ann.press("o")
        await ann.reads("ann (you, host)")
        race = ann.session.race
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.reads(f"{race}  left before the start  {server.url}")


async def test_why_one_cannot_go_back_is_remembered(tmp_path: Path, server: House) -> None:
    bob, cleo = await server.guest("bob"), await server.guest("cleo")
    race, over = await bob.create(DEAL_1), await server.race(cleo)
    await cleo.did(commands.Resign, over)
    save(
        config_folder({"CELLRACE_HOME": str(tmp_path / "ann")}),
        Preferences(recent=(Recent(over, server.url),)),
    )
    async with person(tmp_path, "ann", "--server", server.url) as ann:
        await ann.reaches(HomeScreen)
        await write(ann, "code", race)
        await ann.press("j")
        await ann.reads("ann (you)")
        player = ann.session.player
        await ann.app.go_home()
        await ann.reads(f"1  {this_day()}  {race}  with bob  not over when last seen")
        await bob.did(commands.Kick, race, player=player)
        await ann.press("1")
        await ann.until(lambda: isinstance(ann.app.screen, Reading))
        await ann.press("escape")
        await ann.reads(f"{race}  with bob  sent out before the start")
        await ann.reads(f"2  {over}  not over when last seen")
        await ann.press("2")
        await ann.reads("this race is over")
        await ann.press("escape")
        await ann.reads(f"2  {over}  over")


async def test_who_is_done_goes_home_while_others_race_and_keeps_the_result(
    tmp_path: Path, server: House
) -> None:
    bob = await server.guest("bob")
    async with person(tmp_path, "ann", seating=hosting(server.url)) as ann:
        race = await races_with(bob, ann)
        await ann.plays(moves_of())
        await ann.reads("q home")
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await bob.did(commands.Resign, race)
        ann.app.screen.query_one("#races").focus()
        await ann.press("enter")
        await ann.reaches(AfterScreen)
        await ann.reads("52/52")
        me = ann.session.me
        assert me is not None
        assert (me.state, me.rank) == ("finished", 1)


async def test_how_a_race_of_ones_own_ended_is_told_and_looked_at_again(
    tmp_path: Path, server: House
) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.until(lambda: ann.session.is_racing)
        race = ann.session.race
        await ann.plays(moves_of())
        await ann.reaches(AfterScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await ann.reads(f"{race}  deal 1  won  {server.url}")
        ann.app.screen.query_one("#races").focus()
        await ann.press("enter")
        await ann.reaches(AfterScreen)
        await ann.reads("52/52")
