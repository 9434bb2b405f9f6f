"""`cellrace whoami`: who one is on a server, and where that is written."""

import argparse

from client_cli.errors import ClientError
from client_cli.identity import player_of
from client_cli.options import add_command
from client_cli.output import put
from client_cli.wiring import any_server, local_server_at, who
from client_cli.world import World

_EXAMPLE = """\
  cellrace whoami --server ws://192.168.1.20:8765
Whoever has the token is you: copy its file to play on from another machine, and show it to nobody."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(
        commands, "whoami", "tell who you are on a server, and where your token is", _EXAMPLE, run, "text"
    )
    parser.add_argument("--local", action="store_true", help="on the server that play and host start here")


async def run(args: argparse.Namespace, world: World) -> int:
    """Tell; nobody is asked."""
    server = local_server_at("this machine") if args.local else any_server(args, world)
    player = who(args, world, server)
    token = player.tokens.read()
    if token is None:
        raise ClientError(f"you have no token for {server.url} yet; you get one when you first connect to it")
    lines = (f"player: {player_of(token)}", f"name: {player.name}", f"token: {player.tokens.path}")
    put(world.stdout, "".join(f"{line}\n" for line in lines))
    return 0
