"""What play, host and join have in common: sitting down at a table."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable

from client_cli.connection import Over
from client_cli.inbox import Inbox
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
    ended: Callable[[], Awaitable[str]] | None = None,
    *,
    public_url: str = "",
) -> int:
    """Enter a race and play it: on the full screen in a terminal, else by lines; the exit status.

    Args:
        args: the options that all commands have.
        world: what is around.
        server: where the race is.
        session: how to enter it.
        habits: what to do without being asked.
        ended: waits until the server ends, if it is one's own; what to say of that.
        public_url: where others find the server, if that is elsewhere than where it is for us.

    Raises:
        ClientError: the server cannot be reached, or does not let one in.
    """
    if world.has_screen and not args.text:
        # What draws on the whole screen takes a while to load, and lines do without it.
        from client_cli.screens.app import Seating, run_screen  # noqa: PLC0415

        seating = Seating(
            server,
            session,
            public_url or server.url,
            starts=habits.starts,
            readies=habits.readies,
            return_hint=habits.return_hint,
            ended=ended,
        )
        return await run_screen(args, world, seating)
    terminal = terminal_of(world)
    inbox = Inbox()
    conversation = converse(who(args, world, server), server, session, inbox, terminal, world)
    storyteller = storyteller_of(args, world, is_alone=habits.starts)
    table = Table(conversation, inbox, terminal, storyteller, world.around, habits)
    read_lines(world.stdin, inbox.put_nowait)
    lifeline = asyncio.create_task(_report_end(ended, inbox)) if ended else None
    try:
        await table.run()
    finally:
        if lifeline is not None:
            lifeline.cancel()
    return 0


async def _report_end(ended: Callable[[], Awaitable[str]], inbox: Inbox) -> None:
    inbox.put_nowait(Over(await ended()))
