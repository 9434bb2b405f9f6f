"""Listening to channels over connections that fail, and knowing from when on nothing was missed.

A subscription is not in force when it was asked for, and a connection that is dead looks like one on which
nothing happens. So a node calls to itself: after it has subscribed it publishes on a channel of its own, over
the connection for calls, until it hears that. Then it hears everything, and tells so (`on_hearing`); whoever
is told looks after what came before. It calls again every few seconds, and one who does not hear himself
connects anew.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol, TypeAlias

from server.store.redis.driver import DriverError, OnHearing, OnMessage
from server.store.redis.keys import ear_channel
from server.store.redis.timing import Timing

log = logging.getLogger(__name__)

# Channels in one command, at most.
_CHUNK: Final = 500

# The first call to oneself often comes before the subscription, so the second follows soon.
_CALL_AGAIN_S: Final = (0.005, 0.01, 0.02, 0.05, 0.1)

_LONGEST_PAUSE_S: Final = 1.0


class ChannelLink(Protocol):
    """One connection that listens."""

    @property
    def lost(self) -> asyncio.Future[None]:
        """Done when the connection is gone."""
        ...

    async def subscribe(self, channels: Sequence[bytes]) -> None:
        """Ask for messages on these channels. Whether it is in force is not told."""
        ...

    async def unsubscribe(self, channels: Sequence[bytes]) -> None:
        """Ask for no more of them."""
        ...

    def close(self) -> None:
        """Drop the connection."""
        ...


ConnectChannels: TypeAlias = Callable[[OnMessage], Awaitable[ChannelLink]]
"""Makes a `ChannelLink` that tells what it hears, or raises a `DriverError` or `OSError`."""

CallOut: TypeAlias = Callable[[bytes, bytes], Awaitable[object]]
"""Publishes on a channel over the connection for calls, or raises a `DriverError`."""


class _Deaf(Exception):
    """The node has called and not heard itself."""


class Ear:
    """Channels that are listened to, over one connection at a time."""

    def __init__(self, connect: ConnectChannels, call_out: CallOut, timing: Timing) -> None:
        self._connect = connect
        self._call_out = call_out
        self._timing = timing
        self._own = ear_channel(os.urandom(8).hex().encode())
        self._wanted: dict[bytes, None] = {}  # a set that keeps its order
        self._changes: dict[bytes, bool] = {}  # since the connection was last told: whether it is wanted
        self._changed = asyncio.Event()
        self._heard: dict[bytes, asyncio.Event] = {}
        self._on_message: OnMessage = _ignore
        self._on_hearing: OnHearing = _ignore
        self._task: asyncio.Task[None] | None = None
        self._is_deaf = False

    def listen(self, on_message: OnMessage, on_hearing: OnHearing) -> None:
        """See `Driver.listen`."""
        self._on_message, self._on_hearing = on_message, on_hearing

    def subscribe(self, channel: bytes) -> None:
        """See `Driver.subscribe`. Without any channel there is no connection either."""
        self._wanted[channel] = None
        self._changes[channel] = True
        self._changed.set()
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def unsubscribe(self, channel: bytes) -> None:
        """See `Driver.unsubscribe`."""
        self._wanted.pop(channel, None)
        self._changes[channel] = False
        self._changed.set()

    async def close(self) -> None:
        """Listen to nothing any more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        pause_s = self._timing.pause_s
        while True:
            try:
                async with asyncio.timeout(self._timing.connect_s):
                    link = await self._connect(self._receive)
            except (DriverError, OSError, TimeoutError) as error:
                self._say_deaf(str(error) or "no connection in time")
            else:
                pause_s = self._timing.pause_s
                self._say_deaf(await self._use(link))
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    def _say_deaf(self, why: str) -> None:
        # Once, until it hears again; while Redis is away it fails several times a second.
        log.log(logging.DEBUG if self._is_deaf else logging.WARNING, "nothing is heard of Redis: %s", why)
        self._is_deaf = True

    async def _use(self, link: ChannelLink) -> str:
        """Listen over this connection until it fails; why it did."""
        steering = asyncio.get_running_loop().create_task(self._steer(link))
        try:
            await asyncio.wait((steering, link.lost), return_when=asyncio.FIRST_COMPLETED)
        finally:
            steering.cancel()
            link.close()
            (error,) = await asyncio.gather(steering, return_exceptions=True)
        return str(error) if isinstance(error, _Deaf) else "the connection was lost"

    async def _steer(self, link: ChannelLink) -> None:
        """Keep what is subscribed what is wanted, and make sure that it is heard."""
        self._changes = dict.fromkeys(self._wanted, True)
        await link.subscribe([self._own])
        while True:
            self._changed.clear()
            changes, self._changes = self._changes, {}
            new = [channel for channel, wanted in changes.items() if wanted]
            gone = [channel for channel, wanted in changes.items() if not wanted]
            for chunk in _chunks(gone):
                await link.unsubscribe(chunk)
            for chunk in _chunks(new):
                await link.subscribe(chunk)
            if new or not gone:
                await self._call_until_heard()
            if new:
                self._on_hearing([channel for channel in new if channel in self._wanted])
            try:
                async with asyncio.timeout(self._timing.heartbeat_s):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def _call_until_heard(self) -> None:
        token = os.urandom(8)
        heard = self._heard[token] = asyncio.Event()
        waits = iter(_CALL_AGAIN_S)
        try:
            async with asyncio.timeout(self._timing.deaf_s):
                while not heard.is_set():
                    await self._call_quietly(token)
                    try:
                        async with asyncio.timeout(next(waits, _CALL_AGAIN_S[-1])):
                            await heard.wait()
                    except TimeoutError:
                        continue
        except TimeoutError:
            raise _Deaf("a node that called to itself did not hear it") from None
        finally:
            del self._heard[token]
        if self._is_deaf:
            log.info("Redis is heard again")
            self._is_deaf = False

    async def _call_quietly(self, token: bytes) -> None:
        try:
            await self._call_out(self._own, token)
        except DriverError as error:
            log.debug("cannot call through Redis: %s", error)

    def _receive(self, channel: bytes, message: bytes) -> None:
        if channel == self._own:
            if message in self._heard:
                self._heard[message].set()
            return
        try:
            self._on_message(channel, message)
        except Exception:
            # Whoever listens has failed; the listening must go on.
            log.exception("a message on %r was not understood", channel)


def _ignore(*_: object) -> None:
    """Nobody listens yet."""


def _chunks(channels: Sequence[bytes]) -> list[Sequence[bytes]]:
    return [channels[start : start + _CHUNK] for start in range(0, len(channels), _CHUNK)]
