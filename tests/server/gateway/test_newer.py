"""Logs that a newer server wrote are left to it."""

import orjson

from protocol import commands, version
from server import player_log, race_log
from server.gateway.keeper import log_id
from server.gateway.players import bearer
from server.race.events import Created
from server.store.base import START, new_tag
from tests.server.gateway.house import House
from tests.server.gateway.races import ANA, CODE, SETUP

RESTARTING = (1012, "restarting")


def newer(data: bytes) -> bytes:
    """The same row, of a format there is not yet."""
    kind, fields, *versions = orjson.loads(data)
    return orjson.dumps([kind, fields, *(version + 1 for version in versions)])


async def test_one_whose_own_log_is_newer_is_sent_to_a_newer_server(home: House) -> None:
    ana = await home.guest("Ana")
    assert ana.token is not None
    identity = bearer(ana.token, "Ana")
    assert identity is not None
    row = player_log.write(player_log.Registered(identity.secret_hash, "Ana"))
    log = f"player:{identity.player}"
    await home.node.store.append(log, START, [newer(row)], tag=new_tag())
    again = home.stranger("Ana", ana.token)
    await again.open()
    await again.send(commands.Hello(version.PROTOCOL, "Ana", ana.token))
    assert await again.ended() == RESTARTING


async def test_one_who_joins_a_race_of_a_newer_server_is_sent_there(home: House) -> None:
    row = race_log.write(Created(CODE, "create-1", ANA, SETUP))
    await home.node.store.append(log_id(CODE), START, [newer(row)], tag=new_tag())
    ben = await home.guest("Ben")
    await ben.send(commands.Join(CODE))
    assert await ben.ended() == RESTARTING
