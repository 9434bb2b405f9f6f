"""Waiting by the store's time, which is what events are stamped with. A node's own clock may be off."""

from server.clock import Clock
from server.store.base import Store


async def sleep_until_stored(store: Store, clock: Clock, at_ms: int) -> None:
    """Wait until the store's time, as well as it is known here, is `at_ms` milliseconds since 1970."""
    while (left_ms := at_ms - store.now_ms()) > 0:
        await clock.sleep_until(clock.now_ms() + left_ms)
