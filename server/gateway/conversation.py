"""What is said on one connection: who is there, the seat he has, what he watches, and the answers he gets."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from websockets.asyncio.server import ServerConnection

from protocol import codec, commands, events
from protocol.codec import BadMessage, Reference
from protocol.errors import CloseCode
from server import player_log, race_log
from server.gateway import wire
from server.gateway.answers import Answers, reference_of
from server.gateway.connection import Connection
from server.gateway.feed import Cursor
from server.gateway.greeting import greet, running_races
from server.gateway.hub import Follower, Hub
from server.gateway.hubs import Full
from server.gateway.keeper import REWOUND_MS, NoSuchRace
from server.gateway.node import Node
from server.gateway.plan import Busy, Done, DoneBefore, Outcome, Refused
from server.gateway.players import Identity
from server.gateway.replaying import Replays
from server.gateway.setups import setup_again, setup_from
from server.gateway.tasks import Tasks
from server.gateway.throttle import Throttle
from server.gateway.translate import Simple, command_of, question_of
from server.race.commands import AskRematch, Create, Join, NumberedCommand, Tick
from server.race.decide import decide
from server.race.decision import NOT_DUE, Decision, Refusal
from server.race.state import KEPT_ANSWERS, Phase, PlayerId, RaceCode
from server.race.views import View
from server.store.base import Unavailable

log = logging.getLogger(__name__)

MAX_WATCHED: Final = 16
"""Races one connection may watch at once."""

MAX_STRIKES: Final = 10
"""Malformed messages in a row before the connection is ended."""

MAX_TOO_FAST: Final = 200
"""Commands over their rate, between two that were not, before the connection is ended."""

_RETRY_MS: Final = 1000
_NEWER: Final = (race_log.NewerLog, player_log.NewerLog)
_NO_ROOM: Final = Refusal("too_many", "this server has no room for another race")

_WHY: Final = {
    View.RACER: "until your own board is done you see progress only",
    View.PROGRESS: "the host shows watchers progress only",
    View.BOARDS: "you see every board",
}


@dataclass(slots=True)
class _Seat:
    """The seat taken on this connection, and how many of its commands are unanswered.

    `told_c` is the highest command whose effect the client has been told of, by its answer or by `seat`.
    """

    hub: Hub
    follower: Follower
    told_c: int
    unanswered: int = 0


class Conversation:
    """One client, from his hello to the end of the connection."""

    def __init__(self, socket: ServerConnection, address: str, node: Node) -> None:
        self.connection = Connection(socket, self._pull, node.limits.send_s)
        self._node = node
        self._answers = Answers(self.connection, node.metrics)
        self._throttle = Throttle(node, address)
        self._replays = Replays(node.store)
        self._tasks = Tasks()
        self._seat: _Seat | None = None
        self._joining: RaceCode | None = None
        self._watched: dict[RaceCode, tuple[Hub, Follower]] = {}
        self._strikes = 0
        self._too_fast = 0

    async def run(self) -> None:
        """Talk until either side has had enough."""
        writer = asyncio.create_task(self.connection.write())
        try:
            identity = await greet(self._node, self._answers, self._read)
            while identity and (frame := await self.connection.receive()) is not None:
                message = self._read(frame)
                if message is not None:
                    await self._answer(message, identity)
        except _NEWER:
            self._leave_to_newer()
        except Exception:
            log.exception("a conversation failed")
            self.connection.say_bye("internal", "something went wrong here", CloseCode.INTERNAL)
        finally:
            await self._end(writer)
        if self.connection.cut_reason:
            self._node.metrics.cut.labels(self.connection.cut_reason).inc()

    async def turn_away(self, why: str) -> None:
        """Say why there is no room, and close."""
        self.connection.say_bye("too_many", why, CloseCode.POLICY)
        await self.connection.write()

    async def _end(self, writer: asyncio.Task[None]) -> None:
        if self._seat:
            self._seat.hub.part(self._seat.follower)
            self._seat = None
        for hub, follower in self._watched.values():
            hub.part(follower)
        self._watched.clear()
        await self._tasks.close()
        if not self.connection.is_closing:
            writer.cancel()
        await asyncio.wait([writer])

    def _pull(self) -> list[bytes]:
        """What the races followed have to show."""
        frames: list[bytes] = []
        followed = [] if self._seat is None else [(self._seat.hub, self._seat.follower)]
        for hub, follower in (*followed, *self._watched.values()):
            shown, tell = hub.pull(follower)
            frames += shown
            if tell:
                frames.append(codec.encode(events.Presence(hub.code, *hub.presence())))
        return frames

    # Reading.

    def _read(self, frame: str) -> commands.Command | None:
        try:
            message = codec.read_command(frame)
        except BadMessage as error:
            self._answers.refuse(Refusal("bad_message", str(error)), error.reference)
            self._strikes += 1
            if self._strikes >= MAX_STRIKES:
                detail = "too many malformed messages"
                self.connection.say_bye("bad_message", detail, CloseCode.POLICY)
            return None
        self._strikes = 0
        self._node.metrics.messages.labels(message.__struct_config__.tag).inc()
        return message

    async def _answer(self, message: commands.Command, identity: Identity) -> None:
        """Have a message taken, and say so where it cannot be."""
        at = reference_of(message)
        wait_ms = self._throttle.wait_ms(message)
        if wait_ms:
            self._refuse_too_fast(at, wait_ms)
            return
        self._too_fast = 0
        try:
            if await self._is_guess(message, identity):
                self._answers.too_fast(at, self._throttle.next_miss_ms())
                return
            await self._take(message, identity, at)
        except NoSuchRace:
            self._throttle.miss()
            self._answers.refuse(Refusal("no_such_race", "there is no race with this code"), at)
        except Full:
            self._answers.refuse(_NO_ROOM, at)
        except Unavailable as error:
            self._answers.unavailable(at, error.retry_ms)
        except _NEWER:
            self._leave_to_newer()

    async def _is_guess(self, message: commands.Command, identity: Identity) -> bool:
        """Whether it asks for a race by a code, of one who has guessed wrong too often.

        Codes must not be found by trying, so then not even one that exists is looked up; but a racer's own
        races are no guesses of his, whatever others at his address do.
        """
        match message:
            case commands.Join(race=code) | commands.Watch(race=code) | commands.Replay(race=code):
                known = {*self._watched, self._seat.hub.code if self._seat else ""}
                if code in known or not self._throttle.next_miss_ms():
                    return False
                return code not in await self._node.players.open_races(identity.player)
            case _:
                return False

    def _leave_to_newer(self) -> None:
        detail = "this is kept by a newer server"
        self.connection.say_bye("restarting", detail, CloseCode.RESTARTING, retry_ms=_RETRY_MS)

    def _refuse_too_fast(self, at: Reference, wait_ms: int) -> None:
        self._answers.too_fast(at, wait_ms)
        self._too_fast += 1
        if self._too_fast >= MAX_TOO_FAST:
            self.connection.say_bye("too_fast", "far too many commands", CloseCode.POLICY)

    async def _take(self, message: commands.Command, identity: Identity, at: Reference) -> None:
        match message:
            case commands.Hello():
                self._answers.refuse(Refusal("bad_message", "you have said hello already"), at)
            case commands.Create():
                await self._create(message, identity, at)
            case commands.Join():
                await self._join(message, identity, at)
            case commands.Watch():
                await self._watch(message, identity, at)
            case commands.Unwatch():
                self._unwatch(message, at)
            case commands.Replay():
                await self._replay(message, at)
            case commands.Hint() | commands.Calc():
                self._ask(message, identity.player, at)
            case commands.Rematch():
                await self._rematch(message, identity, at)
            case _:
                self._numbered(message, identity, at)

    # Taking a seat.

    async def _create(self, message: commands.Create, identity: Identity, at: Reference) -> None:
        code = await self._node.hubs.code_for(identity.player, message.id)
        if self._may_not_enter(code, at):
            return
        setup = setup_from(message.settings)
        if isinstance(setup, Refusal):
            self._answers.refuse(setup, at)
            return
        refusal = await self._enter(identity, code)
        if refusal is not None:
            self._answers.refuse(refusal, at)
            return
        hub = await self._node.hubs.create(Create(code, message.id, identity.player, identity.name, setup))
        self.connection.send(events.Created(message.id, code, message.q))
        command = Join(identity.player, identity.name)
        await self._sit(hub, command, Cursor("seat"), Reference(code, None, message.q))

    async def _join(self, message: commands.Join, identity: Identity, at: Reference) -> None:
        code = RaceCode(message.race)
        if self._may_not_enter(code, at):
            return
        hub = await self._node.hubs.open(code)
        command = Join(identity.player, identity.name, resuming=message.to > 0)
        # His own log is written first, so nobody is seated whom it does not tell where; but not for every
        # stranger who is to be refused.
        refusal = await self._refusal_of(hub, command) or await self._enter(identity, code)
        if refusal is not None:
            self._answers.refuse(refusal, at)
            return
        cursor = Cursor("seat", message.to, bytes.fromhex(message.tag))
        cursor.rewound = not await hub.holds(cursor)
        await self._sit(await self._node.hubs.open(code), command, cursor, at)

    async def _refusal_of(self, hub: Hub, command: Join) -> Refusal | None:
        """Why a seat is not to be had, as shown by the newest state; None if it seems to be."""
        if isinstance(decide(hub.race, command, self._node.clock.now_ms()), Decision):
            return None
        await self._look(hub)
        verdict = decide(hub.race, command, self._node.clock.now_ms())
        return verdict if isinstance(verdict, Refusal) else None

    async def _look(self, hub: Hub) -> None:
        """Make sure that what is known of a race is the newest.

        Raises:
            Unavailable: the store cannot tell.
        """
        # A tick that finds nothing due is answered only once the state is shown to be the newest.
        outcome = await hub.run(Tick())
        if isinstance(outcome, Busy):
            raise Unavailable("the newest state is not known", retry_ms=outcome.retry_ms)

    async def _enter(self, identity: Identity, code: RaceCode) -> Refusal | None:
        """Write down that he has a part in a race, if need be in the place of others that are over by now."""
        refusal = await self._node.players.enter(identity, code)
        if refusal is not None:
            await running_races(self._node, identity)
            refusal = await self._node.players.enter(identity, code)
        return refusal

    def _may_not_enter(self, code: RaceCode, at: Reference) -> bool:
        """Whether a seat is refused before the race is asked; says so."""
        if self._node.draining:
            refusal = Refusal("restarting", "this server is going down; connect again in a moment")
            self._answers.refuse(refusal, at, retry_ms=_RETRY_MS)
            return True
        seat = self._seat
        if seat and seat.hub.code != code and seat.hub.race.life.phase is not Phase.OVER:
            detail = f"one race at a time on a connection; yours is {seat.hub.code}"
            self._answers.refuse(Refusal("one_seat", detail), at)
            return True
        return False

    async def _sit(self, hub: Hub, command: Join, cursor: Cursor, at: Reference) -> None:
        """Have a seat given, or given back; the answer comes from within the commit."""
        seated = asyncio.Event()
        self._joining = hub.code

        def reply(outcome: Outcome) -> None:
            self._joining = None
            self._seated(hub, command, cursor, at, outcome)
            seated.set()

        hub.submit(command, reply)
        await seated.wait()

    def _seated(self, hub: Hub, command: Join, cursor: Cursor, at: Reference, outcome: Outcome) -> None:
        player = command.player
        match outcome:
            case Done(_, _, after):
                member = after.members[player]
                follower = Follower(
                    player,
                    cursor,
                    self.connection.wake,
                    self._lose_seat,
                    lambda: self._lose_race(hub.code),
                    lambda: self._tasks.spawn(self._sit_again(hub, command)),
                    session=member.session,
                )
                if self._seat:
                    if self._seat.hub is hub:
                        follower.take_over(self._seat.follower)
                    self._seat.hub.part(self._seat.follower)
                self._seat = _Seat(hub, follower, member.last_c)
                self.connection.send(wire.seat(after, member, at.q))
                hub.sit(follower)
            case Refused(refusal):
                self._answers.refuse(refusal, at)
            case Busy(retry_ms):
                self._answers.unavailable(at, retry_ms)
            case _:
                raise AssertionError("a seat is given or refused")
        if not isinstance(outcome, Done) and self._seat and self._seat.hub is hub:
            # He had the seat and asked for it anew; that he lost it meanwhile has not been said.
            why_lost = hub.why_lost(self._seat.follower)
            if why_lost:
                self._lose_seat(why_lost)

    def _lose_seat(self, code: str) -> None:
        seat = self._seat
        if seat is None or self._joining == seat.hub.code:
            return  # This very connection takes the seat anew.
        if code == "superseded":
            detail = "your seat is played from another connection now"
            self.connection.say_bye("superseded", detail, CloseCode.SUPERSEDED)
            return
        self._answers.refuse(Refusal(code, "the host sent you out of this race"), Reference(seat.hub.code))
        self._leave_seat()

    def _lose_race(self, code: RaceCode) -> None:
        self.connection.send(events.RaceLost(code))
        self.connection.say_bye("race_lost", "the server has lost this race", CloseCode.RACE_LOST)

    async def _sit_again(self, hub: Hub, command: Join) -> None:
        """Take the seat anew: the log has lost events, perhaps those that gave it to this connection."""
        if self._seat and self._seat.hub is hub:
            await self._sit(hub, command, self._seat.follower.cursor, Reference(hub.code))

    def _leave_seat(self) -> None:
        if self._seat:
            self._seat.hub.part(self._seat.follower)
            self._seat = None

    # Commands of a seat.

    def _numbered(self, message: Simple, identity: Identity, at: Reference) -> None:
        found = self._hub_for(message, at)
        if found is None:
            return
        hub, session = found
        command = command_of(message, identity.player, session, identity.name)
        if isinstance(command, Refusal):
            member = hub.race.members.get(identity.player)
            self._answers.refuse(command, at, n=member.n if member else None)
            return
        self._submit(hub, command, at, lambda outcome: self._after(message, hub, outcome))

    def _hub_for(self, message: commands.Numbered, at: Reference) -> tuple[Hub, int] | None:
        """The race a numbered command is for, and the session it belongs to. A watcher can only talk."""
        code = RaceCode(message.race)
        if self._joining == code:
            self._answers.unavailable(at, REWOUND_MS)
            return None
        if self._seat and self._seat.hub.code == code:
            return self._seat.hub, self._seat.follower.session
        if isinstance(message, commands.Say) and code in self._watched:
            return self._watched[code][0], 0
        self._answers.refuse(Refusal("not_seated", "you have no seat in this race on this connection"), at)
        return None

    def _submit(
        self, hub: Hub, command: NumberedCommand, at: Reference, after: Callable[[Outcome], None]
    ) -> None:
        """Have a command decided, unless too many are unanswered."""
        seat = self._seat if self._seat and self._seat.hub is hub else None
        if seat and seat.unanswered >= KEPT_ANSWERS:
            self._answers.too_fast(at, _RETRY_MS)
            return
        if seat:
            seat.unanswered += 1
        arrived = self._node.clock.now_ms()

        def reply(outcome: Outcome) -> None:
            if seat:
                seat.unanswered -= 1
            self._node.metrics.answer_s.observe((self._node.clock.now_ms() - arrived) / 1000)
            if seat:
                self._tell_effect(seat, command, outcome)
            self._answers.outcome(command, outcome, at)
            after(outcome)

        hub.submit(command, reply)

    def _tell_effect(self, seat: _Seat, command: NumberedCommand, outcome: Outcome) -> None:
        """Send the seat anew where an answer is repeated that this client never got.

        The store had not told in time that the command took effect, so he was told to send it again.
        """
        match outcome:
            case DoneBefore(_, race) if command.c > seat.told_c:
                self.connection.send(wire.seat(race, race.members[command.player], None))
                seat.told_c = command.c
            case Done():
                seat.told_c = command.c
            case _:
                pass

    def _after(self, message: commands.Numbered, hub: Hub, outcome: Outcome) -> None:
        """A seat that was left is shown nothing more."""
        left = isinstance(message, commands.Leave) and isinstance(outcome, Done)
        if left and self._seat and self._seat.hub is hub:
            member = hub.race.members.get(self._seat.follower.player)
            if member is None or not member.seated:
                self._leave_seat()

    async def _rematch(self, message: commands.Rematch, identity: Identity, at: Reference) -> None:
        found = self._hub_for(message, at)
        if found is None:
            return
        hub, session = found
        code = await self._node.hubs.code_for_rematch(hub.code)
        command = AskRematch(identity.player, session, message.c, code, setup_again(hub.race.life.setup))
        self._submit(hub, command, at, lambda outcome: self._after_rematch(hub, identity, at, outcome))

    def _after_rematch(self, hub: Hub, identity: Identity, at: Reference, outcome: Outcome) -> None:
        if isinstance(outcome, Done | DoneBefore):
            self._tasks.spawn(self._seat_in_rematch(hub, identity, at))

    async def _seat_in_rematch(self, hub: Hub, identity: Identity, at: Reference) -> None:
        """Seat one who asked for the rematch in it, and tell him where it is."""
        # Without `c`: that command took effect, and has been answered.
        at = Reference(at.race)
        try:
            await self._node.hubs.link_rematch(hub)
            rematch = hub.race.life.rematch
            assert rematch is not None  # it was asked for
            refusal = await self._enter(identity, rematch.code)
            following = await self._node.hubs.open(rematch.code)
            seated = following.race.members.get(identity.player)
            # One who is seated there already would only take the seat from himself.
            joining = Tick() if seated and seated.seated else Join(identity.player, identity.name)
            outcome = Refused(refusal, following.race) if refusal else await following.run(joining)
        except Unavailable as error:
            self._answers.unavailable(at, error.retry_ms)
        except Full:
            self._answers.refuse(_NO_ROOM, at)
        else:
            match outcome:
                case Refused(refusal) if refusal is not NOT_DUE:
                    self._answers.refuse(refusal, at)
                case Busy(retry_ms):
                    self._answers.unavailable(at, retry_ms)
                case _:
                    self.connection.send(events.RematchReady(hub.code, rematch.code))

    def _ask(self, message: commands.Hint | commands.Calc, player: PlayerId, at: Reference) -> None:
        seat = self._seat
        if seat is None or seat.hub.code != message.race:
            self._answers.refuse(
                Refusal("not_seated", "you have no seat in this race on this connection"), at
            )
            return
        if seat.unanswered >= KEPT_ANSWERS:
            self._answers.too_fast(at, _RETRY_MS)
            return
        seat.unanswered += 1

        def reply(outcome: Outcome) -> None:
            seat.unanswered -= 1
            self._answers.answer(outcome, at, player)

        seat.hub.submit(question_of(message, player), reply)

    # Watching.

    async def _watch(self, message: commands.Watch, identity: Identity, at: Reference) -> None:
        code = RaceCode(message.race)
        if code not in self._watched and len(self._watched) >= MAX_WATCHED:
            self._answers.refuse(Refusal("too_many", f"{MAX_WATCHED} races at once are enough"), at)
            return
        cursor = Cursor("watch", message.to, bytes.fromhex(message.tag))
        cursor.rewound = not await (await self._node.hubs.open(code)).holds(cursor)
        hub = await self._node.hubs.open(code)
        # Nothing else is awaited from here on, or the race might be let go before it is followed.
        await self._look(hub)
        access = hub.watch_access(identity.player)
        if access is None:
            self._answers.refuse(Refusal("no_watching", "the host lets nobody watch until it is over"), at)
            return
        follower = Follower(
            identity.player,
            cursor,
            self.connection.wake,
            lambda _: None,
            lambda: self._lose_race(code),
            lambda: None,
        )
        before_hub, before = self._watched.get(code, (None, None))
        if before is not None and before_hub is hub:
            follower.take_over(before)
        self._stop_watching(code)
        self._watched[code] = (hub, follower)
        why = _WHY[access.view] + (f", {access.delay_ms // 1000} s late" if access.delay_ms else "")
        member = hub.race.members.get(identity.player)
        last_c = member.last_c if member else 0
        self.connection.send(
            events.Watching(code, access.view.value, last_c, access.delay_ms, why, message.q)
        )
        hub.watch(follower)

    def _unwatch(self, message: commands.Unwatch, at: Reference) -> None:
        self._stop_watching(RaceCode(message.race))
        self.connection.send(events.Unwatched(message.race, at.q))

    def _stop_watching(self, code: RaceCode) -> None:
        if code in self._watched:
            hub, follower = self._watched.pop(code)
            hub.part(follower)

    async def _replay(self, message: commands.Replay, at: Reference) -> None:
        hub = await self._node.hubs.open(RaceCode(message.race))
        await self._look(hub)
        race = hub.race
        if race.life.phase is not Phase.OVER:
            self._answers.refuse(Refusal("not_over", "replays are open once the race is over"), at)
            return
        member = race.members.get(PlayerId(message.player))
        if member is None or member.game is None:
            self._answers.refuse(Refusal("no_such_racer", "nobody of that id raced here"), at)
            return
        steps = await self._replays.steps(hub.code, member.player)
        self.connection.send(wire.replayed(race, member, message, steps))
