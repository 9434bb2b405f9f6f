"""What the end of a connection means, in words: of every code that a server closes with."""

from collections.abc import Mapping
from typing import Final

from client_cli.language import mark, tr
from protocol.errors import CloseCode

WORDS: Final[Mapping[int, str]] = {
    CloseCode.UNSUPPORTED: mark("the server takes text only, and was sent something else"),
    CloseCode.NOT_TEXT: mark("the server was sent what is no text"),
    CloseCode.POLICY: mark("the server does not talk with this program"),
    CloseCode.TOO_BIG: mark("the server was sent a message that is too long for it"),
    CloseCode.INTERNAL: mark("something went wrong in the server"),
    CloseCode.RESTARTING: mark("the server is restarting"),
    CloseCode.SUPERSEDED: mark("this seat is played from another connection now"),
    CloseCode.RACE_LOST: mark("the server has lost this race"),
}
"""What to say where the server gave no reason of its own."""

_SAYS_NOTHING: Final = frozenset({None, CloseCode.NORMAL, 1001, 1005, 1006})
"""Codes, by RFC 6455, of a connection that is gone, whyever."""


def is_reason(code: int | None) -> bool:
    """Whether a close code tells anything."""
    return code not in _SAYS_NOTHING


def why_closed(code: int | None) -> str:
    """What is to be said of a connection that ended with this code; None if with none."""
    if code is not None and code in WORDS:
        return tr(WORDS[code])
    if is_reason(code):
        return tr("the server ended the conversation, with code {code}").format(code=code)
    return tr("the connection is lost")
