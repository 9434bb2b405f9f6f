"""The beginning of a connection: hello and welcome."""

import asyncio
import logging
from collections.abc import Callable, Mapping

from protocol import commands, events, version
from protocol.codec import Reference
from protocol.errors import CloseCode
from server import race_log
from server.freecell.wording import say, words_of
from server.gateway import names, players
from server.gateway.answers import Answers
from server.gateway.hubs import Full
from server.gateway.keeper import NoSuchRace
from server.gateway.node import Node
from server.gateway.players import Identity
from server.gateway.wire import held_seat
from server.race.decision import Refusal
from server.race.state import Phase, Race, RaceCode
from server.store.base import Damaged, Unavailable

log = logging.getLogger(__name__)

_NOTHING = Reference()


async def greet(
    node: Node, answers: Answers, read: Callable[[str], commands.Command | None]
) -> Identity | None:
    """Wait for a hello that will do and welcome whoever says it; None if the connection ends without one."""
    connection = answers.connection
    try:
        async with asyncio.timeout(node.limits.hello_s):
            while (frame := await connection.receive()) is not None:
                message = read(frame)
                identity = None if message is None else _introduced(message, answers)
                if identity is not None:
                    races = {} if identity.token else await running_races(node, identity)
                    connection.send(_welcome(identity, races, robots=not node.coach.why_not))
                    return identity
    except TimeoutError:
        connection.say_bye("hello_first", "no hello in time", CloseCode.POLICY)
    return None


def _introduced(message: commands.Command, answers: Answers) -> Identity | None:
    if not isinstance(message, commands.Hello):
        _turn_away(answers, Refusal("hello_first", "say hello first"))
        return None
    if message.v != version.PROTOCOL:
        text = "this server speaks version {ours} of the protocol, not {theirs}"
        detail = say(text, ours=version.PROTOCOL, theirs=message.v)
        _turn_away(answers, Refusal("wrong_version", detail))
        return None
    try:
        name = names.clean_name(message.name)
    except names.BadName as error:
        answers.refuse(Refusal("bad_name", words_of(error)), _NOTHING)
        return None
    identity = players.newcomer(name) if message.token is None else players.bearer(message.token, name)
    if identity is None:
        refusal = Refusal(
            "bad_token", "the two halves of this token do not belong together; say hello without it"
        )
        answers.refuse(refusal, _NOTHING)
    return identity


def _turn_away(answers: Answers, refusal: Refusal) -> None:
    answers.refuse(refusal, _NOTHING)
    answers.connection.say_bye(refusal.code, refusal.detail, CloseCode.POLICY)


def _welcome(identity: Identity, races: Mapping[RaceCode, Race | None], *, robots: bool) -> events.Welcome:
    return events.Welcome(
        version.PROTOCOL,
        version.MINOR,
        identity.player,
        identity.name,
        identity.token,
        tuple(races),
        tuple(held_seat(race, identity.player) for race in races.values() if race is not None),
        robots,
    )


async def running_races(node: Node, identity: Identity) -> dict[RaceCode, Race | None]:
    """The races he has a seat in that are not over; others on his list are written off, unless damaged.

    Returns:
        Each by its code, in the order in which he entered them; None for one that a newer server has to read.
    """
    running: dict[RaceCode, Race | None] = {}
    try:
        for code in await node.players.open_races(identity.player):
            try:
                running[code] = await _running(node, identity, code)
            except _NotRunning:
                await node.players.close(identity.player, code)
            except Damaged:
                continue  # There is nothing to go on with; but it may be repaired.
    except (Unavailable, Full) as error:
        log.warning("a welcome that may lack races: %r", error)
    return running


class _NotRunning(Exception):
    """A race is over, or he has no seat in it."""


async def _running(node: Node, identity: Identity, code: RaceCode) -> Race | None:
    try:
        race = (await node.hubs.open(code)).race
    except (NoSuchRace, race_log.BrokenLog):
        raise _NotRunning from None
    except race_log.NewerLog:
        return None  # A newer server makes sense of it.
    member = race.members.get(identity.player)
    if race.life.phase is Phase.OVER or member is None or not member.seated:
        raise _NotRunning
    return race
