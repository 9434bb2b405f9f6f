"""A server of one's own, on this machine: started for a race or for the deal of the day."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

from client_cli.hosting import ALONE_AT, own_url, public_url
from client_cli.local_server import local_server
from client_cli.screens.seating import Seating
from client_cli.session import Session, Visit
from client_cli.wiring import local_server_at
from client_cli.world import World


class OwnServer:
    """One at a time; it ends when nobody needs it any more, and with the program at the latest.

    As long as it is there, it alone has the races open that are kept on this machine.

    Attributes:
        needed_in: the races on it in which others are.

    Args:
        world: what is around.
        stack: what ends the server; it may hold one that the program was started with.
        report: told why, where one ends by itself.
    """

    def __init__(self, world: World, stack: AsyncExitStack, report: Callable[[str], Awaitable[None]]) -> None:
        self.needed_in: frozenset[str] = frozenset()
        self._world = world
        self._stack = stack
        self._report = report
        self._place: Seating | None = None
        self._listen: tuple[str, int] | None = None
        self._lifeline: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether there is one, as far as we know."""
        return self._place is not None

    async def start(self, listen: tuple[str, int]) -> Seating:
        """A place on it, with nothing to enter yet; one that is up is kept if it can be reached there.

        Args:
            listen: host and port.

        Raises:
            ClientError: it does not start; in words.
        """
        if self._place is not None and listen in {ALONE_AT, self._listen}:
            return self._place
        self.leave()
        await self.ended()
        host, port = listen
        context = local_server(self._world.data_folder, host, port, self._world.environment)
        local = await self._stack.enter_async_context(context)
        server = local_server_at(own_url(host, local.url))
        place = Seating(server, Session(Visit()), public_url(host, local.url))
        self.take_over(place, local.ended, listen)
        return place

    def take_over(
        self, place: Seating, ended: Callable[[], Awaitable[str]], listen: tuple[str, int] | None = None
    ) -> None:
        """This one is ours from now on.

        Args:
            place: where it is.
            ended: waits until it ends by itself; what to say of that.
            listen: where it listens, if that is known.
        """
        self._place = Seating(place.server, Session(Visit()), place.public_url)
        self._listen = listen
        self._lifeline = asyncio.create_task(self._report_end(ended))

    def leave(self) -> None:
        """Nobody needs it any more: it ends, and nobody waits for that here."""
        self._place, self.needed_in = None, frozenset()
        if self._lifeline is not None:
            self._lifeline.cancel()
            self._lifeline = None
            self._ending = asyncio.create_task(self._stack.aclose())

    async def ended(self) -> None:
        """Wait until one that was left has ended."""
        if self._ending is not None:
            await self._ending

    async def _report_end(self, ended: Callable[[], Awaitable[str]]) -> None:
        why = await ended()
        self._place = None
        await self._report(why)
