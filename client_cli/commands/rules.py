"""`cellrace rules`: the rules, to read."""

import argparse
import textwrap

from client_cli import language
from client_cli.language import mark
from client_cli.options import add_command
from client_cli.output import put
from client_cli.screens.rules_text import rules_text
from client_cli.world import World

WIDTH = 78

_EXAMPLE = "  cellrace rules --lang pt"


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    add_command(commands, "rules", mark("print the rules of the game and of a race"), _EXAMPLE, run, "page")


async def run(args: argparse.Namespace, world: World) -> int:
    """Print them, in lines that fit any terminal."""
    language.use(language.language_of(args.lang, world.environment))
    paragraphs = (textwrap.fill(text, WIDTH) for text in rules_text().split("\n\n"))
    put(world.stdout, "\n\n".join(paragraphs) + "\n")
    return 0
