"""Opening the store on Redis: which driver, and which Redis is refused."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from server.clock import Clock
from server.store.base import CannotOpen, Unavailable
from server.store.redis.calls import ALL_PARTITIONS
from server.store.redis.driver import Driver, DriverError
from server.store.redis.keys import probe_key
from server.store.redis.replies import read_reply
from server.store.redis.scripts import INFO
from server.store.redis.store import RedisStore
from server.store.redis.timing import Timing
from server.store.redis.url import Kind, RedisUrl, read_url

log = logging.getLogger(__name__)

MakeDriver: TypeAlias = Callable[[RedisUrl, Timing], Driver]

# From this version on, a script may ask for the time and then write.
_OLDEST: Final = 7

_PROBES: Final = [probe_key(number) for number in ALL_PARTITIONS]


async def open_redis(text: str, clock: Clock, timing: Timing | None = None) -> RedisStore:
    """Open the store on the Redis at this URL; see `url` for its forms.

    Raises:
        CannotOpen: the URL makes no sense, nobody answers there, or it is no Redis to keep races in.
    """
    url = read_url(text)
    timing = replace(timing or Timing(), keep_ms=url.keep_ms)
    return await open_driver(_driver_for(url), url, clock, timing)


async def open_driver(make: MakeDriver, url: RedisUrl, clock: Clock, timing: Timing) -> RedisStore:
    """The same with a driver of the caller's choice."""
    driver = make(url, timing)
    try:
        async with asyncio.timeout(timing.call_s):
            for reply in await driver.run_everywhere(INFO, _PROBES, ()):
                _refuse_unfit(url, _read_info(read_reply(reply).body))
    except BaseException as error:
        await driver.close()
        if isinstance(error, DriverError | TimeoutError):
            raise CannotOpen(f"cannot open the store {url}: {str(error) or 'no answer in time'}") from error
        raise
    store = RedisStore(driver, clock, timing)
    try:
        await store.check()
    except BaseException as error:
        await store.close()
        if isinstance(error, Unavailable):
            raise CannotOpen(f"cannot open the store {url}: {error.detail}") from error
        raise
    return store


def _driver_for(url: RedisUrl) -> MakeDriver:
    # Each is imported only where it is used, for that takes a while.
    if url.kind is Kind.CLUSTER:
        from server.store.redis.driver_cluster import ClusterDriver  # noqa: PLC0415

        return ClusterDriver
    if url.kind is Kind.SENTINEL or url.tls or url.user:
        from server.store.redis.driver_redis_py import RedisPyDriver  # noqa: PLC0415

        return RedisPyDriver
    from server.store.redis.driver_asyncio_redis import AsyncioRedisDriver  # noqa: PLC0415

    return AsyncioRedisDriver


def _read_info(info: bytes) -> dict[str, str]:
    lines = (line.partition(":") for line in info.decode("utf-8", "replace").splitlines())
    return {name: value for name, colon, value in lines if colon}


def _refuse_unfit(url: RedisUrl, info: Mapping[str, str]) -> None:
    version = info.get("redis_version", "0")
    if not version.partition(".")[0].isdigit() or int(version.partition(".")[0]) < _OLDEST:
        raise CannotOpen(f"cannot open the store {url}: it is Redis {version}, and cellrace needs {_OLDEST}")
    if info.get("role") != "master":
        raise CannotOpen(f"cannot open the store {url}: it is a replica and takes no writes")
    if (policy := info.get("maxmemory_policy")) != "noeviction":
        raise CannotOpen(
            f"cannot open the store {url}: its maxmemory-policy is {policy}, so it may throw races away; "
            "set it to noeviction"
        )
    if info.get("aof_enabled") != "1":
        log.warning("%s has no append-only file: what it was told last is lost when it ends badly", url)
