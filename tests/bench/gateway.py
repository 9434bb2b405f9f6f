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
from tests.bench.measure import Figure, against_floor
from tests.solutions import moves_of

RACERS = 8
ROUNDS = 3
FREELY = Rate(1e6, 1_000_000)


def figures() -> list[Figure]:
    """Moves a second of eight racers in one race; client and server share one process, as for the echo."""
    with tempfile.TemporaryDirectory() as folder:
        moves = max(asyncio.run(_moves_per_s(Path(folder) / f"{turn}.sqlite")) for turn in range(ROUNDS))
    echoes = max(asyncio.run(_echoes_per_s()) for _ in range(ROUNDS))
    return against_floor("moves_answered", moves, "1/s", "websocket_echoes", echoes)


async def _moves_per_s(path: Path) -> float:
    limits = Limits(moves=FREELY, joins=FREELY, creates=FREELY, creates_per_address=FREELY)
    async with running(Config(port=0, store=f"sqlite:{path}", limits=limits)) as server:
        sockets = [await greeted(server.url, f"racer {place}") for place in range(RACERS)]
        code = await lobby(sockets)
        moves = moves_of(1)[:-1]
        begin = time.perf_counter()
        await asyncio.gather(*(race(socket, code, moves) for socket in sockets))
        took = time.perf_counter() - begin
        for socket in sockets:
            await socket.close()
    return RACERS * len(moves) / took


async def greeted(url: str, name: str) -> ClientConnection:
    """A connection of a new player."""
    socket = await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)
    await say(socket, t="hello", v=1, name=name)
    await heard(socket, "welcome")
    return socket


async def lobby(sockets: list[ClientConnection]) -> str:
    """A race that all have a seat in, and that has started."""
    settings = {"deal": 1, "countdown_s": 0, "max_racers": len(sockets)}
    await say(sockets[0], t="create", id="benchmark", settings=settings)
    code = str((await heard(sockets[0], "created"))["race"])
    for socket in sockets[1:]:
        await say(socket, t="join", race=code)
    for socket in sockets:
        await heard(socket, "seat")
    await say(sockets[0], t="start", race=code, c=1)
    await heard(sockets[0], "ack")
    return code


async def race(socket: ClientConnection, code: str, moves: list[str]) -> None:
    """Make these moves, each after the answer to the last."""
    for n, move in enumerate(moves):
        await say(socket, t="move", race=code, c=n + 2, n=n, move=move)
        await heard(socket, "ack")


async def say(socket: ClientConnection, **message: object) -> None:
    """Send a message."""
    await socket.send(json.dumps(message))


async def heard(socket: ClientConnection, kind: str) -> dict[str, object]:
    """The next message of this kind."""
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
                await say(socket, t="move", race="ABCDEFGH", c=1, n=0, move="3a")
                await socket.recv()

        await asyncio.gather(*(talk(socket) for socket in sockets))
        took = time.perf_counter() - begin
        for socket in sockets:
            await socket.close()
    return RACERS * count / took
