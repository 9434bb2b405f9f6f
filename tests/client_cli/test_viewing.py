"""What the full screen is started with to look on at races."""

import argparse
from pathlib import Path

import pytest

from client_cli.cli import build_parser
from client_cli.errors import ClientError
from client_cli.screens import running
from client_cli.screens.seating import Seating
from client_cli.viewing import MOST, shows_screen
from client_cli.world import World
from protocol.commands import CODE_LETTERS, Watch
from tests.client_cli.rig import Screen
from tests.client_cli.samples import OTHER_RACE, RACE


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World({"CELLRACE_HOME": str(tmp_path)}, 0, Screen(), is_interactive=True, has_screen=True)


@pytest.fixture
def seatings(monkeypatch: pytest.MonkeyPatch) -> list[Seating]:
    """What the screen was started with."""
    started: list[Seating] = []

    async def run_screen(_: argparse.Namespace, __: World, seating: Seating) -> int:
        started.append(seating)
        return 0

    monkeypatch.setattr(running, "run_screen", run_screen)
    return started


async def run(world: World, *arguments: str) -> int:
    args = build_parser().parse_args(arguments)
    status: int = await args.run(args, world)
    return status


async def test_one_race_or_several_on_one_wall(world: World, seatings: list[Seating]) -> None:
    assert await run(world, "watch", RACE) == 0
    assert await run(world, "watch", f"ws://x:1/{RACE}", OTHER_RACE.lower(), RACE) == 0
    one, several = seatings
    assert (one.session.entrance, one.beside, one.replays) == (Watch(RACE), (), False)
    assert (several.server.url, several.beside) == ("ws://x:1", (OTHER_RACE,))


async def test_more_races_than_there_are_places(world: World, seatings: list[Seating]) -> None:
    races = [f"AAAAAAA{letter}" for letter in CODE_LETTERS[: MOST + 1]]
    with pytest.raises(ClientError, match="8 races at once"):
        await run(world, "watch", *races)
    assert await run(world, "watch", *races[:MOST]) == 0
    assert len(seatings[0].beside) == MOST - 1


async def test_a_replay_of_somebody_or_of_who_came_first(world: World, seatings: list[Seating]) -> None:
    assert await run(world, "replay", RACE) == 0
    assert await run(world, "replay", RACE, "--player", "Bob") == 0
    assert [(seating.replays, seating.whose) for seating in seatings] == [(True, ""), (True, "Bob")]


def test_lines_of_text_where_one_asks_for_them_or_there_is_no_screen(world: World) -> None:
    args = build_parser().parse_args(["watch", RACE])
    assert shows_screen(args, world)
    assert not shows_screen(build_parser().parse_args(["watch", RACE, "--text"]), world)
    assert not shows_screen(args, World({}, 0, Screen(), is_interactive=True))
