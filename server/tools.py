"""The rule tools of ``cellrace-server``: deal, code, capacity, verify, expand.

Every command is a function from its arguments to what it prints and its exit status; ``run_tool`` does the
rest.
What a person got wrong is one line on standard error and status 2.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from server.freecell.capacity import capacity
from server.freecell.cards import card_name
from server.freecell.code import CodeError, deal_code, parse_code
from server.freecell.deal import MAX_DEAL, DealError, check_deal, deal
from server.freecell.expansion import expand
from server.freecell.legality import check
from server.freecell.movement import carry
from server.freecell.notation import Dialect, read_move, split_moves, write_move
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.replay import replay
from server.freecell.rulesets import RULESETS, Rules, RulesError, customise

MAX_INPUT_BYTES: Final = 1 << 20
MAX_CELLS: Final = 4
INTERRUPTED: Final = 130
"""The status of a command ended by Ctrl-C, as shells have it."""

# argparse has no public name for what add_subparsers returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001


class Output(NamedTuple):
    """What a command prints, and its exit status."""

    text: str
    status: int = 0


class ToolError(Exception):
    """Something the person who typed the command can put right."""


def add_tool_commands(subparsers: Subparsers) -> None:
    """Add the five commands; each sets ``run``, a function from the parsed arguments to the exit status."""
    _add_deal(subparsers)
    _add_code(subparsers)
    _add_capacity(subparsers)
    _add_verify(subparsers)
    _add_expand(subparsers)


def _add(
    subparsers: Subparsers, name: str, run: Callable[[argparse.Namespace], Output], summary: str, more: str
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=more.strip("\n"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=partial(run_tool, run))
    return parser


def run_tool(command: Callable[[argparse.Namespace], Output], args: argparse.Namespace) -> int:
    """Print what a command gives, or what is wrong with its arguments; the exit status."""
    try:
        output = command(args)
    except (ToolError, DealError, CodeError, RulesError) as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    try:
        print(output.text, flush=True)
    except OSError as error:
        # Python would write what is buffered once more on exit, and fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            return _complain(f"cannot write the output: {error.strerror}")
    return output.status


def _complain(message: str) -> int:
    print(f"cellrace-server: {message}", file=sys.stderr)
    return 2


# ---- reading arguments


def whole(text: str, name: str, least: int, most: int) -> int:
    """Read the whole number, from `least` to `most`, that the argument `name` is.

    Raises:
        ToolError: it is none.
    """
    # The length first: Python refuses to read thousands of digits, and none of the long ones is one of these.
    if not re.fullmatch("[+-]?[0-9]{1,19}", text) or not least <= int(text) <= most:
        raise ToolError(f"{name} is a whole number from {least} to {most}, not {_shown(text)}")
    return int(text)


def deal_number(text: str) -> int:
    """Read the number of a deal.

    Raises:
        DealError: it is none.
    """
    return check_deal(int(text) if re.fullmatch("[+-]?[0-9]{1,19}", text) else text)


def _shown(text: str) -> str:
    """What somebody gave, safe to print."""
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def _choice(text: str, name: str, choices: list[str]) -> str:
    if text not in choices:
        raise ToolError(f"{name} is one of {', '.join(choices)}, not {_shown(text)}")
    return text


def _add_board(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deal", required=True, metavar="N", help=f"the deal, 1 to {MAX_DEAL}")
    parser.add_argument("--cells", metavar="C", help="free cells (default: what the ruleset has)")
    names = ", ".join(RULESETS)
    parser.add_argument("--rules", default="race", metavar="R", help=f"the ruleset: {names} (default: race)")


def _board(args: argparse.Namespace) -> tuple[Position, Rules]:
    """The position and the rules that ``--deal``, ``--cells`` and ``--rules`` ask for.

    No ruleset is played without free cells, but solutions for none exist, and may be replayed by any.
    """
    rules = customise(args.rules)
    cells = rules.cells if args.cells is None else whole(args.cells, "--cells", 0, MAX_CELLS)
    rules = replace(rules, cells=0) if cells == 0 else customise(args.rules, cells)
    return deal(deal_number(args.deal), cells), rules


# ---- deal


def _add_deal(subparsers: Subparsers) -> None:
    parser = _add(
        subparsers,
        "deal",
        _deal,
        "print the layout of a numbered deal",
        """
Each line is a cascade, first dealt card first; the last card is the one that can be moved.
T is ten; C D H S are clubs, diamonds, hearts, spades.

examples:
  cellrace-server deal 617
  cellrace-server deal 617 --rows    as the cards are dealt, a row of eight at a time
""",
    )
    parser.add_argument("number", metavar="N", help=f"the deal, 1 to {MAX_DEAL}")
    parser.add_argument("--rows", action="store_true", help="print rows across the cascades instead")


def _deal(args: argparse.Namespace) -> Output:
    cascades = deal(deal_number(args.number)).cascades
    lines = zip_longest(*cascades) if args.rows else cascades
    return Output("\n".join(" ".join(card_name(card) for card in line if card is not None) for line in lines))


# ---- code


def _add_code(subparsers: Subparsers) -> None:
    parser = _add(
        subparsers,
        "code",
        _code,
        "turn a deal number into a deal code, or back",
        """
A code stands for a deal number and a number of free cells. Reading ignores case.

examples:
  cellrace-server code 327 --cells 4       prints FC1-C4-AAAAAKH
  cellrace-server code FC1-C4-AAAAAKH      prints 327 4 (deal, cells)
""",
    )
    parser.add_argument("value", metavar="N|CODE", help="a deal number or a deal code")
    parser.add_argument("--cells", metavar="C", help="free cells, 1 to 4, with a deal number (default: 4)")


def _code(args: argparse.Namespace) -> Output:
    if re.match("[+-]?[0-9]", args.value):
        cells = 4 if args.cells is None else whole(args.cells, "--cells", 1, MAX_CELLS)
        return Output(deal_code(deal_number(args.value), cells))
    if args.cells is not None:
        raise ToolError("--cells goes with a deal number; a code tells its own")
    return Output("{} {}".format(*parse_code(args.value)))


# ---- capacity


def _add_capacity(subparsers: Subparsers) -> None:
    parser = _add(
        subparsers,
        "capacity",
        _capacity,
        "tell how many cards may move at once",
        """
The rule: (empty free cells + 1) x 2^(empty cascades, the destination not counted).

examples:
  cellrace-server capacity --free-cells 4 --empty-cascades 1               prints 10
  cellrace-server capacity --free-cells 4 --empty-cascades 1 --to-empty    prints 5
""",
    )
    parser.add_argument("--free-cells", required=True, metavar="F", help="empty free cells, 0 to 4")
    parser.add_argument("--empty-cascades", required=True, metavar="E", help="all empty cascades, 0 to 8")
    parser.add_argument("--to-empty", action="store_true", help="the cards go to one of the empty cascades")


def _capacity(args: argparse.Namespace) -> Output:
    free_cells = whole(args.free_cells, "--free-cells", 0, MAX_CELLS)
    empty_cascades = whole(args.empty_cascades, "--empty-cascades", 0, 8)
    try:
        return Output(str(capacity(free_cells, empty_cascades, to_empty=args.to_empty)))
    except ValueError as error:
        raise ToolError(str(error)) from None


# ---- verify


def _add_verify(subparsers: Subparsers) -> None:
    parser = _add(
        subparsers,
        "verify",
        _verify,
        "play a solution through and tell whether it wins",
        """
Moves are a source and a destination: 1-8 cascades, a-d free cells, h home; 13v2 takes two cards
to an empty cascade, hs4 takes the top spade back. Any white space separates them.

exit status: 0 won; 1 not won, or a move was refused; 2 the input could not be read, or holds a word
that is not written like a move

examples:
  cellrace-server verify --deal 617 solution.txt
  cellrace-server verify --deal 617 --autoplay safe < published.txt
  cellrace-server verify --deal 2 --cells 1 --notation extended solver-output.txt
""",
    )
    _add_board(parser)
    parser.add_argument(
        "--autoplay",
        default="off",
        metavar="off|safe",
        help="safe: cards go home by themselves when no other can need them, as published solutions assume",
    )
    parser.add_argument(
        "--notation",
        default="standard",
        metavar="standard|extended",
        help="extended: as fc-solve writes, where 13 to an empty cascade takes one card",
    )
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the moves (default: standard input)"
    )


def _verify(args: argparse.Namespace) -> Output:
    start, rules = _board(args)
    autoplay = _choice(args.autoplay, "--autoplay", ["off", "safe"]) == "safe"
    dialect = Dialect(_choice(args.notation, "--notation", [str(dialect) for dialect in Dialect]))
    tokens = split_moves(_read(args.file))
    for place, token in enumerate(tokens):
        # Whether a word is written like a move does not depend on the position.
        move = read_move(token, start, rules, dialect)
        if isinstance(move, Illegal) and move.code == "bad_notation":
            raise ToolError(_refused(tokens, place, move))
    result = replay(start, rules, tokens, autoplay=autoplay, dialect=dialect)
    if result.error:
        return Output(_refused(tokens, result.accepted, result.error), 1)
    moves = "1 move" if result.accepted == 1 else f"{result.accepted} moves"
    return Output(f"won after {moves}") if result.position.is_won else Output(f"not won after {moves}", 1)


def _refused(tokens: list[str], accepted: int, error: Illegal) -> str:
    return f"move {accepted + 1} ({_shown(tokens[accepted])[1:-1]}): {error.detail}"


def _read(file: str) -> str:
    name = "standard input" if file == "-" else _shown(file)
    if file == "-" and not hasattr(sys.stdin, "buffer"):
        raise ToolError("there is no standard input to read")
    try:
        with sys.stdin.buffer if file == "-" else Path(file).open("rb") as stream:
            data = stream.read(MAX_INPUT_BYTES + 1)
        if len(data) > MAX_INPUT_BYTES:
            raise ToolError(f"{name} is longer than {MAX_INPUT_BYTES} bytes: that is no list of moves")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise ToolError(f"cannot read {name}: {error.strerror}") from None
    except ValueError:
        raise ToolError(f"cannot read {name}: it is not text in UTF-8") from None


# ---- expand


def _add_expand(subparsers: Subparsers) -> None:
    parser = _add(
        subparsers,
        "expand",
        _expand,
        "print the single-card moves a supermove stands for",
        """
Plays the moves, then expands the one after them. Prints ten moves to a line.

example:
  cellrace-server expand --deal 617 --moves "7a 7b 7c b7" 1b
""",
    )
    _add_board(parser)
    parser.add_argument("--moves", default="", metavar="MOVES", help="the moves that lead to the position")
    parser.add_argument("move", metavar="MOVE", help="the move to expand")


def _expand(args: argparse.Namespace) -> Output:
    start, rules = _board(args)
    tokens = split_moves(args.moves)
    result = replay(start, rules, tokens)
    if result.error:
        raise ToolError(_refused(tokens, result.accepted, result.error))
    position = result.position
    move = read_move(args.move, position, rules)
    if not isinstance(move, Illegal):
        move = check(position, move, rules) or move
    if isinstance(move, Illegal):
        raise ToolError(f"{_shown(args.move)} cannot be expanded: {move.detail}")
    steps: list[str] = []
    for step in expand(position, move):
        steps.append(write_move(step, position))
        position = carry(position, step)
    return Output("\n".join(" ".join(steps[line : line + 10]) for line in range(0, len(steps), 10)))
