"""`cellrace rules`: the rules, to read."""

import argparse
import textwrap

from client_cli import language
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.output import put
from client_cli.screens.rules_text import RULESETS, rules_text
from client_cli.world import World

WIDTH = 78

_EXAMPLE = mark("""\
  cellrace rules app
  cellrace rules --lang pt""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    help_line = mark("print the rules of the game and of a race")
    parser = add_command(commands, "rules", help_line, _EXAMPLE, run, "page")
    parser.add_argument(
        "ruleset",
        metavar="RULESET",
        nargs="?",
        choices=tuple(RULESETS),
        help=tr("one of {choices} (default: all of them)").format(choices=", ".join(RULESETS)),
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Print them, in lines that fit any terminal."""
    language.use(language.language_of(args.lang, world.environment))
    paragraphs = (textwrap.fill(text, WIDTH) for text in rules_text(args.ruleset or "").split("\n\n"))
    put(world.stdout, "\n\n".join(paragraphs) + "\n")
    return 0
