"""Ranked attempts: a log for each day, number of cells and player, so that there can be only one."""

from typing import Final

from server.daily.calendar import ends_ms, starts_ms
from server.daily.naming import Daily, attempt_of
from server.gateway.daily_setups import attempt_setup, known_day
from server.gateway.hub import Hub
from server.gateway.keeper import NoSuchRace
from server.gateway.node import Node
from server.gateway.players import Identity
from server.race.commands import Create
from server.race.decision import Refusal
from server.race.state import PlayerId, RaceCode
from server.race_log import BrokenLog
from server.store.base import Damaged

NOT_TODAY: Final = Refusal(
    "not_today", "a ranked attempt is for the deal of today; others are played unranked"
)


async def why_not(node: Node, player: PlayerId, daily: Daily) -> Refusal | None:
    """Why a player can neither begin an attempt at a daily nor go on with one; None if he can.

    Raises:
        BrokenLog: what is kept of it cannot be read.
        Full: there is no room for another race.
        Unavailable: the store cannot tell.
    """
    refusal = await known_day(node, daily.day)
    if refusal is not None or daily.day == node.almanac.today:
        return refusal
    return NOT_TODAY if await _known(node, attempt_of(daily, player)) is None else None


async def begun(node: Node, identity: Identity, daily: Daily) -> Hub | None:
    """The player's ranked attempt, begun now if there is none; None if it is not the day for it any more.

    Whatever any other clock says, the append that shows the deal takes effect only within the day.

    Raises:
        BrokenLog: what is kept of it cannot be read.
        Full: there is no room for another race.
        Unavailable: the store cannot tell.
    """
    code = attempt_of(daily, identity.player)
    known = await _known(node, code)
    if known is not None:
        return known
    setup = await attempt_setup(node, daily)
    command = Create(code, "attempt", identity.player, identity.name, setup)
    return await node.hubs.begin_attempt(command, starts_ms(daily.day), ends_ms(daily.day) - 1)


async def _known(node: Node, code: RaceCode) -> Hub | None:
    """The attempt of this name, if it was begun."""
    try:
        return await node.hubs.open(code)
    except NoSuchRace:
        return None
    except Damaged as error:
        raise BrokenLog(error.detail) from error
