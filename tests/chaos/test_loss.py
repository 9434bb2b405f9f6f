"""A Redis that has lost the last writes, or all of them."""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from protocol import events
from protocol.errors import CloseCode
from server.store.redis.keys import log_keys
from tests.chaos.account import settle
from tests.chaos.lossy import switch_to
from tests.chaos.story import RACERS, Story, telling, three_nodes
from tests.chaos.traveller import RaceGone, total
from tests.redis_server import RedisServer, free_port, redis_running, wait_until

LOST: Final = 10
"""Events that somebody has seen and of which the replica does not know, at least."""

HANG_S: Final = 30.0


def caught_up(replica: RedisServer) -> bool:
    return bool(replica.tell("INFO", "replication")["master_link_status"] == "up")


def length(redis: RedisServer, code: str) -> int:
    """How many events of a race it has."""
    return int(redis.tell("XLEN", log_keys(f"race:{code}".encode()).stream))


def newest(story: Story, code: str) -> int:
    """The newest event of a race that any of its racers has seen."""
    return max(racer.seen[-1].to for racer in story.tables[code])


async def test_a_replica_without_the_last_writes_takes_over(tmp_path: Path) -> None:
    with (
        redis_running(tmp_path / "primary") as primary,
        redis_running(tmp_path / "replica", "--replicaof", f"127.0.0.1 {primary.port}") as replica,
    ):
        await asyncio.to_thread(wait_until, lambda: caught_up(replica), "the replica does not follow")
        async with (
            switch_to(primary.port) as name,
            three_nodes(tmp_path, name.url) as nodes,
            telling(nodes, seed=8, chat=False) as story,
        ):

            async def fail_over() -> None:
                # From here on it hears nothing, but keeps what it has.
                await asyncio.to_thread(replica.tell, "REPLICAOF", "127.0.0.1", free_port())
                kept = {code: await asyncio.to_thread(length, replica, code) for code in story.tables}
                while sum(max(0, newest(story, code) - kept[code]) for code in kept) < LOST:
                    await story.goes_on(1)
                await asyncio.to_thread(primary.kill)
                await asyncio.to_thread(replica.tell, "REPLICAOF", "NO", "ONE")
                name.lead_to(replica.port)
                await story.goes_on(LOST)

            await story.tell(fail_over)
            races = await settle(story, replica.url, tail_lost=True)
            assert any(told.tail_losses for told in races.values()), "nothing was lost"
            assert total(story.racers, lambda travels: travels.rewound) > 0, "nobody had seen it"
            assert not story.breaks


@pytest.mark.parametrize("how", ["flushed", "killed and started without its data"])
async def test_all_is_gone_and_every_race_is_said_to_be_lost(tmp_path: Path, how: str) -> None:
    with redis_running(tmp_path / "redis") as redis:
        # A node on which nobody plays looks only after twenty seconds without a word, so each has a racer.
        async with three_nodes(tmp_path, redis.url) as nodes, telling(nodes[:RACERS], seed=9) as story:

            def lose() -> None:
                if how == "flushed":
                    redis.tell("FLUSHALL")
                else:
                    redis.kill()
                    redis.lose()
                    redis.start()

            async def lose_all() -> None:
                await asyncio.to_thread(lose)

            async with asyncio.timeout(HANG_S):
                found = await story.break_off(lose_all)
            assert all(isinstance(end, RaceGone) for end in found), found
            for traveller in story.travellers:
                assert traveller.closed == (CloseCode.RACE_LOST, "race_lost")
                assert traveller.last(events.RaceLost)
            stranger = story.traveller("Stranger")
            await stranger.arrive()
            assert await stranger.create()
            await stranger.close()
