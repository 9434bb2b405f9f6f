"""The store on Redis by each of its drivers against SQLite, and a crowded race over three nodes."""

import asyncio
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection

from server.clock import SystemClock
from server.store.opening import open_store
from tests.bench.durable import flood
from tests.bench.gateway import greeted, lobby, race, say
from tests.bench.measure import Figure, against_floor
from tests.end_to_end.topology import Node, get
from tests.redis_server import redis_running
from tests.solutions import moves_of

ROUNDS: Final = 4
RACERS: Final = 8
MOVES: Final = 80
"""Of each racer: no more than anybody may make at once."""

CROWD: Final = 100
CROWD_MOVES: Final = 6
PAUSE_S: Final = 1.0
"""Between two moves of one of the crowd: 100 commands a second in all."""


def figures() -> list[Figure]:
    """Appends a second, processor time of an append and of a move of a node; then the crowd."""
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        with redis_running(folder / "redis") as redis:
            # A user's name, even that of everybody, takes the driver on redis.asyncio.
            by_driver = {"asyncio_redis": redis.url, "redis_py": redis.url.replace("//", "//default:any@")}
            floods = {}
            for name, url in {**by_driver, "sqlite": f"sqlite:{folder}/flood.sqlite"}.items():
                redis.tell("FLUSHALL")
                floods[name] = asyncio.run(_flood(url)), asyncio.run(_move_us(folder, name, url))
            redis.tell("FLUSHALL")
            alone = asyncio.run(_crowd(folder, redis.url, 1))
            redis.tell("FLUSHALL")
            spread = asyncio.run(_crowd(folder, redis.url, 3))
    (floor, floor_move_us), found = floods.pop("sqlite"), []
    for name, (store, move_us) in floods.items():
        found += against_floor(f"{name}_appends", store.per_s, "1/s", "sqlite_appends", floor.per_s)
        found += against_floor(f"{name}_append_cpu", store.cpu_us, "us", "sqlite_append_cpu", floor.cpu_us)
        found += against_floor(f"{name}_move_cpu", move_us, "us", "sqlite_move_cpu", floor_move_us)
    found += [
        Figure("crowd_conflicts_on_three_nodes", spread[0], "%"),
        Figure("crowd_conflicts_on_one_node", alone[0], "%"),
    ]
    return found + against_floor(
        "crowd_p99_answer_on_three_nodes", spread[1], "us", "crowd_p99_answer_on_one_node", alone[1]
    )


async def _flood(url: str) -> Any:
    store = await open_store(url, SystemClock())
    try:
        return await flood(store)
    finally:
        await store.close()


async def _move_us(folder: Path, name: str, url: str) -> float:
    """Microseconds of processor time that a node takes for a move; its start and its end not counted."""
    moves = moves_of(1)[:MOVES]
    idle = await _node_s(Node(f"{name} idle", folder, url), [])
    busy = await _node_s(Node(f"{name} busy", folder, url), moves)
    return (busy - idle) / (ROUNDS * RACERS * len(moves)) * 1e6


async def _node_s(node: Node, moves: list[str]) -> float:
    """The processor time of a node's whole life, in which some racers make these moves in some races."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    await node.start()
    for _ in range(ROUNDS):
        sockets = [await greeted(node.url, f"racer {place}") for place in range(RACERS)]
        code = await lobby(sockets)
        await asyncio.gather(*(race(socket, code, moves) for socket in sockets))
        await asyncio.gather(*(socket.close() for socket in sockets))
    assert await node.stop() == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


# The crowd.


async def _crowd(folder: Path, url: str, nodes: int) -> tuple[float, float]:
    """Of a hundred racers in one race: % of appends that conflict, 99th percentile of answers in us."""
    servers = [Node(f"{nodes} crowd {place}", folder, url) for place in range(nodes)]
    for server in servers:
        await server.start()
    sockets = [await greeted(servers[place % nodes].url, f"racer {place}") for place in range(CROWD)]
    code = await lobby(sockets)
    before = await _appends(servers)
    waits = await asyncio.gather(
        *(_stroll(socket, code, PAUSE_S * place / CROWD) for place, socket in enumerate(sockets))
    )
    counted = await _appends(servers) - before
    await asyncio.gather(*(socket.close() for socket in sockets))
    for server in servers:
        assert await server.stop() == 0
    answers = sorted(wait for some in waits for wait in some)
    return 100 * counted["conflict"] / counted.total(), answers[len(answers) * 99 // 100] * 1e6


async def _appends(servers: Sequence[Node]) -> Counter[str]:
    """What the appends of all nodes came to so far, as their /metrics tell."""
    counts: Counter[str] = Counter()
    for server in servers:
        _, text = await get(server.port, "/metrics")
        for outcome, count in re.findall(
            r'^cellrace_appends_total\{outcome="(\w+)"\} (\S+)$', text, re.MULTILINE
        ):
            counts[outcome] += int(float(count))
    return counts


async def _stroll(socket: ClientConnection, code: str, delay_s: float) -> list[float]:
    """Some moves with pauses; how long each answer took, in seconds."""
    answered: asyncio.Queue[float] = asyncio.Queue()

    async def listen() -> None:
        # Also in the pauses, lest what others do waits here.
        async for frame in socket:
            if '"t":"ack"' in str(frame):
                answered.put_nowait(time.perf_counter())

    listening = asyncio.create_task(listen())
    waits = []
    await asyncio.sleep(delay_s)
    for n, move in enumerate(moves_of(1)[:CROWD_MOVES]):
        begin = time.perf_counter()
        await say(socket, t="move", race=code, c=n + 2, n=n, move=move)
        waits.append(await answered.get() - begin)
        await asyncio.sleep(PAUSE_S)
    listening.cancel()
    return waits
