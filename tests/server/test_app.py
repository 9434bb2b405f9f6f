"""The server on each kind of store."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from pathlib import Path

import pytest

from server.app import running
from server.config import Config
from server.gateway.limits import Limits
from tests.end_to_end.player import Player
from tests.redis_server import RedisServer, redis_running


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisServer]:
    with redis_running(tmp_path / "redis") as server:
        yield server


@pytest.fixture
async def two_nodes(redis: RedisServer) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two servers on one Redis."""
    config = Config(port=0, store=redis.url, limits=Limits())
    async with running(config) as one, running(config) as other:
        yield one.url, other.url


async def readiness(url: str) -> int:
    """The status of a server's /readyz."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rsplit(":", 1)[1]))
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: here\r\n\r\n")
    status = (await reader.read()).split(b" ")[1]
    writer.close()
    await writer.wait_closed()
    return int(status)


async def becomes(url: str, status: int) -> None:
    """Wait until a server's /readyz says this."""
    async with asyncio.timeout(20):
        while await readiness(url) != status:  # noqa: ASYNC110 - nobody tells when it changes
            await asyncio.sleep(0.05)


async def test_what_is_made_on_one_node_is_there_on_the_other(two_nodes: tuple[str, str]) -> None:
    ann, bob = (Player(url, name) for url, name in zip(two_nodes, ("Ann", "Bob"), strict=True))
    await ann.connect()
    await bob.connect()
    race = await ann.create()
    await bob.sit(race)
    await ann.until(
        lambda: len(ann.pictures[race, "seat"].picture.racers) == 2, "the other's coming, on another node"
    )
    for player in (ann, bob):
        await player.close()


async def test_readyz_is_false_while_redis_is_away_and_true_again_by_itself(
    redis: RedisServer, two_nodes: tuple[str, str]
) -> None:
    assert [await readiness(url) for url in two_nodes] == [HTTPStatus.OK, HTTPStatus.OK]
    redis.stop()
    for url in two_nodes:
        await becomes(url, HTTPStatus.SERVICE_UNAVAILABLE)
    await asyncio.to_thread(redis.start)
    for url in two_nodes:
        await becomes(url, HTTPStatus.OK)


async def test_readyz_is_false_while_redis_does_not_answer(
    redis: RedisServer, two_nodes: tuple[str, str]
) -> None:
    redis.pause()
    await becomes(two_nodes[0], HTTPStatus.SERVICE_UNAVAILABLE)
    redis.resume()
    await becomes(two_nodes[0], HTTPStatus.OK)
