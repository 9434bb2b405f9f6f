"""One Redis server's calls: one connection, all calls in order, and a new connection when it fails.

Calls that are handed over in one turn of the event loop go out together, and nobody waits for an answer
before the next call is sent. Answers come in the order of the calls; that is what tells whose they are. So a
connection on which an answer is late is never used again: its calls are lost, and the next calls get a
connection that owes nothing to anyone. And as an answer that goes to the wrong caller would be the worst that
can happen here, every call bears a token which its answer must repeat.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final, Protocol, TypeAlias

from server.store.redis.driver import Away, DriverError, Lost, Refused
from server.store.redis.replies import token_of
from server.store.redis.scripts import Script
from server.store.redis.timing import Timing

log = logging.getLogger(__name__)

MAX_WAITING: Final = 20_000
"""Calls handed over to one server and not answered yet, at most; one more is `Away`."""


@dataclass(frozen=True, slots=True)
class Call:
    """A script to be run.

    Attributes:
        args: the first is the token.
        asking: say `ASKING` first, which a cluster wants while it moves a slot.
        load: load the script first.
    """

    script: Script
    keys: Sequence[bytes]
    args: Sequence[bytes]
    asking: bool = False
    load: bool = False


class Link(Protocol):
    """One connection to one server, as a client library has it, with all scripts loaded."""

    @property
    def is_lost(self) -> bool:
        """Whether nothing can be sent any more."""
        ...

    def send(self, calls: Sequence[Call]) -> Sequence[asyncio.Future[bytes]]:
        """Send all of them now. Each answer fails with `Refused`, or with `Lost` when the connection does."""
        ...

    def close(self) -> None:
        """Drop the connection. Answers that have not come by now are `Lost`."""
        ...


Connect: TypeAlias = Callable[[], Awaitable[Link]]
"""Makes a `Link`, or raises `Away`, `Refused` or `OSError`."""

_Answer: TypeAlias = asyncio.Future[bytes]


class Lane:
    """The calls to one server."""

    def __init__(self, connect: Connect, timing: Timing) -> None:
        self._connect = connect
        self._timing = timing
        self._loop = asyncio.get_running_loop()
        self._link: Link | None = None
        self._opening: asyncio.Task[None] | None = None
        self._waiting: list[tuple[Call, _Answer]] = []
        self._flying: dict[_Answer, float] = {}  # since when; the oldest first
        self._flush_due = False
        self._alarm: asyncio.TimerHandle | None = None
        self._failure: tuple[float, str] = (-1.0, "")
        self._tokens = count()
        self._idle = asyncio.Event()
        self._idle.set()

    def run(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes], *, asking: bool = False
    ) -> _Answer:
        """Hand a call over; it fails with a `DriverError`. Cancelling the answer does not take it back."""
        answer: _Answer = self._loop.create_future()
        if len(self._waiting) + len(self._flying) >= MAX_WAITING:
            answer.set_exception(Away(f"{MAX_WAITING} calls are waiting for Redis"))
            return answer
        self._idle.clear()
        token = next(self._tokens).to_bytes(8, "big")
        self._waiting.append((Call(script, keys, (token, *args), asking), answer))
        self._plan_flush()
        return answer

    def drop(self) -> None:
        """Give up the connection, if there is one; the next call gets a new one."""
        link, self._link = self._link, None
        if link is not None:
            link.close()
        # At once, so that what is in the air always belongs to the connection that there is.
        flying, self._flying = self._flying, {}
        for answer in flying:
            _fail(answer, Lost("the connection to Redis was given up"))
        self._note_idle()

    async def close(self) -> None:
        """Wait for what is under way, then let go."""
        await self._idle.wait()
        self.drop()
        if self._alarm is not None:
            self._alarm.cancel()

    # Sending.

    def _plan_flush(self) -> None:
        if not self._flush_due and self._opening is None:
            self._flush_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flush_due = False
        if not self._waiting:
            return
        if self._link is not None and self._link.is_lost:
            self.drop()
        if self._link is None:
            failed_at, why = self._failure
            if self._loop.time() < failed_at + self._timing.pause_s:
                self._fail_waiting(Away(why))
            elif self._opening is None:
                self._opening = self._loop.create_task(self._open())
            return
        batch, self._waiting = self._waiting, []
        now = self._loop.time()
        for (call, answer), reply in zip(batch, self._link.send([call for call, _ in batch]), strict=True):
            self._flying[answer] = now
            reply.add_done_callback(partial(self._replied, call, answer))
        self._set_alarm()

    async def _open(self) -> None:
        try:
            async with asyncio.timeout(self._timing.connect_s):
                self._link = await self._connect()
        except TimeoutError:
            self._failed(Away("Redis cannot be reached in time"))
        except (DriverError, OSError, UnicodeError) as error:  # the last is a host that cannot be
            self._failed(error if isinstance(error, DriverError) else Away(str(error)))
        finally:
            self._opening = None
            if self._waiting:
                self._plan_flush()

    def _failed(self, error: DriverError) -> None:
        self._failure = (self._loop.time(), str(error))
        self._fail_waiting(error)

    def _fail_waiting(self, error: DriverError) -> None:
        waiting, self._waiting = self._waiting, []
        for _, answer in waiting:
            _fail(answer, type(error)(str(error)))
        self._note_idle()

    # Answers.

    def _replied(self, call: Call, answer: _Answer, reply: asyncio.Future[bytes]) -> None:
        error = Lost("the program is ending") if reply.cancelled() else reply.exception()
        if self._flying.pop(answer, None) is None:
            return  # given up before
        if error is None and token_of(reply.result()) != call.args[0]:
            # All answers on this connection have come to the wrong callers, or will.
            log.error("an answer from Redis was not the one that was due; connecting anew")
            error = Lost("the answer was another's")
            self.drop()
        if error is None:
            if not answer.done():
                answer.set_result(reply.result())
        elif isinstance(error, Refused) and str(error).startswith("NOSCRIPT"):
            # It did not run, so it may be sent again, with the script before it.
            self._waiting.append((replace(call, load=True), answer))
            self._plan_flush()
        else:
            _fail(answer, error)
        self._note_idle()

    def _note_idle(self) -> None:
        if not self._waiting and not self._flying:
            self._idle.set()

    # Lateness.

    def _set_alarm(self) -> None:
        if self._alarm is None and self._flying:
            oldest = next(iter(self._flying.values()))
            self._alarm = self._loop.call_at(oldest + self._timing.answer_s, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        oldest = next(iter(self._flying.values()), None)
        if oldest is not None and self._loop.time() >= oldest + self._timing.answer_s:
            log.warning("Redis owes an answer for %.1f s; connecting anew", self._loop.time() - oldest)
            self.drop()
        self._set_alarm()


def _fail(answer: _Answer, error: BaseException) -> None:
    if not answer.done():
        answer.set_exception(error)
        # Whoever waited may be gone; then nobody need be told.
        answer.exception()
