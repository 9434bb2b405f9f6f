"""A client for tests: sends what it is told to, keeps all it hears, believes nothing that does not fit.

Pictures are kept with `protocol.picture`, so an update that does not join the one before is a `Hole` and
fails the test. The board at a player's own seat is kept from its answers alone, as a real client does.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol import codec, commands, events, picture, version, views
from protocol.views import Board, Feed, Phase, Racer

PATIENCE_S: Final = 20.0
"""How long anything that must come may take on a machine that is busy with other things."""

_E = TypeVar("_E")
Answer = events.Ack | events.Refused


class Gone(AssertionError):
    """The connection ended while something was waited for."""


@dataclass(slots=True)
class Chair:
    """What a player knows of his seat in one race."""

    board: Board | None = None
    session: int = 0
    n: int = 0
    used_c: int = 0
    sent: dict[int, commands.Numbered] = field(default_factory=dict)
    """Every numbered command there ever was, as it was sent."""
    unanswered: dict[int, commands.Numbered] = field(default_factory=dict)
    counted: dict[int, commands.Numbered] = field(default_factory=dict)
    """Those whose answer was lost, and which the seat says have taken effect."""
    acks: dict[int, events.Ack] = field(default_factory=dict)
    answers: dict[int, Answer] = field(default_factory=dict)
    """The newest answer to each command."""


class Player:
    """One person, on one connection at a time."""

    def __init__(self, url: str, name: str, *, token: str | None = None) -> None:
        self.url = url
        self.name = name
        self.token = token
        self.id = "" if token is None else token.partition(".")[0]
        self.welcome: events.Welcome | None = None
        self.heard: list[events.Event] = []
        self.frames: list[str] = []
        self.pictures: dict[tuple[str, Feed], picture.Following] = {}
        self.chairs: dict[str, Chair] = {}
        self.closed: tuple[int, str] | None = None
        self.patience_s = PATIENCE_S
        self.is_doubtful = False
        """Whether what has taken effect is sent again, too, when its answer was lost."""
        self._q = 0
        self._mark = 0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    # Coming and going.

    async def open(self, **options: Any) -> None:
        """Open a connection and say nothing yet."""
        self.closed, self.welcome = None, None
        self._socket = await connect(
            self.url, subprotocols=[Subprotocol(version.SUBPROTOCOL)], compression=None, **options
        )
        self._reader = asyncio.create_task(self._read(self._socket))

    async def connect(self, **options: Any) -> events.Welcome:
        """Open a connection, say hello, and be welcomed."""
        await self.open(**options)
        await self.send(commands.Hello(version.PROTOCOL, self.name, self.token))
        return await self.hear(events.Welcome)

    async def drop(self) -> None:
        """Lose the connection as when a cable is cut; what was on its way is lost."""
        if self._socket is not None and self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
            self._socket.transport.abort()
            self._socket = None

    async def close(self) -> None:
        """End the connection as one should, and fail if anything that was heard did not fit."""
        if self._socket is not None and self._reader is not None:
            await self._socket.close()
            await self._reader
            self._socket = None

    async def ended(self) -> tuple[int, str]:
        """Wait until the server has closed the connection: the code, and what its `bye` said."""
        await self.until(lambda: self.closed, "the end of the connection", alive=False)
        assert self.closed is not None
        assert self._reader is not None
        await self._reader
        return self.closed

    # Saying.

    @property
    def socket(self) -> ClientConnection:
        """The connection itself, for what a well-behaved client would not send."""
        assert self._socket is not None
        return self._socket

    async def send(self, command: commands.Command) -> None:
        """Send a message."""
        await self.say(codec.encode(command).decode())

    async def say(self, frame: str) -> None:
        """Send a text frame, whatever is in it. If the connection has ended it is lost, as on any line."""
        with suppress(ConnectionClosed):
            await self.socket.send(frame)

    def next_q(self) -> int:
        """A fresh number for a question."""
        self._q += 1
        return self._q

    async def ask(self, command: commands.Command) -> Any:
        """Send something that has a `q`, and wait for the answer that bears the same."""
        q = getattr(command, "q", None)
        if q is None:
            q = self.next_q()
            command = msgspec.structs.replace(command, q=q)
        mark = len(self.heard)
        await self.send(command)
        return await self.hear_that(lambda event: getattr(event, "q", None) == q, f"{command}", mark)

    def chair(self, race: str) -> Chair:
        """What is known of the seat in a race."""
        return self.chairs.setdefault(race, Chair())

    def number(self, kind: type[commands.Numbered], race: str, **fields: Any) -> commands.Numbered:
        """The next numbered command for a race; a board command is meant for the board as it will be then."""
        chair = self.chair(race)
        chair.used_c += 1
        if "n" in kind.__struct_fields__:
            ahead = sum(hasattr(command, "n") for command in chair.unanswered.values())
            fields = {"n": chair.n + ahead, **fields}
        command = kind(race=race, c=chair.used_c, **fields)
        chair.sent[command.c] = chair.unanswered[command.c] = command
        return command

    async def start(self, kind: type[commands.Numbered], race: str, **fields: Any) -> int:
        """Send the next numbered command, and do not wait; its number."""
        command = self.number(kind, race, **fields)
        await self.send(command)  # type: ignore[arg-type]  # every subclass of Numbered is a Command
        return command.c

    async def do(self, kind: type[commands.Numbered], race: str, **fields: Any) -> Answer:
        """Send the next numbered command, and wait for its answer."""
        return await self.answer_to(race, await self.start(kind, race, **fields))

    async def did(self, kind: type[commands.Numbered], race: str, **fields: Any) -> events.Ack:
        """The same for what must be accepted."""
        answer = await self.do(kind, race, **fields)
        assert isinstance(answer, events.Ack), answer
        return answer

    async def answer_to(self, race: str, c: int) -> Answer:
        """Wait for the answer to a numbered command."""
        chair = self.chair(race)
        await self.until(lambda: c in chair.answers, f"the answer to {c}")
        return chair.answers[c]

    # Whole steps.

    async def create(self, settings: commands.Settings | None = None, *, create_id: str | None = None) -> str:
        """Make a race and sit down in it; its code."""
        command = commands.Create(create_id or "a-race-like-any", settings or commands.Settings())
        created = await self.ask(command)
        assert isinstance(created, events.Created), created
        await self.until(lambda: (created.race, "seat") in self.pictures, "the picture of a new race")
        return created.race

    async def attempt(self, day: str, cells: int = 4) -> str:
        """Begin a ranked attempt at the deal of the day, or come back to it; its name."""
        told = await self.ask(commands.Attempt(day, 4 if cells == 4 else 2))
        assert isinstance(told, events.Attempted), told
        await self.until(lambda: (told.race, "seat") in self.pictures, "the picture of an attempt")
        return told.race

    async def join(self, race: str) -> events.Seat | events.Refused:
        """Take a seat, or one's own again with what is missing, and send what was not answered."""
        known = self.pictures.get((race, "seat"))
        answer = await self.ask(
            commands.Join(race, None, known.to if known else 0, known.tag if known else "")
        )
        assert isinstance(answer, events.Seat | events.Refused), answer
        if isinstance(answer, events.Seat):
            await self.until(lambda: self._reaches(race, "seat", answer.seq), "what was missing")
            chair = self.chair(race)
            again = {**chair.unanswered, **(chair.counted if self.is_doubtful else {})}
            for _, command in sorted(again.items()):
                await self.send(command)  # type: ignore[arg-type]  # every subclass of Numbered is a Command
        return answer

    async def sit(self, race: str) -> events.Seat:
        """The same for what must be accepted."""
        answer = await self.join(race)
        assert isinstance(answer, events.Seat), answer
        return answer

    async def watch(self, race: str) -> events.Watching | events.Refused:
        """Follow a race without a seat, from where one was."""
        known = self.pictures.get((race, "watch"))
        answer = await self.ask(
            commands.Watch(race, None, known.to if known else 0, known.tag if known else "")
        )
        assert isinstance(answer, events.Watching | events.Refused), answer
        return answer

    async def reach(self, race: str, phase: Phase, feed: Feed = "seat") -> picture.Following:
        """Wait until the picture of a race shows this phase."""

        def shown() -> bool:
            following = self.pictures.get((race, feed))
            return following is not None and following.picture.life.phase == phase

        await self.until(shown, f"the race {phase}")
        return self.pictures[race, feed]

    def racer(self, race: str, player: str, feed: Feed = "seat") -> Racer:
        """A racer as the picture shows him."""
        return next(one for one in self.pictures[race, feed].picture.racers if one.player == player)

    # Hearing.

    async def hear(self, kind: type[_E], mark: int | None = None) -> _E:
        """Wait for the next message of this kind, after number `mark` of those heard if that is given."""
        found = await self.hear_that(lambda event: isinstance(event, kind), kind.__name__, mark)
        assert isinstance(found, kind)
        return found

    async def hear_that(
        self, fits: Callable[[events.Event], object], what: str, mark: int | None = None
    ) -> events.Event:
        """Wait for the next message that fits; without `mark`, after the last one waited for."""
        start = self._mark if mark is None else mark

        def found() -> int | None:
            places = (place for place in range(start, len(self.heard)) if fits(self.heard[place]))
            return next(places, None)

        await self.until(lambda: found() is not None, what)
        place = found()
        assert place is not None
        self._mark = max(self._mark, place + 1)
        return self.heard[place]

    def last(self, kind: type[_E]) -> _E | None:
        """The newest message of this kind."""
        return next((event for event in reversed(self.heard) if isinstance(event, kind)), None)

    async def until(self, condition: Callable[[], object], what: str, *, alive: bool = True) -> None:
        """Wait for something to become true; looked at after every message.

        Raises:
            AssertionError: it did not in time.
            Gone: the connection ended before, and was to be `alive`.
        """
        try:
            async with asyncio.timeout(self.patience_s):
                while not condition():
                    self._news.clear()
                    if self._reader is not None and self._reader.done():
                        self._reader.result()
                        if alive:
                            raise Gone(f"{self.name}: the connection ended before {what}: {self.closed}")
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"{self.name} waited in vain for {what}: {self.heard[-3:]}") from None

    def nudge(self) -> None:
        """Have what is waited for looked at again, for a reason that did not come over the wire."""
        self._news.set()

    def _reaches(self, race: str, feed: Feed, to: int) -> bool:
        following = self.pictures.get((race, feed))
        return following is not None and following.to >= to and following.pages_left == 0

    async def _read(self, socket: ClientConnection) -> None:
        try:
            with suppress(ConnectionClosed):
                async for frame in socket:
                    assert isinstance(frame, str)
                    self.frames.append(frame)
                    event = codec.read_event(frame)
                    assert event is not None, frame
                    self._take(event)
                    self.heard.append(event)
                    self._news.set()
        finally:
            bye = next((event for event in self.heard[-1:] if isinstance(event, events.Bye)), None)
            self.closed = (socket.close_code or 0, bye.code if bye else "")
            self._news.set()

    def _take(self, event: events.Event) -> None:
        match event:
            case events.Welcome():
                self.welcome, self.id = event, event.player
                self.token = event.token or self.token
            case events.Seat():
                chair = self.chair(event.race)
                chair.board, chair.session, chair.n = event.board, event.session, event.n
                chair.used_c = max(chair.used_c, event.last_c)
                if not self.is_doubtful:
                    chair.counted.clear()
                for c in [c for c in chair.unanswered if c <= event.last_c]:
                    chair.counted[c] = chair.unanswered.pop(c)
            case events.Snapshot():
                key = (event.race, event.feed)
                self.pictures[key] = picture.start(event, self.pictures.get(key))
                if event.feed == "seat" and self.chair(event.race).board is None:
                    self.chair(event.race).board = event.layout
            case events.Update():
                key = (event.race, event.feed)
                self.pictures[key] = picture.follow(self.pictures[key], event)
                if event.feed == "seat":
                    self._dealt(event)
            case events.Ack():
                self._acknowledged(event)
            case events.Refused() if event.race is not None and event.c is not None:
                chair = self.chair(event.race)
                chair.answers[event.c] = event
                chair.unanswered.pop(event.c, None)
            case _:
                pass

    def _dealt(self, update: events.Update) -> None:
        for change in update.changes:
            if isinstance(change, views.Dealt):
                chair = self.chair(update.race)
                chair.board, chair.n = change.board, 0

    def _acknowledged(self, ack: events.Ack) -> None:
        chair = self.chair(ack.race)
        if not ack.repeated and chair.board is not None:
            board = ack.board or picture.carry(
                chair.board, ack.moves, n=ack.n, score=ack.score, actions=ack.actions
            )
            assert sum(board.home) == ack.home
            chair.board = board
        if not ack.repeated:
            chair.n = ack.n
        chair.acks[ack.c] = chair.answers[ack.c] = ack
        chair.unanswered.pop(ack.c, None)
        chair.counted.pop(ack.c, None)
