"""A command's pieces, put together from its options and what it finds around it."""

import argparse
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from client_cli.addresses import address
from client_cli.connection import Conversation, Heard, News, Over, Surroundings
from client_cli.errors import ClientError
from client_cli.identity import LOCAL, Identity, TokenFile, can_be_name, login_name, server_key, token_file
from client_cli.inbox import Inbox
from client_cli.language import mark, tr
from client_cli.output import width_of
from client_cli.screens.links import read_link
from client_cli.screens.preferences import load
from client_cli.session import Session
from client_cli.story import Boards, Storyteller
from client_cli.style import Style
from client_cli.terminal import Terminal
from client_cli.world import World
from protocol.commands import CODE_LETTERS, Hello
from protocol.errors import ErrorCode
from protocol.events import Welcome
from protocol.version import PROTOCOL

CODE_HELP: Final = mark("the race's code, eight letters, or the link to it")
DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"

_ATTEMPT: Final = re.compile(r"daily:\d{4}-\d{2}-\d{2}:[24]:[a-z2-7]{16}")


@dataclass(frozen=True, slots=True)
class Server:
    """Where to connect to, and under which key the token for it is kept.

    `is_assumed` is whether nobody has named it.
    """

    url: str
    key: str
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Who:
    """The player: name and token file."""

    name: str
    tokens: TokenFile


def named_server(args: argparse.Namespace, world: World) -> Server | None:
    """The server that the command line or the environment names.

    Raises:
        ClientError: it is no address.
    """
    given = args.server or world.environment.get("CELLRACE_SERVER")
    return server_at(given) if given else None


def server_at(given: str) -> Server:
    """The server at an address, as it was typed or pasted.

    Raises:
        ClientError: it cannot be one.
    """
    url = address(given)
    return Server(url, server_key(url))


def any_server(args: argparse.Namespace, world: World) -> Server:
    """The named server, else the usual one on this machine."""
    return named_server(args, world) or Server(DEFAULT_SERVER, server_key(DEFAULT_SERVER), is_assumed=True)


def race_named(args: argparse.Namespace, world: World) -> tuple[Server, str]:
    """The server and the code of the race that the command line names by its code or its link.

    Raises:
        ClientError: it is neither, or is a link and there is a `--server` too.
    """
    if "://" not in args.code:
        return any_server(args, world), read_code(args.code)
    link = read_link(args.code)
    if link is None or not link.server:
        text = tr("{link} is no link to a race; one looks like ws://HOST:PORT/CODE")
        raise ClientError(text.format(link=repr(args.code)))
    if args.server:
        raise ClientError(tr("a link names its server; --server goes with a code"))
    return server_at(link.server), link.race


def check_local(args: argparse.Namespace) -> None:
    """See that `--local` is the only server that the command line names.

    Raises:
        ClientError: there is another.
    """
    if args.local and args.server:
        raise ClientError(tr("--local is the server of this machine; name no other with --server"))


def local_server_at(url: str) -> Server:
    """A server that a command of ours has started; all such share one store, and so know the same tokens."""
    return Server(url, LOCAL)


def who(args: argparse.Namespace, world: World, server: Server) -> Who:
    """The player on this server: by the name asked for, else the last one there, else the last one anywhere.

    Raises:
        ClientError: a name that cannot be one.
    """
    folder = world.config_folder
    tokens = TokenFile(Path(args.token_file)) if args.token_file else token_file(folder, server.key)
    name = name_asked_for(args, world)
    kept = (tokens.name(), load(folder).name, login_name(), "player")
    return Who(name or next(filter(can_be_name, kept)), tokens)


def name_asked_for(args: argparse.Namespace, world: World) -> str:
    """The name that the command line or the environment gives; "" where they give none.

    Raises:
        ClientError: a name that cannot be one.
    """
    name: str = args.name or world.environment.get("CELLRACE_NAME") or ""
    if name and not can_be_name(name):
        raise ClientError(tr("a name has 1 to 24 visible characters"))
    return name


def style_of(args: argparse.Namespace, world: World) -> Style:
    """Symbols where the output can carry them, colour where a person sees it and did not say no."""
    environment = world.environment
    colour = world.is_interactive and not args.no_color and not environment.get("NO_COLOR")
    return Style(
        symbols=not args.ascii and _can_carry_symbols(world),
        colour=colour and environment.get("TERM") != "dumb",
    )


def terminal_of(world: World) -> Terminal:
    """The terminal, or the pipe in its place."""
    can_clear = world.environment.get("TERM", "dumb") != "dumb"
    return Terminal(
        world.stdout,
        is_interactive=world.is_interactive,
        can_clear=can_clear,
        width=lambda: width_of(world.stdout) if world.is_interactive else 0,
    )


def storyteller_of(args: argparse.Namespace, world: World, *, is_alone: bool = False) -> Storyteller:
    """Who tells the story: to a script with the board at the start, to a person with those he asks for."""
    boards = Boards.NEVER if world.is_interactive else Boards.AT_THE_START
    if getattr(args, "boards", False):
        boards = Boards.AFTER_MOVES
    return Storyteller(style_of(args, world), boards, is_alone=is_alone)


def converse(
    player: Who, server: Server, session: Session, inbox: Inbox, terminal: Terminal, world: World
) -> Conversation:
    """A conversation that is told to an inbox, and keeps the token it is given.

    Raises:
        ClientError: the token file cannot be read.
    """
    return conversation(player, server, session, inbox.put_nowait, terminal.say, world.around, inbox.room)


def conversation(
    player: Who,
    server: Server,
    session: Session,
    report: Callable[[News], None],
    complain: Callable[[str], None],
    around: Surroundings,
    room: Callable[[], Awaitable[None]],
) -> Conversation:
    """A conversation that keeps the token and the name it is given, and complains where it cannot.

    It reads on whenever `room` has been waited for.

    Raises:
        ClientError: the token file cannot be read.
    """
    identity = player.tokens.read()

    def take(news: News) -> None:
        nonlocal identity
        if isinstance(news, Heard) and isinstance(news.event, Welcome):
            token = news.event.token or (identity.token if identity else "")
            welcome = Identity(token, news.event.name)
            if token and welcome != identity:
                identity = welcome
                try:
                    player.tokens.write(identity)
                except ClientError as error:
                    complain(str(error))
        report(with_advice(news, is_assumed=server.is_assumed))

    hello = Hello(PROTOCOL, player.name, identity.token if identity else None)
    return Conversation(server.url, hello, session, take, around, room)


def with_advice(news: News, *, is_assumed: bool) -> News:
    """What one can do instead: watch a race that is over; or name the server, if it was only assumed."""
    if not isinstance(news, Over):
        return news
    code = news.refusal.code if news.refusal else None
    if code is ErrorCode.RACE_OVER:
        return replace(news, why=tr("{why}: watch it to see how it went").format(why=news.why))
    if not is_assumed or code not in {None, ErrorCode.NO_SUCH_RACE}:
        return news
    advice = tr("no server was named: name it as you were told, or take the link that a friend has sent")
    return replace(news, why=f"{news.why}; {advice}")


def new_create_id() -> str:
    """A fresh id for `create`; the same one again finds the same race."""
    return secrets.token_urlsafe(18)


def read_code(text: str) -> str:
    """A race code as typed, in upper case; or the name of a ranked attempt at the deal of a day.

    Raises:
        ClientError: it cannot be one.
    """
    if _ATTEMPT.fullmatch(text.strip().lower()):
        return text.strip().lower()
    code = text.strip().upper()
    if len(code) != 8 or any(letter not in CODE_LETTERS for letter in code):
        why = tr("{code} is no race code: eight letters, none of them I, L or O")
        raise ClientError(why.format(code=repr(text)))
    return code


def _can_carry_symbols(world: World) -> bool:
    try:
        "♣♦♥♠".encode(world.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
