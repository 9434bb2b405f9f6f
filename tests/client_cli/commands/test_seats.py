"""play, host and join on a server that is named."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from client_cli.errors import ClientError
from protocol.commands import AddRobot, Create, Hello, Join, Leave, Ready, Settings, Start
from protocol.errors import ErrorCode
from protocol.events import Created, Refused, Seat, Welcome
from protocol.views import HeldSeat, RacerChanged, Terms
from tests.client_cli.commands.running import command
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    OTHER_RACE,
    RACE,
    ack,
    alone,
    racer,
    refused,
    seat,
    snapshot,
    start_of_race,
    update,
    welcome,
)


def first_of(error: BaseException) -> BaseException:
    """The failure in a group of tasks."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


async def test_play_starts_at_once(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        created = await peer.expect(Create)
        assert created.settings == Settings(deal=1, countdown_s=0, watch="live")
        await peer.tell(Created(created.id, RACE), seat(), snapshot(racers=(racer(),)))
        assert await peer.expect(Start) == Start(RACE, 1)
        await peer.tell(ack(1, 0, seq=4), start_of_race())
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("play", "--deal", "1", "--server", url) == 0
        assert running.shown.startswith("Race code: ABCDEFGH\nRace ABCDEFGH: deal 1")
        assert running.shown.endswith(f"come back with: cellrace join ABCDEFGH --server {url}\n")


async def test_play_against_robots_seats_them_first(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        created = await peer.expect(Create)
        assert created.settings == Settings(countdown_s=0, watch="live", max_racers=3)
        await peer.tell(Created(created.id, RACE), seat(), snapshot(racers=(racer(),)))
        assert await peer.expect(AddRobot) == AddRobot(RACE, 1, "even")
        robot = racer(BOB, "Robot", ready=True, robot="even")
        await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(robot)))
        assert await peer.expect(AddRobot) == AddRobot(RACE, 2, "fast")
        robot = racer("c" * 16, "Robot 2", ready=True, robot="fast")
        await peer.tell(ack(2, 0, seq=5), update(4, 5, RacerChanged(robot)))
        assert await peer.expect(Start) == Start(RACE, 3)
        await peer.tell(ack(3, 0, seq=6), start_of_race(5))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        robots = ("--robot", "even", "--robot", "fast")
        assert await running.run("play", *robots, "--max-racers", "2", "--server", url) == 0
        assert "Robot (even robot) has a seat." in running.shown


async def test_play_begins_no_race_without_the_robot_that_was_asked_for(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        created = await peer.expect(Create)
        await peer.tell(Created(created.id, RACE), seat(), snapshot(racers=(racer(),)))
        await peer.expect(AddRobot)
        await peer.tell(refused(1, ErrorCode.NO_ROBOT, "this server has no solver"))
        assert await peer.expect(Leave) == Leave(RACE, 2)
        await peer.tell(ack(2, 0, seq=4))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        with pytest.raises(ExceptionGroup) as caught:
            await running.run("play", "--robot", "even", "--robot", "fast", "--server", url)
    assert str(first_of(caught.value)) == "No race without the robot: this server has no solver"
    assert "no solver" not in running.shown


async def test_play_makes_no_race_where_the_server_has_no_robots(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.expect(Hello)
        await peer.tell(replace(welcome(), robots=False))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        with pytest.raises(ExceptionGroup) as caught:
            await running.run("play", "--robot", "even", "--server", url)
    why = "the server has no solver, without which none can play"
    assert str(first_of(caught.value)) == f"No race without the robot: {why}"
    assert running.shown == ""


def of_two_kinds() -> Welcome:
    """A lobby of one's own, and a race alone on deal 1."""
    return welcome(seats=(alone(), HeldSeat(OTHER_RACE, "lobby", Terms(cells=4), host=True)))


async def test_play_and_host_each_go_on_with_their_own(tmp_path: Path) -> None:
    async def alone_again(peer: Peer) -> None:
        await peer.expect(Hello)
        await peer.tell(of_two_kinds())
        assert await peer.expect(Join) == Join(RACE, 0)
        await peer.tell(Seat(RACE, 9, 9, 4, 2, LAYOUT), snapshot("running", to=9))
        await peer.stay()

    async def in_lobby_again(peer: Peer) -> None:
        await peer.expect(Hello)
        await peer.tell(of_two_kinds())
        assert await peer.expect(Join) == Join(OTHER_RACE, 0)
        await peer.tell(Seat(OTHER_RACE, 3, 3, 0), replace(snapshot(), race=OTHER_RACE))
        await peer.stay()

    async with serving(alone_again, in_lobby_again) as url:
        for name, asked in (("play", ("--deal", "1")), ("host", ())):
            async with command(tmp_path) as running:
                running.end()
                assert await running.run(name, *asked, "--server", url) == 0
                assert running.shown.startswith("You have a seat in a race already; going on with it")


async def test_options_that_differ_from_the_race_that_was_left_mean_a_new_one(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.expect(Hello)
        await peer.tell(of_two_kinds())
        created = await peer.expect(Create)
        assert (created.settings.deal, created.settings.cells) == (617, 3)
        await peer.tell(Refused(ErrorCode.BAD_DEAL, "no such deal", q=0))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        with pytest.raises(ExceptionGroup) as caught:
            await running.run("play", "--deal", "617", "--cells", "3", "--server", url)
    assert str(first_of(caught.value)) == "no such deal"  # what is asked for is never left unread
    assert running.shown == "", "no new one was made"


async def test_that_another_race_is_a_new_one_is_said_once_it_is_there(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.expect(Hello)
        await peer.tell(of_two_kinds())
        created = await peer.expect(Create)
        seated = replace(snapshot("running"), race="CCCCCCCC")
        await peer.tell(Created(created.id, "CCCCCCCC"), Seat("CCCCCCCC", 3, 3, 0, 0, LAYOUT), seated)
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("play", "--cells", "3", "--server", url) == 0
    assert running.shown.startswith("Race ABCDEFGH, which you left, is not as you ask for (--cells)")
    assert running.shown.count("this is a new one") == 1


async def test_host_says_how_to_join(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        created = await peer.expect(Create)
        assert created.settings == Settings(cells=3)
        await peer.tell(Created(created.id, RACE), seat(), snapshot())
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("host", "--cells", "3", "--server", url) == 0
        assert f"Friends join with:\n  cellrace join ABCDEFGH --server {url}\n" in running.shown
        assert "/start when all are here" in running.shown


async def test_host_listens_where_the_option_says_though_the_environment_names_a_server(
    tmp_path: Path,
) -> None:
    async with command(tmp_path, CELLRACE_SERVER="ws://there.example:1") as running:
        running.end()
        assert await running.run("host", "--listen", "127.0.0.1:0") == 0
        assert "Friends join with:\n  cellrace join " in running.shown
        assert " --server ws://127.0.0.1:" in running.shown


async def test_host_cannot_both_listen_and_go_to_a_server(tmp_path: Path) -> None:
    async with command(tmp_path) as running:
        with pytest.raises(ClientError, match="but ws://there is to be used"):
            await running.run("host", "--listen", "127.0.0.1:0", "--server", "ws://there")


async def test_join_takes_the_link_from_a_lobby(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Join) == Join(RACE, 0)
        await peer.tell(seat(), snapshot())
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("join", f"{url}/{RACE}") == 0
        assert f"come back with: cellrace join ABCDEFGH --server {url}" in running.shown


async def test_join_takes_a_seat_and_is_ready_if_asked_to(tmp_path: Path) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        assert await peer.expect(Join) == Join(RACE, 0)
        await peer.tell(seat(), snapshot())
        assert await peer.expect(Ready) == Ready(RACE, 1)
        await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(racer(ready=True))))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        assert await running.run("join", "abcdefgh", "--ready", "--server", url) == 0
        assert "You have a seat in race ABCDEFGH." in running.shown
        assert f"Your seat is kept; come back with: cellrace join ABCDEFGH --server {url}" in running.shown
