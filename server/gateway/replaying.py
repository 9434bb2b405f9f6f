"""Whether what racers did may be shown: of races that are over, to those who may see their cards."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from server.gateway.entitlement import why_hidden
from server.gateway.node import Node
from server.gateway.peer import look
from server.race.decision import Refusal
from server.race.state import Member, Phase, PlayerId, Race, RaceCode

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
