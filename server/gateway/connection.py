"""One client's connection: frames in, frames out, and when to end it.

A connection holds no queue of what happens in races; it pulls that when it has room to send. Only private
messages queue, and only so many. A peer that does not read is cut off, not closed politely: it would not read
that either.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.errors import CloseCode
from protocol.events import Event
from server.gateway import wire

log = logging.getLogger(__name__)

MAX_PRIVATE: Final = 256
"""Private messages waiting for a peer, at most."""

SEND_TIMEOUT_S: Final = 15.0
"""How long a peer may take to read what is written to it at once."""


class Connection:
    """The two directions of one WebSocket. `pull` gives what is to be sent besides private messages."""

    def __init__(
        self,
        socket: ServerConnection,
        pull: Callable[[], list[bytes]],
        send_timeout_s: float = SEND_TIMEOUT_S,
    ) -> None:
        self._socket = socket
        self._pull = pull
        self._send_timeout_s = send_timeout_s
        self._private: list[bytes] = []
        self._work = asyncio.Event()
        self._close_code: CloseCode | None = None
        self.cut_reason = ""

    @property
    def is_closing(self) -> bool:
        """Whether nothing more is to be read from the peer."""
        return self._close_code is not None or bool(self.cut_reason)

    def send(self, message: Event) -> None:
        """Queue a private message. It goes out before anything pulled after this call."""
        if self.is_closing:
            return
        if len(self._private) >= MAX_PRIVATE:
            self.cut("slow")
            return
        self._private.append(codec.encode(message))
        self._work.set()

    def wake(self) -> None:
        """There may be something to pull."""
        self._work.set()

    def say_bye(self, code: str, detail: str, close_code: CloseCode, *, retry_ms: int | None = None) -> None:
        """Tell the peer why, then close."""
        if not self.is_closing:
            self._private.append(codec.encode(wire.bye(code, detail, retry_ms)))
            self._close_code = close_code
            self._work.set()

    def cut(self, reason: str) -> None:
        """End the connection at once, whatever the peer is doing."""
        self.cut_reason = self.cut_reason or reason
        self._socket.transport.abort()
        self._work.set()

    async def receive(self) -> str | None:
        """The next text frame; None when there will be none."""
        if self.is_closing:
            return None
        try:
            frame = await self._socket.recv()
        except ConnectionClosed:
            return None
        if isinstance(frame, str):
            return frame
        self.say_bye("bad_message", "text frames only", CloseCode.UNSUPPORTED)
        return None

    async def write(self) -> None:
        """Send what there is to send until the connection ends."""
        try:
            while True:
                await self._work.wait()
                self._work.clear()
                if self.cut_reason:
                    return
                # Taken together, without an await: an answer always precedes the update that covers it.
                # What is queued while this is sent goes out in another turn, a bye included.
                close_code = self._close_code
                frames, self._private = self._private, []
                if close_code is None:
                    frames += self._pull()
                async with asyncio.timeout(self._send_timeout_s):
                    for frame in frames:
                        await self._socket.send(frame, text=True)
                if close_code is not None:
                    await self._socket.close(close_code)
                    return
        except TimeoutError:
            self.cut("slow")
        except ConnectionClosed:
            pass
        except Exception:
            # A connection that hears nothing any more must not go on as if it did.
            log.exception("what was to be sent could not be made")
            self.cut("internal")
