"""The server put together: start reading here.

    cli -> app -> gateway -> store -> race -> freecell

A connection (`gateway.conversation`) turns messages into commands for a race (`gateway.hub`). There they are
decided (`race.decide`), appended to the race's log (`store`), folded (`race.evolve`), answered, and shown to
those who follow (`gateway.feed`), each as he may see it (`race.views`).
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from server.clock import Clock, SystemClock
from server.config import Config
from server.daily.keys import BrokenKey, NewerKey
from server.gateway.coach import Coach
from server.gateway.listener import Listener
from server.gateway.node import Node, make_node
from server.gateway.verdicts import Assessor
from server.store.base import CannotOpen, Unavailable
from server.store.opening import open_store

log = logging.getLogger(__name__)

SETTLE_S: Final = 5.0
"""How long a server that goes down waits for what is being stored."""


@dataclass(frozen=True, slots=True)
class Running:
    """A server that takes connections at `url`."""

    url: str
    node: Node


@asynccontextmanager
async def running(
    config: Config,
    clock: Clock | None = None,
    coach: Coach | None = None,
    assessor: Assessor | None = None,
) -> AsyncIterator[Running]:
    """A server, from the first connection it takes to the last one it has sent away.

    Raises:
        CannotOpen: there is no such store, it cannot be opened, or it takes only one process and has it.
        OSError: the address cannot be listened on.
    """
    clock = clock or SystemClock()
    await _check_address(config)
    store = await open_store(config.store, clock)
    try:
        node = make_node(store, clock, config.limits, coach, assessor)
        await _find_key(node)
        listener = Listener(node, config.origins, config.trusted_proxies)
        port = await listener.open(config.host, config.port)
        node.hubs.start()
        projecting = asyncio.create_task(node.projector.run())
        try:
            yield Running(_url(config.host, port), node)
        finally:
            projecting.cancel()
            await listener.close()
            await _settle(node)
            await node.hubs.close()
            await node.projector.close()
    finally:
        await store.close()


async def _check_address(config: Config) -> None:
    """Find out before a store is made whether the address can be listened on."""
    loop = asyncio.get_running_loop()
    probe = await loop.create_server(asyncio.Protocol, config.host, config.port, start_serving=False)
    probe.close()
    await probe.wait_closed()


async def _find_key(node: Node) -> None:
    """Make the key of the dailies now, if there is none; where the store cannot tell, that is done later."""
    try:
        await node.almanac.key()
    except BrokenKey as error:
        log.error("there is no deal of the day: %s", error.detail)  # noqa: TRY400 - it says all
    except Unavailable as error:
        log.warning("the deals of the day are looked for later: %s", error.detail)
    except NewerKey as error:
        raise CannotOpen(f"the store was written by a newer cellrace: {error}") from error


async def _settle(node: Node) -> None:
    try:
        async with asyncio.timeout(SETTLE_S):
            await node.hubs.settle()
    except TimeoutError:
        log.warning("some commands were not stored in time; their senders were not told that they were")


def _url(host: str, port: int) -> str:
    return f"ws://[{host}]:{port}" if ":" in host else f"ws://{host}:{port}"
