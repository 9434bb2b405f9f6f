"""What is told of a game afterwards. It may take a while, and nothing else on the connection waits for it."""

from protocol import commands, events
from protocol.codec import Reference
from server.gateway import verdict_wire
from server.gateway.past import read_log, steps_of
from server.gateway.peer import RETRY_MS, Peer
from server.gateway.players import Identity
from server.gateway.replaying import Raced, find_raced
from server.gateway.turns import Turns
from server.race.decision import Refusal
from server.race.events import Stamped
from server.race.reports import Trail, trail
from server.race.state import Member, RaceCode
from server.store.base import Unavailable


class Reporting:
    """The reports asked for on one connection, one at a time."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._is_busy = False

    async def take(self, message: commands.Report, identity: Identity, at: Reference) -> None:
        """Begin a report, if it may be given; raises as `find_raced`."""
        if self._is_busy:
            self._peer.answers.too_fast(at, RETRY_MS)
            return
        players = (message.player,) if message.other is None else (message.player, message.other)
        raced = await find_raced(self._peer.node, RaceCode(message.race), identity.player, players)
        if isinstance(raced, Refusal):
            self._peer.answers.refuse(raced, at)
            return
        self._is_busy = True
        self._peer.tasks.spawn(self._report(message, raced, at))

    async def _report(self, message: commands.Report, raced: Raced, at: Reference) -> None:
        try:
            async with self._peer.node.reports:
                told = await self._made(message, raced)
        except Unavailable as error:
            self._peer.answers.unavailable(at, error.retry_ms)
        else:
            self._peer.connection.send(told)
        finally:
            self._is_busy = False

    async def _made(self, message: commands.Report, raced: Raced) -> events.Reported:
        node, code = self._peer.node, raced.race.life.code
        log = await read_log(node.store, code, node.turns)
        member, *others = raced.racers
        walked = await _trail(log, raced, member, node.turns)
        compared = (others[0], await _trail(log, raced, others[0], node.turns)) if others else None
        found = await node.findings.of(code, member.player, walked)
        return verdict_wire.reported(raced.race, member, message, walked, found, compared)


async def _trail(log: list[Stamped], raced: Raced, member: Member, turns: Turns) -> Trail:
    layout = raced.race.life.layout
    assert layout is not None  # only a race that has started has racers with a board
    return trail(layout, await steps_of(log, member.player, turns))
