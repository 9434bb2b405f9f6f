"""Who may see the cards of a daily: one whose own ranked attempt is over, and all once the day is closed.

Both stay so once they are so; what was found may be relied on.
"""

from typing import Final

from server.daily.naming import Daily, attempt_of, daily_of
from server.gateway.keeper import NoSuchRace
from server.gateway.node import Node
from server.gateway.peer import look
from server.race.decision import Refusal
from server.race.state import Phase, PlayerId, Race

HIDDEN: Final = Refusal(
    "daily_first",
    "that shows the cards of the day: play your own ranked attempt first",
)


async def has_played(node: Node, player: PlayerId, daily: Daily) -> bool:
    """Whether a player's ranked attempt is over.

    Raises:
        Full: there is no room for another race.
        Unavailable: the store cannot tell.
    """
    try:
        hub = await node.hubs.open(attempt_of(daily, player))
    except NoSuchRace:
        return False
    if hub.race.life.phase is not Phase.OVER:
        await look(hub)
    return hub.race.life.phase is Phase.OVER


async def may_see(node: Node, player: PlayerId, daily: Daily) -> bool:
    """Whether a player may see its cards; raises as `has_played`."""
    return node.almanac.is_closed(daily.day) or await has_played(node, player, daily)


async def why_untraced(node: Node, player: PlayerId, race: Race) -> Refusal | None:
    """Why a player is not told how far everybody was in a race; raises as `has_played`.

    Of a ranked attempt that is over that tells no card, so anybody may race against it.
    """
    if race.life.setup.ranked and race.life.phase is Phase.OVER:
        return None
    return await why_hidden(node, player, race)


async def why_hidden(node: Node, player: PlayerId, race: Race) -> Refusal | None:
    """Why a race is not shown to a player; None if it may be. Raises as `has_played`."""
    daily = race.life.setup.daily
    member = race.members.get(player)
    if not daily or (member is not None and member.seated):
        return None
    return None if await may_see(node, player, daily_of(daily)) else HIDDEN
