"""A robot races on when the server that seated it is killed, whoever is connected by then."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import pytest

from protocol import commands
from protocol.views import Racer
from server.clock import SystemClock
from server.race.events import Moved, RobotPlanned, Stamped, Started
from server.race_log import read_all
from server.store.opening import open_store
from tests.chaos.story import three_nodes
from tests.end_to_end.account import stored_races
from tests.end_to_end.player import PATIENCE_S, Player
from tests.end_to_end.process import server_process
from tests.end_to_end.program import Home
from tests.end_to_end.topology import get
from tests.redis_server import redis_running
from tests.server.solver.needs import needs_solver

SETTINGS: Final = commands.Settings(deal=617, countdown_s=0, watch="live", time_limit_s=3600)
pytestmark = needs_solver


@pytest.fixture(autouse=True)
def quick_robots(monkeypatch: pytest.MonkeyPatch) -> None:
    """The servers of these tests are set to have their robots make a move every 0.3 s, about."""
    monkeypatch.setenv("CELLRACE_ROBOT_SPEED", "4")


class Place(Protocol):
    """Where a server is."""

    @property
    def url(self) -> str: ...


async def begin(host: Player, place: Place) -> str:
    """A race against a robot that has made its first moves."""
    host.url = place.url
    await host.connect()
    race = await host.create(SETTINGS)
    await host.did(commands.AddRobot, race, level="fast")
    await host.did(commands.Start, race)
    await host.reach(race, "running")
    await sees_moves(host, race, 2)
    return race


def robot_of(guest: Player, race: str) -> Racer:
    return next(racer for racer in guest.pictures[race, "seat"].picture.racers if racer.robot)


async def sees_moves(guest: Player, race: str, more: int) -> None:
    """Wait until the robot has made so many more moves."""
    wanted = robot_of(guest, race).actions + more
    await guest.until(lambda: robot_of(guest, race).actions >= wanted, "the robot's moves")


async def come_back(guest: Player, race: str, place: Place) -> None:
    await guest.drop()
    guest.url = place.url
    await guest.connect()
    await guest.sit(race)


async def moves_by_itself(places: Sequence[Place], more: int) -> None:
    """Wait until so many appends were made by servers to which nobody is connected."""
    target = await appends(places) + more
    async with asyncio.timeout(PATIENCE_S):
        while await appends(places) < target:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.05)


async def appends(places: Sequence[Place]) -> float:
    told = [await get(urlsplit(place.url).port or 0, "/metrics") for place in places]
    lines = [line for _, text in told for line in text.splitlines()]
    return sum(
        float(line.split()[-1])
        for line in lines
        if line.startswith('cellrace_appends_total{outcome="appended"}')
    )


def check_robot(log: Sequence[Stamped]) -> None:
    """The robot has made the moves of its game, each once and none too soon."""
    [planned] = [stamped.event for stamped in log if isinstance(stamped.event, RobotPlanned)]
    start = next(stamped.at_ms for stamped in log if isinstance(stamped.event, Started))
    made = [
        (stamped.event.move, stamped.at_ms - start)
        for stamped in log
        if isinstance(stamped.event, Moved) and stamped.event.player == planned.robot
    ]
    assert len(made) >= 6
    assert [move for move, _ in made] == list(planned.line[: len(made)])
    assert all(at_ms >= due_ms for (_, at_ms), due_ms in zip(made, planned.at_ms, strict=False))


async def read_log(store: str, race: str) -> list[Stamped]:
    opened = await open_store(store, SystemClock())
    try:
        return read_all((await stored_races(opened))[race])
    finally:
        await opened.close()


async def test_a_robot_goes_on_when_the_only_server_is_killed_and_started_again(tmp_path: Path) -> None:
    ana = Player("", "Ana")
    async with server_process(tmp_path) as server:
        await server.start()
        race = await begin(ana, server)
        await server.kill()
        await server.start()
        await moves_by_itself([server], 2)
        await come_back(ana, race, server)
        await sees_moves(ana, race, 2)
        await ana.close()
        assert (await server.stop())[1] == 0
    check_robot(await read_log(f"sqlite:{server.store}", race))


async def test_a_robot_goes_on_when_the_node_that_seated_it_is_killed(tmp_path: Path) -> None:
    ana = Player("", "Ana")
    with redis_running(tmp_path / "redis") as redis:
        async with three_nodes(tmp_path, redis.url) as nodes:
            race = await begin(ana, nodes[0])
            await nodes[0].kill()
            await moves_by_itself(nodes[1:], 2)
            await come_back(ana, race, nodes[1])
            await sees_moves(ana, race, 2)
            await nodes[1].kill()
            await come_back(ana, race, nodes[2])
            await sees_moves(ana, race, 2)
            await ana.close()
            check_robot(await read_log(redis.url, race))


async def test_play_against_robots(tmp_path: Path) -> None:
    robots = ("--robot", "fast", "--robot", "easy")
    status, shown = await Home(tmp_path, "ann").run("play", "--deal", "617", *robots, text="resign\n")
    assert status == 0
    assert shown.index("Robot (fast robot) has a seat.") < shown.index("deal 617")
    over = shown.partition("The race is over.")[2]
    assert "Robot (fast robot): resigned" in over
    assert "Robot 2 (easy robot): resigned" in over
