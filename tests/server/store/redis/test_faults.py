"""What the store does when replies are lost, connections end and Redis goes away; with either client."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace

import pytest
import redis

from server.store.base import START, Appended, Conflict, Diverged, Tip, TooLate, Unavailable, new_tag
from server.store.redis.keys import log_keys
from server.store.redis.store import RedisStore
from server.store.redis.timing import Timing
from tests.redis_server import RedisServer
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import (
    CALL_S,
    SLACK_S,
    Watcher,
    Writer,
    check_logs,
    put,
    trouble,
    until,
    until_up,
    write_logs,
)
from tests.server.store.redis.proxy import Proxy

LOG = "race:A"
LOGS = [f"race:{number}" for number in range(10)]

# Enough for this machine to answer when it is busy, and not so long that a test is slow.
QUICK = Timing(call_s=10.0, answer_s=0.4, connect_s=0.4, heartbeat_s=0.1, deaf_s=0.4, silence_ms=500)


class Counter:
    """Counts down, and tells whether there is something left."""

    def __init__(self, many: int) -> None:
        self.left = many

    def __call__(self) -> bool:
        return self.left > 0

    def count(self) -> None:
        self.left -= 1


@pytest.fixture
async def through(open_: Open, proxy: Proxy) -> AsyncIterator[RedisStore]:
    """A store whose connections go through the proxy."""
    store = await open_(proxy.url, timing=QUICK)
    await store.check()
    yield store
    proxy.swallow = lambda number: False
    proxy.passing.set()


async def appends_of(store: RedisStore, log_id: str, tag: bytes) -> int:
    return sum(event.tag == tag for event in await store.read(log_id))


# The unknown outcome.


async def test_a_lost_reply_of_an_append_is_one_effect_and_the_right_answer(
    through: RedisStore, proxy: Proxy
) -> None:
    tip = await put(through, LOG, START, b"before")
    proxy.swallow_next()
    tag = new_tag()
    outcome = await through.append(LOG, tip, [b"once", b"twice"], tag=tag)
    assert proxy.swallowed == 1
    assert isinstance(outcome, Appended)
    assert outcome.first_seq == 2
    log = await through.read(LOG)
    assert [event.data for event in log] == [b"before", b"once", b"twice"]
    assert {(event.at_ms, event.tag) for event in log[1:]} == {(outcome.at_ms, tag)}


async def test_a_reply_that_is_lost_among_others_reaches_nobody_else(
    through: RedisStore, proxy: Proxy
) -> None:
    base = proxy.replies
    proxy.swallow = lambda number: number == base + 5
    tags = [new_tag() for _ in range(20)]
    outcomes = await asyncio.gather(
        *(
            through.append(f"race:{number}", START, [b"%d" % number] * (number + 1), tag=tag)
            for number, tag in enumerate(tags)
        )
    )
    assert proxy.swallowed == 1
    for number, (outcome, tag) in enumerate(zip(outcomes, tags, strict=True)):
        log = await through.read(f"race:{number}")
        assert outcome == Appended(1, log[0].at_ms)
        assert [event.data for event in log] == [b"%d" % number] * (number + 1)
        assert {event.tag for event in log} == {tag}


async def test_a_reply_that_comes_after_its_time_reaches_nobody(
    through: RedisStore, proxy: Proxy, server: RedisServer, open_: Open
) -> None:
    proxy.passing.clear()
    late = asyncio.create_task(through.append(LOG, START, [b"x"], tag=new_tag()))
    there = await open_(server.url)
    await until(lambda: bool(server.tell("EXISTS", log_keys(LOG.encode()).stream)))
    await asyncio.sleep(2 * QUICK.answer_s)
    proxy.passing.set()
    assert isinstance(await late, Appended)
    assert await through.read("race:B") == []
    assert await through.is_newest(LOG, Tip(1, (await there.read(LOG))[0].tag))


@pytest.mark.parametrize("when", ["before it is sent", "while it is away"])
async def test_a_cancelled_append_is_done_once_and_its_reply_reaches_nobody_else(
    through: RedisStore, proxy: Proxy, when: str
) -> None:
    await through.check()
    if when == "while it is away":
        proxy.delay_s = 0.1
    tag = new_tag()
    caller = asyncio.create_task(through.append(LOG, START, [b"x"], tag=tag))
    await asyncio.sleep(0.05 if when == "while it is away" else 0)
    caller.cancel()
    other = await through.append("race:B", START, [b"y", b"z"], tag=new_tag())
    assert isinstance(other, Appended)
    assert caller.cancelled()
    assert await appends_of(through, LOG, tag) == 1
    assert len(await through.read("race:B")) == 2


async def test_a_lost_reply_to_a_read_is_asked_for_again(through: RedisStore, proxy: Proxy) -> None:
    tip = await put(through, LOG, START, b"x", wake=5)
    asks: list[Callable[[], Awaitable[object]]] = [
        lambda: through.read(LOG),
        lambda: through.is_newest(LOG, tip),
        lambda: through.due(2**53, 5),
        lambda: through.list_logs(""),
        through.check,
    ]
    for number, ask in enumerate(asks):
        proxy.swallow_next()
        told = await ask()
        assert proxy.swallowed == number + 1
        assert await ask() == told


async def test_every_fiftieth_reply_lost_is_no_second_effect_and_no_wrong_answer(
    through: RedisStore, proxy: Proxy
) -> None:
    proxy.swallow = lambda number: number % 50 == 0
    writers = await write_logs(through, LOGS, while_=lambda: proxy.swallowed < 15)
    proxy.swallow = lambda number: False
    await check_logs(through, writers)


async def test_an_append_is_settled_or_given_up_within_two_seconds(
    proxy: Proxy, server: RedisServer, open_: Open
) -> None:
    through = await open_(proxy.url, timing=replace(QUICK, call_s=Timing().call_s))
    await through.check()
    loop = asyncio.get_running_loop()
    proxy.swallow = lambda number: True
    tag = new_tag()
    began = loop.time()
    with pytest.raises(Unavailable, match="in time") as raised:
        await through.append(LOG, START, [b"x"], tag=tag)
    assert loop.time() - began < CALL_S + SLACK_S
    assert raised.value.retry_ms > 0
    # It was done once, and the log tells.
    there = await open_(server.url)
    assert await appends_of(there, LOG, tag) == 1


# Slow and broken connections.


async def test_replies_that_take_200_ms_are_waited_for(through: RedisStore, proxy: Proxy) -> None:
    proxy.delay_s = 0.2
    enough = proxy.replies + 80
    watcher = Watcher()
    through.watch(LOGS[0], watcher)
    writers = await write_logs(through, LOGS, while_=lambda: proxy.replies < enough)
    proxy.delay_s = 0.0
    assert all(writer.unavailable == 0 for writer in writers)
    await check_logs(through, writers)
    await watcher.hear(writers[0].tip.seq)
    assert watcher.seqs == [*range(1, writers[0].tip.seq + 1)]


async def test_connections_that_are_cut_all_the_time_lose_nothing(through: RedisStore, proxy: Proxy) -> None:
    watchers = [Watcher() for _ in LOGS]
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        through.watch(log_id, watcher)
    count = Counter(20)

    async def cut() -> None:
        await asyncio.sleep(0.03)
        proxy.cut()
        count.count()

    async with trouble(cut):
        writers = await write_logs(through, LOGS, while_=count)
    await check_logs(through, writers)
    await all_heard(writers, watchers)


async def all_heard(writers: list[Writer], watchers: list[Watcher]) -> None:
    for writer, watcher in zip(writers, watchers, strict=True):
        many = writer.tip.seq
        await watcher.hear(many)
        assert watcher.seqs == [*range(1, many + 1)]


async def test_script_flush_in_a_loop_is_not_noticed(open_: Open, server: RedisServer) -> None:
    store = await open_()
    count = Counter(100)

    async def flush() -> None:
        server.tell("SCRIPT", "FLUSH")
        count.count()
        await asyncio.sleep(0)

    async with trouble(flush):
        writers = await write_logs(store, LOGS, while_=count)
    assert all(writer.unavailable == 0 for writer in writers)
    await check_logs(store, writers)


@pytest.mark.parametrize("kind", ["pubsub", "normal"])
async def test_client_kill_in_a_loop_leaves_no_hole_in_what_watchers_are_told(
    open_: Open, server: RedisServer, kind: str
) -> None:
    store = await open_(timing=QUICK)
    watchers = [Watcher() for _ in LOGS]
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        store.watch(log_id, watcher)
    count = Counter(15)

    async def kill() -> None:
        await asyncio.sleep(0.03)
        server.tell("CLIENT", "KILL", "TYPE", kind)
        count.count()

    async with trouble(kill):
        writers = await write_logs(store, LOGS, while_=count)
    await check_logs(store, writers)
    await all_heard(writers, watchers)


# Redis away.


async def test_redis_killed_and_started_again_under_load_loses_nothing_acknowledged(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url, timing=replace(QUICK, call_s=Timing().call_s))
    watchers = [Watcher() for _ in LOGS]
    for log_id, watcher in zip(LOGS, watchers, strict=True):
        store.watch(log_id, watcher)
    count = Counter(3)

    async def restart() -> None:
        await asyncio.sleep(0.2)
        await asyncio.to_thread(own_server.kill)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(own_server.start)
        count.count()

    async with trouble(restart):
        writers = await write_logs(store, LOGS, while_=count)
        await until(lambda: not count())
    await until_up(store)
    assert all(writer.slowest_s < CALL_S + SLACK_S for writer in writers)
    await check_logs(store, writers)
    await all_heard(writers, watchers)


async def test_redis_away_is_unavailable_at_once_and_all_is_well_by_itself_when_it_is_back(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url, timing=QUICK)
    watcher = Watcher()
    store.watch(LOG, watcher)
    tip = await put(store, LOG, START, b"x")
    await watcher.hear(1)
    own_server.stop()
    loop = asyncio.get_running_loop()
    calls: list[Callable[[], Awaitable[object]]] = [
        lambda: store.read(LOG),  # it finds that the connection is gone
        lambda: store.append(LOG, tip, [b"y"], tag=new_tag()),
        lambda: store.is_newest(LOG, tip),
        lambda: store.due(0, 1),
        store.next_due,
        lambda: store.list_logs(""),
        store.check,
    ]
    for call in calls:
        began = loop.time()
        with pytest.raises(Unavailable) as raised:
            await call()
        assert loop.time() - began < 1
        assert raised.value.retry_ms > 0
        assert raised.value.detail.startswith("Redis")
    store.now_ms()
    await asyncio.to_thread(own_server.start)
    await until_up(store)
    await put(store, LOG, tip, b"y")
    await watcher.hear(2)
    assert watcher.seqs == [1, 2]


async def test_a_redis_that_does_not_answer_makes_each_call_fail_within_two_seconds(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url, timing=Timing())
    tip = await put(store, LOG, START, b"x")
    own_server.pause()
    loop = asyncio.get_running_loop()
    began = loop.time()
    tag = new_tag()
    outcomes = await asyncio.gather(
        store.append(LOG, tip, [b"y"], tag=tag),
        store.read(LOG),
        store.is_newest(LOG, tip),
        store.due(0, 1),
        store.list_logs(""),
        store.check(),
        return_exceptions=True,
    )
    assert loop.time() - began < CALL_S + SLACK_S
    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 6
    own_server.resume()
    await until_up(store)
    # Whatever became of it, it happened once at most.
    assert await appends_of(store, LOG, tag) <= 1


async def test_closing_a_store_whose_redis_is_away_takes_no_longer_than_a_call(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url, timing=Timing())
    store.watch(LOG, print)
    own_server.pause()
    reading = asyncio.create_task(store.read(LOG))
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await store.close()
    assert loop.time() - began < CALL_S + SLACK_S
    with pytest.raises(Unavailable):
        await reading


async def test_a_redis_that_may_not_write_is_unavailable_and_says_why(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url)
    tip = await put(store, LOG, START, b"x")
    own_server.tell("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(Unavailable, match=r"OOM|maxmemory") as raised:
        await store.append(LOG, tip, [b"y"], tag=new_tag())
    assert raised.value.retry_ms > 0
    with pytest.raises(Unavailable):
        await store.check()
    assert await store.is_newest(LOG, tip)
    own_server.tell("CONFIG", "SET", "maxmemory", "0")
    await store.check()
    await put(store, LOG, tip, b"y")


# Lost logs and lost tails.


async def test_after_flushall_a_log_has_diverged_and_nothing_hangs(open_: Open, server: RedisServer) -> None:
    store = await open_()
    watcher = Watcher()
    store.watch(LOG, watcher)
    tip = await put(store, LOG, START, b"a", b"b", wake=60_000)
    await watcher.hear(2)
    server.tell("FLUSHALL")
    assert not await store.is_newest(LOG, tip)
    assert await store.append(LOG, tip, [b"c"], tag=new_tag()) == Diverged()
    assert await store.read(LOG) == []
    assert await store.read(LOG, 2) == []
    assert await store.next_due() is None
    assert await store.list_logs("") == []
    # Begun anew under the same name, it is another log, and watchers are told of it.
    new = await put(store, LOG, START, b"A")
    await until(lambda: [] in watcher.calls)
    await put(store, LOG, new, b"B")
    await until(lambda: b"B" in [event.data for event in watcher.events])


async def test_a_log_that_lost_its_tail_is_recognised_by_tag_not_by_number_alone(
    open_: Open, server: RedisServer
) -> None:
    store = await open_(timing=QUICK)
    watcher = Watcher()
    store.watch(LOG, watcher)
    first = await put(store, LOG, START, b"1")
    dump = [server_dump(server, key) for key in log_keys(LOG.encode())]
    last = await put(store, LOG, first, b"2", b"3")
    await watcher.hear(3)
    # A failover to a replica that had only the first event.
    for key, data in zip(log_keys(LOG.encode()), dump, strict=True):
        server.tell("DEL", key)
        if data is not None:
            restore_key(server, key, data)
    assert not await store.is_newest(LOG, last)
    assert await store.append(LOG, last, [b"x"], tag=new_tag()) == Diverged()
    other = await put(store, LOG, first, b"two", b"three")
    # The numbers are the same again, and still it is not the same end.
    assert not await store.is_newest(LOG, last)
    assert await store.append(LOG, last, [b"x"], tag=new_tag()) == Diverged()
    assert await store.is_newest(LOG, other)
    await until(lambda: [] in watcher.calls)


def server_dump(server: RedisServer, key: bytes) -> bytes | None:
    with redis.Redis(port=server.port, protocol=2) as client:
        dumped: bytes | None = client.dump(key)
        return dumped


def restore_key(server: RedisServer, key: bytes, data: bytes) -> None:
    with redis.Redis(port=server.port, protocol=2) as client:
        client.restore(key, 0, data)


# Several nodes.


async def test_a_node_that_was_frozen_finds_that_the_log_has_gone_on(open_: Open, proxy: Proxy) -> None:
    frozen, other = await open_(proxy.url, timing=QUICK), await open_()
    tip = await put(frozen, LOG, START, b"a")
    proxy.passing.clear()
    proxy.cut()
    newer = await put(other, LOG, tip, b"b")
    proxy.passing.set()
    outcome = await frozen.append(LOG, tip, [b"stale"], tag=new_tag())
    assert isinstance(outcome, Conflict)
    assert outcome.missed[-1].tag == newer.tag


async def test_fifty_appends_for_one_place_over_three_nodes_one_is_taken(open_: Open) -> None:
    stores = [await open_() for _ in range(3)]
    outcomes = await asyncio.gather(
        *(stores[number % 3].append(LOG, START, [b"%d" % number], tag=new_tag()) for number in range(50))
    )
    assert sum(isinstance(outcome, Appended) for outcome in outcomes) == 1
    assert len(await stores[0].read(LOG)) == 1


async def test_a_window_that_passed_while_redis_was_away_is_too_late(
    open_: Open, own_server: RedisServer
) -> None:
    store = await open_(own_server.url, timing=QUICK)
    until_ms = store.now_ms() + 200
    own_server.pause()
    await asyncio.sleep(0.3)
    own_server.resume()
    outcome = await store.append(LOG, START, [b"x"], tag=new_tag(), not_after=until_ms)
    assert isinstance(outcome, TooLate)
