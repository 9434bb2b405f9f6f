"""Run by the tests in a process of its own: it wins an attempt, writes its result, and dies on the way."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from typing import Any

from server.clock import SystemClock
from server.daily.projecting import Projector
from server.store.base import Store
from server.store.opening import open_store
from server.store.redis.opening import open_redis
from tests.redis_server import PATIENT
from tests.server.daily.attempts import Attempt


class Deadly:
    """A store, or its tables, that kill the process at a certain call: before it, or in the midst of it."""

    def __init__(self, inner: object, count: "Count") -> None:
        self._inner = inner
        self._count = count

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name == "results":
            return Deadly(found, self._count)
        if not asyncio.iscoroutinefunction(found):
            return found

        async def call(*args: Any, **named: Any) -> Any:
            return await self._count.pass_by(lambda: found(*args, **named))

        return call


class Count:
    """Counts calls up to the last one."""

    def __init__(self, last: int, how: str) -> None:
        self._left = last
        self._how = how

    async def pass_by(self, call: Callable[[], Awaitable[Any]]) -> Any:
        self._left -= 1
        if self._left:
            return await call()
        if self._how == "during":
            task = asyncio.ensure_future(call())
            for _ in range(3):  # it is handed over, and nobody has heard what came of it
                await asyncio.sleep(0)
            del task
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("this is not reached")


def deadly(store: Store, last: int, how: str) -> Store:
    """The store that kills at the call of this number."""
    found: Any = Deadly(store, Count(last, how))
    return found  # type: ignore[no-any-return]  # it passes everything on


def win_and_die(url: str, last: int, how: str) -> None:
    """Win, write, and die at that call; if there are fewer, come to an end."""
    asyncio.run(_win(url, last, how))


async def opened(url: str) -> Store:
    """The store there; a Redis may take its time."""
    if url.startswith("redis"):
        return await open_redis(url, SystemClock(), PATIENT)
    return await open_store(url, SystemClock())


async def _win(url: str, last: int, how: str) -> None:
    store = await opened(url)
    dying = deadly(store, last, how)
    attempt = Attempt().win()
    await attempt.append_to(dying)
    await Projector(dying, SystemClock()).sweep()
    await store.close()
