"""What a command's loop takes in, in the order in which it comes: what the server says, and what is typed."""

import asyncio

from client_cli.backlog import Backlog
from client_cli.connection import News
from client_cli.terminal import Input


class Inbox(asyncio.Queue[News | Input]):
    """A queue on whose taker others can wait."""

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._backlog = Backlog()

    def _put(self, item: News | Input) -> None:
        super()._put(item)
        self._backlog.add()

    def _get(self) -> News | Input:
        self._backlog.take()
        return super()._get()

    async def room(self) -> None:
        """Wait until there is room for more news."""
        await self._backlog.room()
