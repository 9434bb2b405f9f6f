"""Whether the deal is the one that was promised before the start: pure.

A server shows a commitment to the deal before it shows the deal (`docs/protocol.md`). That it fits the deal
proves something only if it is the one that was shown before: so a session keeps the one it has seen.
"""

import hashlib
from enum import Enum, auto

from protocol.views import Life, Phase


class Promise(Enum):
    """What has become of the promise of the deal."""

    UNSEEN = auto()
    """None was seen: who comes after the start cannot tell."""
    KEPT = auto()
    OTHER = auto()
    """It fits its commitment, but another one was seen before one was away, and the host may change it."""
    BROKEN = auto()


def seen(promise: str, before: Phase | None, life: Life, *, whole: bool) -> str:
    """The commitment to hold the server to, once this was told of the race's life; "" for none yet.

    Only new settings renew it, which there are in the lobby only.

    Args:
        promise: the one seen so far.
        before: where in its life the race was when last told.
        life: how it is now.
        whole: whether it was told in a whole picture, which may leave out what was before.
    """
    if life.phase not in {"lobby", "countdown"}:
        return promise
    is_renewed = whole or not promise or life.phase == before == "lobby"
    return life.commitment if is_renewed else promise


def kept(promise: str, life: Life, *, whole: bool) -> Promise:
    """What has become of a promise now that the deal is told; arguments as of `seen`."""
    if life.deal is None or life.nonce is None:
        return Promise.BROKEN
    if hashlib.sha256(f"{life.nonce}:{life.deal}".encode()).hexdigest() != life.commitment:
        return Promise.BROKEN
    if promise in {"", life.commitment}:
        return Promise.KEPT if promise else Promise.UNSEEN
    return Promise.OTHER if whole else Promise.BROKEN
