"""A race as a node keeps it: a store with its own clock, batches of commands, people who follow it all."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol import codec, events, views
from protocol.picture import Following, carry, follow, start
from server.gateway import wire
from server.gateway.feed import Cursor, Entry, Feed
from server.gateway.plan import Done, DoneBefore, Outcome, Plan, Refused, Request, make_plan, settle
from server.race.commands import Board, Command, Join, Numbered, NumberedCommand
from server.race.events import TailLost
from server.race.evolve import fold
from server.race.state import Answer, Phase, PlayerId, Race, Setup, Standing
from server.race.views import Access, View, seat_access, watch_access
from server.store.base import CLEAR, KEEP
from tests.server.race.pictures import picture_of
from tests.server.race.races import Table
from tests.server.race.sound import assert_sound, assert_sound_log

TAG = b"\x01" * 8
MAX_SKEW_MS = 30


@dataclass(eq=False)
class Viewer:
    """A client that follows the race, from a seat or watching, and keeps the picture it is sent."""

    player: PlayerId
    name: views.Feed
    cursor: Cursor
    following: Following | None = None

    def access(self, race: Race) -> Access | None:
        """What he may see of this state."""
        return seat_access(race) if self.name == "seat" else watch_access(race, self.player)

    def take(self, frame: bytes) -> None:
        """Make the next picture of the last one."""
        message = codec.read_event(frame)
        if isinstance(message, events.Snapshot):
            self.following = start(message, self.following)
        else:
            assert isinstance(message, events.Update)
            assert self.following is not None
            self.following = follow(self.following, message)


@dataclass
class World:
    """A race, what its store and its node know, and what everyone was told.

    `table` is the store: the log and the true time. The node's clock is `skew_ms` ahead of it.
    """

    table: Table
    skew_ms: int = 0
    deadline: int | None = None
    feed: Feed = field(init=False)
    viewers: list[Viewer] = field(default_factory=list)
    boards: dict[PlayerId, views.Board] = field(default_factory=dict)
    taken: dict[tuple[PlayerId, int], Answer] = field(default_factory=dict)
    checked: int = 0

    def __post_init__(self) -> None:
        self.feed = Feed(self.table.race, TAG)
        self.deadline = self.table.race.next_deadline
        self.taken = {
            (member.player, answer.c): answer
            for member in self.race.members.values()
            for answer in member.answers
        }

    @property
    def race(self) -> Race:
        """The newest state."""
        return self.table.race

    # Deciding and appending.

    def commit(self, commands: Sequence[Command]) -> None:
        """Have a batch of commands settled as a node does, deciding again where the store's time says so."""
        batch = tuple(Request(command, lambda _: None) for command in commands)
        now_ms = self.table.now_ms + self.skew_ms
        for _ in range(len(batch) + 4):
            plan = make_plan(self.race, batch, now_ms)
            if plan.events and not self._is_in_time(plan):
                now_ms = self.table.now_ms
                continue
            self._append(plan)
            batch = plan.rest
            if not batch:
                return
        raise AssertionError("a batch that is never settled")

    def _is_in_time(self, plan: Plan) -> bool:
        at_ms = self.table.now_ms
        return (plan.not_before or at_ms) <= at_ms <= (plan.not_after or at_ms)

    def _append(self, plan: Plan) -> None:
        before, first = self.race, len(self.table.log)
        self.table.append(*plan.events)
        stamped, states = self.table.log[first:], self.table.states[first:]
        outcomes, settled = settle(before, plan, stamped)
        assert settled == states
        if plan.wake is CLEAR:
            self.deadline = None
        elif plan.wake is not KEEP:
            self.deadline = self.table.now_ms + plan.wake
        entries = zip([before, *states], stamped, states, strict=False)
        self.feed.extend(Entry(earlier, one, after, TAG) for earlier, one, after in entries)
        for request, outcome in outcomes:
            self._answer(request.command, outcome)

    # Answering.

    def _answer(self, command: object, outcome: Outcome) -> None:
        if isinstance(command, Join) and isinstance(outcome, Done):
            self._seat(command.player, outcome.after)
        if not isinstance(command, Numbered):
            return
        key = (command.player, command.c)
        match outcome:
            case Done(before, done, after):
                answer = after.members[command.player].answers[-1]
                assert key not in self.taken
                assert (answer.c, answer.seq) == (command.c, done[0].seq)
                self.taken[key] = answer
                self._acknowledge(before, command, outcome)
            case DoneBefore(old):
                assert self.taken[key] == old
                self._tell(command.player, wire.repeated(self.race, old), self.race)
            case Refused(refusal, race):
                self._check_refusal(command, refusal.code, race)
            case _:
                raise AssertionError(outcome)

    def _seat(self, player: PlayerId, after: Race) -> None:
        """Show a racer his seat; whatever connection had it before has it no more."""
        member = after.members[player]
        message = wire.seat(after, member, None)
        self._tell(player, message, after)
        if message.board is not None:
            self.boards[player] = message.board
        self.viewers = [viewer for viewer in self.viewers if (viewer.player, viewer.name) != (player, "seat")]
        self.viewers.append(Viewer(player, "seat", Cursor("seat")))

    def _acknowledge(self, before: Race, command: Numbered, done: Done) -> None:
        assert isinstance(command, NumberedCommand)
        ack = wire.ack(before, command, done.events, done.after)
        self._tell(command.player, ack, done.after)
        member = done.after.members[command.player]
        if not member.seated:
            self.viewers = [v for v in self.viewers if (v.player, v.name) != (command.player, "seat")]
        if isinstance(command, Board):
            assert ack.n == before.members[command.player].n + 1
            board = self.boards.get(command.player) or _board_of(before, command.player)
            if ack.board is not None:
                board = ack.board
            else:
                board = carry(board, ack.moves, n=ack.n, score=ack.score, actions=ack.actions)
            assert board == _board_of(done.after, command.player)
            self.boards[command.player] = board

    def _check_refusal(self, command: Numbered, code: str, race: Race) -> None:
        member = race.members.get(command.player)
        is_old = member is not None and command.session != member.session
        assert (code == "superseded") == is_old
        if code == "stale_command":
            assert member is not None
            assert command.c <= member.last_c
            assert all(answer.c != command.c for answer in member.answers)
        if code == "stale_board":
            assert member is not None
            assert isinstance(command, Board)
            assert command.n != member.n

    # Looking.

    def watch(self, player: PlayerId) -> None:
        """Have somebody watch, in a connection of its own."""
        self.viewers.append(Viewer(player, "watch", Cursor("watch")))

    def look(self, viewer: Viewer) -> None:
        """Bring a viewer up to date; his picture must then be his view of the log folded so far."""
        access = viewer.access(self.race)
        if access is None:
            return
        for frame in self.feed.pull(viewer.cursor, access.view, self.table.now_ms):
            self._check_secrets(viewer.player, frame.decode(), self.race, access.view)
            viewer.take(frame)
        assert viewer.following is not None
        assert viewer.following.to == self.race.seq
        assert viewer.following.picture == picture_of(fold(self.table.log), access.view)

    def reconnect(self, viewer: Viewer) -> None:
        """Have a viewer come back with what he has, as a hub takes him: with the view he had then."""
        to, tag = viewer.cursor.to, viewer.cursor.tag
        then = self.feed.state_at(to, tag)
        access = None if then is None else viewer.access(then)
        viewer.cursor = Cursor(viewer.name, to, tag, access.view if access else None)

    # Checking.

    def check(self) -> None:
        """See that the newest state is what it must be, if it is new."""
        if self.race.seq == self.checked:
            return
        self.checked = self.race.seq
        assert fold(self.table.log) == self.race
        self._check_deadline()
        assert_sound(self.race)
        assert_sound_log(self.table.log, self.table.states)
        # Some viewers see every step; the others fall behind, and look when they are told to.
        for viewer in self.viewers[::3]:
            self.look(viewer)

    def _check_deadline(self) -> None:
        """See that the store would have the race looked at when it wants to be."""
        wanted = self.race.next_deadline
        if self.race.life.phase is Phase.OVER:
            # The rematch is to be linked at once, whenever that was.
            assert (self.deadline is None) == (wanted is None)
        elif self.race.life.robots or any(isinstance(stamped.event, TailLost) for stamped in self.table.log):
            # Set anew by the clock of the node, which may be a little wrong; what is overdue then, at once.
            assert self.deadline is not None
            assert wanted is not None
            assert wanted - MAX_SKEW_MS <= self.deadline
            assert self.deadline <= max(wanted, self.table.log[-1].at_ms) + MAX_SKEW_MS
        else:
            assert self.deadline == wanted

    def _tell(self, player: PlayerId, message: events.Event, race: Race) -> None:
        """Send a private message, which may show its player's board and nobody else's."""
        self._check_secrets(player, codec.encode(message).decode(), race, None)

    def _check_secrets(self, player: PlayerId, text: str, race: Race, view: View | None) -> None:
        """See that a message tells no more than `player` may know; `view` is None for a private one."""
        rematch = race.life.rematch
        assert rematch is None or rematch.setup.nonce not in text
        if not race.life.has_started:
            assert not _tells(text, race.life.setup)
            assert not list(_found(json.loads(text), "cascades", "moves", "deal", "deal_code", "nonce"))
            return
        if view is View.RACER:
            assert '"watcher":true' not in text
        # Whether he is racing says the race as it is now, whatever view he was given.
        member = self.race.members.get(player)
        if member is None or member.standing is not Standing.RACING:
            return
        allowed = [_board_of(race, player).cascades] if view is None else [_layout_of(race).cascades]
        content = json.loads(text)
        for board in _found(content, "cascades"):
            assert tuple(board["cascades"]) in allowed
        if view is not None:
            assert not list(_found(content, "moves"))


def _board_of(race: Race, player: PlayerId) -> views.Board:
    board = wire.seat(race, race.members[player], None).board
    assert board is not None
    return board


def _layout_of(race: Race) -> views.Board:
    layout = picture_of(race, View.RACER).layout
    assert layout is not None
    return layout


def _tells(text: str, setup: Setup) -> bool:
    """Whether a text holds a secret of these settings; a small deal number may stand in it by chance."""
    return setup.nonce in text or (setup.deal >= 10**6 and str(setup.deal) in text)


def _found(value: Any, *keys: str) -> Iterator[Any]:
    """Every object within a JSON value that has one of these keys."""
    if isinstance(value, dict):
        if any(key in value for key in keys):
            yield value
        for inner in value.values():
            yield from _found(inner, *keys)
    elif isinstance(value, list):
        for inner in value:
            yield from _found(inner, *keys)
