"""play, host and join on a server that is named."""

from pathlib import Path

import pytest

from client_cli.errors import ClientError
from protocol.commands import AddRobot, Create, Join, Ready, Settings, Start
from protocol.errors import ErrorCode
from protocol.events import Created
from protocol.views import RacerChanged
from tests.client_cli.commands.running import command
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.samples import BOB, RACE, ack, racer, refused, seat, snapshot, start_of_race, update


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
        assert await peer.expect(AddRobot) == AddRobot(RACE, 2, "fast")
        assert await peer.expect(Start) == Start(RACE, 3)
        robot = racer(BOB, "Robot", ready=True, robot="even")
        await peer.tell(ack(1, 0, seq=4), update(3, 4, RacerChanged(robot)))
        await peer.tell(refused(2, ErrorCode.NO_ROBOT, "no way to win this deal is known"))
        await peer.tell(ack(3, 0, seq=5), start_of_race(4))
        await peer.stay()

    async with serving(script) as url, command(tmp_path) as running:
        running.end()
        robots = ("--robot", "even", "--robot", "fast")
        assert await running.run("play", *robots, "--max-racers", "2", "--server", url) == 0
        assert "Robot (even robot) has a seat." in running.shown
        assert "Refused: robot: no way to win this deal is known" in running.shown


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
