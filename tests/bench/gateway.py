"""The whole server on loopback: moves answered and shown to all racers, against a bare WebSocket echo."""

import asyncio
import json
import tempfile
import time
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from protocol.version import SUBPROTOCOL
from server.app import running
from server.config import Config
from server.gateway.limits import Limits, Rate
from tests.bench.core import solution
from tests.bench.measure import Figure, against_floor

RACERS = 8
ROUNDS = 3
_FREELY = Rate(1e6, 1_000_000)


def figures() -> list[Figure]:
    """Moves a second of eight racers in one race; client and server share one process, as for the echo."""
    with tempfile.TemporaryDirectory() as folder:
        moves = max(asyncio.run(_moves_per_s(Path(folder) / f"{turn}.sqlite")) for turn in range(ROUNDS))
    echoes = max(asyncio.run(_echoes_per_s()) for _ in range(ROUNDS))
    return against_floor("moves_answered", moves, "1/s", "websocket_echoes", echoes)


async def _moves_per_s(path: Path) -> float:
    limits = Limits(moves=_FREELY, joins=_FREELY, creates=_FREELY, creates_per_address=_FREELY)
    async with running(Config(port=0, store=f"sqlite:{path}", limits=limits)) as server:
        sockets = [await _greeted(server.url, f"racer {place}") for place in range(RACERS)]
        code = await _lobby(sockets)
        moves = solution(1)[:-1]
        begin = time.perf_counter()
        await asyncio.gather(*(_race(socket, code, moves) for socket in sockets))
        took = time.perf_counter() - begin
        for socket in sockets:
            await socket.close()
    return RACERS * len(moves) / took


async def _greeted(url: str, name: str) -> ClientConnection:
    socket = await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
    await _say(socket, t="hello", v=1, name=name)
    await _heard(socket, "welcome")
    return socket


async def _lobby(sockets: list[ClientConnection]) -> str:
    """A race that all have a seat in, and that has started."""
    await _say(sockets[0], t="create", id="benchmark", settings={"deal": 1, "countdown_s": 0})
    code = str((await _heard(sockets[0], "created"))["race"])
    for socket in sockets[1:]:
        await _say(socket, t="join", race=code)
    for socket in sockets:
        await _heard(socket, "seat")
    await _say(sockets[0], t="start", race=code, c=1)
    await _heard(sockets[0], "ack")
    return code


async def _race(socket: ClientConnection, code: str, moves: list[str]) -> None:
    for n, move in enumerate(moves):
        await _say(socket, t="move", race=code, c=n + 2, n=n, move=move)
        await _heard(socket, "ack")


async def _say(socket: ClientConnection, **message: object) -> None:
    await socket.send(json.dumps(message))


async def _heard(socket: ClientConnection, kind: str) -> dict[str, object]:
    while True:
        message: dict[str, object] = json.loads(await socket.recv())
        assert message["t"] != "refused", message
        if message["t"] == kind:
            return message


async def _echoes_per_s() -> float:
    async def echo(socket: ServerConnection) -> None:
        async for frame in socket:
            await socket.send(frame)

    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        sockets = [await connect(f"ws://127.0.0.1:{port}", compression=None) for _ in range(RACERS)]
        count = 200
        begin = time.perf_counter()

        async def talk(socket: ClientConnection) -> None:
            for _ in range(count):
                await _say(socket, t="move", race="ABCDEFGH", c=1, n=0, move="3a")
                await socket.recv()

        await asyncio.gather(*(talk(socket) for socket in sockets))
        took = time.perf_counter() - begin
        for socket in sockets:
            await socket.close()
    return RACERS * count / took
