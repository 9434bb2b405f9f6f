"""Setups of races on the deal of a day."""

import secrets
from dataclasses import replace
from typing import Final

import msgspec

from protocol.commands import Settings
from server.daily.calendar import LIMIT_MS, BadDate, starts_ms
from server.daily.naming import CELLS, Daily
from server.freecell.rulesets import customise
from server.freecell.wording import say
from server.gateway.entitlement import HIDDEN, may_see
from server.gateway.node import Node
from server.gateway.setups import NONCE_BYTES, names_daily, setup_again, setup_from
from server.race.decision import Refusal
from server.race.state import PlayerId, Policy, Setup

_NO_SUCH_CELLS: Final = Refusal("bad_deal", "the deal of a day is for 4 or for 2 free cells")


async def setup_for(node: Node, settings: Settings, player: PlayerId) -> Setup | Refusal:
    """`setup_from`, where the deal may also be that of a day: `daily`, `daily:2026-11-30`, or by its number.

    It is for people who may see its cards only, and its host must be one of them.

    Raises:
        Unavailable: the store cannot tell.
    """
    daily = await _named_daily(node, settings)
    if isinstance(daily, Refusal):
        return daily
    if daily is not None:
        settings = msgspec.structs.replace(settings, deal=await node.almanac.deal(daily), cells=daily.cells)
    setup = setup_from(settings)
    while isinstance(setup, Setup) and daily is None:
        # The layout is the same for every number of cells, so any that is named shows it.
        daily = await node.almanac.still_open(setup.deal)
        if daily is None or setup.deal_named:
            break
        setup, daily = setup_from(settings), None  # a random one must not be one of these
    if isinstance(setup, Refusal) or daily is None:
        return setup
    if not await may_see(node, player, daily):
        return HIDDEN
    return replace(setup, daily=str(daily), certified=setup.certified or setup.rules.cells == daily.cells)


async def setup_again_for(node: Node, setup: Setup) -> Setup:
    """`setup_again`, on none of the deals that somebody may be at his ranked attempt of.

    Raises:
        Unavailable: the store cannot tell.
    """
    while await node.almanac.still_open((again := setup_again(setup)).deal) is not None:
        pass
    return again


async def _named_daily(node: Node, settings: Settings) -> Daily | Refusal | None:
    """The daily that the settings name as such, if they do."""
    wanted = settings.deal
    if not isinstance(wanted, str) or not names_daily(wanted):
        return None
    cells = CELLS[0] if settings.cells is None else settings.cells
    if cells not in CELLS:
        return _NO_SUCH_CELLS
    day = wanted.partition(":")[2] or node.almanac.today
    return await known_day(node, day) or Daily(day, cells)


async def known_day(node: Node, day: str) -> Refusal | None:
    """Why there is no daily of that day, or none yet; None if there is.

    Raises:
        Unavailable: the store cannot tell.
    """
    since, today = await node.almanac.since(), node.almanac.today
    try:
        starts_ms(day)
    except BadDate:
        text = "{day} is no day; one looks like {example}"
        return Refusal("no_such_day", say(text, day=ascii(day[:20])[1:-1], example="2026-11-30"))
    if since <= day <= today:
        return None
    text = "there are deals of the day from {since} to {today} here"
    return Refusal("no_such_day", say(text, since=since, today=today))


async def attempt_setup(node: Node, daily: Daily) -> Setup:
    """What every ranked attempt at a daily is played by.

    Raises:
        Unavailable: the store cannot tell.
    """
    return Setup(
        customise("race", daily.cells, hints=True),
        await node.almanac.deal(daily),
        secrets.token_hex(NONCE_BYTES),
        certified=True,
        max_racers=2,  # fewer no race has, and nobody can join one that runs
        time_limit_ms=LIMIT_MS,
        countdown_ms=0,
        policy=Policy.LIVE,
        daily=str(daily),
        ranked=True,
    )
