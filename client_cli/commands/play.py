"""`cellrace play`: a race on this machine, started at once."""

import argparse
from contextlib import AsyncExitStack

from client_cli.hosting import ALONE
from client_cli.local_server import local_server
from client_cli.options import add_command, add_settings, settings_of
from client_cli.seat import OwnServer, sit_down
from client_cli.session import Session
from client_cli.table import Habits
from client_cli.wiring import local_server_at, named_server, new_create_id
from client_cli.world import World
from protocol.commands import Create

_EXAMPLE = """\
  cellrace play --deal 617 --cells 3
  echo '3a 26 7h' | cellrace play
In the game, ? says what can be typed. A race you left is gone on with the next time;
its clock has run on."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "play", "race on this machine, at once and alone", _EXAMPLE, run)
    parser.add_argument(
        "--new", action="store_true", help="begin a new race even if an earlier one still runs"
    )
    add_settings(parser)


async def run(args: argparse.Namespace, world: World) -> int:
    """Play: on the named server, else on one of our own."""
    entrance = Create(new_create_id(), settings_of(args, ALONE))
    session = Session(entrance, resumes=not args.new)
    server = named_server(args, world)
    if server is not None:
        back = f"The race goes on without you; come back with: cellrace join {{race}} --server {server.url}"
        replay = f"cellrace replay {{race}} --server {server.url}"
        return await sit_down(args, world, server, session, Habits("", back, replay, starts=True))
    back = "The race goes on without you; come back with: cellrace play"
    habits = Habits("", back, "cellrace replay {race} --local", starts=True)
    async with AsyncExitStack() as stack:
        context = local_server(world.data_folder, "127.0.0.1", 0, world.environment)
        local = await stack.enter_async_context(context)
        own = OwnServer(stack, local.ended, local.url)
        return await sit_down(args, world, local_server_at(local.url), session, habits, own)
