"""A server that says more than anybody can look at is read only as fast as it is looked at."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from client_cli.backlog import MOST
from client_cli.connection import Conversation, Heard, News, Surroundings
from client_cli.identity import TokenFile
from client_cli.inbox import Inbox
from client_cli.screens.link import Link
from client_cli.session import Session
from client_cli.terminal import Typed
from client_cli.waits import growing_waits
from client_cli.wiring import Server, Who
from protocol.commands import Hello, Join
from protocol.events import Presence
from protocol.version import PROTOCOL
from tests.client_cli.fake_server import Peer, serving
from tests.client_cli.rig import Time
from tests.client_cli.samples import ME, RACE, seat, snapshot


def around() -> Surroundings:
    time = Time()
    return Surroundings(time.now_ms, lambda: growing_waits(lambda: 0.0), time.sleep)


async def flooding(peer: Peer) -> None:
    """Say the same for as long as somebody listens."""
    await peer.greet()
    await peer.expect(Join)
    await peer.tell(seat(), snapshot())
    with suppress(ConnectionClosed):
        while True:
            await peer.tell(Presence(RACE, (ME,)))


async def turns(count: int) -> None:
    """Let all others have so many turns."""
    for _ in range(count):
        await asyncio.sleep(0)


async def follows(taker: Callable[[], object], heard: Callable[[], int]) -> None:
    """Whoever listens hears as much as waits at most, and one thing more for each that he takes."""
    async with asyncio.timeout(10):
        for taken in range(3):
            while heard() < MOST + taken:
                await turns(1)
            await turns(1000)  # nothing more may come, for which no condition can be awaited
            assert heard() == MOST + taken
            taker()


async def test_a_conversation_reads_as_fast_as_its_inbox_is_emptied() -> None:
    async with serving(flooding) as url:
        inbox = Inbox()
        hello = Hello(PROTOCOL, "ann")
        talking = Conversation(url, hello, Session(Join(RACE)), inbox.put_nowait, around(), inbox.room)
        task = asyncio.create_task(talking.run())
        taken: list[object] = []
        await follows(lambda: taken.append(inbox.get_nowait()), lambda: inbox.qsize() + len(taken))
        talking.drop()
        task.cancel()
        await asyncio.wait([task])


async def test_a_link_reads_as_fast_as_the_screen_looks(tmp_path: Path) -> None:
    async with serving(flooding) as url:
        heard: list[News] = []
        link = Link(heard.append, pytest.fail, around())
        await link.enter(Who("ann", TokenFile(tmp_path / "token")), Server(url, "x"), Session(Join(RACE)))
        await follows(link.looked_at, lambda: len(heard))
        assert isinstance(heard[-1], Heard)
        link.drop()
        await link.close()


async def test_what_is_typed_is_taken_at_once() -> None:
    inbox = Inbox()
    for _ in range(MOST + 1):
        inbox.put_nowait(Typed("b"))
    assert inbox.qsize() == MOST + 1
