"""Reading what racers did out of the log of a race that is over."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from server import race_log
from server.gateway.entitlement import why_hidden
from server.gateway.keeper import log_id
from server.gateway.node import Node
from server.gateway.peer import look
from server.gateway.turns import Turns
from server.race.decision import Refusal
from server.race.events import Stamped
from server.race.replays import Step, steps
from server.race.state import Member, Phase, PlayerId, Race, RaceCode
from server.store.base import PAGE, Store

_SLICE: Final = 100

NOT_OVER: Final = Refusal("not_over", "replays are open once the race is over")
NO_SUCH_RACER: Final = Refusal("no_such_racer", "nobody of that id raced here")


@dataclass(frozen=True, slots=True)
class Raced:
    """A race that is over, and those of its racers who were asked about."""

    race: Race
    racers: tuple[Member, ...]


async def find_raced(node: Node, code: RaceCode, viewer: PlayerId, players: Iterable[str]) -> Raced | Refusal:
    """A race that is over and racers of it; or why they are not shown to this viewer.

    Raises:
        NoSuchRace: nothing bears this code.
        Full: there is no room for another race.
        Unavailable: the store cannot tell.
    """
    hub = await node.hubs.open(code)
    await look(hub)
    race = hub.race
    hidden = await why_hidden(node, viewer, race)
    if hidden is not None:
        return hidden
    if race.life.phase is not Phase.OVER:
        return NOT_OVER
    members = [race.members.get(PlayerId(player)) for player in players]
    racers = tuple(member for member in members if member is not None and member.game is not None)
    return Raced(race, racers) if len(racers) == len(members) else NO_SUCH_RACER


class Replays:
    """The steps last asked for, kept because they are asked for page by page."""

    def __init__(self, store: Store, turns: Turns) -> None:
        self._store = store
        self._turns = turns
        self._of: tuple[RaceCode, PlayerId] | None = None
        self._steps: list[Step] = []

    async def steps(self, code: RaceCode, player: PlayerId) -> list[Step]:
        """All steps of a racer, in order.

        Raises:
            Unavailable: the store cannot tell.
        """
        if self._of != (code, player):
            log = await read_log(self._store, code, self._turns)
            self._steps = await steps_of(log, player, self._turns)
            self._of = (code, player)
        return self._steps


async def read_log(store: Store, code: RaceCode, turns: Turns) -> list[Stamped]:
    """The whole log of a race, page by page in turns.

    Raises:
        Unavailable: the store cannot tell.
    """
    log: list[Stamped] = []
    while rows := await store.read(log_id(code), len(log), PAGE):
        await turns.mine()
        log += race_log.read_all(rows)
        if len(rows) < PAGE:
            break
    return log


async def steps_of(log: list[Stamped], player: PlayerId, turns: Turns) -> list[Step]:
    """All steps of a racer, a few in each turn."""
    await turns.mine()
    found: list[Step] = []
    for step in steps(log, player):
        found.append(step)
        if len(found) % _SLICE == 0:
            await turns.mine()
    return found
