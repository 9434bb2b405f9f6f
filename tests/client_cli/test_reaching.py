"""Why a server cannot be reached, in words; and that no other is reached in its place."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import InvalidProxy, InvalidURI
from websockets.http11 import Request, Response

from client_cli.connection import Conversation, News, Over, Surroundings
from client_cli.reaching import why_unreachable
from client_cli.session import Session
from client_cli.waits import growing_waits
from protocol.commands import Hello, Join
from protocol.version import PROTOCOL
from tests.client_cli.samples import RACE, TOKEN


async def outcome(url: str) -> str:
    """What a conversation with that address ends with, at once."""
    news: list[News] = []
    around = Surroundings(lambda: 0, lambda: growing_waits(lambda: 0.0))
    await Conversation(url, Hello(PROTOCOL, "ann", TOKEN), Session(Join(RACE)), news.append, around).run()
    assert len(news) == 1
    assert isinstance(news[0], Over)
    return news[0].why


@asynccontextmanager
async def answering(status: int, **headers: str) -> AsyncIterator[str]:
    """A server that answers every handshake so; its address."""

    def answer(connection: ServerConnection, _: Request) -> Response:
        response = connection.respond(status, "\n")
        for name, value in headers.items():
            response.headers[name] = value
        return response

    async with serve(lambda _: asyncio.sleep(0), "127.0.0.1", 0, process_request=answer) as server:
        yield f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"


NO_ADDRESS = "no such address can be, its own or that of a proxy which the environment names"


@pytest.mark.parametrize("where", ["other", "port 99999", "same"])
async def test_no_redirect_is_followed(where: str) -> None:
    reached: list[ServerConnection] = []

    async def other(socket: ServerConnection) -> None:
        reached.append(socket)

    async with serve(other, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        target = {"other": f"ws://localhost:{port}/", "port 99999": "ws://h:99999/", "same": "/there"}[where]
        async with answering(302, Location=target) as url:
            why = await outcome(url)
    assert (
        why == f"cannot reach {url}: it sends you on to {target}; if that is right, name that server yourself"
    )
    assert reached == []


async def test_a_server_that_has_no_time_is_a_server_all_the_same() -> None:
    async with answering(503) as url:
        assert await outcome(url) == f"cannot reach {url}: it answers HTTP 503: not to be had at the moment"


@pytest.mark.parametrize("host", ["a..b", ".a", "a" * 64 + ".example", "a\u202eb"])
async def test_a_host_that_cannot_be(host: str) -> None:
    why = await outcome(f"ws://{host}:1")
    assert why.endswith(": no host can have such a name")
    assert "\u202e" not in why


@pytest.mark.parametrize(
    ("proxy", "why"),
    [
        ("socks5://127.0.0.1:1", "this program cannot use the SOCKS proxy that the environment names"),
        ("http://127.0.0.1:99999", "no such address can be, its own or that of a proxy"),
        ("http://[::1", "no such address can be, its own or that of a proxy"),
    ],
)
async def test_a_proxy_that_is_no_use(proxy: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("https_proxy", proxy)
    assert why in await outcome("wss://192.0.2.7")


def untrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    error.verify_message = "self-signed certificate"
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (TimeoutError("timed out during opening handshake"), "no answer in time"),
        (ConnectionRefusedError(111, "Connect call failed"), "nothing listens there"),
        (untrusted(), "its certificate is not to be trusted (self-signed certificate)"),
        (ssl.SSLError(1, "[SSL] record layer failure"), "no secure connection ([SSL] record layer failure)"),
        (OSError(113, "No route to host"), "No route to host"),
        (OSError("several\x1b things"), "several  things"),
        (ConnectionAbortedError(), "it hung up without a word"),
        (InvalidURI("ws//", "no scheme"), NO_ADDRESS),
        (InvalidProxy("ws//", "no scheme"), NO_ADDRESS),
        (ValueError("server_hostname cannot be an empty string"), NO_ADDRESS),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_reasons_in_words(error: Exception, reason: str) -> None:
    assert why_unreachable(error) == reason
