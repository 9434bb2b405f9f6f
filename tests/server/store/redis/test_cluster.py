"""`redis+cluster://`: slots that move, nodes that go, and what the others still answer."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis.crc import key_slot

from server.store.base import START, CannotOpen, Unavailable
from server.store.redis.driver_cluster import ClusterDriver
from server.store.redis.keys import log_keys
from server.store.redis.opening import MakeDriver
from server.store.redis.timing import Timing
from tests.redis_server import Cluster, RedisServer, cluster_running, free_port
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import Watcher, check_logs, put, until_up, write_logs

LOGS = [f"race:{number}" for number in range(12)]
QUICK = Timing(call_s=10.0, answer_s=0.5, connect_s=0.5, heartbeat_s=0.1, deaf_s=0.5, silence_ms=500)


@pytest.fixture
def make() -> MakeDriver:
    return ClusterDriver


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[Cluster]:
    with cluster_running(tmp_path) as cluster:
        yield cluster


def owner(cluster: Cluster, log_id: str) -> RedisServer:
    """The node that has a log."""
    slot = key_slot(log_keys(log_id.encode()).ends)
    return cluster.nodes[next(i for i in range(3) if slot < 16384 * (i + 1) // 3)]


async def test_logs_are_spread_over_the_nodes(open_: Open, cluster: Cluster) -> None:
    store = await open_(cluster.url)
    for log_id in LOGS:
        await put(store, log_id, START, b"x", wake=5000)
    assert all(node.tell("DBSIZE") > 0 for node in cluster.nodes)
    assert await store.list_logs("") == sorted(LOGS)
    assert len(await store.due(2**53, 100)) == len(LOGS)


async def test_one_node_of_the_url_is_enough(open_: Open, cluster: Cluster) -> None:
    store = await open_(f"redis+cluster://127.0.0.1:1,127.0.0.1:{cluster.nodes[2].port}")
    for log_id in LOGS:
        await put(store, log_id, START, b"x")


async def test_a_watcher_hears_of_logs_on_every_node(open_: Open, cluster: Cluster) -> None:
    here, there = await open_(cluster.url), await open_(cluster.url)
    watchers = [Watcher() for _ in LOGS]
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        here.watch(log_id, watcher)
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        await put(there, log_id, START, b"x")
        await watcher.hear(1)


async def test_a_slot_that_moves_under_load_is_followed(open_: Open, own_cluster: Cluster) -> None:
    store = await open_(own_cluster.url, timing=QUICK)
    source = owner(own_cluster, LOGS[0])
    target = next(node for node in own_cluster.nodes if node is not source)
    slot = key_slot(log_keys(LOGS[0].encode()).ends)
    moved = asyncio.Event()

    async def move() -> None:
        for there_and_back in ((source, target), (target, source)):
            await asyncio.sleep(0.1)
            await asyncio.to_thread(move_slot, own_cluster, slot, *there_and_back)
        moved.set()

    moving = asyncio.create_task(move())
    writers = await write_logs(store, LOGS, while_=lambda: not moved.is_set())
    await moving
    await check_logs(store, writers)


def move_slot(cluster: Cluster, slot: int, source: RedisServer, target: RedisServer) -> None:
    """Move a slot key by key, as an operator's tool does; meanwhile both nodes answer for a part of it."""
    source_id, target_id = source.tell("CLUSTER", "MYID"), target.tell("CLUSTER", "MYID")
    target.tell("CLUSTER", "SETSLOT", slot, "IMPORTING", source_id)
    source.tell("CLUSTER", "SETSLOT", slot, "MIGRATING", target_id)
    while keys := source.tell("CLUSTER", "GETKEYSINSLOT", slot, 1):
        source.tell("MIGRATE", "127.0.0.1", target.port, keys[0], 0, 5000)
    for node in (target, source, *cluster.nodes):
        node.tell("CLUSTER", "SETSLOT", slot, "NODE", target_id)


async def test_a_node_that_is_away_makes_its_logs_unavailable_and_no_others(
    open_: Open, own_cluster: Cluster
) -> None:
    for node in own_cluster.nodes:
        node.tell("CONFIG", "SET", "cluster-require-full-coverage", "no")
    store = await open_(own_cluster.url, timing=QUICK)
    for log_id in LOGS:
        await put(store, log_id, START, b"x", wake=5000)
    gone = owner(own_cluster, LOGS[0])
    theirs = {log_id for log_id in LOGS if owner(own_cluster, log_id) is gone}
    assert 0 < len(theirs) < len(LOGS)
    gone.stop()
    loop = asyncio.get_running_loop()
    for log_id in LOGS:
        began = loop.time()
        if log_id in theirs:
            with pytest.raises(Unavailable):
                await store.read(log_id)
        else:
            assert len(await store.read(log_id)) == 1
        assert loop.time() - began < 2.5
    # Deadlines that can be told are told; a list with holes would be wrong.
    assert {due.log_id for due in await store.due(2**53, 100)} == set(LOGS) - theirs
    with pytest.raises(Unavailable):
        await store.list_logs("")
    with pytest.raises(Unavailable):
        await store.check()
    await asyncio.to_thread(gone.start)
    await until_up(store)
    for log_id in LOGS:
        assert len(await store.read(log_id)) == 1


async def test_the_node_that_is_listened_to_may_go(open_: Open, own_cluster: Cluster) -> None:
    for node in own_cluster.nodes:
        node.tell("CONFIG", "SET", "cluster-require-full-coverage", "no")
    here, there = await open_(own_cluster.url, timing=QUICK), await open_(own_cluster.url, timing=QUICK)
    watchers = {log_id: Watcher() for log_id in LOGS}
    for log_id, watcher in watchers.items():
        here.watch(log_id, watcher)
    tips = {log_id: await put(there, log_id, START, b"x") for log_id in LOGS}
    await asyncio.gather(*(watcher.hear(1) for watcher in watchers.values()))
    (listened,) = [node for node in own_cluster.nodes if node.tell("PUBSUB", "CHANNELS", "log:*")]
    await asyncio.to_thread(listened.stop)
    left = [log_id for log_id in LOGS if owner(own_cluster, log_id) is not listened]
    for log_id in left:
        await put(there, log_id, tips[log_id], b"y")
    await asyncio.gather(*(watchers[log_id].hear(2) for log_id in left))


async def test_a_cluster_without_slots_is_refused(open_: Open, tmp_path: Path) -> None:
    bus = str(free_port())
    lonely = RedisServer(tmp_path / "lonely", "--cluster-enabled", "yes", "--cluster-port", bus)
    lonely.start()
    try:
        with pytest.raises(CannotOpen, match="no node of the cluster tells where its slots are"):
            await open_(f"redis+cluster://127.0.0.1:{lonely.port}")
    finally:
        lonely.kill()


async def test_a_single_redis_is_no_cluster(open_: Open, server: RedisServer) -> None:
    with pytest.raises(CannotOpen, match="cluster support disabled"):
        await open_(f"redis+cluster://127.0.0.1:{server.port}")
