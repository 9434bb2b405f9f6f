"""A server that is lent to a screen as one of its own."""

import asyncio

from client_cli.hosting import ALONE_AT
from client_cli.identity import server_key
from client_cli.own_server import OwnServer
from client_cli.wiring import Server


class Lent:
    """It can end by itself, and knows whether it was ended.

    Attributes:
        own: what the screen gets.
        is_up: whether neither has happened.
    """

    def __init__(self, url: str, listen: tuple[str, int] = ALONE_AT) -> None:
        self.own = OwnServer(Server(url, server_key(url)), url, listen, self._ended, self._end)
        self.is_up = True
        self._crashed = asyncio.Event()

    def crash(self) -> None:
        """End by itself."""
        self.is_up = False
        self._crashed.set()

    async def _ended(self) -> str:
        await self._crashed.wait()
        return "it has ended"

    async def _end(self) -> None:
        self.is_up = False
