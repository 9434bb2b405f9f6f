"""`cellrace host`: open a race that others can join, on a server of one's own if none is named."""

import argparse

from client_cli.errors import ClientError
from client_cli.going_on import Intent
from client_cli.hosting import EVERYWHERE, host_and_port
from client_cli.language import mark, tr
from client_cli.options import add_command, add_settings, named_settings, settings_of
from client_cli.own_server import own_server
from client_cli.seat import sit_down
from client_cli.session import Session
from client_cli.table import Habits
from client_cli.wiring import named_server, new_create_id
from client_cli.world import World
from protocol.commands import Create, Settings

_EXAMPLE = mark("""\
  cellrace host --cells 3 --watch live
Friends on your network type what it prints. In the lobby: /start, /kick NAME, /set cells 2, say TEXT.
The server ends when you leave; races in progress are kept and go on when you host again.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "host", mark("open a race that friends can join"), _EXAMPLE, run)
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        help=tr(
            "where a server of your own listens (default: {usual}, every network of this machine)"
        ).format(usual=EVERYWHERE),
    )
    parser.add_argument(
        "--new", action="store_true", help=tr("open a new race even if an earlier one still runs")
    )
    add_settings(parser)


async def run(args: argparse.Namespace, world: World) -> int:
    """Host: on the named server, else on one of our own."""
    intent = None if args.new else Intent("host", named_settings(args))
    session = Session(Create(new_create_id(), settings_of(args, Settings())), intent=intent)
    if args.listen and args.server:
        text = tr("--listen is for a server of your own, but {url} is to be used")
        raise ClientError(text.format(url=args.server))
    # An option wins over the environment: who says where a server of his own is to listen, wants one.
    server = None if args.listen else named_server(args, world)
    if server is not None:
        back = f"{tr('Come back with:')} cellrace join {{race}} --server {server.url}"
        habits = Habits(_invitation(server.url), back, f"cellrace replay {{race}} --server {server.url}")
        return await sit_down(args, world, server, session, habits)
    async with own_server(world, host_and_port(args.listen or EVERYWHERE)) as own:
        back = tr("The race is kept; go on with it with: cellrace host")
        habits = Habits(
            _invitation(own.public_url),
            back,
            tr("cellrace replay {race} --local, once this server has ended"),
            serves=True,
        )
        return await sit_down(args, world, own.server, session, habits, own)


def _invitation(url: str) -> str:
    return f"{tr('Friends join with')}:\n  cellrace join {{race}} --server {url}"
