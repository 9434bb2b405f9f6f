"""`cellrace play`: a race on this machine, started at once."""

import argparse
from contextlib import AsyncExitStack

import msgspec

from client_cli.hosting import ALONE
from client_cli.language import mark, tr
from client_cli.lines import LEVELS
from client_cli.local_server import local_server
from client_cli.options import add_command, add_settings, settings_of
from client_cli.seat import OwnServer, sit_down
from client_cli.session import Session
from client_cli.table import Habits
from client_cli.wiring import local_server_at, named_server, new_create_id
from client_cli.world import World
from protocol.commands import Create

_EXAMPLE = mark("""\
  cellrace play --deal 617 --cells 3
  cellrace play --robot even --robot fast
  echo '3a 26 7h' | cellrace play
In the game, ? says what can be typed. A race you left is gone on with the next time;
its clock has run on.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "play", mark("race on this machine, at once and alone"), _EXAMPLE, run)
    parser.add_argument(
        "--new", action="store_true", help=tr("begin a new race even if an earlier one still runs")
    )
    parser.add_argument(
        "--robot",
        choices=LEVELS,
        action="append",
        default=[],
        dest="robots",
        help=tr("race a robot that plays so fast; more of them for more robots"),
    )
    add_settings(parser)


async def run(args: argparse.Namespace, world: World) -> int:
    """Play: on the named server, else on one of our own."""
    settings = settings_of(args, ALONE)
    seats = max(settings.max_racers, 1 + len(args.robots))
    entrance = Create(new_create_id(), msgspec.structs.replace(settings, max_racers=seats))
    robots = tuple(LEVELS[level] for level in args.robots)
    session = Session(entrance, resumes=not args.new)
    server = named_server(args, world)
    if server is not None:
        back = f"{_come_back()} cellrace join {{race}} --server {server.url}"
        replay = f"cellrace replay {{race}} --server {server.url}"
        return await sit_down(
            args, world, server, session, Habits("", back, replay, starts=True, robots=robots)
        )
    back = f"{_come_back()} cellrace play"
    habits = Habits("", back, "cellrace replay {race} --local", starts=True, robots=robots)
    async with AsyncExitStack() as stack:
        context = local_server(world.data_folder, "127.0.0.1", 0, world.environment)
        local = await stack.enter_async_context(context)
        own = OwnServer(stack, local.ended, local.url)
        return await sit_down(args, world, local_server_at(local.url), session, habits, own)


def _come_back() -> str:
    return tr("The race goes on without you; come back with:")
