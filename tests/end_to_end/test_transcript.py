"""The transcript in docs/protocol.md is what the real server says."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from tests.end_to_end.server_process import running_server
from tests.protocol.document import transcript

OPAQUE: Final = re.compile(
    r"[a-z2-7]{16}(\.[a-z2-7]{26})?"  # player id, token
    r"|[A-HJKMNP-Z]{8}"  # race code
    r"|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{64}"  # tag, nonce, commitment
    r"|FC1-C4-[A-Z2-7]{7}"  # deal code
)
"""Texts that differ from one race to the next, but stand for the same thing wherever they occur."""

CARD: Final = re.compile(r"\b[A2-9TJQK][CDHS]\b")

DEFAULTS: Final = {"time_limit_s": 1800}
"""What the server may say although it may leave it out."""


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """Where a server of its own listens."""
    async with running_server(tmp_path) as address:
        yield address


class Likeness:
    """What a text of the document stands for in the race that is really run."""

    def __init__(self) -> None:
        self.real: dict[str, str] = {}

    def learn(self, told: str, real: str) -> None:
        assert self.real.setdefault(told, real) == real, (told, real, self.real)

    def translate(self, value: Any) -> Any:
        match value:
            case dict():
                return {self.translate(key): self.translate(inner) for key, inner in value.items()}
            case list():
                return [self.translate(inner) for inner in value]
            case str():
                return self.real.get(value, value)
            case _:
                return value

    def compare(self, told: Any, real: Any, path: str) -> None:
        """The same but for what is opaque, dealt, or measured."""
        name = path.rpartition(".")[2]
        match told, real:
            case dict(), dict():
                assert told.keys() | DEFAULTS.keys() >= real.keys(), path
                for key in told.keys() | real.keys():
                    self.compare(told.get(key, DEFAULTS.get(key)), real.get(key), f"{path}.{key}")
            case list(), list() if name == "cascades":
                assert list(map(len, told)) == list(map(len, real)), path
            case list(), list():
                assert len(told) == len(real), (path, told, real)
                for place, (one, other) in enumerate(zip(told, real, strict=True)):
                    self.compare(one, other, f"{path}[{place}]")
            case str(), str() if OPAQUE.fullmatch(told):
                assert OPAQUE.fullmatch(real), (path, real)
                self.learn(told, real)
            case str(), str() if name == "detail" or CARD.fullmatch(told):
                assert CARD.sub("card", told) == CARD.sub("card", real), path
            case int(), int() if name == "clock":
                assert (told < 0) == (real < 0), (path, real)
            case int(), int() if name == "deal":
                assert 1 <= real <= 1_000_000
            case _:
                assert told == real, path


async def open_connection(url: str) -> ClientConnection:
    return await connect(url, subprotocols=[Subprotocol("cellrace.v1")], compression=None)


async def hear(socket: ClientConnection) -> dict[str, Any]:
    """The next message but for those that come now and then."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if message["t"] != "presence":
            return message


async def new_token(url: str, name: str) -> str:
    async with await open_connection(url) as socket:
        await socket.send(json.dumps({"t": "hello", "v": 1, "name": name}))
        return str((await hear(socket))["token"])


async def test_the_transcript_is_what_the_server_says(url: str) -> None:
    lines = transcript()
    likeness = Likeness()
    brought = next(json.loads(line.frame)["token"] for line in lines if line.sent and '"token"' in line.frame)
    likeness.learn(brought, await new_token(url, "Ben"))
    sockets = {who: await open_connection(url) for who in sorted({line.who for line in lines})}
    for line in lines:
        message = json.loads(line.frame)
        if line.sent:
            await sockets[line.who].send(json.dumps(likeness.translate(message)))
        elif message["t"] != "presence":
            likeness.compare(message, await hear(sockets[line.who]), line.who)
    for socket in sockets.values():
        await socket.close()
