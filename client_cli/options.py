"""Options that several commands share."""

import argparse
from collections.abc import Awaitable, Callable
from typing import Final

from client_cli.errors import ClientError
from client_cli.language import LANGUAGES
from client_cli.settings import CHOICES, BadSetting, changed
from client_cli.wiring import DEFAULT_SERVER
from client_cli.world import World
from protocol.commands import Settings

Run = Callable[[argparse.Namespace, World], Awaitable[int]]

_NAMES: Final = {
    "ruleset": "--rules",
    "time_limit_s": "--time-limit",
    "countdown_s": "--countdown",
    "delay_s": "--delay",
}
"""The options that are not called like their setting."""


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    help_line: str,
    example: str,
    run: Run,
) -> argparse.ArgumentParser:
    """A command with the options that all have; `example` ends its help."""
    parser = commands.add_parser(
        name,
        help=help_line,
        description=f"{help_line[0].upper()}{help_line[1:]}.",
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    common = parser.add_argument_group("options of all commands")
    common.add_argument(
        "--server",
        metavar="URL",
        help=f"the server, ws:// or wss:// (default: $CELLRACE_SERVER, {DEFAULT_SERVER})",
    )
    common.add_argument("--name", help="how others see you (default: $CELLRACE_NAME, your login name)")
    common.add_argument("--token-file", metavar="FILE", help="keep your token there; one file a player")
    common.add_argument("--text", action="store_true", help="lines of text, not the full screen")
    common.add_argument(
        "--lang", choices=LANGUAGES, help="the language of the full screen (default: the locale's)"
    )
    common.add_argument("--ascii", action="store_true", help="suits as letters")
    common.add_argument("--four-colors", action="store_true", help="full screen: a colour for each suit")
    common.add_argument("--high-contrast", action="store_true", help="full screen: black and white, bold")
    common.add_argument("--no-color", action="store_true", help="no colour (so does $NO_COLOR)")
    return parser


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that shape a new race."""
    group = parser.add_argument_group("the race")
    for name, choice in CHOICES.items():
        text = f"{choice.meaning}: {choice.values}"
        group.add_argument(_option(name), dest=_dest(name), metavar=choice.placeholder, help=text)


def settings_of(args: argparse.Namespace, base: Settings) -> Settings:
    """The settings that the command line asks for, on top of `base`.

    Raises:
        ClientError: one of them cannot be.
    """
    settings = base
    for name in CHOICES:  # the ruleset comes first, as it takes back what depends on it
        value = getattr(args, _dest(name))
        if value is not None:
            try:
                settings = changed(settings, name, value)
            except BadSetting:
                raise ClientError(f"{_option(name)} is {CHOICES[name].values}; not {value!r}") from None
    return settings


def _option(name: str) -> str:
    return _NAMES.get(name, "--" + name.replace("_", "-"))


def _dest(name: str) -> str:
    return f"setting_{name}"
