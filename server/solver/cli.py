"""How `solve` and `certify` are called. What they do is imported when they run."""

import argparse
from functools import partial
from typing import Final

from server.freecell.deal import MAX_DEAL
from server.tools import MAX_CELLS, Output, Subparsers, ToolError, deal_number, run_tool, whole

MAX_STATES: Final = 100_000_000
"""Positions of one search: what needs some seventy gigabytes."""

MAX_DEALS: Final = 1_000_000
"""What one run may be for: each is kept in memory."""

MAX_PROCESSES: Final = 64

_SOLVE_MORE: Final = """\
Prints the moves, ten to a line, as `verify` takes them; or `unwinnable`, when every line was tried; or
`unknown`. Unwinnable means: without taking cards back off the foundations.

exit status: 0 solved; 1 unwinnable or unknown

examples:
  cellrace-server solve 617
  cellrace-server solve 618 --cells 3 | cellrace-server verify --deal 618 --cells 3
  cellrace-server solve 11982 --states 5000000    a greater bound: slower, and up to gigabytes of memory
"""

_CERTIFY_MORE: Final = """\
Finds for each deal a line that wins, or tries every line. Each answer is a line of FILE at once, and nothing
that is there is computed again: interrupt it as you like. Deals that a bound leaves undecided are tried again
with greater ones, the last of which take gigabytes of memory.

Where the search is long, lines from elsewhere help: --lines takes a file of them, a deal each (free cells,
deal and moves, with spaces between), and plays each through before it counts. Once as many of deals 1 to
32000 can be won as is published, what is left of them is lost.

With --table, writes the packed table that the server draws from: what is known of deals 1 to 32000 with 3, 2
and 1 cells.

exit status: 0 all decided; 1 some are not

examples:
  cellrace-server certify answers.txt --lines server/deals/lines.txt --table server/deals/winnable.bin
  cellrace-server certify answers.txt --cells 3 --deals 1..1000 --processes 4
"""


def add_solver_commands(subparsers: Subparsers) -> None:
    """Add the two commands; each sets ``run``, a function from the parsed arguments to the exit status."""
    solve = _add(subparsers, "solve", "find a solution of a numbered deal", _SOLVE_MORE)
    solve.add_argument("number", metavar="N", help=f"the deal, 1 to {MAX_DEAL}")
    solve.add_argument("--cells", default="4", metavar="C", help="free cells, 1 to 4 (default: 4)")
    solve.add_argument("--states", metavar="S", help="positions that one search looks at (default: 1000000)")
    solve.set_defaults(run=partial(run_tool, _solve))
    certify = _add(subparsers, "certify", "find out which of many deals can be won", _CERTIFY_MORE)
    certify.add_argument("answers", metavar="FILE", help="where the answers are, and will be")
    certify.add_argument("--cells", default="3,2,1", metavar="C,...", help="free cells (default: 3,2,1)")
    certify.add_argument("--deals", default="1..32000", metavar="A..B", help="default: 1..32000")
    certify.add_argument("--processes", default="1", metavar="P", help="how many search at once (default: 1)")
    certify.add_argument("--lines", metavar="FILE", help="lines that win, found by other means")
    certify.add_argument("--table", metavar="FILE", help="write the packed table")
    certify.set_defaults(run=partial(run_tool, _certify))


def _add(subparsers: Subparsers, name: str, summary: str, more: str) -> argparse.ArgumentParser:
    return subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _solve(args: argparse.Namespace) -> Output:
    from server.solver.commands import solve_command  # noqa: PLC0415 - the rule tools do without

    states = None if args.states is None else whole(args.states, "--states", 1, MAX_STATES)
    return solve_command(deal_number(args.number), _cells(args.cells), states)


def _certify(args: argparse.Namespace) -> Output:
    from server.solver.commands import certify_command  # noqa: PLC0415

    cells = tuple(dict.fromkeys(map(_cells, args.cells.split(","))))
    first, dots, last = args.deals.partition("..")
    if not dots:
        raise ToolError("--deals is written A..B")
    deals = range(deal_number(first), deal_number(last) + 1)
    if not 1 <= len(deals) <= MAX_DEALS:
        raise ToolError(f"--deals is A..B, from A up to B and {MAX_DEALS} deals at most, not {args.deals}")
    processes = whole(args.processes, "--processes", 1, MAX_PROCESSES)
    return certify_command(args.answers, cells, deals, processes, args.table, args.lines)


def _cells(text: str) -> int:
    return whole(text, "--cells", 1, MAX_CELLS)
