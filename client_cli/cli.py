"""The command `cellrace`: what can be said on the command line, and how errors are shown."""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NoReturn, Protocol

from client_cli import argparse_words
from client_cli.clean import clean
from client_cli.commands import (
    board,
    bot,
    completion,
    daily,
    home,
    host,
    join,
    me,
    play,
    replay,
    rules,
    watch,
    whoami,
)
from client_cli.errors import ClientError
from client_cli.language import LANGUAGES, language_of, mark, tr, use
from client_cli.options import Help
from client_cli.output import complain, discard, put
from client_cli.world import World, this_world
from protocol.version import RELEASE

INTERRUPTED = 130
"""The status of what Ctrl-C ended, as shells have it."""

_DESCRIPTION = mark("""\
Several people race on one FreeCell deal: the same cards for all, at the same moment. \
Who has all 52 home first, wins.

  cellrace                   in a terminal: all of this on a screen
  cellrace play              race on this machine, at once and alone
  cellrace host              open a race that friends can join, and get the command to send them
  cellrace join ABCDEFGH     join a race by its code
  cellrace daily             the deal of the day, once for the leaderboards""")


COMMANDS: Final = {
    "home": home,
    "play": play,
    "host": host,
    "join": join,
    "daily": daily,
    "board": board,
    "me": me,
    "watch": watch,
    "replay": replay,
    "bot": bot,
    "rules": rules,
    "whoami": whoami,
    "completion": completion,
}


class _Writes(Protocol):
    """What argparse writes its help to."""

    def write(self, text: str, /) -> object:
        """Write some text."""
        ...


class _Parser(argparse.ArgumentParser):
    """Errors in one line; the usage is one `--help` away."""

    def print_help(self, file: _Writes | None = None) -> None:
        """Print it, or fail: argparse itself takes no notice of a disk that is full."""
        if file is None:
            put(sys.stdout, self.format_help())
        else:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        how = tr("{command} --help shows how").format(command=self.prog)
        complain(f"{self.prog}: {message} ({how})\n")
        self.exit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    use(language_of(_asked_for(given), os.environ))
    if sys.stdout is None:
        complain(f"cellrace: {tr('cannot write the output: it is closed')}\n")
        return 1
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            # A name in letters that the terminal cannot show is no reason to fail.
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a text file in every real process
    try:
        return _obey(given)
    except ClientError as error:
        # It may repeat an option, a path or a variable, whoever wrote them.
        why = "\n".join(map(clean, str(error).split("\n")))
        complain(f"cellrace: {why}\n")
        discard()
        return 1
    except KeyboardInterrupt:
        complain("\n")
        return INTERRUPTED
    except BrokenPipeError:
        # Who read the output has had enough.
        discard()
        return 1


def _obey(given: list[str]) -> int:
    if _names_no_command(given) and this_world().has_screen:
        given = ["home", *given]
    argparse_words.translate()
    args = build_parser().parse_args(given)
    run: Callable[[argparse.Namespace, World], Awaitable[int]] = args.run
    return asyncio.run(_run(run, args))


def _names_no_command(given: Sequence[str]) -> bool:
    """Whether there are options at most, and none that asks for help: they are then the first screen's."""
    is_asking = bool(given) and given[0] in {"--help", "--version"}
    return not given or (given[0].startswith("--") and not is_asking and not set(COMMANDS) & set(given))


def _asked_for(given: Sequence[str]) -> str | None:
    """The language that the command line asks for: its own help and errors are to be in it already."""
    for place, word in enumerate(given, start=1):
        name, _, value = word.partition("=")
        if name == "--lang":
            asked = value or "".join(given[place : place + 1])
            return asked if asked in LANGUAGES else None
    return None


def build_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = _Parser(prog="cellrace", description=tr(_DESCRIPTION), formatter_class=Help)
    parser.add_argument(
        "--version",
        action="version",
        version=f"cellrace {RELEASE}",
        help=tr("show the version of this program and exit"),
    )
    parser.add_argument("--lang", choices=LANGUAGES, help=tr("the language (default: the locale's)"))
    commands = parser.add_subparsers(title=tr("commands"), metavar=tr("COMMAND"), required=True)
    for command in COMMANDS.values():
        command.add_to(commands)
    parser.set_defaults(whole=parser)  # for what completes it
    return parser


async def _run(run: Callable[[argparse.Namespace, World], Awaitable[int]], args: argparse.Namespace) -> int:
    try:
        return await run(args, this_world())
    except ExceptionGroup as group:
        raise _first(group) from group


def _first(error: Exception) -> Exception:
    """What went wrong first in a group of tasks; the others ended because of it."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


if __name__ == "__main__":
    sys.exit(main())
