"""What the Redis store promises beyond the contract of all stores, on a Redis that is well."""

import asyncio
import re
import struct
import time
from dataclasses import replace
from pathlib import Path

import pytest

from server.store.base import (
    CLEAR,
    KEEP,
    PAGE,
    START,
    Appended,
    Conflict,
    Diverged,
    Due,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Wake,
    new_tag,
)
from server.store.redis import appending
from server.store.redis import store as store_module
from server.store.redis.driver_redis_py import RedisPyDriver
from server.store.redis.keys import PARTITIONS, channel_of, log_keys, retire_key
from server.store.redis.scripts import ALL, APPEND
from server.store.redis.store import RedisStore
from tests.clock import FakeClock
from tests.redis_server import PATIENT, RedisServer
from tests.server.store.redis.conftest import Open
from tests.server.store.redis.helpers import Watcher, put, until

DAY_MS = 86_400_000
LOG = "race:A"
KEYS = log_keys(LOG.encode())
AT_ONCE = replace(PATIENT, retire_ms=0)


async def read_all(store: RedisStore, log_id: str = LOG) -> list[Stored]:
    log: list[Stored] = []
    while page := await store.read(log_id, len(log)):
        log += page
    return log


def set_end(server: RedisServer, tip: Tip, at_ms: int) -> None:
    """Make the log end at another time, as if Redis's clock had been wrong."""
    server.tell("HSET", KEYS.ends, LOG, struct.pack(">QQ8s", tip.seq, at_ms, tip.tag))


# Time.


async def test_the_stamp_is_the_time_of_redis_whatever_the_nodes_clock_says(open_: Open) -> None:
    clock = FakeClock(1_000_000)  # a node that believes it is 1970
    store = await open_(clock=clock)
    outcome = await store.append(LOG, START, [b"x"], tag=new_tag())
    assert isinstance(outcome, Appended)
    assert abs(outcome.at_ms - time.time() * 1000) < 5000
    assert abs(store.now_ms() - time.time() * 1000) < 5000


async def test_a_clock_of_redis_set_back_does_not_take_a_log_back(open_: Open, server: RedisServer) -> None:
    store = await open_()
    tip = await put(store, LOG, START, b"a")
    late_ms = store.now_ms() + DAY_MS
    set_end(server, tip, late_ms)
    # The window is judged on the stamp that the append would get.
    early = await store.append(LOG, tip, [b"b"], tag=new_tag(), not_before=late_ms + 1)
    assert early == TooEarly(late_ms)
    late = await store.append(LOG, tip, [b"b"], tag=new_tag(), not_after=late_ms - 1)
    assert late == TooLate(late_ms)
    outcome = await store.append(
        LOG, tip, [b"b"], tag=new_tag(), not_before=late_ms, not_after=late_ms, wake=7
    )
    assert outcome == Appended(2, late_ms)
    assert await store.due(2**53, 9) == [Due(LOG, late_ms + 7)]


async def test_every_reply_tells_the_time(open_: Open) -> None:
    clock = FakeClock()
    store = await open_(clock=clock)
    ahead_ms = store.now_ms() - clock.now_ms()
    await clock.advance(10_000)  # for the node alone
    assert abs(store.now_ms() - ahead_ms - clock.now_ms()) <= 1
    await store.is_newest(LOG, START)
    assert abs(store.now_ms() - time.time() * 1000) < 5000


# Partitions and keys.


async def test_every_key_is_one_that_operations_md_lists(open_: Open, server: RedisServer) -> None:
    store = await open_(timing=replace(PATIENT, retire_ms=0, keep_ms=DAY_MS))
    await put(store, LOG, START, b"x", wake=CLEAR)
    await put(store, "race:B", START, b"x", wake=5)
    await store.check()
    await store.append("daily:1", START, [b"x"], tag=new_tag(), wake=5, unprojected=True)
    await store.results.put_if_absent("day:1", "ann", 5, b"row")
    await store.sweeper.sweep()
    always = {"ends", "names", "due", "log", "forget", "probe", "unprojected", "scores", "rows", "tables"}
    assert kinds(server) == {*always, "packed"}
    await put(store, LOG, Tip(1, (await store.read(LOG))[0].tag), b"y")
    assert kinds(server) == {*always, "retire"}
    text = (Path(__file__).parents[4] / "docs" / "operations.md").read_text()
    listed = set(re.findall(r"^\| `\{pNNN\}:(\w+)", text, flags=re.MULTILINE))
    assert listed == {*always, "retire", "packed"}


def kinds(server: RedisServer) -> set[str]:
    """The kinds of keys there are: what stands behind the tag of their partition."""
    found = [re.fullmatch(r"\{p\d{3}\}:(\w+)(:.+)?", key) for key in server.tell("KEYS", "*")]
    return {match[1] if match else "unknown" for match in found}


async def test_events_are_a_stream_whose_ids_are_their_numbers(open_: Open, server: RedisServer) -> None:
    store = await open_()
    await put(store, LOG, START, b"a", b"b", b"c")
    with pytest.raises(UnicodeDecodeError):  # stamps and tags are bytes, not text
        server.tell("XRANGE", KEYS.stream, "-", "+")
    assert server.tell("EVAL", "return redis.call('XRANGE', KEYS[1], 2, 2)[1][1]", 1, KEYS.stream) == "2-0"
    assert server.tell("XLEN", KEYS.stream) == 3


async def test_the_deadlines_of_all_partitions_are_found_in_order(open_: Open) -> None:
    store = await open_()
    names = [f"race:{number}" for number in range(300)]
    await asyncio.gather(*(put(store, name, START, b"x", wake=int(name[5:]) * 60_000) for name in names))
    assert [name for name, _ in await store.due(2**53, 1000)] == names
    assert [name for name, _ in await store.due(2**53, 100)] == names[:100]
    assert len({log_keys(name.encode()).due for name in names}) > PARTITIONS / 2


async def test_names_are_listed_page_by_page_though_they_lie_in_all_partitions(open_: Open) -> None:
    store = await open_()
    names = sorted(f"race:{number}" for number in range(800))
    await asyncio.gather(*(put(store, name, START, b"x") for name in [*names, "player:1", "server"]))
    listed: list[str] = []
    while page := await store.list_logs("race:", listed[-1] if listed else "", 70):
        listed += page
    assert listed == names


async def test_names_that_cannot_be_are_not_found(open_: Open) -> None:
    store = await open_()
    await put(store, LOG, START, b"x")
    assert await store.list_logs("r\u00e9") == []
    assert await store.list_logs("", "\u00e9") == []


async def test_a_message_that_cannot_be_sent_does_not_undo_the_append(
    open_: Open, server: RedisServer
) -> None:
    server.tell("ACL", "SETUSER", "mute", "reset", "on", ">pw", "~*", "resetchannels", "&ear:*", "+@all")
    try:
        # It would not be opened like this; the channels may be taken away later.
        server.tell("ACL", "SETUSER", "mute", "&log:*")
        store = await open_(f"redis://mute:pw@127.0.0.1:{server.port}", driver=RedisPyDriver)
        server.tell("ACL", "SETUSER", "mute", "resetchannels", "&ear:*")
        tip = await put(store, LOG, START, b"x")
        assert await store.is_newest(LOG, tip)
    finally:
        server.tell("ACL", "DELUSER", "mute")


# Watching.


async def test_messages_carry_the_events_so_nothing_is_read(open_: Open, server: RedisServer) -> None:
    here, there = await open_(), await open_()
    watcher = Watcher()
    here.watch(LOG, watcher)
    tip = await put(there, LOG, START, b"a")
    await watcher.hear(1)
    reads = _calls_of(server, "xrange")
    for number in range(20):
        tip = await put(there, LOG, tip, b"%d" % number)
    await watcher.hear(21)
    assert _calls_of(server, "xrange") == reads
    assert watcher.events == await read_all(here)


def _calls_of(server: RedisServer, command: str) -> int:
    stats: dict[str, dict[str, int]] = server.tell("INFO", "commandstats")
    return stats.get(f"cmdstat_{command}", {}).get("calls", 0)


async def test_what_was_appended_before_the_subscription_is_in_force_is_told_too(
    open_: Open,
) -> None:
    here, there = await open_(), await open_()
    tip = await put(here, LOG, START, b"known here")
    tip = await put(there, LOG, tip, b"not known here")
    watcher = Watcher()
    here.watch(LOG, watcher)
    await put(there, LOG, tip, b"just now")
    assert [event.data for event in await watcher.hear(2)] == [b"not known here", b"just now"]


async def test_twenty_seconds_of_silence_make_a_watched_log_be_looked_at(
    open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    here, there = await open_(clock=clock), await open_()
    watcher = Watcher()
    here.watch(LOG, watcher)
    tip = await put(there, LOG, START, b"a")
    await watcher.hear(1)
    monkeypatch.setattr(appending, "channel_of", lambda name: b"log:of another")
    await put(there, LOG, tip, b"b")
    await clock.advance(19_000)
    await here.is_newest(LOG, tip)  # whatever was asked is answered by now
    assert watcher.seqs == [1]
    await clock.advance(2000)
    await watcher.hear(2)
    assert watcher.seqs == [1, 2]


async def test_ends_that_are_remembered_have_a_bound(open_: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "TIPS_KEPT", 10)
    store = await open_()
    for number in range(25):
        await put(store, f"race:{number}", START, b"x")
    await store.read("race:20")
    assert [*store._tips] == [f"race:{number}" for number in (15, 16, 17, 18, 19, 21, 22, 23, 24, 20)]


async def test_nothing_is_left_when_a_store_is_closed(open_: Open, server: RedisServer) -> None:
    before = asyncio.all_tasks()
    connections = int(server.tell("CLIENT", "LIST").count("\n"))
    store = await open_()
    for number in range(20):
        store.watch(f"race:{number}", print)
    await put(store, LOG, START, b"x")
    await store.close()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    await _until_connections(server, connections)


async def _until_connections(server: RedisServer, many: int) -> None:
    await until(lambda: server.tell("CLIENT", "LIST").count("\n") <= many)


async def test_channels_come_and_go_with_the_watchers(open_: Open, server: RedisServer) -> None:
    store = await open_()
    watchers = [Watcher() for _ in range(10)]
    ends = [store.watch(f"race:{number}", watcher) for number, watcher in enumerate(watchers)]
    for number, watcher in enumerate(watchers):
        await put(store, f"race:{number}", START, b"x")
        await watcher.hear(1)
    assert len(server.tell("PUBSUB", "CHANNELS", "log:*")) == 10
    for end in ends[:9]:
        end()
    await until(lambda: len(server.tell("PUBSUB", "CHANNELS", "log:*")) <= 1)
    assert server.tell("PUBSUB", "CHANNELS", "log:*") == [channel_of(b"race:9").decode()]


# Finished logs.


@pytest.mark.parametrize(
    ("wakes", "retires"),
    [
        ([CLEAR], True),
        ([KEEP], True),
        ([5], False),
        ([5, KEEP], False),
        ([5, CLEAR, KEEP], True),
        ([CLEAR, 5], False),
        ([CLEAR, 5, CLEAR], True),
    ],
)
async def test_a_log_without_a_deadline_is_packed_ten_minutes_after_its_last_event(
    open_: Open, server: RedisServer, wakes: list[Wake], retires: bool
) -> None:
    store = await open_()
    tip = START
    for wake in wakes:
        tip = await put(store, LOG, tip, b"x", wake=wake)
    (last,) = await store.read(LOG, tip.seq - 1)
    score = server.tell("ZSCORE", KEYS.retire, LOG)
    assert score == (last.at_ms + 600_000 if retires else None)
    await store.sweeper.sweep()
    assert server.tell("EXISTS", KEYS.stream) == 1


async def test_a_packed_log_reads_as_before(open_: Open, server: RedisServer) -> None:
    store = await open_(timing=AT_ONCE)
    tip = await put(store, LOG, START, *(b"%d" % number for number in range(PAGE + 20)))
    tip = await put(store, LOG, tip, b"\x00\xff" * 500, b"", wake=CLEAR)
    log = await read_all(store)
    before = server.tell("MEMORY", "USAGE", KEYS.stream)

    await store.sweeper.sweep()
    assert server.tell("EXISTS", KEYS.stream) == 0
    assert server.tell("MEMORY", "USAGE", KEYS.packed) * 3 < before
    assert server.tell("ZCARD", retire_key(0)) == 0

    assert await read_all(store) == log
    assert await store.read(LOG, 7, 3) == log[7:10]
    assert await store.read(LOG, len(log)) == []
    assert await store.is_newest(LOG, tip)
    assert not await store.is_newest(LOG, Tip(tip.seq, new_tag()))
    assert await store.list_logs("") == [LOG]
    assert await store.due(2**53, 9) == []


async def test_an_append_to_a_packed_log_is_judged_as_on_any(open_: Open, server: RedisServer) -> None:
    store = await open_(timing=AT_ONCE)
    first = await put(store, LOG, START, b"a")
    last = await put(store, LOG, first, b"b", b"c", wake=CLEAR)
    log = await read_all(store)
    await store.sweeper.sweep()
    assert await store.append(LOG, first, [b"x"], tag=new_tag()) == Conflict(tuple(log[1:]))
    assert await store.append(LOG, START, [b"x"], tag=new_tag()) == Conflict(tuple(log))
    assert await store.append(LOG, Tip(3, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    assert await store.append(LOG, Tip(9, last.tag), [b"x"], tag=new_tag()) == Diverged()
    assert server.tell("EXISTS", KEYS.packed) == 1

    late = await store.append(LOG, last, [b"x"], tag=new_tag(), not_after=0)
    assert isinstance(late, TooLate)
    tip = await put(store, LOG, last, b"d")
    assert [event.data for event in await read_all(store)] == [b"a", b"b", b"c", b"d"]
    assert (await read_all(store))[:3] == log
    assert server.tell("EXISTS", KEYS.packed) == 0
    # It is packed again, for it is still finished.
    await store.sweeper.sweep()
    assert server.tell("EXISTS", KEYS.stream) == 0
    assert await store.is_newest(LOG, tip)


async def test_appends_and_sweeps_of_several_nodes_at_once_lose_nothing(open_: Open) -> None:
    stores = [await open_(timing=AT_ONCE) for _ in range(3)]
    done = asyncio.Event()

    async def sweep(store: RedisStore) -> None:
        while not done.is_set():
            await store.sweeper.sweep()

    sweeping = [asyncio.create_task(sweep(store)) for store in stores]
    tips = {f"race:{number}": START for number in range(4)}
    for turn in range(25):
        for log_id, tip in tips.items():
            tips[log_id] = await put(stores[turn % 3], log_id, tip, b"%d" % turn, wake=CLEAR)
    done.set()
    await asyncio.gather(*sweeping)
    for log_id, tip in tips.items():
        assert [event.data for event in await read_all(stores[0], log_id)] == [b"%d" % i for i in range(25)]
        assert await stores[1].is_newest(log_id, tip)


async def test_a_watcher_of_a_packed_log_is_told_what_he_missed(open_: Open, server: RedisServer) -> None:
    here, there = await open_(timing=AT_ONCE), await open_(timing=AT_ONCE)
    await put(there, LOG, START, b"a", b"b", wake=CLEAR)
    await there.sweeper.sweep()
    watcher = Watcher()
    here.watch(LOG, watcher)
    assert await watcher.hear(2) == await read_all(there)


async def test_packed_logs_stay_unless_the_operator_says_for_how_long(
    open_: Open, server: RedisServer
) -> None:
    store = await open_(timing=AT_ONCE)
    await put(store, LOG, START, b"x", wake=CLEAR)
    await store.sweeper.sweep()
    assert server.tell("TTL", KEYS.packed) == -1
    assert server.tell("EXISTS", KEYS.forget) == 0


async def test_a_finished_log_whose_time_is_over_is_forgotten_whole(open_: Open, server: RedisServer) -> None:
    store = await open_(timing=replace(PATIENT, retire_ms=0, keep_ms=DAY_MS))
    await put(store, LOG, START, b"x", wake=CLEAR)
    await put(store, "player:x", START, b"x")
    await store.sweeper.sweep()
    await store.sweeper.sweep()
    assert len(await store.read(LOG)) == 1
    due_ms = server.tell("ZSCORE", KEYS.forget, LOG)
    assert due_ms == (await store.read(LOG))[0].at_ms + DAY_MS
    server.tell("ZADD", KEYS.forget, due_ms - DAY_MS - 60_000, LOG)
    await store.sweeper.sweep()
    assert await store.read(LOG) == []
    assert await store.list_logs("") == ["player:x"]
    assert [key for key in server.tell("KEYS", "{p*") if LOG in key] == []
    assert not server.tell("EXISTS", *KEYS)


async def test_an_attempt_that_a_result_refers_to_is_never_forgotten(
    open_: Open, server: RedisServer
) -> None:
    store = await open_(timing=replace(PATIENT, retire_ms=0, keep_ms=0))
    tip = await put(store, "daily:2026-11-30:4:ann", START, b"x", wake=5)
    await put(store, "daily:2026-11-30:4:ann", tip, b"x", wake=CLEAR)
    await store.restore("daily:2026-11-30:4:ben", await store.read("daily:2026-11-30:4:ann"), CLEAR)
    await put(store, "race:A", START, b"x", wake=CLEAR)
    await store.sweeper.sweep()
    await store.sweeper.sweep()
    assert await store.list_logs("") == ["daily:2026-11-30:4:ann", "daily:2026-11-30:4:ben"]
    assert "packed" in kinds(server)
    assert len(await store.read("daily:2026-11-30:4:ann")) == 2


async def test_a_log_that_was_appended_to_is_not_forgotten(open_: Open, server: RedisServer) -> None:
    store = await open_(timing=replace(PATIENT, retire_ms=0, keep_ms=DAY_MS))
    tip = await put(store, LOG, START, b"x", wake=CLEAR)
    await store.sweeper.sweep()
    assert server.tell("ZSCORE", KEYS.forget, LOG) is not None
    await put(store, LOG, tip, b"y", wake=5)
    assert server.tell("ZSCORE", KEYS.forget, LOG) is None
    # Nor is one that is due to be forgotten, but not quiet yet.
    server.tell("ZADD", KEYS.forget, 0, LOG)
    await store.sweeper.sweep()
    assert len(await store.read(LOG)) == 2


async def test_finished_logs_are_packed_by_themselves(open_: Open, server: RedisServer) -> None:
    clock = FakeClock()
    store = await open_(timing=AT_ONCE, clock=clock)
    await put(store, LOG, START, b"x", wake=CLEAR)
    await clock.advance(60_000)
    await until(lambda: not server.tell("EXISTS", KEYS.stream))
    assert len(await store.read(LOG)) == 1


# Scripts.


def test_the_name_of_a_script_is_what_redis_calls_it(server: RedisServer) -> None:
    assert server.tell("SCRIPT", "LOAD", APPEND.text) == APPEND.sha


def test_no_script_waits_for_what_comes() -> None:
    # XREAD with $ would miss what is appended between two calls; and a script that waits holds up all others.
    assert [script.name for script in ALL if "XREAD" in script.text.upper()] == []


async def test_a_script_that_was_flushed_is_loaded_again(open_: Open, server: RedisServer) -> None:
    store = await open_()
    tip = START
    for number in range(10):
        server.tell("SCRIPT", "FLUSH")
        tip = await put(store, LOG, tip, b"%d" % number)
    assert len(await read_all(store)) == 10
