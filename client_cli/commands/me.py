"""`cellrace me`: what one has done on all days."""

import argparse
from contextlib import AsyncExitStack

from client_cli.daily_words import record_lines
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.visit import Visitor, reach
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
    """Show the record, for four cells and for two; and that an attempt runs, which is no part of it yet."""
    terminal, style = terminal_of(world), style_of(args, world)
    async with AsyncExitStack() as stack:
        server, _ = await reach(args, world, stack)
        records = await Visitor(args, world, server, terminal).ask(
            (Record(0, 4), Recorded), (Record(0, 2), Recorded)
        )
        days = await Visitor(args, world, server, terminal).ask(
            (Daily(0, 4), DayTold), (Daily(0, 2), DayTold)
        )
    for record, day in zip(records, days, strict=True):
        terminal.say(*record_lines(record, style))
        if day.mine is not None and day.mine.state == "racing":
            terminal.say(f"  {tr('your ranked attempt of today still runs; cellrace daily goes on with it')}")
    return 0
