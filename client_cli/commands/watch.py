"""`cellrace watch CODE`: follow a race without a seat in it."""

import argparse

from client_cli.errors import ClientError
from client_cli.gallery import Gallery
from client_cli.inbox import Inbox
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.session import Session
from client_cli.terminal import read_lines
from client_cli.viewing import shows_screen, watch_on_screen
from client_cli.wiring import CODE_HELP, converse, race_named, read_code, storyteller_of, terminal_of, who
from client_cli.world import World
from protocol.commands import Watch

_EXAMPLE = mark("""\
  cellrace watch ABCDEFGH --server ws://192.168.1.20:8765
  cellrace watch ws://192.168.1.20:8765/ABCDEFGH
The host decides whether you see boards or only progress, and how late.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(
        commands, "watch", mark("follow a race: progress, and boards where the host allows"), _EXAMPLE, run
    )
    parser.add_argument("code", metavar=tr("CODE"), help=tr(CODE_HELP))
    parser.add_argument(
        "more", metavar=tr("CODE"), nargs="*", default=[], help=tr("more races there, on the full screen")
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Watch until the race is over."""
    server, code = race_named(args, world)
    if shows_screen(args, world):
        return await watch_on_screen(args, world, server, [code, *map(read_code, args.more)])
    if args.more:
        raise ClientError(tr("several races at once are for the full screen, in a terminal"))
    terminal = terminal_of(world)
    inbox = Inbox()
    session = Session(Watch(code))
    conversation = converse(who(args, world, server), server, session, inbox, terminal, world)
    if world.is_interactive:
        # In a pipe nobody types, and an end of input does not mean that nobody watches.
        read_lines(world.stdin, inbox.put_nowait)
    await Gallery(conversation, inbox, terminal, storyteller_of(args, world), world.around).run()
    return 0
