"""A session over WebSockets: one conversation that outlives its connections.

All it hears goes through `mind.receive` and is then reported, in order, to one listener. What cannot be
sent because the connection is gone is not lost: the session says it again once it is back inside the race.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidURI

from client_cli import mind
from client_cli.clean import clean, clean_event
from client_cli.closing import is_reason, why_closed
from client_cli.language import tr, trn
from client_cli.phrases import in_words, reason
from client_cli.reaching import dial, why_unreachable
from client_cli.session import Session
from client_cli.speech import Draft
from client_cli.step import Step
from protocol.codec import BadMessage, encode, read_event
from protocol.commands import Command, Hello, Join, Unwatch, Watch
from protocol.errors import CloseCode, ErrorCode
from protocol.events import Bye, Event, Refused, Welcome
from protocol.version import SUBPROTOCOL

PATIENCE_S: Final = 1800
"""How long to go on trying: as long as a race lasts where the host says nothing else."""
LEAST_WAIT_S: Final = 0.02
"""No server is asked again sooner, whatever it says itself."""
LEAST_BY_HAND_MS: Final = 1000
"""Nor does a person ask sooner again, however long a key is held down."""
MENDS: Final = 5
"""So often within `MENDING_MS` the whole picture is asked for at once; after that, `MEND_WAIT_S` later."""
MENDING_MS: Final = 10_000
MEND_WAIT_S: Final = 2.0

_FOR_A_WHILE: Final = frozenset(
    {ErrorCode.TOO_FAST, ErrorCode.TOO_MANY, ErrorCode.UNAVAILABLE, ErrorCode.RESTARTING}
)
_OUR_FAULT: Final = frozenset(
    {CloseCode.UNSUPPORTED, CloseCode.NOT_TEXT, CloseCode.POLICY, CloseCode.TOO_BIG}
)
_NO_MESSAGE: Final = frozenset({1002, CloseCode.NOT_TEXT, CloseCode.TOO_BIG})
"""What we close with, by RFC 6455, when we are sent frames that cannot be, or too long ones."""
_FOR_NOW: Final = frozenset({"too_fast", "too_many"})
"""Farewells after which the same may go well a little later."""
_FOR_GOOD: Final = frozenset({CloseCode.SUPERSEDED, CloseCode.RACE_LOST})


@dataclass(frozen=True, slots=True)
class Heard:
    """An event came that concerns the session, and led from it to the next."""

    before: Session
    event: Event
    step: Step


@dataclass(frozen=True, slots=True)
class Lost:
    """No connection; the next attempt is `wait_s` seconds away."""

    why: str
    wait_s: float


@dataclass(frozen=True, slots=True)
class Trying:
    """The next attempt has begun."""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """The server did not know the token, and is asked to make a new player."""


@dataclass(frozen=True, slots=True)
class Over:
    """There will be no further connection. `refusal` is there when the server refused what was asked."""

    why: str
    refusal: Refused | None = None


News = Heard | Lost | Trying | NewPlayer | Over


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Clock, chance and waiting; other ones in tests."""

    now_ms: Callable[[], int]
    waits: Callable[[], Iterator[float]]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class Conversation:
    """Keeps a session in touch with its server until it is over or cancelled.

    Args:
        url: the server's address.
        hello: who says hello, until the server has given him a token.
        session: what is to be known of the race.
        report: takes what is heard.
        around: clock, chance and waiting.
        room: waits until the listener can take more. Nothing is read before, so that a server that says
            more than can be looked at is held up, and does not fill the memory.

    Attributes:
        session: as it is now.
    """

    def __init__(
        self,
        url: str,
        hello: Hello,
        session: Session,
        report: Callable[[News], None],
        around: Surroundings,
        room: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.session = session
        self._url = url
        self._shown_url = clean(url)
        self._hello = hello
        self._report = report
        self._room = room
        self._around = around
        self._waits = around.waits()
        self._waited_s = 0.0
        self._was_ever_welcome = False
        self._has_failed = False
        self._is_served = False
        self._mended_ms: tuple[int, ...] = ()
        self._is_welcome = False
        self._farewell: Bye | None = None
        self._socket: ClientConnection | None = None
        self._sending = asyncio.Lock()
        self._later: set[asyncio.Task[None]] = set()
        self._waiting: asyncio.Future[None] | None = None
        self._hurried_ms = -LEAST_BY_HAND_MS

    async def run(self) -> None:
        """Connect, listen, and connect again, until there is no point in it any more.

        Whatever ends it is reported, as nobody else looks at how a task has ended.
        """
        try:
            while True:
                news = await self._connected_once()
                self._forget_connection()
                if isinstance(news, NewPlayer):
                    self._hello = msgspec.structs.replace(self._hello, token=None)
                self._report(news)
                if isinstance(news, Over):
                    return
                if isinstance(news, Lost):
                    await self._wait(news.wait_s)
                    self._report(Trying())
        except Exception as error:  # noqa: BLE001 - see above
            text = tr("something went wrong in this program: {why}")
            self._report(Over(text.format(why=clean(f"{type(error).__name__}: {error}"))))
        finally:
            self._forget_connection()

    async def ask(self, *drafts: Draft) -> None:
        """Say something to the race; it goes out as soon as it may."""
        await self._take(mind.ask(self.session, *drafts))

    async def enter(self, session: Session) -> None:
        """Leave this race for another, over the same connection."""
        before, self.session = self.session, session
        if isinstance(before.entrance, Watch):
            await self._send((Unwatch(before.entrance.race),))
        await self._take(mind.resume(session))

    @property
    def is_waiting(self) -> bool:
        """Whether it lets some time pass before it tries to connect again."""
        return self._waiting is not None

    def try_now(self) -> None:
        """Try to connect again at once, if that is what is waited for, and was not asked for just now."""
        now_ms = self._around.now_ms()
        if self._waiting is not None and now_ms >= self._hurried_ms + LEAST_BY_HAND_MS:
            self._waiting.cancel()
            self._waiting, self._hurried_ms = None, now_ms

    def drop(self) -> None:
        """Lose the connection as a network does: without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def _wait(self, wait_s: float) -> None:
        """Let the time until the next attempt pass, unless `try_now` cuts it short."""
        waiting = asyncio.ensure_future(self._around.sleep(wait_s))
        self._waiting = waiting
        try:
            await asyncio.wait([waiting])
            if waiting.cancelled():
                wait_s = min(wait_s, LEAST_BY_HAND_MS / 1000)
            else:
                waiting.result()
            self._waited_s += wait_s
        finally:
            waiting.cancel()
            self._waiting = None

    # One connection.

    async def _connected_once(self) -> News:
        """Connect, and listen until the connection is gone; what is to be said of that."""
        try:
            socket = await dial(self._url)
        except Exception as error:  # noqa: BLE001 - see `dial`
            return self._unreachable(error)
        try:
            if socket.subprotocol != SUBPROTOCOL:
                text = tr("{url} does not speak {protocol}: no cellrace server, or one too new")
                return Over(text.format(url=self._shown_url, protocol=SUBPROTOCOL))
            return await self._listen(socket)
        finally:
            await socket.close()  # as one does who leaves: `async with` tells the server of a failure

    async def _listen(self, socket: ClientConnection) -> News:
        self._farewell = None
        self._is_welcome = self._is_served = False
        self._socket = socket
        try:
            with suppress(ConnectionClosed):  # who is turned away at the door is told why all the same
                await socket.send(encode(self._hello), text=True)
            while True:
                if self._room is not None:
                    await self._room()
                event = read_event(await socket.recv(decode=False))
                news = None if event is None else await self._hear(in_words(clean_event(event)))
                if news is not None:
                    return news
        except BadMessage as error:
            text = tr("{url} sent what is no message of this protocol: {why}")
            return Over(text.format(url=self._shown_url, why=clean(str(error))))
        except ConnectionClosed as error:
            return self._closed(error)

    def _forget_connection(self) -> None:
        self._socket = None
        self.session = mind.disconnected(self.session)
        for task in self._later:
            task.cancel()

    async def _hear(self, event: Event) -> News | None:
        """Take an event in; what ends this connection, if it does."""
        if isinstance(event, Bye):
            self._farewell = event
        if isinstance(event, Refused) and not self._is_welcome:
            return self._not_welcome(event)
        if isinstance(event, Welcome):
            self._welcome(event)
        elif not isinstance(event, Bye):
            self._has_failed, self._is_served = False, True
        before = self.session
        if not mind.concerns(before, event):
            return None  # as what still comes of the race before a rematch
        step = mind.receive(before, event, self._around.now_ms())
        self.session = step.session
        self._report(Heard(before, event, step))
        if not isinstance(event, Welcome) and any(isinstance(said, Join | Watch) for said in step.send):
            await self._pace_mending()
        await self._take(step)
        if self.session.lost:
            return Over(tr("the server has lost this race"))
        if self.session.refusal is not None:
            return Over(reason(self.session.refusal), self.session.refusal)
        return None

    async def _pace_mending(self) -> None:
        """A server whose news never join is not asked for the whole picture time and again at once."""
        now_ms = self._around.now_ms()
        self._mended_ms = (*(ms for ms in self._mended_ms if now_ms - ms < MENDING_MS), now_ms)
        if len(self._mended_ms) > MENDS:
            await self._around.sleep(MEND_WAIT_S)

    async def _take(self, step: Step) -> None:
        self.session = step.session
        if step.retry_ms is not None:
            task = asyncio.create_task(self._resume_after(step.retry_ms))
            self._later.add(task)
            task.add_done_callback(self._later.discard)
        await self._send(step.send)

    async def _send(self, commands: Iterable[Command]) -> None:
        # Commands are numbered where they are made; the lock hands out turns in that order.
        async with self._sending:
            socket = self._socket
            if socket is None:
                return
            try:
                for command in commands:
                    await socket.send(encode(command), text=True)
            except ConnectionClosed:
                return  # The session says it again.

    async def _resume_after(self, wait_ms: int) -> None:
        await self._around.sleep(max(LEAST_WAIT_S, wait_ms / 1000))
        await self._take(mind.resume(self.session))

    def _welcome(self, event: Welcome) -> None:
        self._is_welcome = self._was_ever_welcome = True
        if not self._has_failed:
            # A server that fails at what it is asked next is welcoming all the same, time and again.
            self._waits, self._waited_s = self._around.waits(), 0.0
        if event.token is not None:
            self._hello = msgspec.structs.replace(self._hello, token=event.token)

    # What ends a connection, and what follows from it.

    def _not_welcome(self, refusal: Refused) -> News:
        if refusal.code is ErrorCode.BAD_TOKEN and self._hello.token and not self._was_ever_welcome:
            return NewPlayer()
        if refusal.code in _FOR_A_WHILE:
            return self._lost(refusal.detail, refusal.retry_ms)
        return Over(refusal.detail, refusal)

    def _closed(self, error: ConnectionClosed) -> News:
        code = error.rcvd.code if error.rcvd else None
        if code is None and error.sent is not None and error.sent.code in _NO_MESSAGE:
            return Over(tr("{url} sent what no server of this protocol sends").format(url=self._shown_url))
        bye = self._farewell
        why = bye.detail if bye else why_closed(code)
        if code in _FOR_GOOD or (bye and bye.code == ErrorCode.SUPERSEDED):
            return Over(why)
        if code in _OUR_FAULT and not (bye and bye.code in _FOR_NOW):
            return Over(why)
        if code != CloseCode.RESTARTING and not self._was_ever_welcome:
            at_once = tr("{url} ended the conversation at once").format(url=self._shown_url)
            return Over(f"{at_once}: {why}" if bye or is_reason(code) else at_once)
        self._has_failed = code == CloseCode.INTERNAL or not self._is_served
        return self._lost(why, bye.retry_ms if bye else None)

    def _unreachable(self, error: Exception) -> News:
        why = tr("cannot reach {url}: {why}").format(url=self._shown_url, why=why_unreachable(error))
        if not self._was_ever_welcome or isinstance(error, InvalidURI):
            return Over(why)
        return self._lost(why)

    def _lost(self, why: str, retry_ms: int | None = None) -> News:
        if self._waited_s > PATIENCE_S:
            given_up = trn("given up after {n} minute", "given up after {n} minutes", PATIENCE_S // 60)
            return Over(f"{why}; {given_up}")
        wait_s = min(max(next(self._waits), (retry_ms or 0) / 1000), PATIENCE_S)
        return Lost(why, wait_s)
