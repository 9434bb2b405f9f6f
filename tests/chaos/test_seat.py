"""Fifty people who want the one seat that is left, on three nodes at once."""

import asyncio
from pathlib import Path
from typing import Final

from protocol import commands, events
from protocol.errors import ErrorCode
from server.race.events import Joined
from tests.chaos.account import read_told
from tests.chaos.story import three_nodes
from tests.end_to_end.player import Player
from tests.redis_server import redis_running

CROWD: Final = 50


async def test_of_fifty_who_join_for_one_seat_over_three_nodes_one_is_seated(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:
        async with three_nodes(tmp_path, redis.url) as nodes:
            host = Player(nodes[0].url, "Host")
            await host.connect()
            race = await host.create(commands.Settings(max_racers=2))
            crowd = [Player(nodes[number % 3].url, f"Guest {number}") for number in range(CROWD)]
            await asyncio.gather(*(guest.connect() for guest in crowd))
            answers = await asyncio.gather(*(seat_or_refusal(guest, race) for guest in crowd))
            seated = [guest for guest, answer in zip(crowd, answers, strict=True) if answer is None]
            assert len(seated) == 1
            assert {answer for answer in answers if answer is not None} == {ErrorCode.RACE_FULL}
            ready = await seated[0].did(commands.Ready, race)
            await host.until(lambda: host.pictures[race, "seat"].to >= ready.seq, "the host sees him")
            racers = host.pictures[race, "seat"].picture.racers
            assert [racer.player for racer in racers] == [host.id, seated[0].id]
            for player in (host, *crowd):
                await player.close()
        (told,) = (await read_told(redis.url)).values()
        joined = [stamped.event.player for stamped in told.log if isinstance(stamped.event, Joined)]
        assert joined == [host.id, seated[0].id]


async def seat_or_refusal(guest: Player, race: str) -> ErrorCode | None:
    """Ask for a seat, again when told to ask again; why there is none."""
    while True:
        answer = await guest.join(race)
        if isinstance(answer, events.Seat):
            return None
        if answer.code != ErrorCode.UNAVAILABLE:
            return answer.code
        await asyncio.sleep((answer.retry_ms or 0) / 1000)  # what the protocol asks for
