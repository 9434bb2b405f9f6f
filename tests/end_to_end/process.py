"""The server as a process that can be killed, told to go, and started again on the same port and store."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PATIENCE_S: Final = 30.0


class ServerProcess:
    """One server at a time on one store. Everything it ever wrote to standard error is kept."""

    def __init__(self, folder: Path, *options: str, environment: Mapping[str, str] | None = None) -> None:
        self.store = folder / "races.sqlite"
        self.url = ""
        self.listening = asyncio.Event()
        self._errors = folder / "stderr"
        self._options = options
        self._environment = {**os.environ, **(environment or {})}
        self._port = "0"
        self._process: asyncio.subprocess.Process | None = None

    @property
    def process(self) -> asyncio.subprocess.Process:
        """The process that was started last."""
        assert self._process is not None
        return self._process

    @property
    def errors(self) -> str:
        """All that was written to standard error, by all of them."""
        return self._errors.read_text() if self._errors.exists() else ""

    async def spawn(self) -> None:
        """Start it, and do not wait until it listens."""
        command = [sys.executable, "-m", "server.cli", "serve", "--port", self._port]
        command += ["--store", f"sqlite:{self.store}", *self._options]
        with self._errors.open("ab") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *command,
                cwd=ROOT,
                env=self._environment,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
            )

    async def start(self) -> str:
        """Start it and wait until it listens, on the same port as before; where."""
        await self.spawn()
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = (await self.process.stdout.readline()).decode()
        said = re.fullmatch(r"cellrace-server listening on (ws://127\.0\.0\.1:(\d+))\n", line)
        assert said, (line, self.errors)
        self.url, self._port = said[1], said[2]
        self.listening.set()
        return self.url

    async def kill(self) -> None:
        """End it as `kill -9` does."""
        self.listening.clear()
        self.process.kill()
        _, status = await self.end()
        assert status == -signal.SIGKILL

    async def stop(self) -> tuple[str, int]:
        """Tell it to go; what else it wrote to standard output, and its status."""
        self.listening.clear()
        self.process.send_signal(signal.SIGTERM)
        return await self.end()

    async def end(self) -> tuple[str, int]:
        """Wait until it has ended by itself; the same."""
        async with asyncio.timeout(PATIENCE_S):
            output, _ = await self.process.communicate()
        assert self.process.returncode is not None
        return output.decode(), self.process.returncode


@asynccontextmanager
async def server_process(
    folder: Path, *options: str, environment: Mapping[str, str] | None = None
) -> AsyncIterator[ServerProcess]:
    """A server that is not started yet, and is no more when the block ends. It never prints a traceback."""
    server = ServerProcess(folder, *options, environment=environment)
    try:
        yield server
    finally:
        if server._process is not None and server.process.returncode is None:
            server.process.kill()
            await server.process.communicate()
    assert "Traceback" not in server.errors, server.errors
