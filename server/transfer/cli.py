"""How `export` and `import` are called. What they do is imported when they run."""

import argparse
from typing import Final, TypeAlias

# argparse has no public name for what add_subparsers returns.
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001

_EXPORT_MORE: Final = """\
One JSON object a line: every event of races, players and results, and what is due when. A store on Redis may
be in use meanwhile; a SQLite store belongs to its server, which must be ended first.

examples:
  cellrace-server export backup.jsonl
  cellrace-server export --store redis://redis.example:6379 | gzip > backup.jsonl.gz
  cellrace-server export --race ABCDEFGH race.jsonl
"""

_IMPORT_MORE: Final = """\
A log that is there already is passed over; one that is there and different is left alone and named. A log
comes in whole or not at all, so an import that was interrupted may be done again.

examples:
  cellrace-server import --store redis://redis.example:6379 backup.jsonl
  gunzip < backup.jsonl.gz | cellrace-server import --store sqlite:races.sqlite

status: 0 if all logs are there now; 1 if some are different, or the store failed; 2 if the input is damaged.
"""


def add_transfer_commands(subparsers: Subparsers) -> None:
    """Add the two commands; each sets ``run``, a function from the parsed arguments to the exit status."""
    export = _add(subparsers, "export", "write everything in a store as lines of text", _EXPORT_MORE)
    export.add_argument(
        "--race", action="append", metavar="CODE", help="this race only; may be given more than once"
    )
    export.add_argument("file", nargs="?", metavar="FILE", help="where to (default: standard output)")
    export.set_defaults(run=_export)
    bring = _add(subparsers, "import", "bring what was exported into a store", _IMPORT_MORE)
    bring.add_argument("file", nargs="?", metavar="FILE", help="where from (default: standard input)")
    bring.set_defaults(run=_import)


def _add(subparsers: Subparsers, name: str, summary: str, more: str) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--store", metavar="URL", help="the store (CELLRACE_STORE; default sqlite:cellrace.sqlite)"
    )
    return parser


def _export(arguments: argparse.Namespace) -> int:
    from server.transfer.commands import export_command  # noqa: PLC0415 - the rule tools do without

    return export_command(arguments.store, arguments.race, arguments.file)


def _import(arguments: argparse.Namespace) -> int:
    from server.transfer.commands import import_command  # noqa: PLC0415

    return import_command(arguments.store, arguments.file)
