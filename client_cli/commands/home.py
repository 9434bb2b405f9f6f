"""`cellrace home`, or `cellrace` alone in a terminal: the full screen with everything one can do."""

import argparse

from client_cli.errors import ClientError
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.world import World

_EXAMPLE = mark("""\
  cellrace
Without a terminal there is no screen: cellrace --help shows the other commands.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    help_line = mark("everything on one screen (so does cellrace alone)")
    add_command(commands, "home", help_line, _EXAMPLE, run, "no lines")


async def run(args: argparse.Namespace, world: World) -> int:
    """Show it."""
    if not world.has_screen:
        raise ClientError(tr("the first screen needs a terminal; cellrace --help shows the other commands"))
    # Loaded here, so that no other command waits for it.
    from client_cli.screens.running import run_screen  # noqa: PLC0415

    return await run_screen(args, world)
