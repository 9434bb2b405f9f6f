"""`cellrace daily`: the deal of the day, once for the boards, and as often as one likes besides."""

import argparse
import re
import shlex
from contextlib import AsyncExitStack

from client_cli.consent import agrees
from client_cli.daily_proof import all_promised, promised
from client_cli.daily_words import (
    begin_question,
    challenge_lines,
    day_lines,
    private_text,
    result_lines,
    share_line,
)
from client_cli.errors import ClientError
from client_cli.ghost_finding import on_the_boards
from client_cli.ghosts import Haunt
from client_cli.hosting import ALONE
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.own_server import OwnServer
from client_cli.seat import sit_down
from client_cli.session import Entrance, Session
from client_cli.table import Habits
from client_cli.terminal import Terminal
from client_cli.visit import reach, visiting
from client_cli.wiring import Server, new_create_id, style_of, terminal_of
from client_cli.world import World
from protocol.commands import Attempt, Create, Daily, DailyCells, Settings
from protocol.events import DayTold

_EXAMPLE = mark("""\
  cellrace daily --server wss://race.example.org
  cellrace daily --cells 2           the harder one
  cellrace daily --ghost bob         against how far bob was at every time
  cellrace daily 2026-11-29          an earlier day, unranked
The first start of a day is the one that counts: it has 60 minutes, and its clock runs on while you are away.
A day is one for the whole world, from 0:00 to 24:00 UTC.""")

_NOT_AGAIN = mark(
    "--again is for once your ranked attempt is over; without it, the attempt goes on, or begins"
)
_SAY_YES = mark("this would begin your ranked attempt, the only one that counts; with --yes it does")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "daily", mark("play the deal of the day"), _EXAMPLE, run)
    parser.add_argument(
        "day", nargs="?", metavar=tr("DATE"), help=tr("an earlier day, to be played unranked")
    )
    parser.add_argument(
        "--cells", choices=("4", "2"), default="4", help=tr("free cells; 2 is the harder deal")
    )
    parser.add_argument(
        "--again", action="store_true", help=tr("play it unranked, once your attempt is over")
    )
    parser.add_argument(
        "--ghost",
        metavar=tr("NAME"),
        help=tr(
            "race against the attempt of somebody who has won it, by name, or by the name of the attempt"
        ),
    )
    parser.add_argument(
        "--yes", action="store_true", help=tr("begin the ranked attempt without being asked first")
    )
    parser.add_argument("--proof", action="store_true", help=tr("show what was promised of the deal, only"))
    parser.add_argument(
        "--promises", action="store_true", help=tr("show what is promised of the next 30 days, only")
    )


def cells_of(args: argparse.Namespace) -> DailyCells:
    """The number of free cells that was asked for."""
    return 2 if args.cells == "2" else 4


def checked_day(text: str, form: str = r"\d{4}-\d{2}-\d{2}") -> str:
    """A day as typed.

    Raises:
        ClientError: it is not written like one.
    """
    if not re.fullmatch(form, text, re.ASCII):
        why = tr("{text} is no day; one looks like {example}")
        raise ClientError(why.format(text=repr(text), example="2026-11-30"))
    return text


async def run(args: argparse.Namespace, world: World) -> int:
    """Play: on the named server, else on one of our own."""
    terminal = terminal_of(world)
    async with AsyncExitStack() as stack:
        server, own = await reach(args, world, stack)
        if own is not None:
            terminal.say(private_text())
        if args.proof or args.promises:
            terminal.say(*await _promised(args, world, server, terminal))
            return 0
        told = await _told(args, world, server, terminal)
        mine = told.mine
        is_open = told.day == told.today and (mine is None or mine.state == "racing")
        if mine is not None and mine.state == "racing" and not told.closed:
            is_open = True  # begun before midnight
        if is_open and args.again:
            raise ClientError(tr(_NOT_AGAIN))
        haunt = await on_the_boards(args, world, server, terminal, told) if args.ghost else None
        if is_open:
            return await _play_ranked(args, world, server, own, told, haunt)
        if mine is not None and not args.again and haunt is None:
            terminal.say(*_result(told, args, world, own, server), "")
            terminal.say(tr("Play it again, unranked, with --again."))
            return 0
        if told.day == told.today:
            terminal.say(*_result(told, args, world, own, server), "")
        return await _play_unranked(args, world, server, own, told, haunt)


async def _promised(args: argparse.Namespace, world: World, server: Server, terminal: Terminal) -> list[str]:
    day = args.day and checked_day(args.day)
    async with visiting(args, world, server, terminal) as visitor:
        if args.promises:
            return await all_promised(visitor, cells_of(args))
        return await promised(visitor, cells_of(args), day)


async def _told(args: argparse.Namespace, world: World, server: Server, terminal: Terminal) -> DayTold:
    question = Daily(0, cells_of(args), args.day and checked_day(args.day))
    async with visiting(args, world, server, terminal) as visitor:
        (told,) = await visitor.ask((question, DayTold))
    return told


async def _play_ranked(
    args: argparse.Namespace,
    world: World,
    server: Server,
    own: OwnServer | None,
    told: DayTold,
    haunt: Haunt | None,
) -> int:
    """The attempt that counts; at its end, what came of it."""
    if told.mine is None and not args.yes and not world.is_interactive:
        raise ClientError(tr(_SAY_YES))
    terminal = terminal_of(world)
    terminal.say(*day_lines(told))
    if told.mine is not None:
        terminal.say(tr("Your ranked attempt goes on."))
    elif args.yes:
        terminal.say(tr("This is your ranked attempt: 60 minutes."))
    elif not await agrees(terminal, world.stdin, begin_question(told)):
        terminal.say(tr("It has not begun."))
        return 0
    status = await _play(args, world, server, own, Attempt(told.day, cells_of(args)), haunt)
    if own is not None and world.has_screen and not args.text:
        return status  # the screen has ended our server
    args.day = told.day
    told = await _told(args, world, server, terminal)
    if told.mine is not None and told.mine.state != "racing":
        terminal.say("", *_result(told, args, world, own, server))
    return status


async def _play_unranked(
    args: argparse.Namespace,
    world: World,
    server: Server,
    own: OwnServer | None,
    told: DayTold,
    haunt: Haunt | None,
) -> int:
    settings = Settings(
        deal=f"daily:{told.day}", cells=told.cells, countdown_s=ALONE.countdown_s, watch=ALONE.watch
    )
    terminal_of(world).say(*day_lines(told), tr("This one is unranked."))
    return await _play(args, world, server, own, Create(new_create_id(), settings), haunt, starts=True)


async def _play(
    args: argparse.Namespace,
    world: World,
    server: Server,
    own: OwnServer | None,
    entrance: Entrance,
    haunt: Haunt | None,
    *,
    starts: bool = False,
) -> int:
    at = "" if own else f" --server {server.url}"
    cells = "" if args.cells == "4" else f" --cells {args.cells}"
    ghost = f" --ghost {shlex.quote(args.ghost)}" if args.ghost else ""
    back = f"{tr('The race goes on without you; come back with:')} cellrace daily{cells}{ghost}{at}"
    if starts:
        back = (
            "" if own else f"{tr('The race goes on without you; come back with:')} cellrace join {{race}}{at}"
        )
    replay = f"cellrace replay {{race}}{at or ' --local'}"
    habits = Habits("", back, replay, starts=starts, ends=not starts, haunt=haunt)
    return await sit_down(args, world, server, Session(entrance), habits, own)


def _result(
    told: DayTold, args: argparse.Namespace, world: World, own: OwnServer | None, server: Server
) -> list[str]:
    """How it went, and what can be done with that."""
    if told.mine is None:
        return []
    style = style_of(args, world)
    replay = f"cellrace replay {told.mine.race}{' --local' if own else f' --server {server.url}'}"
    return [
        *result_lines(told, told.mine),
        f"  {share_line(told, told.mine, style, is_private=own is not None)}",
        f"{tr('The replay:')} {replay}",
        f"{tr('Until when it could be won:')} {replay} --report",
        *challenge_lines(told, "" if own else server.url),
    ]
