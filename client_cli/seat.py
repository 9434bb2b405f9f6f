"""What play, host and join have in common: sitting down at a table."""

import argparse
import asyncio

from client_cli.connection import Over
from client_cli.inbox import Inbox
from client_cli.own_server import OwnServer
from client_cli.screens.preferences import load
from client_cli.session import Session
from client_cli.table import Habits, Table
from client_cli.terminal import read_lines
from client_cli.wiring import Server, converse, storyteller_of, terminal_of, who
from client_cli.world import World


async def sit_down(
    args: argparse.Namespace,
    world: World,
    server: Server,
    session: Session,
    habits: Habits,
    own: OwnServer | None = None,
) -> int:
    """Enter a race and play it: on the full screen in a terminal, else by lines; the exit status.

    Args:
        args: the options that all commands have.
        world: what is around.
        server: where the race is.
        session: how to enter it.
        habits: what to do without being asked.
        own: the server, if it is one's own; the full screen ends it.

    Raises:
        ClientError: the server cannot be reached, or does not let one in.
    """
    if world.has_screen and not args.text:
        # What draws on the whole screen takes a while to load, and lines do without it.
        from client_cli.screens.running import run_screen  # noqa: PLC0415
        from client_cli.screens.seating import Seating  # noqa: PLC0415

        seating = Seating(
            server,
            session,
            own.public_url if own else server.url,
            starts=habits.starts,
            readies=habits.readies,
            robots=habits.robots,
            haunt=habits.haunt,
            return_hint=habits.return_hint,
            own=own,
        )
        return await run_screen(args, world, seating)
    terminal = terminal_of(world)
    inbox = Inbox()
    conversation = converse(who(args, world, server), server, session, inbox, terminal, world)
    storyteller = storyteller_of(args, world, is_alone=habits.starts)
    past = load(world.config_folder).ghost_in
    table = Table(conversation, inbox, terminal, storyteller, world.around, habits, past)
    read_lines(world.stdin, inbox.put_nowait)
    lifeline = asyncio.create_task(_report_end(own, inbox)) if own else None
    try:
        await table.run()
    finally:
        if lifeline is not None:
            lifeline.cancel()
    return 0


async def _report_end(own: OwnServer, inbox: Inbox) -> None:
    inbox.put_nowait(Over(await own.ended()))
