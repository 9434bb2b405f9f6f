"""Tasks that nobody awaits: kept alive, their failures logged, ended together."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

log = logging.getLogger(__name__)


class Tasks:
    """The background tasks of one owner."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background; the event loop alone would keep only a weak reference to it."""
        _ = self.start(work)

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """The same, for whoever may have to cancel it."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    async def close(self) -> None:
        """Cancel all of them and wait until they have ended."""
        for task in list(self._running):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a background task failed", exc_info=error)
