"""Options that several commands share."""

import argparse
from collections.abc import Awaitable, Callable
from typing import Final, Literal

from client_cli.errors import ClientError
from client_cli.language import LANGUAGES, tr
from client_cli.settings import CHOICES, BadSetting, changed
from client_cli.wiring import DEFAULT_SERVER
from client_cli.world import World
from client_cli.wrapping import wrapped
from protocol.commands import Settings

_SETTING: Final = "setting_"

Run = Callable[[argparse.Namespace, World], Awaitable[int]]
Shows = Literal["screen", "no lines", "lines", "text", "page"]
"""What a command shows: the full screen, or lines with signs and colours; one of these only; text without
them; or a text that is the same for everybody on any server."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Help whose lines stay lines, and are broken where the terminal ends."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return wrapped(super()._fill_text(text, width, indent), width)


def add_command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    help_line: str,
    example: str,
    run: Run,
    shows: Shows = "screen",
) -> argparse.ArgumentParser:
    """A command with the options that it shares with others; `example` ends its help. Both are in English."""
    does = tr(help_line)
    parser = commands.add_parser(
        name,
        help=does,
        description=f"{does[0].upper()}{does[1:]}.",
        epilog=f"{tr('example:')}\n{tr(example)}",
        formatter_class=Help,
    )
    parser.set_defaults(run=run)
    common = parser.add_argument_group(tr("options of most commands"))
    # Without a default: one would undo what was said before the command.
    lang = tr("the language (default: the locale's)")
    common.add_argument("--lang", choices=LANGUAGES, default=argparse.SUPPRESS, help=lang)
    if shows != "page":
        _add_who_and_where(common)
    if shows not in {"page", "text"}:
        _add_signs(common)
    if shows in {"screen", "no lines"}:
        _add_screen(parser.add_argument_group(tr("the full screen")), has_lines=shows == "screen")
    return parser


def _add_who_and_where(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--server",
        metavar="URL",
        help=tr("the server, ws:// or wss:// (default: $CELLRACE_SERVER, {server})").format(
            server=DEFAULT_SERVER
        ),
    )
    group.add_argument(
        "--name",
        metavar=tr("NAME"),
        help=tr("how others see you (default: $CELLRACE_NAME, else as the last time)"),
    )
    group.add_argument(
        "--token-file", metavar=tr("FILE"), help=tr("keep your token there; one file a player")
    )


def _add_signs(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--ascii", action="store_true", help=tr("letters in place of suits and other signs"))
    group.add_argument("--no-color", action="store_true", help=tr("no colour (so does $NO_COLOR)"))


def _add_screen(group: "argparse._ArgumentGroup", *, has_lines: bool) -> None:
    if has_lines:
        group.add_argument("--text", action="store_true", help=tr("lines of text instead"))
        group.add_argument("--boards", action="store_true", help=tr("with --text: the board after each move"))
    group.add_argument("--four-colors", action="store_true", help=tr("a colour for each suit"))
    group.add_argument("--high-contrast", action="store_true", help=tr("black and white, bold"))


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that shape a new race."""
    group = parser.add_argument_group(tr("the race"))
    for name, choice in CHOICES.items():
        text = f"{tr(choice.meaning)}: {choice.values_in_shell}"
        group.add_argument(_option(name), dest=_dest(name), metavar=tr(choice.placeholder), help=text)


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
                settings = changed(settings, name, value, _option(name), is_in_shell=True)
            except BadSetting as error:
                raise ClientError(str(error)) from None
    return settings


def named_settings(args: argparse.Namespace) -> frozenset[str]:
    """The settings that the command line asks for, by their fields."""
    return frozenset(name for name in CHOICES if getattr(args, _dest(name)) is not None)


def _option(name: str) -> str:
    return f"--{CHOICES[name].name}"


def _dest(name: str) -> str:
    return _SETTING + name


def setting_of(dest: str) -> str:
    """The setting that an option of the command line is for; "" for any other option."""
    name = dest.removeprefix(_SETTING)
    return name if dest.startswith(_SETTING) else ""
