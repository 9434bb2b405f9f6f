"""The real server as a process of its own."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@asynccontextmanager
async def running_server(folder: Path, **environment: str) -> AsyncIterator[str]:
    """Start a server whose store is in `folder`, with more in its environment; its WebSocket address.

    It must say where it listens and nothing else, and end well when asked to.
    """
    command = [
        sys.executable,
        "-m",
        "server.cli",
        "serve",
        "--port",
        "0",
        "--store",
        f"sqlite:{folder}/races.sqlite",
    ]
    with (folder / "stderr").open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            stdin=asyncio.subprocess.DEVNULL,
        )
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), 20)
        said = re.fullmatch(rb"cellrace-server listening on (ws://127\.0\.0\.1:\d+)\n", line)
        assert said, (line, (folder / "stderr").read_text())
        yield said[1].decode()
    finally:
        if process.returncode is None:
            process.terminate()
        rest, _ = await asyncio.wait_for(process.communicate(), 30)
    assert (process.returncode, rest) == (0, b"")
    assert "Traceback" not in (folder / "stderr").read_text()
