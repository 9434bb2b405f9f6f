"""Opening a store by its URL, whichever kind it is.

sqlite:PATH
redis://, rediss://, redis+sentinel://, redis+cluster://    (see `server.store.redis.url`)
"""

from typing import Final

from server.clock import Clock
from server.store.base import CannotOpen, Store

REDIS_SCHEMES: Final = ("redis", "rediss", "redis+sentinel", "redis+cluster")


async def open_store(url: str, clock: Clock) -> Store:
    """Open the store at `url`. Whoever opened it closes it.

    Raises:
        StoreInUse: it takes one process only, and has one.
        CannotOpen: there is no such store, or it is not fit to keep races in. No message quotes a password.
    """
    scheme, _, place = url.partition(":")
    # Imported only where it is used: who plays on one machine needs no Redis client, and need not have one.
    if scheme == "sqlite" and place:
        from server.store.sqlite import open_sqlite  # noqa: PLC0415

        return await open_sqlite(place, clock)
    if scheme in REDIS_SCHEMES:
        from server.store.redis.opening import open_redis  # noqa: PLC0415

        return await open_redis(url, clock)
    raise CannotOpen(f"a store is sqlite:PATH, or a URL that begins with one of {', '.join(REDIS_SCHEMES)}")
