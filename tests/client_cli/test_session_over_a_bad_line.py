"""Whatever the connection does, every move typed is taken, refused or dropped exactly once, and in order."""

from collections import deque
from dataclasses import dataclass, field

import hypothesis.strategies as st
import msgspec
from hypothesis import given

from client_cli.mind import ask, disconnected, receive, resume
from client_cli.session import Session
from client_cli.step import Step
from protocol.commands import Command, Join, Move, Say
from protocol.errors import ErrorCode
from protocol.events import Event, Refused
from tests.client_cli.samples import LAYOUT, RACE, ack, refused, seat, snapshot, update, welcome


@dataclass
class Server:
    """The part of a server that matters here: one seat, and what took effect on it."""

    last_c: int = 0
    n: int = 0
    seq: int = 3
    is_busy: bool = False
    effects: list[str] = field(default_factory=list)
    accepted: dict[int, int] = field(default_factory=dict)
    """The board's version by the number of each accepted command."""

    def take(self, command: Command) -> list[Event]:
        match command:
            case Join():
                board = msgspec.structs.replace(LAYOUT, n=self.n)
                return [
                    seat(self.last_c, n=self.n, board=board, seq=self.seq),
                    snapshot("running", to=self.seq),
                ]
            case Move(c=c) | Say(c=c) if c in self.accepted:
                return [ack(c, self.accepted[c], seq=self.seq, repeated=True)]
            case Move(c=c) | Say(c=c) if c <= self.last_c:
                return [refused(c, ErrorCode.STALE_COMMAND)]
            case Move(c=c) | Say(c=c) if self.is_busy:
                return [refused(c, ErrorCode.TOO_FAST, retry_ms=10)]
            case Move(c=c, n=n, move=text):
                return self._move(c, n, text)
            case Say(c=c, text=text):
                return self._effect(c, text)
            case _:
                raise AssertionError(command)

    def _move(self, c: int, n: int, text: str) -> list[Event]:
        if n != self.n:
            return [refused(c, ErrorCode.STALE_BOARD, n=self.n)]
        if text.endswith("!"):
            return [refused(c, n=self.n)]
        self.n += 1
        return self._effect(c, text)

    def _effect(self, c: int, text: str) -> list[Event]:
        self.last_c, self.seq = c, self.seq + 1
        self.accepted[c] = self.n
        self.effects.append(text)
        return [ack(c, self.n, seq=self.seq, board=LAYOUT), update(self.seq - 1, self.seq)]


class Line:
    """A session and a server with a line between them that may be cut at any moment."""

    def __init__(self) -> None:
        self.session = Session(Join(RACE))
        self.server = Server()
        self.up: deque[Command] = deque()
        self.down: deque[Event] = deque()
        self.is_cut = True
        self.typed: list[str] = []
        self.refused: list[str] = []
        self.dropped: list[str] = []
        self.connect()

    def connect(self) -> None:
        if self.is_cut:
            self.is_cut = False
            self.down.append(welcome())

    def cut(self) -> None:
        """All that is under way is lost, in both directions."""
        self.is_cut = True
        self.up.clear()
        self.down.clear()
        self.session = disconnected(self.session)

    def type(self, *texts: str) -> None:
        names = [f"{len(self.typed) + i}{text}" for i, text in enumerate(texts)]
        self.typed += names
        drafts = (Say("", 0, name) if "say" in name else Move("", 0, 0, name) for name in names)
        self.apply(ask(self.session, *drafts))

    def deliver_up(self) -> None:
        if self.up:
            self.down.extend(self.server.take(self.up.popleft()))

    def deliver_down(self) -> None:
        if self.down:
            event = self.down.popleft()
            before = self.session
            self.apply(receive(before, event, 0))
            if isinstance(event, Refused) and event.retry_ms is None:
                self.refused += [text_of(command) for command in [before.speech.command(event.c)] if command]

    def wait(self) -> None:
        """The time that a busy server asked for has passed."""
        if not self.is_cut and self.session.inside:
            self.apply(resume(self.session))

    def apply(self, step: Step) -> None:
        self.session = step.session
        self.dropped += [text_of(draft) for draft in step.dropped]
        if not self.is_cut:
            self.up.extend(step.send)

    def finish(self) -> None:
        """The line holds, and nobody is busy, until all is said."""
        self.server.is_busy = False
        self.connect()
        for _ in range(2000):
            while self.up or self.down:
                self.deliver_up()
                self.deliver_down()
            if self.session.is_settled:
                return
            self.wait()
        raise AssertionError(f"never settled: {self.session}")


def text_of(command: object) -> str:
    match command:
        case Move(move=text) | Say(text=text):
            return text
        case _:
            raise AssertionError(command)


Happening: st.SearchStrategy[tuple[str, list[str]]] = st.one_of(
    st.lists(st.sampled_from(["", "", "!", "say"]), min_size=1, max_size=4).map(
        lambda texts: ("type", texts)
    ),
    st.sampled_from(
        [("up", []), ("up", []), ("down", []), ("down", []), ("cut", []), ("connect", []), ("busy", [])]
    ),
    st.sampled_from([("up", []), ("down", []), ("wait", [])]),
)


@given(st.lists(Happening, max_size=60))
def test_every_move_is_taken_refused_or_dropped_exactly_once(happenings: list[tuple[str, list[str]]]) -> None:
    line = Line()
    for what, texts in happenings:
        match what:
            case "type":
                line.type(*texts)
            case "up":
                line.deliver_up()
            case "down":
                line.deliver_down()
            case "cut":
                line.cut()
            case "connect":
                line.connect()
            case "busy":
                line.server.is_busy = not line.server.is_busy
            case "wait":
                line.wait()
    line.finish()
    assert sorted(line.server.effects + line.refused + line.dropped) == sorted(line.typed)
    moves = [text for text in line.server.effects if "say" not in text]
    assert moves == [text for text in line.typed if text in moves]
    assert line.session.board is not None
    assert line.session.board.n == line.server.n
