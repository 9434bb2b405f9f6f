"""Who one is: a name, and for each server the secret token by which it knows the player again."""

import base64
import getpass
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from client_cli.clean import clean
from client_cli.errors import ClientError
from client_cli.language import tr
from client_cli.os_words import why_of
from client_cli.small_file import read_small, write_whole

LOCAL: Final = "this-machine"
"""The key of the server that `play` and `host` start; its port differs from one time to the next."""

LONGEST_NAME: Final = 200
"""Characters of a name before the server has shortened and normalised it (docs/protocol.md)."""

_LONGEST_FILE: Final = 1024
_TOKEN: Final = re.compile(r"[a-z2-7]{16}\.[a-z2-7]{26}")
_DEFAULT_PORTS: Final = {"ws": 80, "wss": 443}


def can_be_name(text: str) -> bool:
    """Whether a server may be asked for that name at all."""
    return bool(text.strip()) and len(text) <= LONGEST_NAME


def login_name() -> str:
    """The name of who is logged in, for want of another; "player" where the system has none."""
    try:
        return getpass.getuser() or "player"
    except (KeyError, OSError, ImportError):  # no such user, or no user database at all
        return "player"


def server_key(url: str) -> str:
    """What tells one server from another: host and port, as a file name.

    Args:
        url: the address of a WebSocket, as `addresses.address` gives it.
    """
    parts = urlsplit(url)
    assert parts.hostname is not None  # no address is without one
    host = re.sub(r"[^a-z0-9.-]", "_", parts.hostname)
    return f"{host}_{parts.port or _DEFAULT_PORTS[parts.scheme]}"


class Identity(NamedTuple):
    """Who one is on a server: the secret token, and the name one last had with it."""

    token: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class TokenFile:
    """The file of one identity: the token, and below it the name.

    Whoever has the token is the player, so nobody else may read the file.
    """

    path: Path

    def read(self) -> Identity | None:
        """Who one is; None where there is no such file yet.

        Raises:
            ClientError: the file cannot be read, is no small regular one, or holds something else.
        """
        try:
            text = read_small(self.path, _LONGEST_FILE).decode("utf-8", errors="replace").strip()
        except FileNotFoundError:
            return None
        except OSError as error:
            text = tr("cannot read the token in {path}: {why}")
            raise ClientError(text.format(path=self.path, why=why_of(error))) from None
        token, _, name = text.partition("\n")
        if not is_token(token.strip()) or "\n" in name:
            text = tr("{path} holds no token; move it away to become a new player")
            raise ClientError(text.format(path=self.path))
        return Identity(token.strip(), clean(name).strip())

    def name(self) -> str:
        """The name one last had; "" where that cannot be told."""
        try:
            identity = self.read()
        except ClientError:
            return ""
        return identity.name if identity else ""

    def write(self, identity: Identity) -> None:
        """Keep who one is: whole or not at all, and readable to its owner only.

        Raises:
            ClientError: it cannot be written.
        """
        try:
            lines = "".join(f"{line}\n" for line in identity if line)
            write_whole(self.path, lines.encode("utf-8", errors="replace"))
        except OSError as error:
            text = tr("cannot keep the token in {path}: {why}")
            raise ClientError(text.format(path=self.path, why=why_of(error))) from None


def token_file(folder: Path, key: str) -> TokenFile:
    """The token file for a server's key in the config folder."""
    return TokenFile(folder / "tokens" / key)


def is_token(text: str) -> bool:
    """Whether a text has the form of a token."""
    return _TOKEN.fullmatch(text) is not None


def is_of_one_piece(token: str) -> bool:
    """Whether the halves of a token belong together: the id is made from the secret (docs/protocol.md)."""
    player, _, secret = token.partition(".")
    digest = hashlib.sha256(secret.encode()).digest()
    return player == base64.b32encode(digest[:10]).decode().lower()


def player_of(token: str) -> str:
    """The public part of a token: the player's id."""
    return token.partition(".")[0]
