"""A server that follows a script: what it expects to hear and what it then says, connection by connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.codec import encode, read_command
from protocol.commands import Command, Hello
from protocol.events import Event
from protocol.version import SUBPROTOCOL
from tests.client_cli.samples import welcome

Kind = TypeVar("Kind", bound=Command)


class Peer:
    """One connection of a client."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self) -> Command:
        return read_command(await self.socket.recv(decode=False))

    async def expect(self, kind: type[Kind]) -> Kind:
        command = await self.hear()
        assert isinstance(command, kind), command
        return command

    async def tell(self, *events: Event) -> None:
        for event in events:
            await self.socket.send(encode(event), text=True)

    async def greet(self, *, token: str | None = None) -> Hello:
        hello = await self.expect(Hello)
        await self.tell(welcome(token=token))
        return hello

    async def close(self, code: int = 1000, reason: str = "") -> None:
        await self.socket.close(code, reason)

    def abort(self) -> None:
        self.socket.transport.abort()

    async def stay(self) -> None:
        """Until the client goes; it has nothing more to say."""
        try:
            raise AssertionError(f"unexpected: {await self.hear()}")
        except ConnectionClosed:
            return


Script = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def serving(*scripts: Script, subprotocol: str = SUBPROTOCOL) -> AsyncIterator[str]:
    """A server whose first connection follows the first script, and so on, all of them to the end.

    A script that fails ends the test at once, with its failure.
    """
    left = list(scripts)
    failures: list[BaseException] = []
    followed = 0
    test = asyncio.current_task()
    assert test is not None

    async def follow(socket: ServerConnection) -> None:
        nonlocal followed
        try:
            await left.pop(0)(Peer(socket))
            followed += 1
        except Exception as failure:
            failures.append(failure)
            test.cancel()
            raise

    try:
        async with serve(follow, "127.0.0.1", 0, subprotocols=[Subprotocol(subprotocol)]) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            yield f"ws://127.0.0.1:{port}"
    except asyncio.CancelledError:
        if not failures:
            raise
        test.uncancel()
        raise failures[0] from None
    assert followed == len(scripts)
