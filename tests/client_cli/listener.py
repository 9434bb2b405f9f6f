"""One who listens to a conversation with a scripted server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from client_cli.connection import Conversation, News, Surroundings
from client_cli.session import Session
from client_cli.waits import growing_waits
from protocol.commands import Hello, Join
from protocol.events import Bye
from protocol.version import PROTOCOL
from tests.client_cli.fake_server import Peer, Script, serving
from tests.client_cli.samples import LAYOUT, RACE, seat, snapshot


class Listener:
    """Takes what a conversation reports, and the time that it wants to wait."""

    def __init__(self, url: str, *, token: str | None = None) -> None:
        self.news: asyncio.Queue[News] = asyncio.Queue()
        self.slept: list[float] = []
        self.asleep = asyncio.Event()
        self.now_ms = 0
        around = Surroundings(lambda: self.now_ms, lambda: growing_waits(lambda: 0.0), self._sleep)
        hello = Hello(PROTOCOL, "ann", token)
        self.conversation = Conversation(url, hello, Session(Join(RACE)), self.news.put_nowait, around)

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    async def until(self, kind: type[News]) -> News:
        """The next news of that kind."""
        while not isinstance(news := await self.news.get(), kind):
            pass
        return news

    async def until_settled(self) -> None:
        while not self.conversation.session.is_settled:
            await self.news.get()


@asynccontextmanager
async def listening(*scripts: Script, token: str | None = None) -> AsyncIterator[Listener]:
    async with serving(*scripts) as url:
        listener = Listener(url, token=token)
        async with asyncio.TaskGroup() as group:
            task = group.create_task(listener.conversation.run())
            yield listener
            task.cancel()


async def seated(peer: Peer) -> None:
    """Let somebody in whose race is running."""
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(board=LAYOUT), snapshot("running"))


def closing(code: int, bye: Bye | None = None) -> Script:
    async def script(peer: Peer) -> None:
        await seated(peer)
        if bye is not None:
            await peer.tell(bye)
        await peer.close(code)

    return script


async def staying(peer: Peer) -> None:
    await seated(peer)
    await peer.stay()
