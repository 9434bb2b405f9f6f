"""A player who goes to another node whenever his own fails him, and does on until all he sent has counted."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

from protocol import codec, commands, events, version
from protocol.errors import CloseCode, ErrorCode
from protocol.picture import Following
from protocol.views import Feed
from tests.chaos.script import Step
from tests.end_to_end.player import Gone, Player

AHEAD: Final = 4
"""Commands he sends without waiting for answers."""

AGAIN_S: Final = 0.1
"""After how long he tries the next node."""

_MOST_REFUSALS: Final = 60
_PASSING: Final = {
    ErrorCode.UNAVAILABLE,
    ErrorCode.TOO_FAST,
    ErrorCode.RESTARTING,
    ErrorCode.STALE_BOARD,  # it stood behind one that was refused
    ErrorCode.SUPERSEDED,  # the log has lost the event that gave him the seat
}


class RaceGone(Exception):
    """He was told that the race is lost."""


@dataclass
class Travels:
    """What befell him on the way.

    Attributes:
        connections: how often he was welcomed.
        silences: how often he gave up a connection on which nothing came.
        refusals: how often he was told to send something again.
        repeats: how often the answer was that it had taken effect before.
        rewound: how often a picture of his began again because events were lost.
        superseded: how often he was told that another connection has his seat.
        breaks: what ended each of his connections before its time.
        left_behind: connections that he gave up and did not close.
    """

    connections: int = 0
    silences: int = 0
    refusals: int = 0
    repeats: int = 0
    rewound: int = 0
    superseded: int = 0
    breaks: list[str] = field(default_factory=list)
    left_behind: list[ClientConnection] = field(default_factory=list)


class Traveller(Player):
    """One person who plays, or watches, over however many connections it takes.

    Args:
        name: under which he plays.
        choose: the address of the node to try next.
        silence_s: how long he waits on a connection on which nothing comes.
        leaves_open: whether he walks away from such a connection instead of closing it, if he has a seat.
    """

    def __init__(
        self, name: str, choose: Callable[[], str], *, silence_s: float, leaves_open: bool = False
    ) -> None:
        super().__init__("", name)
        self.travels = Travels()
        self.seen: list[Following] = []
        """Every picture he ever had."""
        self.confirmed = 0
        """The highest of his numbers that has taken effect, as far as he knows."""
        self._choose = choose
        self._silence_s = silence_s
        self.patience_s = silence_s + 10  # silence comes first
        self._leaves_open = leaves_open
        self._is_seated = False

    # What he does.

    async def play(self, code: str, steps: Iterator[Step], answered: Callable[[int], None]) -> None:
        """Play a script, each step of which counts once, and stay until the race is over."""

        async def life() -> None:
            await self.take_seat(code)
            while True:
                await self._send_again(code)
                some = list(islice(steps, 1))
                if not some:
                    break
                if some[0][0] is not commands.Say:
                    # What is said does not depend on the board, so it could overtake what was refused.
                    some += takewhile(lambda step: step[0] is not commands.Say, islice(steps, AHEAD - 1))
                before = self.confirmed
                for kind, fields in some:
                    await self.start(kind, code, **fields)
                await self.until(lambda: not self.chair(code).unanswered, "answers")
                answered(self.confirmed - before)
            await self._see_the_end(code, "seat")

        await self._persist(life)

    async def look_on(self, code: str) -> None:
        """Watch a race until it is over."""

        async def life() -> None:
            while isinstance(answer := await self.watch(code), events.Refused):
                await self._obey(answer)
            await self._see_the_end(code, "watch")

        await self._persist(life)

    async def take_seat(self, code: str) -> None:
        """Sit down, as often as he is told to ask again."""
        while isinstance(answer := await self.join(code), events.Refused):
            await self._obey(answer)

    async def join(self, race: str) -> events.Seat | events.Refused:
        """Take a seat; what has not taken effect is not sent again by that."""
        known = self.pictures.get((race, "seat"))
        answer = await self.ask(
            commands.Join(race, None, known.to if known else 0, known.tag if known else "")
        )
        assert isinstance(answer, events.Seat | events.Refused), answer
        if isinstance(answer, events.Seat):
            self._is_seated = True
            self.chair(race).unanswered.clear()
            await self.until(lambda: self._reaches(race, "seat", answer.seq), "what was missing")
        return answer

    async def walk_away(self) -> None:
        """Leave the connection as it is, and hear it no more."""
        if self._socket is not None and self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
            self.travels.left_behind.append(self._socket)
            self._socket = None

    # Getting there, and again.

    async def _persist(self, life: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await self.arrive()
                await life()
            except (Gone, OSError, EOFError, WebSocketException, TimeoutError) as error:
                self.travels.breaks.append(f"{error!r}, {self.closed}")
                await self.drop()
                code = self.closed[0] if self.closed else 0
                if code == CloseCode.RACE_LOST:
                    raise RaceGone(self.name) from None
                self.travels.superseded += code == CloseCode.SUPERSEDED
                await asyncio.sleep(AGAIN_S)  # as clients do; there is nothing to wait for
                continue
            return

    async def arrive(self) -> None:
        """Be welcomed on a node, unless he is already."""
        if self._socket is not None and self.closed is None:
            return
        self.url, self._is_seated = self._choose(), False
        mark = len(self.heard)
        await self.open(open_timeout=self._silence_s)
        await self.send(commands.Hello(version.PROTOCOL, self.name, self.token))
        await self._hears_more(mark, "an answer to hello")
        answer = self.heard[mark]
        if isinstance(answer, events.Refused):
            await self._obey(answer)
            raise Gone("not welcome yet")
        assert isinstance(answer, events.Welcome), answer
        self.travels.connections += 1

    async def drop(self) -> None:
        """Lose the connection; a message on it that did not fit is not forgotten by that."""
        reader = self._reader
        if reader is not None and reader.done() and not reader.cancelled():
            reader.result()
        await super().drop()
        self._socket = None

    async def close(self) -> None:
        """End all connections; a message that did not fit is not forgotten by that."""
        for socket in self.travels.left_behind:
            socket.transport.abort()  # nobody reads what would have to be read before a farewell
            await socket.wait_closed()
        await super().close()

    async def until(self, condition: Callable[[], object], what: str, *, alive: bool = True) -> None:
        """Wait for something, but not on a connection on which nothing comes."""
        try:
            async with asyncio.timeout(self._silence_s):
                await super().until(condition, what, alive=alive)
        except TimeoutError:
            self.travels.silences += 1
            if self._leaves_open and self._is_seated:
                await self.walk_away()
            raise Gone(f"{self.name} waited in vain for {what}") from None

    # Making it count.

    async def _send_again(self, code: str) -> None:
        """Send what has not taken effect, in order and one at a time, until all of it has."""
        chair = self.chair(code)
        refused = 0
        while missing := [c for c in sorted(chair.sent) if c > self.confirmed]:
            c = missing[0]
            chair.answers.pop(c, None)
            chair.unanswered[c] = chair.sent[c]
            await self.send(chair.sent[c])  # type: ignore[arg-type]  # every numbered one is a command
            answer = await self.answer_to(code, c)
            if isinstance(answer, events.Refused):
                refused += 1
                assert refused < _MOST_REFUSALS, (self.name, answer)
                await self._obey(answer)
                if answer.code not in (ErrorCode.UNAVAILABLE, ErrorCode.TOO_FAST):
                    await self.take_seat(code)
            else:
                self.travels.repeats += answer.repeated

    async def _obey(self, refusal: events.Refused) -> None:
        assert refusal.code in _PASSING, (self.name, refusal)
        self.travels.refusals += 1
        await asyncio.sleep((refusal.retry_ms or 0) / 1000)  # what the protocol asks for

    async def _see_the_end(self, code: str, feed: Feed) -> None:
        while True:
            following = self.pictures.get((code, feed))
            if following is not None and following.picture.life.phase == "over":
                return
            await self._hears_more(len(self.heard), "the race to go on")
            await self._send_again(code)  # of what counted, something may have been lost

    async def _hears_more(self, mark: int, what: str) -> None:
        await self.until(lambda: len(self.heard) > mark, what)

    # Hearing.

    def _take(self, event: events.Event) -> None:
        super()._take(event)
        match event:
            case events.Seat():
                self.confirmed = event.last_c
            case events.Ack():
                self.confirmed = max(self.confirmed, event.c)
            case events.Snapshot() | events.Update():
                following = self.pictures[event.race, event.feed]
                if following.pages_left == 0:
                    self.seen.append(following)
                if isinstance(event, events.Snapshot) and event.rewound:
                    self.travels.rewound += 1
            case _:
                pass


async def last_words(socket: ClientConnection) -> tuple[list[events.Event], int]:
    """All that still comes on a connection that was left behind, and how the server closed it."""
    heard = []
    with suppress(ConnectionClosed):
        async for frame in socket:
            event = codec.read_event(frame)
            assert event is not None, frame
            heard.append(event)
    assert socket.close_code is not None
    return heard, socket.close_code


def total(travellers: Sequence[Traveller], what: Callable[[Travels], int]) -> int:
    """The sum of something that befell them."""
    return sum(what(traveller.travels) for traveller in travellers)
