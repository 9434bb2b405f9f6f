"""Taking a seat in a race, taking it again, and losing it."""

import asyncio

from protocol import commands, events
from protocol.codec import Reference
from protocol.errors import CloseCode
from server.daily.naming import Daily, attempt_of
from server.freecell.wording import say
from server.gateway import wire
from server.gateway.attempts import NOT_TODAY, begun, why_not
from server.gateway.daily_setups import setup_for
from server.gateway.entitlement import why_hidden
from server.gateway.feed import Cursor
from server.gateway.greeting import running_races
from server.gateway.hub import Follower, Hub
from server.gateway.node import Node
from server.gateway.peer import RETRY_MS, Peer, look, lose_race
from server.gateway.plan import Busy, Done, Outcome, Refused
from server.gateway.players import Identity
from server.gateway.seat import Seat
from server.race.commands import Command, Create, Join
from server.race.decide import decide
from server.race.decision import Decision, Refusal, Verdict
from server.race.state import Phase, RaceCode, Setup

Entrance = commands.Create | commands.Join | commands.Attempt


async def enter(node: Node, identity: Identity, code: RaceCode) -> Refusal | None:
    """Write down that he has a part in a race, if need be in the place of others that are over by now."""
    refusal = await node.players.enter(identity, code)
    if refusal is not None:
        await running_races(node, identity)
        refusal = await node.players.enter(identity, code)
    return refusal


async def foreseen(node: Node, hub: Hub, command: Command) -> Verdict:
    """What a command seems to lead to; that it would have no effect is shown by the newest state.

    Raises:
        Unavailable: the store cannot tell.
    """
    verdict = decide(hub.race, command, node.clock.now_ms())
    if isinstance(verdict, Decision):
        return verdict
    await look(hub)
    return decide(hub.race, command, node.clock.now_ms())


async def setup_asked_for(
    peer: Peer, settings: commands.Settings, identity: Identity, at: Reference, n: int | None = None
) -> Setup | None:
    """The setup that one wants who may have a say in it; None where it is refused, which is said.

    Raises:
        Unavailable: the store cannot tell.
    """
    wait_ms = peer.throttle.naming_ms(settings)
    if wait_ms:
        text = (
            "many deals were chosen by number from your address; take one of them, or a random one, "
            "or wait {seconds} s"
        )
        refusal = Refusal("too_fast", say(text, seconds=-(-wait_ms // 1000)))
        peer.answers.refuse(refusal, at, n=n, retry_ms=wait_ms)
        return None
    setup = await setup_for(peer.node, settings, identity.player)
    if isinstance(setup, Refusal):
        peer.answers.refuse(setup, at, n=n)
        return None
    return setup


class Seating:
    """The one seat that a connection may have.

    Attributes:
        seat: the seat, if there is one.
        joining: the race whose seat is being given just now.
    """

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self.seat: Seat | None = None
        self.joining: RaceCode | None = None

    def in_race(self, code: str) -> Seat | None:
        """The seat, if it is one in this race."""
        return self.seat if self.seat and self.seat.hub.code == code else None

    async def sit(self, message: Entrance, identity: Identity, at: Reference) -> None:
        """Give him the seat he asks for."""
        match message:
            case commands.Create():
                await self._create(message, identity, at)
            case commands.Join():
                await self._join(message, identity, at)
            case commands.Attempt():
                await self._attempt(message, identity, at)

    async def _create(self, message: commands.Create, identity: Identity, at: Reference) -> None:
        """Make a race, or find the one he made with the same id, and give him his seat in it."""
        code = await self._peer.node.hubs.code_for(identity.player, message.id)
        if self._may_not_enter(code, at):
            return
        setup = await setup_asked_for(self._peer, message.settings, identity, at)
        if setup is None:
            return
        refusal = await enter(self._peer.node, identity, code)
        if refusal is not None:
            self._peer.answers.refuse(refusal, at)
            return
        creation = Create(code, message.id, identity.player, identity.name, setup)
        hub = await self._peer.node.hubs.create(creation)
        self._peer.connection.send(events.Created(message.id, code, message.q))
        command = Join(identity.player, identity.name)
        await self._sit(hub, command, Cursor("seat"), Reference(code, None, message.q))

    async def _attempt(self, message: commands.Attempt, identity: Identity, at: Reference) -> None:
        """Begin his ranked attempt at the deal of the day, or take him back to it."""
        node, daily = self._peer.node, Daily(message.day, message.cells)
        code = attempt_of(daily, identity.player)
        if self._may_not_enter(code, at):
            return
        refusal = await why_not(node, identity.player, daily) or await enter(node, identity, code)
        hub = None if refusal else await begun(node, identity, daily)
        if hub is None:
            self._peer.answers.refuse(refusal or NOT_TODAY, at)
            return
        self._peer.connection.send(events.Attempted(code, daily.day, message.cells, message.q))
        command = Join(identity.player, identity.name)
        await self._sit(hub, command, Cursor("seat"), Reference(code, None, message.q))

    async def _join(self, message: commands.Join, identity: Identity, at: Reference) -> None:
        """Give him a seat, or his own again."""
        code = RaceCode(message.race)
        if self._may_not_enter(code, at):
            return
        hub = await self._peer.node.hubs.open(code)
        daily = hub.race.life.setup.daily
        hidden = daily and await why_hidden(self._peer.node, identity.player, hub.race)
        may_see = "" if hidden else daily
        command = Join(identity.player, identity.name, resuming=message.to > 0, daily=may_see)
        # His own log is written first, so nobody is seated whom it does not tell where; but not for every
        # stranger who is to be refused.
        verdict = await foreseen(self._peer.node, hub, command)
        refused = verdict if isinstance(verdict, Refusal) else None
        refusal = refused or await enter(self._peer.node, identity, code)
        if refusal is not None:
            self._peer.answers.refuse(refusal, at)
            return
        cursor = Cursor("seat", message.to, bytes.fromhex(message.tag))
        cursor.rewound = not await hub.holds(cursor)
        await self._sit(await self._peer.node.hubs.open(code), command, cursor, at)

    def _may_not_enter(self, code: RaceCode, at: Reference) -> bool:
        """Whether a seat is refused before the race is asked; says so."""
        if self._peer.node.draining:
            refusal = Refusal("restarting", "this server is going down; connect again in a moment")
            self._peer.answers.refuse(refusal, at, retry_ms=RETRY_MS)
            return True
        seat = self.seat
        if seat and seat.hub.code != code and seat.hub.race.life.phase is not Phase.OVER:
            refusal = Refusal(
                "one_seat", say("one race at a time on a connection; yours is {race}", race=seat.hub.code)
            )
            self._peer.answers.refuse(refusal, at)
            return True
        return False

    async def _sit(self, hub: Hub, command: Join, cursor: Cursor, at: Reference) -> None:
        """Have a seat given, or given back; the answer comes from within the commit."""
        seated = asyncio.Event()
        self.joining = hub.code

        def reply(outcome: Outcome) -> None:
            self.joining = None
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
                    self._peer.connection.wake,
                    self._lose_seat,
                    lambda: lose_race(self._peer, hub.code),
                    lambda: self._peer.tasks.spawn(self._sit_again(hub, command)),
                    session=member.session,
                )
                if self.seat:
                    if self.seat.hub is hub:
                        follower.take_over(self.seat.follower)
                    self.seat.hub.part(self.seat.follower)
                self.seat = Seat(hub, follower, member.last_c)
                self._peer.connection.send(wire.seat(after, member, at.q))
                hub.sit(follower)
            case Refused(refusal):
                self._peer.answers.refuse(refusal, at)
            case Busy(retry_ms):
                self._peer.answers.unavailable(at, retry_ms)
            case _:
                raise AssertionError("a seat is given or refused")
        if not isinstance(outcome, Done) and self.seat and self.seat.hub is hub:
            # He had the seat and asked for it anew; that he lost it meanwhile has not been said.
            why_lost = hub.why_lost(self.seat.follower)
            if why_lost:
                self._lose_seat(why_lost)

    def _lose_seat(self, code: str) -> None:
        seat = self.seat
        if seat is None or self.joining == seat.hub.code:
            return  # This very connection takes the seat anew.
        if code == "superseded":
            self._peer.connection.say_bye(
                "superseded", "your seat is played from another connection now", CloseCode.SUPERSEDED
            )
            return
        refusal = Refusal(code, "the host sent you out of this race")
        self._peer.answers.refuse(refusal, Reference(seat.hub.code))
        self.leave()

    async def _sit_again(self, hub: Hub, command: Join) -> None:
        """Take the seat anew: the log has lost events, perhaps those that gave it to this connection."""
        if self.seat and self.seat.hub is hub:
            await self._sit(hub, command, self.seat.follower.cursor, Reference(hub.code))

    def leave(self) -> None:
        """Show him nothing more of the race; what becomes of his seat in it is the race's."""
        if self.seat:
            self.seat.hub.part(self.seat.follower)
            self.seat = None
