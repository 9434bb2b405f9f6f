"""Redis servers, and stores opened on them with either client."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from server.clock import Clock, SystemClock
from server.store.redis.driver_asyncio_redis import AsyncioRedisDriver
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.opening import MakeDriver, open_driver
from server.store.redis.store import RedisStore
from server.store.redis.timing import Timing
from server.store.redis.url import read_url
from tests.redis_server import PATIENT, Cluster, RedisServer, redis_running
from tests.server.store.redis.proxy import Proxy, proxy_to


class Open(Protocol):
    """Opens a store, closed when the test ends; on the test's server and with its client, unless told."""

    async def __call__(
        self,
        url: str | None = None,
        *,
        timing: Timing | None = None,
        clock: Clock | None = None,
        driver: MakeDriver | None = None,
    ) -> RedisStore: ...


@pytest.fixture
def server(redis_server: RedisServer) -> RedisServer:
    """A server without data. Nobody may stop it."""
    redis_server.tell("FLUSHALL")
    return redis_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that a test may stop, kill, or set up in its own way."""
    with redis_running(tmp_path / "redis") as server:
        yield server


@pytest.fixture
def cluster(redis_cluster: Cluster) -> Cluster:
    """A cluster without data. Nobody may stop it."""
    for node in redis_cluster.nodes:
        node.tell("FLUSHALL")
    return redis_cluster


@pytest.fixture
async def proxy(server: RedisServer) -> AsyncIterator[Proxy]:
    async with proxy_to(server.port) as proxy:
        yield proxy


@pytest.fixture(params=["asyncio-redis", "redis-py"])
def make(request: pytest.FixtureRequest) -> MakeDriver:
    """The driver for one server, with either client."""
    makers: dict[str, MakeDriver] = {"asyncio-redis": AsyncioRedisDriver, "redis-py": RedisPyDriver}
    return makers[request.param]


@pytest.fixture
async def open_(server: RedisServer, make: MakeDriver) -> AsyncIterator[Open]:
    opened: list[RedisStore] = []

    async def open_one(
        url: str | None = None,
        *,
        timing: Timing | None = None,
        clock: Clock | None = None,
        driver: MakeDriver | None = None,
    ) -> RedisStore:
        store = await open_driver(
            driver or make,
            read_url(url or server.url),
            clock or SystemClock(),
            timing or PATIENT,
        )
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        await store.close()
