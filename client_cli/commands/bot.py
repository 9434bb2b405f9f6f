"""`cellrace bot CODE --moves FILE`: a racer that plays written moves."""

import argparse
import sys
from pathlib import Path
from typing import Final

from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.errors import ClientError
from client_cli.inbox import Inbox
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.os_words import why_of
from client_cli.robot import Robot, read_moves
from client_cli.session import Session
from client_cli.small_file import read_small
from client_cli.story import Boards, Storyteller, link_text
from client_cli.wiring import CODE_HELP, converse, race_named, style_of, terminal_of, who
from client_cli.world import World
from protocol.commands import Join

LONGEST_MOVES: Final = 1 << 20

_EXAMPLE = mark("""\
  cellrace bot ABCDEFGH --moves moves.txt --name robot --token-file robot.token
It joins, is ready, plays the moves in their order, and waits for the end of the race.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "bot", mark("a racer that plays written moves"), _EXAMPLE, run, "lines")
    parser.add_argument("code", metavar=tr("CODE"), help=tr(CODE_HELP))
    parser.add_argument(
        "--moves",
        metavar=tr("FILE"),
        required=True,
        help=tr("moves in notation, separated by white space; - is standard input"),
    )
    parser.add_argument(
        "--pace", metavar="MS", type=int, default=0, help=tr("milliseconds between moves (default: 0)")
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Play the moves."""
    if args.pace < 0:
        raise ClientError(tr("--pace is a number of milliseconds, 0 or more"))
    moves = read_moves(_read(args.moves))
    server, code = race_named(args, world)
    terminal = terminal_of(world)
    inbox = Inbox()
    session = Session(Join(code))
    conversation = converse(who(args, world, server), server, session, inbox, terminal, world)
    storyteller = Storyteller(style_of(args, world), Boards.AT_THE_START)

    def tell(news: Heard | Lost | NewPlayer) -> None:
        if isinstance(news, Heard):
            terminal.say(*storyteller.tell(news, world.now_ms()))
        else:
            terminal.say(link_text(news))

    await Robot(conversation, inbox, moves, args.pace, world.around).run(tell)
    return 0


def _read(path: str) -> str:
    try:
        data = _read_input() if path == "-" else read_small(Path(path), LONGEST_MOVES)
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ClientError(tr("{path} is no text").format(path=path)) from None
    except OSError as error:
        text = tr("cannot read the moves in {path}: {why}")
        raise ClientError(text.format(path=path, why=why_of(error))) from None


def _read_input() -> bytes:
    if sys.stdin is None:
        raise ClientError(tr("there is no standard input to read moves from"))
    data = sys.stdin.buffer.read(LONGEST_MOVES + 1)
    if len(data) > LONGEST_MOVES:
        text = tr("standard input is longer than {most} bytes: that is no list of moves")
        raise ClientError(text.format(most=LONGEST_MOVES))
    return data
