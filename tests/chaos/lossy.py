"""A proxy in front of a Redis that can be told to lead to another one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.server.store.redis.proxy import Proxy


class Switch(Proxy):
    """A proxy whose target can be changed, as that of a name can."""

    def lead_to(self, port: int) -> None:
        """Cut all connections; new ones lead there."""
        self._target = port
        self.cut()


@asynccontextmanager
async def switch_to(port: int) -> AsyncIterator[Switch]:
    """One that is there while the block runs."""
    switch = Switch(port)
    await switch.start()
    try:
        yield switch
    finally:
        with suppress(ExceptionGroup):
            await switch.close()
