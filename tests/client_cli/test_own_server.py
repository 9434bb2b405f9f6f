"""A server of one's own, as a command starts it and the full screen gets it."""

import argparse
from pathlib import Path

import pytest

from client_cli.cli import build_parser
from client_cli.hosting import ALONE_AT
from client_cli.local_server import RacesInUse
from client_cli.own_server import own_server
from client_cli.screens import running
from client_cli.screens.seating import Seating
from client_cli.world import World
from tests.client_cli.rig import Screen
from tests.client_cli.samples import RACE


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World({"CELLRACE_HOME": str(tmp_path)}, 0, Screen(), is_interactive=True, has_screen=True)


async def test_whoever_has_it_ends_it_and_once_more_does_no_harm(world: World) -> None:
    async with own_server(world, ALONE_AT) as own:
        assert own.server.url == own.public_url
        assert own.listen == ALONE_AT
        with pytest.raises(RacesInUse):
            async with own_server(world, ALONE_AT):
                pass
        await own.end()
        assert "has ended" in await own.ended()
        async with own_server(world, ALONE_AT):
            pass  # it would not have started
        await own.end()


@pytest.mark.parametrize(
    ("command", "listen"),
    [
        (("replay", RACE, "--local"), ALONE_AT),
        (("play",), ALONE_AT),
        (("host", "--listen", "127.0.0.1:0"), ("127.0.0.1", 0)),
    ],
)
async def test_each_command_hands_its_server_over_to_the_screen(
    world: World, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], listen: tuple[str, int]
) -> None:
    async def run_screen(_: argparse.Namespace, __: World, seating: Seating) -> int:
        own = seating.own
        assert own is not None
        assert (own.server, own.public_url, own.listen) == (seating.server, seating.public_url, listen)
        await own.end()
        async with own_server(world, ALONE_AT):
            pass  # nothing else has the races open now
        return 0

    monkeypatch.setattr(running, "run_screen", run_screen)
    args = build_parser().parse_args(command)
    assert await args.run(args, world) == 0
