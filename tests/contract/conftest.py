"""The stores under contract."""

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import TypeAlias

import pytest

from server.clock import SystemClock
from server.store.base import Store
from server.store.redis.driver_asyncio_redis import AsyncioRedisDriver
from server.store.redis.driver_cluster import ClusterDriver
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.opening import MakeDriver, open_driver
from server.store.redis.url import read_url
from server.store.sqlite import SqliteStore, open_sqlite
from tests.redis_server import PATIENT, Cluster, RedisServer

OpenStore: TypeAlias = Callable[[], Awaitable[Store]]
"""Opens one more client of the same data; a store that takes only one gives that again until it is closed."""

_DRIVERS: dict[str, MakeDriver] = {"asyncio-redis": AsyncioRedisDriver, "redis-py": RedisPyDriver}

_numbers = count(1)


@pytest.fixture(params=["sqlite", "asyncio-redis", "redis-py", "cluster"])
async def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    opened: list[Store] = []

    async def one_more_sqlite() -> Store:
        for store in opened:
            if isinstance(store, SqliteStore) and not store._closing:
                return store
        opened.append(await open_sqlite(tmp_path / "store.db", SystemClock()))
        return opened[-1]

    def redis_opener(url: str, make: MakeDriver) -> OpenStore:
        async def one_more() -> Store:
            opened.append(await open_driver(make, read_url(url), SystemClock(), PATIENT))
            return opened[-1]

        return one_more

    match request.param:
        case "sqlite":
            opener: OpenStore = one_more_sqlite
        case "cluster":
            cluster: Cluster = request.getfixturevalue("redis_cluster")
            for node in cluster.nodes:
                node.tell("FLUSHALL")
            opener = redis_opener(cluster.url, ClusterDriver)
        case name:
            server: RedisServer = request.getfixturevalue("redis_server")
            server.tell("FLUSHALL")
            opener = redis_opener(server.url, _DRIVERS[name])
    yield opener
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    return await open_store()


@pytest.fixture
def log_id() -> str:
    """The name of a log that no other test has."""
    return f"race:TEST{next(_numbers):04}"
