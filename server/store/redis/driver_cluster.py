"""The driver for `redis+cluster://`, on redis-py: a lane for each node, and a table of which slot is where.

When a slot has moved, the node that had it says so and has done nothing, so the call may follow it. When a
node is away the table is asked for anew in the background, for another node may have taken its slots.
"""

import asyncio
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from redis.crc import key_slot

from server.store.redis.driver import Away, DriverError, OnMessage, Refused
from server.store.redis.ear import Ear
from server.store.redis.lane import Lane
from server.store.redis.links_redis_py import Address, CommandLink, ListeningLink, ask, connect
from server.store.redis.scripts import CALL, Script
from server.store.redis.timing import Timing
from server.store.redis.url import RedisUrl

# How often one call may be sent on. Twice happens while a slot moves; more is a cluster at odds with itself.
_HOPS: Final = 4


class ClusterDriver:
    """A `Driver` for a cluster."""

    is_one_place = False

    def __init__(self, url: RedisUrl, timing: Timing) -> None:
        self._url = url
        self._timing = timing
        self._slots: dict[int, Address] = {}
        self._lanes: dict[Address, Lane] = {}
        self._asking: asyncio.Task[None] | None = None
        self._ear = Ear(self._connect_channels, self._call_out, timing)
        self.listen = self._ear.listen
        self.subscribe = self._ear.subscribe
        self.unsubscribe = self._ear.unsubscribe

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        """See `Driver.run`. A script without keys runs on any node."""
        if not self._slots:
            await self._refresh()
        slot = _slot(keys[0]) if keys else random.choice(list(self._slots))  # noqa: S311 - any node will do
        address = self._slots.get(slot)
        if address is None:
            self._refresh_soon()
            raise Away(f"no node of the cluster has slot {slot}")
        asking = False
        for _ in range(_HOPS):
            try:
                return await self._lane(address).run(script, keys, args, asking=asking)
            except Refused as error:
                address, asking = self._redirected(error, address)
            except DriverError:
                self._refresh_soon()
                raise
        raise Refused("the nodes of the cluster send a call from one to the other")

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        """See `Driver.run_everywhere`. A node without any of the keys is left out."""
        if not self._slots:
            await self._refresh()
        there = {self._slots.get(_slot(key)): key for key in random.sample(keys, len(keys))}
        return list(await asyncio.gather(*(self.run(script, [key], args) for key in there.values())))

    async def close(self) -> None:
        """See `Driver.close`."""
        await self._ear.close()
        await asyncio.gather(*(lane.close() for lane in self._lanes.values()))
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    def _redirected(self, error: Refused, address: Address) -> tuple[Address, bool]:
        """Where a call that was not taken is to go, and whether only this one; else raises the error."""
        match str(error).split():
            case ["MOVED" | "ASK" as why, slot, place]:
                host, _, port = place.rpartition(":")
                target = (host or address[0], int(port))
                if why == "MOVED":
                    self._slots[int(slot)] = target
                    self._refresh_soon()
                return target, why == "ASK"  # while the slot is being moved
            case _:
                if str(error).startswith(("CLUSTERDOWN", "READONLY")):
                    self._refresh_soon()
                raise error

    # Nodes.

    def _nodes(self) -> list[Address]:
        return list(dict.fromkeys(self._slots.values()))

    def _lane(self, address: Address) -> Lane:
        if address not in self._lanes:
            self._lanes[address] = Lane(lambda: self._connect(address), self._timing)
        return self._lanes[address]

    async def _connect(self, address: Address) -> CommandLink:
        return await CommandLink.open(await connect(address, self._url, self._timing))

    async def _connect_channels(self, on_message: OnMessage) -> ListeningLink:
        # A node hears what is published on any other. Not always the same, lest one that is cut off be kept.
        address = random.choice(self._nodes() or self._url.hosts)  # noqa: S311 - no secret
        return ListeningLink(await connect(address, self._url, self._timing), on_message)

    async def _call_out(self, channel: bytes, message: bytes) -> None:
        await self.run(CALL, (), (channel, message))

    # The table.

    def _refresh_soon(self) -> None:
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._refresh_quietly())

    async def _refresh_quietly(self) -> None:
        try:
            await self._refresh()
        except DriverError:
            # Those that fail next ask again, but not at once.
            await asyncio.sleep(self._timing.pause_s)

    async def _refresh(self) -> None:
        why: Exception | None = None
        candidates = list(dict.fromkeys((*self._nodes(), *self._url.hosts)))
        random.shuffle(candidates)
        for address in candidates:
            try:
                self._slots = await self._slots_as_seen_by(address)
            except (DriverError, OSError, TimeoutError) as error:
                why = error
            else:
                return
        raise Away(f"no node of the cluster tells where its slots are: {why}")

    async def _slots_as_seen_by(self, address: Address) -> dict[int, Address]:
        async with asyncio.timeout(self._timing.connect_s):
            connection = await connect(address, self._url, self._timing)
            try:
                ranges = await ask(connection, "CLUSTER", "SLOTS")
            finally:
                await connection.disconnect(nowait=True)
        slots: dict[int, Address] = {}
        for first, last, (host, port, *_), *_ in ranges:
            # A node that does not know its own host leaves it out.
            place = ((host or b"").decode() or address[0], port)
            slots.update(dict.fromkeys(range(first, last + 1), place))
        if not slots:
            raise Away("the cluster has no slots yet")
        return slots


@lru_cache(maxsize=1024)
def _slot_of_tag(tag: bytes) -> int:
    return key_slot(tag)


def _slot(key: bytes) -> int:
    # All keys begin with the tag of their partition, `{p000}`.
    return _slot_of_tag(key[: key.index(b"}") + 1])
