"""`cellrace me`: what one has done on all days."""

import argparse
from contextlib import AsyncExitStack

from client_cli.daily_words import record_lines, running_lines
from client_cli.language import mark
from client_cli.options import add_command
from client_cli.visit import reach, visiting
from client_cli.wiring import style_of, terminal_of
from client_cli.world import World
from protocol.commands import Daily, Record
from protocol.events import DayTold, Recorded

_EXAMPLE = mark("""\
  cellrace me --server wss://race.example.org
A streak goes on with every day you win; a day you can still win does not end it.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    add_command(
        commands, "me", mark("your streaks and times on the deals of the day"), _EXAMPLE, run, "lines"
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Show the record, for four cells and for two; and what runs, which is no part of it yet."""
    terminal = terminal_of(world)
    async with AsyncExitStack() as stack:
        server, own = await reach(args, world, stack)
        async with visiting(args, world, server, terminal) as visitor:
            records = await visitor.ask((Record(0, 4), Recorded), (Record(0, 2), Recorded))
            days = await visitor.ask((Daily(0, 4), DayTold), (Daily(0, 2), DayTold))
        for told in records:
            terminal.say(*record_lines(told, style_of(args, world)))
        for day in days:
            terminal.say(*running_lines(day, "" if own else server.url))
    return 0
