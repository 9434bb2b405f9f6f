"""Where Redis holds something else than what was put there, that log or table is lost, and no other."""

import struct
import zlib
from dataclasses import replace
from itertools import count, islice

import pytest

from server.store.base import CLEAR, START, Damaged, Due, Tip, new_tag
from server.store.redis import sweep
from server.store.redis.keys import (
    PARTITIONS,
    due_key,
    forget_key,
    log_keys,
    partition_of,
    retire_key,
    table_keys,
    unprojected_key,
)
from server.store.redis.store import RedisStore
from server.store.results import Row
from tests.redis_server import PATIENT, RedisServer
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import Watcher, put, until

LOG, OTHER = "race:A", "race:B"
KEYS = log_keys(LOG.encode())
NEITHER = next(n for n in range(PARTITIONS) if n not in {partition_of(b"race:A"), partition_of(b"race:B")})
AT_ONCE = replace(PATIENT, retire_ms=0, keep_ms=0)
TABLE = "day:2026-11-30:4:time"
SCORES, ROWS, _ = table_keys(TABLE.encode())


async def test_an_index_that_is_none_does_not_hide_what_the_others_hold(
    open_: Open, server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = await open_()
    await put(store, LOG, START, b"x", wake=5)
    await store.restore(OTHER, await store.read(LOG), CLEAR, unprojected=True)
    for index in (due_key, unprojected_key):
        server.tell("SET", index(NEITHER), "something else")
    for _ in range(3):
        assert [due.log_id for due in await store.due(2**53, 9)] == [LOG]
        assert await store.next_due() is not None
        assert await store.unprojected(9) == [OTHER]
    told = [record.message for record in caplog.records if "holds what is no index" in record.message]
    assert [
        key for key in (b":due", b":unprojected") if sum(key.decode() in line for line in told) != 1
    ] == []


async def test_a_name_that_cannot_be_is_passed_on_as_one_that_nothing_has(
    open_: Open, server: RedisServer
) -> None:
    store = await open_()
    server.tell("ZADD", due_key(NEITHER), 7, b"race:\xff\xfe")
    [due] = await store.due(2**53, 9)
    assert due == Due("race:\\xff\\xfe", 7)
    assert await store.read(due.log_id) == []


@pytest.mark.parametrize("content", [b"", b"short", b"fifteen bytes!!"])
@pytest.mark.parametrize("followed", [False, True])
async def test_an_event_that_is_none_is_said_to_be_so(
    open_: Open, server: RedisServer, content: bytes, followed: bool
) -> None:
    store = await open_()
    await put(store, OTHER, START, b"x")
    tag = new_tag()
    server.tell("XADD", KEYS.stream, "1-0", "e", content)
    if followed:
        server.tell("XADD", KEYS.stream, "2-0", "e", struct.pack(">Q8s", 5, tag) + b"x" * 40)
    server.tell("HSET", KEYS.ends, LOG, struct.pack(">QQ8s", 1 + followed, 5, tag))
    with pytest.raises(Damaged):
        await store.read(LOG)
    with pytest.raises(Damaged):
        await store.append(LOG, START, [b"x"], tag=new_tag())
    assert len(await store.read(OTHER)) == 1


@pytest.mark.parametrize("end", [b"", b"x", b"x" * 23])
async def test_an_end_that_is_none_is_said_to_be_so(open_: Open, server: RedisServer, end: bytes) -> None:
    store = await open_()
    tip = await put(store, LOG, START, b"x")
    server.tell("HSET", KEYS.ends, LOG, end)
    with pytest.raises(Damaged):
        await store.read(LOG)
    with pytest.raises(Damaged):
        await store.append(LOG, tip, [b"y"], tag=new_tag())
    with pytest.raises(Damaged):
        await store.is_newest(LOG, tip)


@pytest.mark.parametrize(
    "harm",
    [
        ("XDEL", KEYS.stream, "1-0"),
        ("XDEL", KEYS.stream, "2-0"),
        ("XDEL", KEYS.stream, "3-0"),
        ("XADD", KEYS.stream, "4-0", "e", b"x" * 20),
        ("XTRIM", KEYS.stream, "MAXLEN", 2),
        ("DEL", KEYS.stream),
        ("HDEL", KEYS.ends, LOG),
    ],
)
async def test_a_log_that_lacks_an_event_is_not_gone_on_with(
    open_: Open, server: RedisServer, harm: tuple[str | bytes | int, ...]
) -> None:
    """Else it would be another game that is read, and what is acknowledged would be for nothing."""
    here, there = await open_(), await open_()
    tip = await put(here, LOG, START, b"a", b"b", b"c")
    watcher = Watcher()
    there.watch(LOG, watcher)
    await watcher.hear(3)
    server.tell(*harm)
    for client in (here, there):
        with pytest.raises(Damaged):
            await client.read(LOG)
        with pytest.raises(Damaged):
            await client.append(LOG, tip, [b"d"], tag=new_tag())
    assert [event.data for event in watcher.events] == [b"a", b"b", b"c"]


@pytest.mark.parametrize("key", ["stream", "ends"])
async def test_a_key_of_another_type_is_said_to_be_so(open_: Open, server: RedisServer, key: str) -> None:
    store = await open_()
    tip = await put(store, LOG, START, b"x")
    server.tell("SET", getattr(KEYS, key), "something else")
    with pytest.raises(Damaged):
        await store.read(LOG)
    with pytest.raises(Damaged):
        await store.append(LOG, tip, [b"y"], tag=new_tag())


@pytest.mark.parametrize(
    "packed",
    [b"", b"\x01", b"\x01nonsense", b"\x02nonsense", b"\x01" + zlib.compress(b"x" * 9)],
)
async def test_a_packed_log_that_is_none_is_said_to_be_so(
    open_: Open, server: RedisServer, packed: bytes
) -> None:
    store = await open_(timing=replace(PATIENT, retire_ms=0))
    tip = await put(store, LOG, START, b"x", wake=CLEAR)
    await store.sweeper.sweep()
    server.tell("SET", KEYS.packed, packed)
    with pytest.raises(Damaged):
        await store.read(LOG)
    with pytest.raises(Damaged):
        await store.append(LOG, tip, [b"y"], tag=new_tag())


async def test_damaged_logs_do_not_keep_others_from_being_packed_and_forgotten(
    open_: Open, server: RedisServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sweep, "_AT_ONCE", 2)
    store = await open_(timing=AT_ONCE)
    number = partition_of(LOG.encode())
    names = (f"race:{place}" for place in count())
    damaged = list(islice((name for name in names if partition_of(name.encode()) == number), 6))
    for name in damaged[:5]:
        server.tell("XADD", log_keys(name.encode()).stream, "1-0", "e", "short")
        server.tell("HSET", KEYS.ends, name, struct.pack(">QQ8s", 1, 5, b"tag-tag-"))
        server.tell("ZADD", retire_key(number), 1, name)
    server.tell("SET", retire_key(NEITHER), "something else")
    server.tell("HSET", KEYS.ends, damaged[5], "short")
    server.tell("ZADD", forget_key(number), 1, damaged[5])
    await put(store, LOG, START, b"x", wake=5)
    await put(store, LOG, (await _tip(store)), b"x", wake=CLEAR)
    for _ in range(8):
        await store.sweeper.sweep()
    assert await store.read(LOG) == [], "packed, and then forgotten"
    told = [record.message for record in caplog.records if "neither packed" in record.message]
    assert len(told) == 6


async def _tip(store: RedisStore) -> Tip:
    last = (await store.read(LOG))[-1]
    return Tip(last.seq, last.tag)


async def test_one_who_watches_a_damaged_log_keeps_nobody_from_hearing(
    open_: Open, server: RedisServer
) -> None:
    here, there = await open_(), await open_()
    server.tell("XADD", KEYS.stream, "1-0", "e", "short")
    server.tell("HSET", KEYS.ends, LOG, struct.pack(">QQ8s", 1, 5, b"tag-tag-"))
    lost, watcher = Watcher(), Watcher()
    here.watch(LOG, lost)
    here.watch(OTHER, watcher)
    await put(there, OTHER, START, b"x")
    assert len(await watcher.hear(1)) == 1
    assert lost.events == []


async def test_messages_that_are_none_are_passed_over(open_: Open, server: RedisServer) -> None:
    here, there = await open_(), await open_()
    watcher = Watcher()
    here.watch(LOG, watcher)
    tip = await put(there, LOG, START, b"x")
    await watcher.hear(1)
    for message in (
        b"x",
        b"x" * 16,
        b"x" * 17,
        b"\x00" * 24,
        struct.pack(">Q8sQ", 1, tip.tag, 2) + b"\xff" * 20,
    ):
        server.tell("PUBLISH", f"log:{LOG}", message)
    await put(there, LOG, tip, b"y")
    assert [event.data for event in await watcher.hear(2)] == [b"x", b"y"]


async def test_a_row_without_data_is_an_empty_one(open_: Open, server: RedisServer) -> None:
    store = await open_()
    await store.results.put_if_absent(TABLE, "ann", 5, b"x")
    server.tell("ZADD", SCORES, 3, "ben")
    server.tell("ZADD", SCORES, 4, b"\xff")
    rows = await store.results.range(TABLE)
    assert rows == [Row("ben", 3, b""), Row("\\xff", 4, b""), Row("ann", 5, b"x")]
    assert await store.results.get(TABLE, "ben") == rows[0]


@pytest.mark.parametrize("key", [SCORES, ROWS])
async def test_a_table_of_another_type_is_said_to_be_so(open_: Open, server: RedisServer, key: bytes) -> None:
    store = await open_()
    await store.results.put_if_absent(TABLE, "ann", 5, b"x")
    server.tell("SET", key, "something else")
    with pytest.raises(Damaged):
        await store.results.range(TABLE)
    with pytest.raises(Damaged):
        await store.results.get(TABLE, "ann")


async def test_whatever_is_put_into_redis_the_store_goes_round(open_: Open, server: RedisServer) -> None:
    """The tasks that look after all logs live on."""
    store = await open_(timing=replace(PATIENT, retire_ms=0, sweep_ms=20))
    for number in (NEITHER, (NEITHER + 1) % PARTITIONS):
        for kind in ("ends", "due", "retire", "names", "forget", "unprojected", "tables"):
            server.tell("SET", f"{{p{number:03}}}:{kind}", "x")
    server.tell("ZADD", retire_key(partition_of(LOG.encode())), 0, b"\xff", 1, "a name", 2, "")
    await put(store, LOG, START, b"x", wake=CLEAR)
    await until(lambda: not server.tell("EXISTS", KEYS.stream))
    assert len(await store.read(LOG)) == 1
