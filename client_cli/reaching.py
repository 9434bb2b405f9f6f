"""How a server is reached, and why it is not, in words for one line."""

import ssl
from typing import Final
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake, InvalidProxy, InvalidStatus, InvalidURI, NegotiationError
from websockets.typing import Subprotocol

from client_cli.clean import clean
from client_cli.language import tr
from client_cli.os_words import why_of
from protocol.version import SUBPROTOCOL

CLOSE_TIMEOUT_S: Final = 2.0
PING_S: Final = 4.0
ANSWER_S: Final = 6.0
"""A network that has gone without a word is noticed within both together."""

_TOO_MANY_REQUESTS: Final = 429


class _Direct(connect):
    """A connection to the server that was named, and to no other: it is told the player's token."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        """Follow none."""
        return exc


def dial(url: str) -> connect:
    """A connection to a server, to be entered.

    What comes of it may be any exception, and `why_unreachable` has words for all: the address's host goes
    through the codecs, and a proxy of the environment is as somebody wrote it.
    """
    return _Direct(
        url,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        close_timeout=CLOSE_TIMEOUT_S,
        ping_interval=PING_S,
        ping_timeout=ANSWER_S,
        proxy=None if is_this_machine(url) else True,
    )


def why_unreachable(error: Exception) -> str:
    """Why there is no connection."""
    match error:
        case TimeoutError():
            return tr("no answer in time")
        case ConnectionRefusedError():
            return tr("nothing listens there")
        case InvalidHandshake():
            return _no_handshake(error)
        case ssl.SSLCertVerificationError():
            why = clean(error.verify_message)
            return tr("its certificate is not to be trusted ({why})").format(why=why)
        case ssl.SSLError():
            return tr("no secure connection ({why})").format(why=clean(error.strerror or str(error)))
        case OSError():
            return clean(why_of(error)) or tr("it hung up without a word")
        case UnicodeError():
            return tr("no host can have such a name")
        case ImportError():
            return tr("this program cannot use the SOCKS proxy that the environment names")
        case ValueError() | InvalidURI() | InvalidProxy():
            return tr("no such address can be, its own or that of a proxy which the environment names")
        case _:
            return _own_words(error)


def _no_handshake(error: InvalidHandshake) -> str:
    match error:
        case InvalidStatus():
            return _answered(error)
        case NegotiationError():
            return tr("it does not speak {protocol}").format(protocol=SUBPROTOCOL)
        case InvalidHandshake(__cause__=EOFError()):
            return tr("it hung up without a word")
        case _:
            return tr("it does not speak WebSocket")


def _answered(error: InvalidStatus) -> str:
    """What an answer means that is no welcome."""
    response = error.response
    status = response.status_code
    if 300 <= status < 400 and (elsewhere := response.headers.get("Location")):
        text = tr("it sends you on to {url}; if that is right, name that server yourself")
        return text.format(url=clean(elsewhere))
    if status >= 500 or status == _TOO_MANY_REQUESTS:
        return tr("it answers HTTP {status}: not to be had at the moment").format(status=status)
    return tr("it answers HTTP {status}: no cellrace server at that address").format(status=status)


def _own_words(error: Exception) -> str:
    return clean(str(error)) or type(error).__name__


def is_this_machine(url: str) -> bool:
    """Whether no proxy can have a part in reaching it."""
    return urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
