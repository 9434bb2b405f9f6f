"""A TCP proxy in front of a Redis, to lose, delay and cut what passes through."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

_CHUNK = 1 << 16


class Proxy:
    """Passes everything on, unless told otherwise.

    Attributes:
        swallow: asked for each reply, by its number from 1 on; those it wants are not passed on.
        delay_s: how long each reply takes to pass.
        holding: replies wait while this is not set.
        refusing: new connections are cut at once.
    """

    def __init__(self, target: int) -> None:
        self.port = 0
        self.swallow: Callable[[int], bool] = lambda number: False
        self.delay_s = 0.0
        self.passing = asyncio.Event()
        self.passing.set()
        self.refusing = False
        self.replies = 0
        self.swallowed = 0
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def swallow_next(self) -> None:
        """Do not pass on the next reply, and all after it."""
        before = self.swallowed
        self.swallow = lambda number: self.swallowed == before

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """End all connections, as a cable does."""
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        try:
            if not self.refusing:
                await self._serve(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # cancelled by `close`; a stream's own callback would report that as a failure
        finally:
            writer.transport.abort()
            self._writers.discard(writer)
            self._tasks.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream, downstream = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.add(downstream)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pass_requests(reader, downstream))
                group.create_task(self._pass_replies(upstream, writer))
        except* (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            downstream.transport.abort()
            self._writers.discard(downstream)

    async def _pass_replies(self, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take replies as they come, and deliver each when it is due."""
        replies: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def deliver() -> None:
            while True:
                due, reply = await replies.get()
                if due > loop.time():
                    await asyncio.sleep(due - loop.time())
                await self.passing.wait()
                writer.write(reply)
                await writer.drain()

        async with asyncio.TaskGroup() as group:
            group.create_task(deliver())
            while True:
                reply = await read_reply(upstream)
                self.replies += 1
                if self.swallow(self.replies):
                    self.swallowed += 1
                else:
                    replies.put_nowait((loop.time() + self.delay_s, reply))


async def _pass_requests(reader: asyncio.StreamReader, downstream: asyncio.StreamWriter) -> None:
    while data := await reader.read(_CHUNK):
        downstream.write(data)
        await downstream.drain()
    raise ConnectionResetError


async def read_reply(stream: asyncio.StreamReader) -> bytes:
    """One whole reply of a Redis, as its bytes."""
    line = await stream.readuntil(b"\r\n")
    size = int(line[1:]) if line[:1] in b"$*" else 0
    if line[:1] == b"$" and size >= 0:
        return line + await stream.readexactly(size + 2)
    if line[:1] == b"*":
        return line + b"".join([await read_reply(stream) for _ in range(size)])
    return line


@asynccontextmanager
async def proxy_to(port: int) -> AsyncIterator[Proxy]:
    """A proxy that is there while the block runs."""
    proxy = Proxy(port)
    await proxy.start()
    try:
        yield proxy
    finally:
        with suppress(ExceptionGroup):
            await proxy.close()
