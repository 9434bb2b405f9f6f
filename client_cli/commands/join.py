"""`cellrace join CODE`: take a seat in a race, or one's own seat again."""

import argparse

from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.seat import sit_down
from client_cli.session import Session
from client_cli.table import Habits
from client_cli.wiring import CODE_HELP, race_named
from client_cli.world import World
from protocol.commands import Join

_EXAMPLE = mark("""\
  cellrace join ABCDEFGH --server ws://192.168.1.20:8765
  cellrace join ws://192.168.1.20:8765/ABCDEFGH
Where you have a seat already, this takes you back to it, whatever connection you had before.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(
        commands, "join", mark("take a seat in a race, or your own seat again"), _EXAMPLE, run
    )
    parser.add_argument("code", metavar=tr("CODE"), help=tr(CODE_HELP))
    parser.add_argument("--ready", action="store_true", help=tr("be ready at once"))


async def run(args: argparse.Namespace, world: World) -> int:
    """Join."""
    server, code = race_named(args, world)
    back = f"{tr('Your seat is kept; come back with:')} cellrace join {code} --server {server.url}"
    habits = Habits("", back, f"cellrace replay {{race}} --server {server.url}", readies=args.ready)
    return await sit_down(args, world, server, Session(Join(code)), habits)
