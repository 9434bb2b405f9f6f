"""`cellrace whoami`: who one is on a server, where that is written, and how to be the same one elsewhere."""

import argparse
import getpass
import os

from client_cli import language
from client_cli.errors import ClientError
from client_cli.identity import Identity, TokenFile, is_of_one_piece, is_token, player_of
from client_cli.language import mark, tr
from client_cli.options import add_command
from client_cli.output import complain, put
from client_cli.wiring import any_server, check_local, local_server_at, server_at, who
from client_cli.world import World

LONGEST_SECRET = 1024

_EXAMPLE = mark("""\
  cellrace whoami --server ws://192.168.1.20:8765
  cellrace whoami --server wss://race.example.org --export    on this machine
  cellrace whoami --import                                    on the other one
Whoever has the token is you, so show it to nobody. It is printed only by --export.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "whoami",
        mark("tell who you are on a server, or move that to another machine"),
        _EXAMPLE,
        run,
        "text",
    )
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--local", action="store_true", help=tr("on the server that play and host start here"))
    way.add_argument("--export", action="store_true", help=tr("print the secret by which a server knows you"))
    way.add_argument(
        "--import",
        dest="takes",
        action="store_true",
        help=tr("be who the secret says, which is then pasted or piped in"),
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Tell or move; no server is asked."""
    language.use(language.language_of(args.lang, world.environment))
    check_local(args)
    if args.takes:
        return _take(args, world)
    server = local_server_at(tr("this machine")) if args.local else any_server(args, world)
    player = who(args, world, server)
    identity = player.tokens.read()
    if identity is None:
        text = tr("you have no token for {url} yet; you get one when you first connect to it")
        raise ClientError(text.format(url=server.url))
    if args.export:
        text = tr("Whoever has this line is you on {url}: show it to nobody, and keep it nowhere.")
        complain(f"{text.format(url=server.url)}\n{tr('On the other machine: cellrace whoami --import')}\n")
        put(world.stdout, f"{identity.token}@{server.url}\n")
        return 0
    rows = (
        (tr("server"), server.url),
        (tr("player"), player_of(identity.token)),
        (tr("name"), player.name),
        (tr("token"), player.tokens.path),
    )
    put(world.stdout, "".join(f"{name}: {value}\n" for name, value in rows))
    return 0


def _take(args: argparse.Namespace, world: World) -> int:
    token, _, url = _pasted(world).partition("@")
    if not is_token(token) or len(url.split()) != 1:
        raise ClientError(tr("that is no secret as cellrace whoami --export prints it"))
    if not is_of_one_piece(token):
        raise ClientError(tr("the two halves of that secret do not belong together: copy it again, whole"))
    # Not one that the environment names: the secret is for the server that it came from.
    server = server_at(args.server or url)
    tokens = who(args, world, server).tokens
    _keep(tokens, token)
    text = tr("You are player {player} on {url} now; that is kept in {path}")
    told = text.format(player=player_of(token), url=server.url, path=tokens.path)
    put(world.stdout, f"{told}\n")
    return 0


def _keep(tokens: TokenFile, token: str) -> None:
    before = tokens.read()
    if before is None:
        tokens.write(Identity(token))
    elif before.token != token:
        text = tr("{path} holds who you are there already, player {player}; move it away first")
        raise ClientError(text.format(path=tokens.path, player=player_of(before.token)))


def _pasted(world: World) -> str:
    """The secret: typed without an echo, or from a pipe; not from the command line, which others can see."""
    if world.is_interactive:
        try:
            return getpass.getpass(tr("Paste the secret; it is not shown: ")).strip()
        except EOFError:
            return ""
    text = b""
    while (more := os.read(world.stdin, LONGEST_SECRET)) and len(text) <= LONGEST_SECRET:
        text += more
    return text.decode("ascii", errors="replace").strip()
