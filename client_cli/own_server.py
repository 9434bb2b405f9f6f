"""A server of one's own on this machine: how it is reached, and what ends it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from client_cli.hosting import own_url, public_url
from client_cli.local_server import local_server
from client_cli.wiring import Server, local_server_at
from client_cli.world import World


@dataclass(frozen=True, slots=True)
class OwnServer:
    """One that runs; whoever is handed it may end it.

    Attributes:
        server: how this program reaches it.
        public_url: where others find it.
        listen: host and port that it was asked to listen on.
        ended: waits until it ends by itself; what to say of that.
        end: ends it, and waits until it has; once more does no harm.
    """

    server: Server
    public_url: str
    listen: tuple[str, int]
    ended: Callable[[], Awaitable[str]]
    end: Callable[[], Awaitable[None]]


async def start_own(world: World, listen: tuple[str, int]) -> OwnServer:
    """Start one.

    Args:
        world: what is around.
        listen: host and port.

    Raises:
        ClientError: it does not start; in words. `RacesInUse` where another has the races of this machine.
    """
    host, port = listen
    stack = AsyncExitStack()
    serving = local_server(world.data_folder, host, port, world.environment)
    local = await stack.enter_async_context(serving)
    ending = asyncio.Lock()

    async def end() -> None:
        async with ending:
            await stack.aclose()

    server = local_server_at(own_url(host, local.url))
    return OwnServer(server, public_url(host, local.url), listen, local.ended, end)


@asynccontextmanager
async def own_server(world: World, listen: tuple[str, int]) -> AsyncIterator[OwnServer]:
    """Run one as long as the context lasts, if nobody ends it before; raises as `start_own`."""
    own = await start_own(world, listen)
    try:
        yield own
    finally:
        await own.end()
