"""The address of a server, from what a person gives as one. Pure."""

import re
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from client_cli.errors import ClientError
from client_cli.language import tr
from protocol.commands import CODE_LETTERS

_HOST_AND_PORT: Final = re.compile(r"(?:[\w.-]+|\[[0-9a-f:]+\]):\d+", re.ASCII | re.IGNORECASE)
_RACE: Final = re.compile(rf"/[{CODE_LETTERS}]{{8}}/?\Z")
_MEANT: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
"""A tunnel or a browser shows the address of the same server for the web."""


def address(given: str) -> str:
    """The address of a WebSocket that is meant: one that can be connected to, if there is such a server.

    `HOST:PORT` is taken for `ws://HOST:PORT`, `http://` for `ws://` and `https://` for `wss://`; what follows
    a `#` is no part of an address, and neither is the code of a race in a link to it.

    Args:
        given: as it was typed or pasted.

    Raises:
        ClientError: it cannot be an address; in words.
    """
    text = given.strip()
    if _HOST_AND_PORT.fullmatch(text):
        text = f"ws://{text}"
    parts = _parts(text)
    if parts is None or parts.scheme not in _MEANT:
        why = tr("{url} is not a server's address; it looks like ws://HOST:PORT or wss://HOST")
        raise ClientError(why.format(url=repr(given)))
    if not parts.hostname:
        why = tr("{url} names no host; an address looks like ws://HOST:PORT or wss://HOST")
        raise ClientError(why.format(url=repr(given)))
    if not _can_be_host(parts.hostname):
        raise ClientError(tr("{url} is no address: no host can have such a name").format(url=repr(given)))
    path = _RACE.sub("", parts.path)
    return parts._replace(scheme=_MEANT[parts.scheme], path=path, fragment="").geturl()


def _parts(text: str) -> SplitResult | None:
    """The pieces of an address; None where something in it can be in none."""
    if not text.isprintable() or " " in text:
        return None
    try:
        parts = urlsplit(text)
        has_port = parts.port is None or parts.port > 0
        unquote(f"{parts.username}{parts.password}", errors="strict")
        text.encode()
    except ValueError:  # a bracket that is not closed, no number for a port, half a letter
        return None
    # Who is named without a password is nobody that a proxy lets in.
    return parts if has_port and (parts.username is None) == (parts.password is None) else None


def _can_be_host(name: str) -> bool:
    """Whether the name can be looked for at all: its labels are neither empty nor too long."""
    try:
        name.encode("idna")
    except UnicodeError:
        return False
    return True
