"""`rediss://`, by a forwarder that speaks TLS to the store and plainly to Redis."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
import trustme

from server.store.base import START, CannotOpen
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.opening import MakeDriver
from server.store.redis.timing import Timing
from tests.redis_server import RedisServer
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import Watcher, put


@pytest.fixture
def make() -> MakeDriver:
    return RedisPyDriver


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def ca_file(authority: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(path)
    return path


@pytest.fixture
async def tls_port(authority: trustme.CA, server: RedisServer) -> AsyncIterator[int]:
    """A port that speaks TLS, with a certificate for `localhost`, in front of Redis."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    tasks: set[asyncio.Task[None]] = set()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        upstream, downstream = await asyncio.open_connection("127.0.0.1", server.port)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await asyncio.gather(_pass_on(reader, downstream), _pass_on(upstream, writer))
        finally:
            writer.transport.abort()
            downstream.transport.abort()
            tasks.discard(task)

    forwarder = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    yield forwarder.sockets[0].getsockname()[1]
    forwarder.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    raise ConnectionResetError


async def test_a_store_over_tls_appends_reads_and_watches(open_: Open, tls_port: int, ca_file: Path) -> None:
    store = await open_(f"rediss://localhost:{tls_port}?ca={ca_file}")
    watcher = Watcher()
    store.watch("race:A", watcher)
    tip = await put(store, "race:A", START, b"x" * 100_000)
    await watcher.hear(1)
    assert await store.is_newest("race:A", tip)


async def test_a_certificate_of_an_unknown_authority_is_refused(open_: Open, tls_port: int) -> None:
    with pytest.raises(CannotOpen, match=r"(?i)certificate verify failed"):
        await open_(f"rediss://localhost:{tls_port}")


async def test_a_certificate_for_another_host_is_refused(open_: Open, tls_port: int, ca_file: Path) -> None:
    with pytest.raises(CannotOpen, match=r"(?i)certificate verify failed"):
        await open_(f"rediss://127.0.0.1:{tls_port}?ca={ca_file}")


async def test_a_redis_that_does_not_speak_tls_is_refused(open_: Open, server: RedisServer) -> None:
    with pytest.raises(CannotOpen, match="cannot open the store rediss://127"):
        await open_(f"rediss://127.0.0.1:{server.port}", timing=Timing())


async def test_a_file_of_certificates_that_is_not_there_is_refused(open_: Open, tls_port: int) -> None:
    with pytest.raises(CannotOpen, match="No such file"):
        await open_(f"rediss://localhost:{tls_port}?ca=/no/such/ca.pem")
