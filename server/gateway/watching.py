"""The races that are watched on one connection, and the replays asked for."""

from collections.abc import Collection
from typing import Final

from protocol import commands, events
from protocol.codec import Reference
from server.freecell.wording import say
from server.gateway import wire
from server.gateway.entitlement import why_hidden, why_untraced
from server.gateway.feed import Cursor
from server.gateway.hub import Follower, Hub
from server.gateway.peer import Peer, look, lose_race
from server.gateway.players import Identity
from server.gateway.replaying import find_raced
from server.race.curves import curves, lateness_ms, told_until_ms
from server.race.decision import Refusal
from server.race.state import RaceCode

MAX_WATCHED: Final = 16
"""Races one connection may watch at once."""


class Watching:
    """What one connection sees of races in which it has no seat, or is done."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._watched: dict[RaceCode, tuple[Hub, Follower]] = {}

    @property
    def followed(self) -> Collection[tuple[Hub, Follower]]:
        """Each race that is watched, and how far it has been shown."""
        return self._watched.values()

    def hub(self, code: RaceCode) -> Hub | None:
        """The race of that code, if it is watched."""
        hub, _ = self._watched.get(code, (None, None))
        return hub

    def end(self) -> None:
        """Watch nothing any more."""
        for hub, follower in self._watched.values():
            hub.part(follower)
        self._watched.clear()

    async def take(
        self, message: commands.Watch | commands.Unwatch | commands.Replay, identity: Identity, at: Reference
    ) -> None:
        """Show him what he asks for, or no more of it."""
        match message:
            case commands.Watch():
                await self._watch(message, identity, at)
            case commands.Unwatch():
                self._unwatch(message, at)
            case commands.Replay():
                await self._replay(message, identity, at)

    async def _watch(self, message: commands.Watch, identity: Identity, at: Reference) -> None:
        """Show a race from now on, or from where he has it."""
        code = RaceCode(message.race)
        if code not in self._watched and len(self._watched) >= MAX_WATCHED:
            self._peer.answers.refuse(
                Refusal("too_many", say("{most} races at once are enough", most=MAX_WATCHED)), at
            )
            return
        cursor = Cursor("watch", message.to, bytes.fromhex(message.tag))
        cursor.rewound = not await (await self._peer.node.hubs.open(code)).holds(cursor)
        hub = await self._peer.node.hubs.open(code)
        hidden = await why_hidden(self._peer.node, identity.player, hub.race)
        if hidden is not None:
            self._peer.answers.refuse(hidden, at)
            return
        await look(await self._peer.node.hubs.open(code))
        # The whole picture is about to be made for him, which takes a while.
        await self._peer.node.hubs.turns.mine()
        # Nothing else is awaited from here on, or the race might be let go before it is followed.
        hub = await self._peer.node.hubs.open(code)
        access = hub.watch_access(identity.player)
        if access is None and not message.to:
            self._peer.answers.refuse(wire.NOBODY_WATCHES, at)
            return  # Who has watched before the host stopped that waits for the end, as he was told.
        follower = Follower(
            identity.player,
            cursor,
            self._peer.connection.wake,
            lambda _: None,
            lambda: lose_race(self._peer, code),
            lambda: None,
        )
        before_hub, before = self._watched.get(code, (None, None))
        if before is not None and before_hub is hub:
            follower.take_over(before)
        self._stop(code)
        self._watched[code] = (hub, follower)
        self._peer.connection.send(wire.watching(hub.race, identity.player, access, message.q))
        hub.watch(follower)

    def _unwatch(self, message: commands.Unwatch, at: Reference) -> None:
        """Show it no more."""
        self._stop(RaceCode(message.race))
        self._peer.connection.send(events.Unwatched(message.race, at.q))

    def _stop(self, code: RaceCode) -> None:
        if code in self._watched:
            hub, follower = self._watched.pop(code)
            hub.part(follower)

    async def trace(
        self, message: commands.Trace, identity: Identity, at: Reference, *, seated: bool
    ) -> None:
        """One page of the curves of a race, as far as he sees its progress; `seated`: at a seat in it."""
        node = self._peer.node
        hub = await node.hubs.open(RaceCode(message.race))
        race, points = await node.courses.of(hub).newest()
        hidden = await why_untraced(node, identity.player, race)
        if hidden is not None:
            self._peer.answers.refuse(hidden, at)
            return
        late_ms = lateness_ms(race, identity.player, seated=seated)
        if late_ms is None:
            self._peer.answers.refuse(wire.NOBODY_WATCHES, at)
            return
        clock = told_until_ms(race, node.store.now_ms() - late_ms)
        found = [] if clock is None else curves(race, points, clock)
        self._peer.connection.send(wire.traced(message, found, clock))

    async def _replay(self, message: commands.Replay, identity: Identity, at: Reference) -> None:
        """One page of what a racer did, once the race is over."""
        raced = await find_raced(self._peer.node, RaceCode(message.race), identity.player, (message.player,))
        if isinstance(raced, Refusal):
            self._peer.answers.refuse(raced, at)
            return
        (member,) = raced.racers
        steps = await self._peer.node.replays.steps(raced.race, member.player)
        self._peer.connection.send(wire.replayed(raced.race, member, message, steps))
