"""What was heard and not looked at yet: whoever hears more waits until there is not too much of it."""

import asyncio
from typing import Final

MOST: Final = 32
"""News that wait at most. What is typed, and the wish to leave, waits behind no more than these."""


class Backlog:
    """Counts what waits."""

    def __init__(self) -> None:
        self._waiting = 0
        self._has_room = asyncio.Event()
        self._look()

    def add(self) -> None:
        """One more waits."""
        self._waiting += 1
        self._look()

    def take(self) -> None:
        """One less."""
        self._waiting -= 1
        self._look()

    async def room(self) -> None:
        """Wait until another one may come."""
        await self._has_room.wait()

    def _look(self) -> None:
        if self._waiting < MOST:
            self._has_room.set()
        else:
            self._has_room.clear()
