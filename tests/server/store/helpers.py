"""What the tests of the SQLite store share."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.store.base import START, Outcome, Tip, new_tag
from server.store.sqlite import SqliteStore
from server.store.sqlite_logs import SqliteLogs

ROOT = Path(__file__).parents[3]


async def append(store: SqliteStore, log_id: str, after: Tip = START, data: bytes = b"x") -> Outcome:
    return await store.append(log_id, after, [data], tag=new_tag())


@asynccontextmanager
async def holding(store: SqliteStore) -> AsyncIterator[None]:
    """Keep the store's thread busy, so that what is handed over meanwhile gathers in its queue."""
    entered, released = threading.Event(), threading.Event()

    def hold(logs: SqliteLogs) -> None:
        entered.set()
        assert released.wait(30)

    held = asyncio.create_task(store._ask(hold))
    assert await asyncio.to_thread(entered.wait, 30)
    try:
        yield
        await asyncio.sleep(0)  # what the block started gets its turn to be handed over
    finally:
        released.set()
    await held


class Child:
    """`tests.server.store.child` in a process of its own, its lines on standard output as they come."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def line(self) -> str:
        """The next line; empty when there are no more."""
        assert self._process.stdout is not None
        async with asyncio.timeout(30):
            return (await self._process.stdout.readline()).decode().rstrip("\n")

    async def kill(self) -> list[str]:
        """End the process as `kill -9` does, and return the whole lines that it had printed by then."""
        os.kill(self._process.pid, signal.SIGKILL)
        lines = []
        assert self._process.stdout is not None
        while (line := await self._process.stdout.readline()).endswith(b"\n"):
            lines.append(line.decode().rstrip("\n"))
        assert await self._process.wait() == -signal.SIGKILL
        return lines

    async def end(self) -> int:
        """Wait until the process ends by itself; its exit status."""
        async with asyncio.timeout(60):
            return await self._process.wait()


@asynccontextmanager
async def child(command: str, path: Path) -> AsyncIterator[Child]:
    """Run a command of `tests.server.store.child` on the store at `path`."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server.store.child",
        command,
        str(path),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        yield Child(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
