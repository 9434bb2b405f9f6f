"""The driver for `rediss://` and `redis+sentinel://`, and for `redis://` with a user, on redis-py.

There is one server that takes writes. Sentinels say which it is, and are asked again for each connection:
when the server is replaced, its connections end, or it says that it takes no writes any more.
"""

import random
from collections.abc import Sequence
from typing import Final

from redis.asyncio.sentinel import Sentinel
from redis.exceptions import RedisError

from server.store.redis.driver import Away, OnMessage, Refused
from server.store.redis.ear import Ear
from server.store.redis.lane import Lane
from server.store.redis.links_redis_py import Address, CommandLink, ListeningLink, connect
from server.store.redis.scripts import CALL, Script
from server.store.redis.timing import Timing
from server.store.redis.url import Kind, RedisUrl

# What a server says that has become a replica, or that is cut off from the replica that took its place.
_REPLACED: Final = ("READONLY", "NOREPLICAS")


class RedisPyDriver:
    """A `Driver` for one Redis server, or the one that Sentinels name."""

    is_one_place = True

    def __init__(self, url: RedisUrl, timing: Timing) -> None:
        self._url = url
        self._timing = timing
        self._sentinel = _sentinel(url, timing) if url.kind is Kind.SENTINEL else None
        self._lane = Lane(self._connect, timing)
        self._ear = Ear(self._connect_channels, self._call_out, timing)
        self.listen = self._ear.listen
        self.subscribe = self._ear.subscribe
        self.unsubscribe = self._ear.unsubscribe

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        """See `Driver.run`."""
        try:
            return await self._lane.run(script, keys, args)
        except Refused as error:
            if str(error).startswith(_REPLACED):
                self._lane.drop()
            raise

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        """See `Driver.run_everywhere`."""
        return [await self.run(script, [random.choice(keys)], args)]  # noqa: S311 - no secret

    async def close(self) -> None:
        """See `Driver.close`."""
        await self._ear.close()
        await self._lane.close()
        if self._sentinel is not None:
            await self._sentinel.aclose()

    async def _call_out(self, channel: bytes, message: bytes) -> None:
        await self.run(CALL, (), (channel, message))

    async def _connect(self) -> CommandLink:
        return await CommandLink.open(await connect(await self._address(), self._url, self._timing))

    async def _connect_channels(self, on_message: OnMessage) -> ListeningLink:
        return ListeningLink(await connect(await self._address(), self._url, self._timing), on_message)

    async def _address(self) -> Address:
        if self._sentinel is None:
            return self._url.hosts[0]
        try:
            host, port = await self._sentinel.discover_master(self._url.service)
        except RedisError as error:
            raise Away(f"no Sentinel names the server to write to: {error}") from error
        return host, port


def _sentinel(url: RedisUrl, timing: Timing) -> Sentinel:
    hosts = list(url.hosts)
    random.shuffle(hosts)  # so that not all nodes ask the same one
    tls = {"ssl": True, "ssl_ca_certs": url.ca} if url.tls else {}
    each_s = timing.connect_s / (len(hosts) + 1)  # one that is away must leave time for the others
    return Sentinel(
        hosts,
        sentinel_kwargs={
            "username": url.sentinel_user,
            "password": url.sentinel_password,
            "protocol": 2,
            "driver_info": None,
            "retry": None,
            "socket_timeout": each_s,
            "socket_connect_timeout": each_s,
            **tls,
        },
    )
