"""One server of one's own at a time, as long as it is needed."""

import asyncio
import io
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from client_cli.hosting import ALONE_AT
from client_cli.screens import own_server
from client_cli.screens.own_server import OwnServer
from client_cli.world import World, monotonic_ms

EVERYWHERE = ("0.0.0.0", 8765)


class Fake:
    """A server that ends when it is told to, or by itself."""

    def __init__(self, number: int) -> None:
        self.url = f"ws://127.0.0.1:{number}"
        self.is_up = True
        self.crash = asyncio.Event()

    async def ended(self) -> str:
        await self.crash.wait()
        return "it has ended"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Fake]:
    """The servers that were started, in order."""
    servers: list[Fake] = []

    @asynccontextmanager
    async def start(_folder: Path, _host: str, _port: int, _env: Mapping[str, str]) -> AsyncIterator[Fake]:
        assert not any(server.is_up for server in servers), "they would fight for the store"
        fake = Fake(len(servers))
        servers.append(fake)
        yield fake
        fake.is_up = False

    monkeypatch.setattr(own_server, "local_server", start)
    return servers


@pytest.fixture
async def told() -> asyncio.Queue[str]:
    """What was reported."""
    return asyncio.Queue()


@pytest.fixture
async def own(started: list[Fake], told: asyncio.Queue[str]) -> AsyncIterator[OwnServer]:
    """No server yet."""
    del started
    async with AsyncExitStack() as stack:
        server = OwnServer(World({}, 0, io.StringIO(), False, monotonic_ms), stack, told.put)
        yield server
        server.leave()
        await server.ended()


async def test_one_that_is_up_is_kept_if_it_can_be_reached_there(own: OwnServer, started: list[Fake]) -> None:
    place = await own.start(EVERYWHERE)
    assert await own.start(EVERYWHERE) == place
    assert await own.start(ALONE_AT) == place
    assert len(started) == 1


async def test_one_that_others_cannot_reach_makes_way(own: OwnServer, started: list[Fake]) -> None:
    alone = await own.start(ALONE_AT)
    assert await own.start(EVERYWHERE) != alone
    assert [server.is_up for server in started] == [False, True]


async def test_one_that_is_left_ends_before_the_next(own: OwnServer, started: list[Fake]) -> None:
    await own.start(ALONE_AT)
    own.leave()
    assert not own.is_up
    await own.start(ALONE_AT)
    assert [server.is_up for server in started] == [False, True]


async def test_one_that_ends_by_itself_is_told(
    own: OwnServer, started: list[Fake], told: asyncio.Queue[str]
) -> None:
    await own.start(ALONE_AT)
    started[0].crash.set()
    assert await told.get() == "it has ended"
    assert not own.is_up
    await own.start(ALONE_AT)
    assert len(started) == 2
