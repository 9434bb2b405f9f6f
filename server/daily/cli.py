"""How `daily-proof` is called. What it does is imported when it runs."""

import argparse
from functools import partial
from typing import Final

from server.tools import Output, Subparsers, ToolError, run_tool

_MORE: Final = """\
Shows that the deal of a day is the one that was promised long before: the commitment is the SHA-256 of day,
cells, table and value, and the value draws the deal. A value is told when its day is closed, an hour after
its end (UTC); `cellrace daily --proof DATE` asks a server for it.

With --value nothing is looked up. Without it the key in the store is asked; a SQLite store belongs to its
server, which must be ended first.

exit status: 0 kept; 1 not the value that was committed to, or not told yet; 2 the input cannot be read

examples:
  cellrace-server daily-proof 2026-11-30 --cells 2 --value 6f1c... --commitment 9b0d...
  cellrace-server daily-proof 2026-11-30 --store redis://redis.example:6379
"""


def add_daily_commands(subparsers: Subparsers) -> None:
    """Add the command; it sets ``run``, a function from the parsed arguments to the exit status."""
    proof = subparsers.add_parser(
        "daily-proof",
        help="check that the deal of a day is the one that was promised",
        description="Check that the deal of a day is the one that was promised.",
        epilog=_MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    proof.add_argument("day", metavar="DATE", help="the day, such as 2026-11-30")
    proof.add_argument("--cells", metavar="C", help="free cells, 4 or 2 (default: both, or 4 with --value)")
    proof.add_argument("--value", metavar="HEX", help="the value that was told when the day was closed")
    proof.add_argument("--commitment", metavar="HEX", help="what was told of it before")
    proof.add_argument(
        "--store", metavar="URL", help="the store (CELLRACE_STORE; default sqlite:cellrace.sqlite)"
    )
    proof.set_defaults(run=partial(run_tool, _proof))


def _proof(args: argparse.Namespace) -> Output:
    from server.daily.proving import prove, prove_from_store  # noqa: PLC0415 - the rule tools do without

    if args.cells not in (None, "4", "2"):
        raise ToolError("there are deals of the day for 4 and for 2 free cells")
    if args.value is not None:
        return prove(args.day, int(args.cells or 4), args.value, args.commitment)
    if args.commitment is not None:
        raise ToolError("--commitment goes with --value")
    return prove_from_store(args.store, args.day, (4, 2) if args.cells is None else (int(args.cells),))
