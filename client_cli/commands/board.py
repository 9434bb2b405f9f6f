"""`cellrace board`: the leaderboards of a day or a month."""

import argparse
from contextlib import AsyncExitStack
from typing import get_args

from client_cli.commands.daily import cells_of, checked_day
from client_cli.daily_words import board_lines
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.visit import at, reach, visiting
from client_cli.wiring import style_of, terminal_of
from client_cli.world import World
from protocol.commands import BoardBy, Ranking
from protocol.events import Ranks

_EXAMPLE = mark("""\
  cellrace board --server wss://race.example.org
  cellrace board 2026-11-29 --by actions
  cellrace board 2026-11 --cells 2            the board of a month
Equal results share a rank.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(
        commands, "board", mark("the leaderboards of the deal of a day"), _EXAMPLE, run, "lines"
    )
    parser.add_argument(
        "period", nargs="?", metavar=tr("DATE"), help=tr("a day, or a month such as 2026-11 (default: today)")
    )
    parser.add_argument(
        "--by", choices=get_args(BoardBy), default="time", help=tr("what the board goes by (default: time)")
    )
    parser.add_argument(
        "--cells", choices=("4", "2"), default="4", help=tr("free cells; 2 is the harder deal")
    )
    parser.add_argument(
        "--from",
        dest="first",
        type=int,
        default=1,
        metavar="N",
        help=tr("the first line to show (default: 1)"),
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Show a board."""
    terminal = terminal_of(world)
    async with AsyncExitStack() as stack:
        server, own = await reach(args, world, stack)
        period = args.period and checked_day(args.period, r"\d{4}-\d{2}(-\d{2})?")
        question = Ranking(0, cells_of(args), period, args.by, max(0, args.first - 1))
        async with visiting(args, world, server, terminal) as visitor:
            (told,) = await visitor.ask((question, Ranks))
        terminal.say(*board_lines(told, visitor.player, style_of(args, world)))
        if told.lines:
            first = told.lines[0]
            command = f"cellrace replay {first.race}{at(server, own)}"
            terminal.say("", tr("The replay of {name}: {command}").format(name=first.name, command=command))
    return 0
