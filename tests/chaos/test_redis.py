"""Redis that is away, forgets its scripts, cuts its listeners, or is at the end of a bad line."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.chaos.account import settle
from tests.chaos.lossy import Switch, switch_to
from tests.chaos.story import Story, every, telling, three_nodes, trouble_s
from tests.chaos.traveller import total
from tests.redis_server import RedisServer, redis_running

Trouble = Callable[[], Awaitable[None]]


async def through(
    redis: RedisServer, folder: Path, trouble: Callable[[], Awaitable[None]], seed: int
) -> Story:
    """Races on this Redis while there is trouble, up to the account; nobody loses his connection."""
    async with three_nodes(folder, redis.url) as nodes, telling(nodes, seed) as story:
        await story.tell(trouble)
        await settle(story, redis.url)
    assert not story.breaks
    return story


@pytest.mark.parametrize("how", ["stopped", "restarted", "killed"])
async def test_redis_is_away_for_three_seconds(tmp_path: Path, how: str) -> None:
    with redis_running(tmp_path / "redis") as redis:
        go = {"stopped": redis.pause, "restarted": redis.stop, "killed": redis.kill}[how]

        async def away() -> None:
            await asyncio.to_thread(go)
            await trouble_s(3.0)
            await asyncio.to_thread(redis.resume if how == "stopped" else redis.start)

        story = await through(redis, tmp_path, away, seed=2)
        assert total(story.racers, lambda travels: travels.refusals) > 0, "somebody was told to wait"


async def test_redis_is_full_for_three_seconds(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:

        async def full() -> None:
            await asyncio.to_thread(redis.tell, "CONFIG", "SET", "maxmemory", 1)
            await trouble_s(3.0)
            await asyncio.to_thread(redis.tell, "CONFIG", "SET", "maxmemory", 0)

        story = await through(redis, tmp_path, full, seed=6)
        assert total(story.racers, lambda travels: travels.refusals) > 0, "somebody was told to wait"


@pytest.mark.parametrize("hold", [("CLIENT", "PAUSE", 700, "WRITE"), ("DEBUG", "SLEEP", 0.7)])
async def test_redis_answers_late_again_and_again(
    tmp_path: Path, hold: tuple[str | int | float, ...]
) -> None:
    with redis_running(tmp_path / "redis", "--enable-debug-command", "local") as redis:

        async def dawdle(_: int) -> None:
            await asyncio.to_thread(redis.tell, *hold)

        await through(redis, tmp_path, lambda: every(1.0, dawdle), seed=7)


async def test_the_listeners_are_cut_again_and_again(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:
        cut = 0

        async def kill(_: int) -> None:
            nonlocal cut
            cut += int(await asyncio.to_thread(redis.tell, "CLIENT", "KILL", "TYPE", "pubsub"))

        await through(redis, tmp_path, lambda: every(0.05, kill), seed=3)
        assert cut > 5


async def test_the_scripts_are_forgotten_again_and_again(tmp_path: Path) -> None:
    with redis_running(tmp_path / "redis") as redis:

        async def flush(_: int) -> None:
            await asyncio.to_thread(redis.tell, "SCRIPT", "FLUSH")

        await through(redis, tmp_path, lambda: every(0.01, flush), seed=4)


def swallow(line: Switch) -> Trouble:
    async def begin() -> None:
        line.swallow = lambda number: number % 50 == 0
        await trouble_s(0)
        line.swallow = lambda number: False

    return begin


def delay(line: Switch) -> Trouble:
    async def begin() -> None:
        line.delay_s = 0.2
        await trouble_s(0)
        line.delay_s = 0.0

    return begin


def cut(line: Switch) -> Trouble:
    async def begin(_: int) -> None:
        line.cut()

    return lambda: every(0.3, begin)


@pytest.mark.parametrize("bad", [swallow, delay, cut])
async def test_the_line_to_redis_is_bad(tmp_path: Path, bad: Callable[[Switch], Trouble]) -> None:
    with redis_running(tmp_path / "redis") as redis:
        async with (
            switch_to(redis.port) as line,
            three_nodes(tmp_path, line.url) as nodes,
            telling(nodes, seed=5) as story,
        ):
            before = line.swallowed
            await story.tell(bad(line))
            await settle(story, redis.url)
            assert (line.swallowed > before) == (bad is swallow)
            assert not story.breaks
