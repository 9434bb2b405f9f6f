"""A server of one's own, on this machine: started for a race or for the deal of the day."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from client_cli.hosting import own_url, public_url
from client_cli.local_server import local_server
from client_cli.screens.seating import Seating
from client_cli.session import Session, Visit
from client_cli.wiring import local_server_at
from client_cli.world import World


class OwnServer:
    """One at a time; it ends with the program at the latest.

    Args:
        world: what is around.
        stack: what ends the server; it may hold one that the program was started with.
        report: told why, where one ends by itself.
    """

    def __init__(self, world: World, stack: AsyncExitStack, report: Callable[[str], Awaitable[None]]) -> None:
        self._world = world
        self._stack = stack
        self._report = report
        self._lifeline: asyncio.Task[None] | None = None

    async def start(self, listen: tuple[str, int]) -> Seating:
        """Start one in the place of any before: a place on it, with nothing to enter yet.

        Raises:
            ClientError: it does not start; in words.
        """
        self.forget()
        await self._stack.aclose()
        host, port = listen
        context = local_server(self._world.data_folder, host, port, self._world.environment)
        local = await self._stack.enter_async_context(context)
        server = local_server_at(own_url(host, local.url))
        return Seating(server, Session(Visit()), public_url(host, local.url), ended=local.ended)

    def watch(self, ended: Callable[[], Awaitable[str]]) -> None:
        """Report its end from now on."""
        self.forget()
        self._lifeline = asyncio.create_task(self._report_end(ended))

    def forget(self) -> None:
        """That it ends is no news any more."""
        if self._lifeline is not None:
            self._lifeline.cancel()
            self._lifeline = None

    async def _report_end(self, ended: Callable[[], Awaitable[str]]) -> None:
        await self._report(await ended())
