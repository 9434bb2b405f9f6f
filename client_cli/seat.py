"""What play, host and join have in common: sitting down at a table."""

import argparse

from client_cli.inbox import Inbox
from client_cli.session import Session
from client_cli.table import Habits, Table
from client_cli.terminal import read_lines
from client_cli.wiring import Server, converse, storyteller_of, terminal_of, who
from client_cli.world import World


async def sit_down(
    args: argparse.Namespace, world: World, server: Server, session: Session, habits: Habits
) -> int:
    """Enter a race and play it by lines; the exit status.

    Raises:
        ClientError: the server cannot be reached, or does not let one in.
    """
    terminal = terminal_of(world)
    inbox = Inbox()
    conversation = converse(who(args, world, server), server, session, inbox, terminal, world)
    read_lines(world.stdin, inbox.put_nowait)
    storyteller = storyteller_of(args, world, is_alone=habits.starts)
    await Table(conversation, inbox, terminal, storyteller, world.around, habits).run()
    return 0
