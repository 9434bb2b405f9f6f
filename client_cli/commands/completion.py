"""`cellrace completion SHELL`: what a shell needs to complete the commands and options of `cellrace`."""

import argparse
from collections.abc import Iterator
from typing import Final

from client_cli.language import mark, tr
from client_cli.options import add_command, setting_of
from client_cli.output import put
from client_cli.settings import CHOICES
from client_cli.world import World

SHELLS: Final = ("bash", "zsh", "fish")
_FILES: Final = frozenset({"token_file", "moves"})
"""Options whose value is the name of a file."""

_EXAMPLE = mark("""\
  cellrace completion bash > ~/.local/share/bash-completion/completions/cellrace
  cellrace completion zsh > ~/.zfunc/_cellrace
  cellrace completion fish > ~/.config/fish/completions/cellrace.fish
For zsh, fpath+=(~/.zfunc) stands before compinit in ~/.zshrc. From the next shell on, Tab completes.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    help_line = mark("print what makes your shell complete commands and options")
    parser = add_command(commands, "completion", help_line, _EXAMPLE, run, "page")
    one_of = tr("one of {choices}").format(choices=", ".join(SHELLS))
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=one_of)


async def run(args: argparse.Namespace, world: World) -> int:
    """Print it, for the whole command line that `args` came from."""
    # Loaded here, so that no other command waits for it.
    import shtab  # noqa: PLC0415

    for action in _actions(args.whole):
        if action.dest in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab looks for it there
        elif (setting := setting_of(action.dest)) and CHOICES[setting].words:
            action.choices = CHOICES[setting].words
    put(world.stdout, shtab.complete(args.whole, shell=args.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All options of a parser and of its commands."""
    for action in parser._actions:  # noqa: SLF001 - argparse shows them to nobody
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for command in action.choices.values():
                yield from _actions(command)
        else:
            yield action
