"""Nodes that are killed, and one that is stopped and goes on."""

from pathlib import Path

from protocol.errors import CloseCode
from tests.chaos.account import check_acks, settle
from tests.chaos.story import every, telling, three_nodes, trouble_s
from tests.chaos.traveller import last_words, total
from tests.redis_server import redis_running


async def test_a_random_node_is_killed_every_second(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:
        async with three_nodes(tmp_path, redis.url) as nodes, telling(nodes, seed=1) as story:

            async def kill(_: int) -> None:
                node = story.dice.choice(nodes)
                await node.kill()
                await node.start()

            await story.tell(lambda: every(1.0, kill))
            await settle(story, redis.url)
            assert total(story.racers, lambda travels: travels.connections) > len(story.racers)
            assert total(story.travellers, lambda travels: travels.silences) == 0, story.breaks


async def test_a_node_stopped_and_continued_does_not_win_with_its_stale_sessions(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:
        async with (
            three_nodes(tmp_path, redis.url) as nodes,
            telling(nodes, seed=6, silence_s=1.5, leaves_open=True) as story,
        ):

            async def freeze() -> None:
                nodes[0].freeze()
                await trouble_s(5.0)
                nodes[0].thaw()

            await story.tell(freeze)
            races = await settle(story, redis.url)
            left = 0
            for code, racers in story.tables.items():
                for racer in racers:
                    for socket in racer.travels.left_behind:
                        heard, closed = await last_words(socket)
                        check_acks(heard, racer, code, races[code])
                        assert closed == CloseCode.SUPERSEDED
                        left += 1
            assert left > 0, "nobody played on the node that was stopped"
