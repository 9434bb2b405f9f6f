"""A second client, written from docs/protocol.md alone: `websockets`, `json`, and nothing of ours.

It believes nothing. Whatever the server says is checked against the document, and the first thing that breaks
it is a `Violation`. `Client.heard` keeps every message, for checks of form.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.end_to_end.independent_picture import Board, Message, Picture, Violation, demand

PATIENCE_S: Final = 20.0
RETRIED: Final = ("too_fast", "unavailable", "restarting")
ANSWERS: Final = frozenset(
    {"created", "attempted", "watching", "unwatched", "hinted", "calculated", "replayed", "traced"}
    | {"reported", "day", "ranks", "recorded", "committed"}
)
"""What comes only to who has asked, and repeats the number of the question."""


class Seat:
    """A seat in a race: its board and its numbered commands."""

    def __init__(self) -> None:
        self.board: Board | None = None
        self.session = 0
        self.used_c = 0
        self.unanswered: dict[int, Message] = {}
        self.answers: dict[int, Message] = {}
        self.acked_c = 0
        self.acked_seq = 0
        self.may: set[str] = set()
        self.progress: dict[int, tuple[int, int]] = {}
        """By the `seq` of each answer: cards home and actions since then."""

    @property
    def next_n(self) -> int:
        """The version the board will have when all that was sent has taken effect."""
        ahead = sum("n" in command for command in self.unanswered.values())
        return (self.board.n if self.board else 0) + ahead

    def noted(self, seq: int) -> tuple[int, int] | None:
        """Cards home and actions as of event `seq`, if that much is known."""
        known = [at for at in self.progress if at <= seq]
        return self.progress[max(known)] if known else None


class Client:
    """One player on one connection at a time."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.name = name
        self.token: str | None = None
        self.player = ""
        self.welcome: Message = {}
        self.heard: list[Message] = []
        self.pictures: dict[tuple[str, str], Picture] = {}
        self.seats: dict[str, Seat] = {}
        self.questions: dict[int, Message | None] = {}
        self.here: dict[str, Message] = {}
        self.next_race: dict[str, str] = {}
        self.farewell: Message | None = None
        self.close_code: int | None = None
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._something = asyncio.Event()

    # Connecting and parting.

    async def connect(self) -> None:
        """Open a connection, introduce oneself, be welcomed."""
        self.welcome, self.farewell, self.close_code = {}, None, None
        self._socket = await connect(self.url, subprotocols=[Subprotocol("cellrace.v1")], compression=None)
        self._reader = asyncio.create_task(self._read(self._socket))
        hello = {"t": "hello", "v": 1, "name": self.name}
        await self._say(hello if self.token is None else {**hello, "token": self.token})
        await self.until(lambda: self.welcome, "a welcome")

    async def close(self) -> None:
        """Part as one should."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    async def drop(self) -> None:
        """Lose the connection as when a cable is cut: nothing is said, and what was under way is lost."""
        assert self._socket is not None
        assert self._reader is not None
        self._reader.cancel()
        await asyncio.wait([self._reader])
        self._socket.transport.abort()

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait for something to become true; it is looked at after every message.

        Raises:
            Violation: the server broke the document, or it did not come true in time.
        """
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not condition():
                    self._something.clear()
                    if self._reader is not None and self._reader.done():
                        self._reader.result()
                        raise Violation(f"{self.name}: the connection ended before {what}: {self.farewell}")
                    await self._something.wait()
        except TimeoutError:
            raise Violation(f"{self.name} waited in vain for {what}; last heard {self.heard[-3:]}") from None

    async def reach(self, race: str, phase: str, feed: str = "seat") -> Picture:
        """Wait until the race is shown in this phase; the picture of it."""
        await self.until(lambda: self._shows(race, feed, phase), f"the race {phase}")
        return self.pictures[race, feed]

    # Asking.

    async def create(self, create_id: str, settings: Message) -> str:
        """Make a race and take the host's seat."""
        created = await self.ask({"t": "create", "id": create_id, "settings": settings})
        demand(
            created["t"] == "created" and created["id"] == create_id, "`created` answers `create`", created
        )
        race = str(created["race"])
        await self.until(lambda: (race, "seat") in self.pictures, "a seat and a snapshot")
        return race

    async def attempt(self, day: str, cells: int = 4) -> str:
        """Begin the ranked attempt of a day; its name."""
        attempted = await self.ask({"t": "attempt", "day": day, "cells": cells})
        demand(attempted["t"] == "attempted", "`attempted` answers `attempt`", attempted)
        race = str(attempted["race"])
        await self.until(lambda: (race, "seat") in self.pictures, "a seat and a snapshot")
        return race

    async def join(self, race: str) -> Message:
        """Take a seat, or one's own again, and send again what was not answered."""
        picture = self.pictures.get((race, "seat"))
        known = {} if picture is None else {"to": picture.to, "tag": picture.tag}
        seat = await self.ask({"t": "join", "race": race, **known})
        if seat["t"] == "seat":
            await self.until(lambda: self._reaches(race, "seat", seat["seq"]), "what was missing")
            for _, command in sorted(self.seats[race].unanswered.items()):
                await self._say(command)
        return seat

    async def watch(self, race: str) -> Message:
        """Follow a race without a seat."""
        picture = self.pictures.get((race, "watch"))
        known = {} if picture is None else {"to": picture.to, "tag": picture.tag}
        watching = await self.ask({"t": "watch", "race": race, **known})
        if watching["t"] == "watching":
            await self.until(lambda: (race, "watch") in self.pictures, "a snapshot to watch")
        return watching

    async def ask(self, question: Message) -> Message:
        """Send something with a `q`, and wait for the answer that repeats it."""
        q = len(self.questions) + 1
        self.questions[q] = None
        await self._say({**question, "q": q})
        await self.until(lambda: self.questions[q], f"the answer to {question}")
        return self.questions[q] or {}

    async def send(self, race: str, kind: str, **fields: object) -> int:
        """Send a numbered command without waiting; its number."""
        seat = self.seats.setdefault(race, Seat())
        seat.used_c += 1
        command = {"t": kind, "race": race, "c": seat.used_c, **fields}
        seat.unanswered[seat.used_c] = command
        demand(len(seat.unanswered) <= 32, "we have too many commands unanswered")
        await self._say(command)
        return seat.used_c

    async def do(self, race: str, kind: str, **fields: object) -> Message:
        """Send a numbered command and wait for its answer."""
        c = await self.send(race, kind, **fields)
        await self.until(lambda: c in self.seats[race].answers, f"the answer to {kind} {fields}")
        return self.seats[race].answers[c]

    async def again(self, race: str, command: Message) -> Message:
        """Send a command that was answered before once more, as it was; its answer."""
        seat, c = self.seats[race], command["c"]
        del seat.answers[c]
        seat.unanswered[c] = command
        await self._say(command)
        await self.until(lambda: c in seat.answers, f"the answer to {command} again")
        return seat.answers[c]

    async def act(self, race: str, kind: str, **fields: object) -> Message:
        """Do something to one's board, which must take effect; asked to slow down, wait and send it again."""
        c = await self.send_act(race, kind, **fields)
        return (await self.settle(race, [c]))[0]

    async def send_act(self, race: str, kind: str, **fields: object) -> int:
        """Send a command for one's board without waiting; its number."""
        return await self.send(race, kind, n=self.seats[race].next_n, **fields)

    async def settle(self, race: str, sent: list[int]) -> list[Message]:
        """Wait until all these have taken effect; those that came too fast are sent again as they were."""
        seat = self.seats[race]
        commands = {c: seat.unanswered[c] for c in sent if c in seat.unanswered}
        while True:
            await self.until(lambda: all(c in seat.answers for c in sent), f"the answers to {sent}")
            refused = [c for c in sent if seat.answers[c]["t"] == "refused"]
            if not refused:
                return [seat.answers[c] for c in sent]
            first = seat.answers[refused[0]]
            demand(first["code"] in RETRIED, "a move that is allowed was refused", first)
            demand(
                all(seat.answers[c]["code"] in (*RETRIED, "stale_board") for c in refused),
                "refusals",
                refused,
            )
            await asyncio.sleep(first["retry_ms"] / 1000)
            for c in refused:
                del seat.answers[c]
                seat.unanswered[c] = commands[c]
                await self._say(commands[c])

    async def play(self, race: str, moves: list[str], ahead: int = 1) -> None:
        """Make these moves, `ahead` of them at a time without waiting."""
        for start in range(0, len(moves), ahead):
            sent = [await self.send_act(race, "move", move=move) for move in moves[start : start + ahead]]
            await self.settle(race, sent)

    async def replay(self, race: str, player: str) -> tuple[Message, list[Message]]:
        """Everything a racer did: the first page, and all steps."""
        steps: list[Message] = []
        first: Message | None = None
        while True:
            page = await self.ask({"t": "replay", "race": race, "player": player, "after": len(steps)})
            demand(page["t"] == "replayed" and page["after"] == len(steps), "a page of a replay", page)
            first = first or page
            steps += page["steps"]
            demand(len(page["steps"]) <= 100, "a page has 100 steps at most", len(page["steps"]))
            if not page.get("more"):
                return first, steps

    # Hearing.

    async def _say(self, message: Message) -> None:
        assert self._socket is not None
        frame = json.dumps(message)
        demand(len(frame.encode()) <= 4096, "we send more than a server takes")
        await self._socket.send(frame)

    async def _read(self, socket: ClientConnection) -> None:
        try:
            while True:
                frame = await socket.recv()
                demand(isinstance(frame, str), "frames are text", frame)
                message = json.loads(frame, object_pairs_hook=_without_doubles)
                demand(isinstance(message, dict), "a frame is an object", message)
                self.heard.append(message)
                self._take_in(message)
                self._something.set()
        except ConnectionClosed:
            self.close_code = socket.close_code
        finally:
            self._something.set()

    def _take_in(self, message: Message) -> None:
        demand(
            bool(self.welcome) or message["t"] in ("welcome", "refused", "bye"),
            "welcome comes first",
            message,
        )
        demand(self.farewell is None, "nothing comes after `bye`", message)
        if message.get("q") is not None:
            self._answered(message)
        if message["t"] in ANSWERS:
            demand(message.get("q") in self.questions, "an answer nobody asked for", message)
        else:
            self._told(message)

    def _told(self, message: Message) -> None:
        match message["t"]:
            case "welcome":
                self._welcomed(message)
            case "seat":
                self._seated(message)
            case "snapshot":
                self._snapshot(message)
            case "update":
                self._update(message)
            case "ack":
                self._acked(message)
            case "refused":
                self._refused(message)
            case "presence":
                self.here[message["race"]] = message
            case "rematch_ready":
                self.next_race[message["race"]] = message["next"]
            case "bye":
                self.farewell = message
            case "verdict":
                self._judged(message)
            case kind:
                raise Violation(f"a message that should not come here: {kind!r}")

    def _judged(self, verdict: Message) -> None:
        picture = self.pictures[verdict["race"], verdict["feed"]]
        demand(picture.view == "boards", "verdicts come with the boards only", verdict)
        demand(verdict["player"] in picture.boards, "a verdict is on a board that is shown", verdict)
        demand(("moves" in verdict) == (verdict["what"] == "winnable"), "how many more moves", verdict)

    def _answered(self, message: Message) -> None:
        q = message["q"]
        demand(q in self.questions, "an answer nobody asked for", message)
        answer = self.questions[q]
        if answer is not None and answer["t"] in ("created", "attempted") and message["t"] == "seat":
            return  # `create` and `attempt` are told of both
        demand(answer is None, "a question has one answer", answer, message)
        self.questions[q] = message

    def _welcomed(self, welcome: Message) -> None:
        demand(not self.welcome, "one welcome to a connection", welcome)
        demand(welcome["v"] == 1, "major version 1", welcome)
        demand(
            ("token" in welcome) == (self.token is None), "a token for the new, and only for them", welcome
        )
        self.token = welcome.get("token", self.token)
        demand(
            str(self.token).partition(".")[0] == welcome["player"],
            "the id is the token's first half",
            welcome,
        )
        demand(self.player in ("", welcome["player"]), "a token always means the same player", welcome)
        self.player, self.welcome = welcome["player"], welcome

    def _seated(self, message: Message) -> None:
        race = message["race"]
        seat, picture = self.seats.setdefault(race, Seat()), self.pictures.get((race, "seat"))
        demand(message["session"] <= message["seq"], "a session is an event", message)
        demand(message["session"] > seat.session, "a session is newer than the last", seat.session, message)
        demand(picture is None or message["seq"] > picture.to, "private comes before public", message)
        known = bool(seat.session) or not message["last_c"]
        demand(not known or message["last_c"] <= seat.used_c, "`last_c` is a number we used", message)
        seat.used_c = max(seat.used_c, message["last_c"])
        board = Board(message["board"]) if "board" in message else None
        demand(board is None or board.n == message.get("n", 0), "`n` is the board's", message)
        if seat.board and board and message["last_c"] <= seat.acked_c:
            demand(
                board.state() == seat.board.state(), "a seat comes back with the board it had", board.state()
            )
        seat.board, seat.session = board, message["session"]
        self._note(seat, message["seq"], message)

    def _snapshot(self, page: Message) -> None:
        key = (page["race"], page["feed"])
        if page.get("page", 1) == 1:
            self.pictures[key] = Picture(page)
        else:
            demand(key in self.pictures, "the first page comes first", page)
            self.pictures[key].add(page)
        self._compare(*key)

    def _update(self, update: Message) -> None:
        key = (update["race"], update["feed"])
        demand(key in self.pictures, "a snapshot comes before the updates", update)
        picture = self.pictures[key]
        started = picture.layout is None
        picture.follow(update)
        seat = self.seats.get(update["race"])
        if started and picture.layout is not None and key[1] == "seat" and seat is not None:
            seat.board = Board(picture.layout)
            seat.progress[update["to"]] = (0, 0)
        self._compare(*key)

    def _compare(self, race: str, feed: str) -> None:
        """What the race shows of us is what we were told ourselves."""
        picture, seat = self.pictures[race, feed], self.seats.get(race)
        if not picture.whole or feed != "seat" or seat is None or picture.layout is None:
            return
        mine = picture.racer(self.player)
        known = seat.noted(picture.to)
        demand(
            known == (mine.get("home", 0), mine.get("actions", 0)), "progress and answers differ", known, mine
        )
        if seat.board and picture.view == "boards" and not seat.unanswered:
            demand(
                picture.boards[self.player].state() == seat.board.state(),
                "our board is shown otherwise",
                mine,
            )

    def _acked(self, ack: Message) -> None:
        race, c = ack["race"], ack["c"]
        seat = self.seats[race]
        command = seat.unanswered.pop(c, None)
        demand(command, "each sending has one answer", ack)
        assert command is not None
        seat.answers[c] = ack
        if ack.get("repeated"):
            demand(not {"moves", "board"} & set(ack), "an answer given again has no moves", ack)
            return
        demand(c > seat.acked_c and ack["seq"] > seat.acked_seq, "new effects come in their order", ack)
        seat.acked_c, seat.acked_seq = c, ack["seq"]
        picture = self.pictures.get((race, "seat")) or self.pictures[race, "watch"]
        demand(
            ack["seq"] > picture.to or picture.feed == "watch", "private comes before public", picture.to, ack
        )
        if "n" in command:
            demand(ack["n"] == command["n"] + 1, "each action is one version", command, ack)
            self._moved(seat, ack)

    def _moved(self, seat: Seat, ack: Message) -> None:
        board = seat.board
        assert board is not None
        demand(not ("board" in ack and "moves" in ack), "moves, or a board", ack)
        if "board" in ack:
            board = seat.board = Board(ack["board"])
        else:
            demand(ack["n"] == board.n + 1, "the board is the one the command was for", board.n, ack)
            board.carry(ack.get("moves", []))
            board.n, board.score, board.actions = ack["n"], ack.get("score", 0), ack.get("actions", 0)
        demand(board.n == ack["n"] and board.actions == ack.get("actions", 0), "figures", board.state(), ack)
        demand(sum(board.home) == ack.get("home", 0), "`home` counts the cards home", ack)
        demand(ack.get("won", False) == (sum(board.home) == 52), "won is 52 cards home", ack)
        self._note(seat, ack["seq"], ack)

    def _note(self, seat: Seat, seq: int, message: Message) -> None:
        seat.may = {flag for flag in ("undo", "redo", "finish", "blocked") if message.get(flag)}
        if seat.board is not None:
            seat.progress[seq] = (sum(seat.board.home), seat.board.actions)

    def _refused(self, refusal: Message) -> None:
        demand(refusal["detail"], "a refusal says why", refusal)
        demand(refusal["code"] not in RETRIED or "retry_ms" in refusal, "when to try again", refusal)
        if "c" not in refusal:
            return
        seat = self.seats[refusal["race"]]
        demand(seat.unanswered.pop(refusal["c"], None), "each sending has one answer", refusal)
        seat.answers[refusal["c"]] = refusal
        board_n = seat.board.n if seat.board else 0
        demand(refusal.get("n", board_n) == board_n, "a refusal tells the board's version", board_n, refusal)

    def _shows(self, race: str, feed: str, phase: str) -> bool:
        picture = self.pictures.get((race, feed))
        return picture is not None and picture.whole and picture.life["phase"] == phase

    def _reaches(self, race: str, feed: str, seq: int) -> bool:
        picture = self.pictures.get((race, feed))
        return picture is not None and picture.whole and picture.to >= seq


def _without_doubles(pairs: list[tuple[str, Any]]) -> Message:
    demand(len(dict(pairs)) == len(pairs), "a key is given twice", pairs)
    return dict(pairs)
