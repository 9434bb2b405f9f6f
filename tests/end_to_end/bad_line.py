"""A line between clients and a server that is slow, breaks in the middle of a frame, or falls silent."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class BadLine:
    """Carries bytes both ways. What is set here holds for connections made from now on, silence for all."""

    def __init__(self, host: str, port: int, seed: int) -> None:
        self._target = (host, port)
        self._dice = random.Random(seed)
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self.delay_s = 0.0
        self.breaks_after: tuple[int, int] | None = None
        """Between so many and so many bytes from the server, each connection is cut."""
        self.breaks = 0
        self.carrying = asyncio.Event()
        """Cleared, nothing gets through, and nobody is told."""
        self.carrying.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either end goes or the line breaks."""
        there, back = await asyncio.open_connection(*self._target)
        self._writers |= {writer, back}
        left = None if self.breaks_after is None else self._dice.randint(*self.breaks_after)
        ways = [
            asyncio.create_task(self._carry(reader, back, None)),
            asyncio.create_task(self._carry(there, writer, left)),
        ]
        self._tasks |= set(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        self._tasks -= set(ways)
        for end in (writer, back):
            end.transport.abort()
        self._writers -= {writer, back}

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: int | None
    ) -> None:
        loop, delay_s = asyncio.get_running_loop(), self.delay_s
        with suppress(OSError):
            while data := await reader.read(256):
                await self.carrying.wait()
                if delay_s:
                    loop.call_later(delay_s, writer.write, data)
                    continue
                if left is not None and len(data) >= left:
                    writer.write(data[: left // 2])
                    await writer.drain()
                    self.breaks += 1
                    return
                left = None if left is None else left - len(data)
                writer.write(data)
                await writer.drain()

    def cut_all(self) -> None:
        """Break every connection that there is."""
        for writer in self._writers:
            writer.transport.abort()


@asynccontextmanager
async def bad_line(url: str, seed: int = 1) -> AsyncIterator[BadLine]:
    """A line to the server at `url`; it is good until it is told otherwise."""
    host, port = url.removeprefix("ws://").rsplit(":", 1)
    line = BadLine(host, int(port), seed)
    server = await asyncio.start_server(line.serve, "127.0.0.1", 0)
    line.url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield line
    finally:
        server.close()
        line.carrying.set()
        line.cut_all()
        await server.wait_closed()
        if line._tasks:
            await asyncio.wait(line._tasks)
