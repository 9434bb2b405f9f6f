"""What the SQLite store promises beyond the contract of all stores."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from server.store import sqlite, sqlite_logs
from server.store.append_call import AppendCall
from server.store.base import (
    CLEAR,
    PAGE,
    START,
    Appended,
    Conflict,
    Diverged,
    Due,
    Outcome,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Unavailable,
    new_tag,
)
from server.store.sqlite import SqliteStore, open_sqlite
from server.store.sqlite_logs import SqliteLogs
from tests.clock import FakeClock
from tests.server.store.helpers import append, holding


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the batches that were committed."""
    sizes: list[int] = []
    whole = SqliteLogs.append_all

    def append_all(logs: SqliteLogs, calls: Sequence[AppendCall]) -> list[Outcome]:
        sizes.append(len(calls))
        return whole(logs, calls)

    monkeypatch.setattr(SqliteLogs, "append_all", append_all)
    return sizes


# Time is that of the clock it was given.


async def test_appends_are_stamped_by_the_clock(store: SqliteStore, clock: FakeClock) -> None:
    assert await append(store, "race:A") == Appended(1, clock.now_ms())
    await clock.advance(1234)
    assert store.now_ms() == clock.now_ms()
    assert await append(store, "race:B") == Appended(1, clock.now_ms())


async def test_a_clock_set_back_does_not_take_a_log_back(store: SqliteStore, clock: FakeClock) -> None:
    tag, first_ms = new_tag(), clock.now_ms()
    await store.append("race:A", START, [b"a"], tag=tag)
    clock.set_back(60_000)
    tip = Tip(1, tag)
    # The window is judged on the stamp the append would get, which is that of the log's last event.
    early = await store.append("race:A", tip, [b"b"], tag=new_tag(), not_before=first_ms + 1)
    assert early == TooEarly(first_ms)
    late = await store.append("race:A", tip, [b"b"], tag=new_tag(), not_after=first_ms - 1)
    assert late == TooLate(first_ms)
    outcome = await store.append(
        "race:A", tip, [b"b"], tag=tag, not_before=first_ms, not_after=first_ms, wake=7
    )
    assert outcome == Appended(2, first_ms)
    assert await store.next_due() == first_ms + 7
    # A log of its own has a time of its own.
    assert await append(store, "race:B") == Appended(1, first_ms - 60_000)


async def test_a_clock_set_back_over_a_restart_does_not_take_a_log_back(
    path: Path, store: SqliteStore, clock: FakeClock
) -> None:
    tag, first_ms = new_tag(), clock.now_ms()
    await store.append("race:A", START, [b"a"], tag=tag)
    await store.close()
    store = await open_sqlite(path, FakeClock(first_ms - 60_000))
    assert await append(store, "race:A", Tip(1, tag)) == Appended(2, first_ms)
    await store.close()


async def test_both_ends_of_a_window_belong_to_it(store: SqliteStore, clock: FakeClock) -> None:
    now_ms = clock.now_ms()
    assert await store.append("race:A", START, [b"x"], tag=new_tag(), not_before=now_ms + 1) == TooEarly(
        now_ms
    )
    assert await store.append("race:A", START, [b"x"], tag=new_tag(), not_after=now_ms - 1) == TooLate(now_ms)
    outcome = await store.append("race:A", START, [b"x"], tag=new_tag(), not_before=now_ms, not_after=now_ms)
    assert outcome == Appended(1, now_ms)


# Many appends, one commit.


async def test_appends_that_wait_are_committed_together(store: SqliteStore, batches: list[int]) -> None:
    async with holding(store):
        appends = [asyncio.create_task(append(store, f"race:{i}")) for i in range(100)]
    assert {type(outcome) for outcome in await asyncio.gather(*appends)} == {Appended}
    assert batches == [100]


async def test_a_batch_is_bounded_in_appends_and_in_bytes(store: SqliteStore, batches: list[int]) -> None:
    async with holding(store):
        small = [asyncio.create_task(append(store, f"race:{i}")) for i in range(300)]
    await asyncio.gather(*small)
    assert batches == [128, 128, 44]
    batches.clear()
    async with holding(store):
        large = [asyncio.create_task(append(store, f"big:{i}", data=b"x" * 400_000)) for i in range(5)]
    await asyncio.gather(*large)
    assert batches == [3, 2]


async def test_a_batch_is_bounded_in_reads_and_does_its_appends_first(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    append_all = SqliteLogs.append_all

    def appending(logs: SqliteLogs, calls: Sequence[AppendCall]) -> list[Outcome]:
        order.append("append")
        return append_all(logs, calls)

    def reading(logs: SqliteLogs, log_id: str, after: int, limit: int) -> list[Stored]:
        order.append("read")
        return []

    monkeypatch.setattr(SqliteLogs, "append_all", appending)
    monkeypatch.setattr(SqliteLogs, "read", reading)
    async with holding(store):
        reads = [asyncio.create_task(store.read("race:A")) for _ in range(40)]
        late = asyncio.create_task(append(store, "race:A"))
    await asyncio.gather(late, *reads)
    assert order == ["read"] * 32 + ["append"] + ["read"] * 8


async def test_each_append_of_a_batch_is_judged_on_what_those_before_it_left(
    store: SqliteStore, clock: FakeClock, batches: list[int]
) -> None:
    old, one, two, three = (new_tag() for _ in range(4))
    await store.append("race:A", START, [b"old"], tag=old)
    now_ms = clock.now_ms()
    async with holding(store):
        calls = [
            store.append("race:A", Tip(1, old), [b"1", b"2"], tag=one),
            store.append("race:A", Tip(1, old), [b"late"], tag=new_tag()),  # conflict with the one before
            store.append("race:A", Tip(2, one), [b"late"], tag=new_tag()),  # in the middle of it
            store.append("race:A", Tip(3, new_tag()), [b"?"], tag=new_tag()),  # nowhere
            store.append("race:A", START, [b"late"], tag=new_tag()),
            store.append("race:A", Tip(3, one), [b"!"], tag=two, not_after=now_ms - 1),
            store.append("race:A", Tip(3, one), [b"3"], tag=three),
            store.append("race:A", Tip(3, one), [b"late"], tag=new_tag()),
            store.append("race:A", Tip(2, old), [b"?"], tag=new_tag()),
            store.append("race:B", START, [b"new"], tag=one),
            store.append("race:B", START, [b"late"], tag=new_tag()),
            store.append("race:B", Tip(2, new_tag()), [b"?"], tag=new_tag()),
        ]
        tasks = [asyncio.create_task(call) for call in calls]
    outcomes = await asyncio.gather(*tasks)
    assert batches == [1, 12]
    first = Stored(1, now_ms, old, b"old")
    second = (Stored(2, now_ms, one, b"1"), Stored(3, now_ms, one, b"2"))
    third = Stored(4, now_ms, three, b"3")
    assert outcomes == [
        Appended(2, now_ms),
        Conflict(second),
        Conflict(second[1:]),
        Diverged(),
        Conflict((first, *second)),
        TooLate(now_ms),
        Appended(4, now_ms),
        Conflict((third,)),
        Diverged(),
        Appended(1, now_ms),
        Conflict((Stored(1, now_ms, one, b"new"),)),
        Diverged(),
    ]
    assert await store.read("race:A") == [first, *second, third]


async def test_a_conflict_within_a_batch_brings_a_page_at_most(store: SqliteStore) -> None:
    old, new = new_tag(), new_tag()
    await store.append("race:A", START, [b"x"] * (PAGE - 10), tag=old)
    tip = Tip(PAGE - 10, old)
    async with holding(store):
        long = asyncio.create_task(store.append("race:A", tip, [b"y"] * 20, tag=new))
        late = [asyncio.create_task(append(store, "race:A", after)) for after in (START, Tip(5, old), tip)]
    await long
    for after, missed in zip((0, 5, tip.seq), await asyncio.gather(*late), strict=True):
        assert missed == Conflict(tuple(await store.read("race:A", after)))


async def test_of_the_deadlines_set_in_one_batch_the_last_counts(
    store: SqliteStore, clock: FakeClock
) -> None:
    now_ms = clock.now_ms()
    async with holding(store):
        tasks = []
        for name, wakes in (("race:A", (5, CLEAR)), ("race:B", (CLEAR, 6)), ("race:C", (7, 8))):
            tag = new_tag()
            tasks += [
                asyncio.create_task(store.append(name, START, [b"x"], tag=tag, wake=wakes[0])),
                asyncio.create_task(store.append(name, Tip(1, tag), [b"x"], tag=tag, wake=wakes[1])),
            ]
    assert {type(outcome) for outcome in await asyncio.gather(*tasks)} == {Appended}
    assert await store.due(2**53, 9) == [Due("race:B", now_ms + 6), Due("race:C", now_ms + 8)]


async def test_more_rows_than_fit_in_one_statement_are_one_append_all_the_same(store: SqliteStore) -> None:
    events = [b"%d" % i for i in range(1000)]
    assert isinstance(await store.append("race:A", START, events, tag=new_tag()), Appended)
    assert [event.data for event in await store.read("race:A", 0, 2000)] == events


# Full.


async def limit_pages(store: SqliteStore, more: int) -> None:
    """Let the file grow by so many pages and no more."""

    def limit(logs: SqliteLogs) -> None:
        (pages,) = logs.connection.execute("PRAGMA page_count").fetchone()
        logs.connection.execute(f"PRAGMA max_page_count = {pages + more}")

    await store._ask(limit)


def probe_size(logs: SqliteLogs) -> int:
    size: int = logs.connection.execute("SELECT length(data) FROM probe").fetchone()[0]
    return size


async def test_a_batch_that_finds_no_room_is_unavailable_whole_and_leaves_nothing(store: SqliteStore) -> None:
    tag = new_tag()
    await store.append("race:A", START, [b"a"], tag=tag, wake=5)
    tip, due = Tip(1, tag), await store.due(2**53, 9)
    await limit_pages(store, 2)
    told: list[Stored] = []
    store.watch("race:A", told.extend)
    async with holding(store):
        tasks = [
            asyncio.create_task(store.append("race:A", tip, [b"small"], tag=new_tag(), wake=CLEAR)),
            asyncio.create_task(
                store.append("race:A", tip, [b"conflict with what is not stored"], tag=new_tag())
            ),
            asyncio.create_task(store.append("race:B", START, [b"x" * 100_000], tag=new_tag(), wake=9)),
            asyncio.create_task(store.append("race:C", Tip(1, new_tag()), [b"diverged"], tag=new_tag())),
        ]
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["SQLite: database or disk is full"] * 4
    assert {type(outcome) for outcome in outcomes} == {Unavailable}
    assert [event.data for event in await store.read("race:A")] == [b"a"]
    assert await store.is_newest("race:A", tip)
    assert await store.is_newest("race:B", START)
    assert await store.list_logs("") == ["race:A"]
    assert await store.due(2**53, 9) == due
    assert told == []
    with pytest.raises(Unavailable, match="full"):
        await store.check()

    await limit_pages(store, 1000)
    await store.check()
    assert isinstance(await store.append("race:A", tip, [b"b"], tag=new_tag()), Appended)
    assert isinstance(await store.append("race:B", START, [b"x" * 100_000], tag=new_tag()), Appended)
    assert [event.data for event in told] == [b"b"]


async def test_one_append_alone_that_finds_no_room_leaves_nothing(store: SqliteStore) -> None:
    await limit_pages(store, 2)
    for wake in (CLEAR, 5):
        with pytest.raises(Unavailable, match="full"):
            await store.append("race:A", START, [b"x" * 100_000], tag=new_tag(), wake=wake)
    assert await store.list_logs("") == []
    assert await store.next_due() is None
    await limit_pages(store, 1000)
    assert isinstance(await append(store, "race:A"), Appended)
    # With that the trouble is over, and a check is a small matter again.
    await store.check()
    assert await store._ask(probe_size) == 1


async def test_what_fails_for_another_reason_is_unavailable_and_leaves_nothing(store: SqliteStore) -> None:
    await store._ask(lambda logs: logs.connection.execute("DROP TABLE deadlines").close())
    with pytest.raises(Unavailable, match="no such table"):
        await store.next_due()
    # Of two statements the second fails: the first is taken back.
    with pytest.raises(Unavailable, match="no such table"):
        await store.append("race:A", START, [b"x"], tag=new_tag(), wake=5)
    assert await store.read("race:A") == []
    assert isinstance(await append(store, "race:A"), Appended)


async def test_a_fault_of_the_program_is_raised_to_the_callers_and_the_thread_goes_on(
    store: SqliteStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> int:
        raise LookupError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(clock, "now_ms", fail)
        with pytest.raises(LookupError, match="a fault of ours"):
            await append(store, "race:A")
    assert isinstance(await append(store, "race:A"), Appended)


# Bounds.


async def test_more_calls_than_may_wait_are_unavailable_and_the_others_served(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MAX_WAITING", 10)
    async with holding(store):  # which is one that waits
        tasks = [asyncio.create_task(append(store, f"race:{i}")) for i in range(12)]
        reading = asyncio.create_task(store.read("race:A"))
    outcomes = await asyncio.gather(*tasks, reading, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Appended] * 9 + [Unavailable] * 4
    assert str(outcomes[-1]) == "10 calls are waiting for the store"
    assert isinstance(await append(store, "race:11"), Appended)


async def test_cancelled_callers_stop_waiting_once_they_are_answered(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "MAX_WAITING", 10)
    for _ in range(5):
        async with holding(store):
            tasks = [asyncio.create_task(append(store, "race:A")) for _ in range(9)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
        await asyncio.wait(tasks)
        assert all(task.cancelled() for task in tasks)
        await store.check()
    assert len(await store.read("race:A")) == 1


async def test_the_ends_in_memory_are_bounded_and_the_rest_is_read_again(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_logs, "ENDS_KEPT", 4)
    tips = {f"race:{i}": START for i in range(10)}
    for _ in range(3):
        for log_id, tip in tips.items():
            tag = new_tag()
            assert isinstance(await store.append(log_id, tip, [b"x"], tag=tag), Appended)
            tips[log_id] = Tip(tip.seq + 1, tag)
    for log_id, tip in tips.items():
        assert await store.is_newest(log_id, tip)
        assert not await store.is_newest(log_id, Tip(tip.seq - 1, tip.tag))
    remembered = [log_id for log_id in tips if store._logs.result().remembered_end(log_id)]
    assert remembered == ["race:6", "race:7", "race:8", "race:9"]


async def test_the_end_of_a_log_in_use_stays_in_memory(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_logs, "ENDS_KEPT", 3)
    tip = START
    for i in range(5):
        tag = new_tag()
        await store.append("race:used", tip, [b"x"], tag=tag)
        tip = Tip(tip.seq + 1, tag)
        await append(store, f"race:{i}")
        assert store._logs.result().remembered_end("race:used") == (tip, store.now_ms())


async def test_freshness_of_a_log_in_use_is_told_without_waiting_for_the_thread(store: SqliteStore) -> None:
    tag = new_tag()
    await store.append("race:A", START, [b"a"], tag=tag)
    async with holding(store):
        async with asyncio.timeout(5):
            assert await store.is_newest("race:A", Tip(1, tag))
            assert not await store.is_newest("race:A", START)


async def test_watches_that_ended_leave_nothing_behind(store: SqliteStore) -> None:
    for i in range(100):
        store.watch(f"race:{i}", print)()
    assert store._watchers == {}


# The thread and the loop.


def is_giving_way(store: SqliteStore) -> bool:
    return store._giving_way is not None


async def test_a_busy_loop_gives_way_to_a_thread_that_does_not_get_on(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    async with holding(store):
        async with asyncio.timeout(10):
            while len(pauses) < 3:  # noqa: ASYNC110 - the loop is to be busy
                await asyncio.sleep(0)
    assert set(pauses) == {0.00005}
    # Once everything is answered it stops.
    async with asyncio.timeout(10):
        while is_giving_way(store):  # noqa: ASYNC110 - a timer tells nobody
            await asyncio.sleep(0)
    # And begins again with the next call.
    checking = asyncio.create_task(store.check())
    await asyncio.sleep(0)
    assert is_giving_way(store)
    await checking


async def test_a_loop_that_gets_its_answers_does_not_give_way(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    store._answered = 7
    store._waiting = 1
    store._give_way(6)
    assert pauses == []
    store._give_way(7)
    assert pauses == [0.00005]
    store._waiting = 0


async def test_opening_may_be_cancelled_and_leaves_the_file_free(path: Path, clock: FakeClock) -> None:
    for turns in range(4):
        opening = asyncio.create_task(open_sqlite(path, clock))
        for _ in range(turns):
            await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait([opening])
        if not opening.cancelled():  # it was quicker
            await opening.result().close()
    store = await open_sqlite(path, clock)
    await store.close()


async def test_a_caller_who_gives_up_on_closing_does_not_stop_it(path: Path, clock: FakeClock) -> None:
    store = await open_sqlite(path, clock)
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0)
    closing.cancel()
    await asyncio.wait([closing])
    await store.close()
    await (await open_sqlite(path, clock)).close()


def test_a_loop_that_ends_with_calls_under_way_does_not_trip_the_thread(path: Path, clock: FakeClock) -> None:
    async def leave() -> SqliteStore:
        store = await open_sqlite(path, clock)
        async with holding(store):
            calls = [asyncio.create_task(append(store, f"race:{i}")) for i in range(3)]
        assert calls
        return store

    store = asyncio.run(leave())
    store._worker.stop()

    async def look() -> list[str]:
        store = await open_sqlite(path, clock)
        logs = await store.list_logs("")
        await store.close()
        return logs

    assert asyncio.run(look()) == ["race:0", "race:1", "race:2"]
