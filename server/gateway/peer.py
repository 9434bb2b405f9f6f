"""Who is at the other end of a connection, as all parts of a conversation share it."""

from dataclasses import dataclass
from typing import Final

from protocol import events
from protocol.errors import CloseCode
from server.gateway.answers import Answers
from server.gateway.connection import Connection
from server.gateway.hub import Hub
from server.gateway.node import Node
from server.gateway.plan import Busy
from server.gateway.tasks import Tasks
from server.gateway.throttle import Throttle
from server.race.commands import Tick
from server.race.decision import Refusal
from server.race.state import RaceCode
from server.store.base import Unavailable

RETRY_MS: Final = 1000
NO_ROOM: Final = Refusal("too_many", "this server has no room for another race")


@dataclass(frozen=True, slots=True)
class Peer:
    """A connection, its node, what is written to it, what runs on its behalf, and how fast it may ask."""

    connection: Connection
    node: Node
    answers: Answers
    tasks: Tasks
    throttle: Throttle


async def look(hub: Hub) -> None:
    """Make sure that what is known of a race is the newest.

    Raises:
        Unavailable: the store cannot tell.
    """
    # A tick that finds nothing due is answered only once the state is shown to be the newest.
    outcome = await hub.run(Tick())
    if isinstance(outcome, Busy):
        raise Unavailable("the newest state is not known", retry_ms=outcome.retry_ms)


def lose_race(peer: Peer, code: RaceCode) -> None:
    """Say that the log of a race is gone, and with it all that this connection is for."""
    peer.connection.send(events.RaceLost(code))
    peer.connection.say_bye("race_lost", "the server has lost this race", CloseCode.RACE_LOST)
