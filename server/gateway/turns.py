"""Turns of the event loop, shared out among those who each take long over theirs."""

import asyncio


class Turns:
    """Lets many begin one after the other, so that all else waits for one of them at the most."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def mine(self) -> None:
        """Wait for a turn in which nobody else begins; first come, first served."""
        async with self._lock:
            await asyncio.sleep(0)
