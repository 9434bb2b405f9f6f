import asyncio

import pytest

from server.store.base import (
    CLEAR,
    KEEP,
    PAGE,
    START,
    Appended,
    Conflict,
    Due,
    Store,
    Stored,
    Tip,
    TooLate,
    Wake,
    new_tag,
)
from tests.contract.conftest import OpenStore
from tests.contract.helpers import HOUR_MS, fill, put, read_all

FAR_MS = 2**53
LONG_AGO_MS = 1_600_000_000_000
A, B = b"tag of A", b"tag of B"
LOG = (
    Stored(1, LONG_AGO_MS, A, b"one"),
    Stored(2, LONG_AGO_MS, A, b"two"),
    Stored(3, LONG_AGO_MS + 5, B, b""),
)
END = Tip(3, B)


async def test_a_log_comes_back_as_it_was(store: Store, log_id: str) -> None:
    assert await store.restore(log_id, LOG, KEEP)
    assert await read_all(store, log_id) == list(LOG)
    assert await store.is_newest(log_id, END)
    assert await store.list_logs(log_id) == [log_id]


async def test_a_log_of_many_pages_comes_back(store: Store, log_id: str) -> None:
    await fill(store, log_id, 2 * PAGE + 1)
    rows = await read_all(store, log_id)
    assert await store.restore(f"{log_id}-2", rows, KEEP)
    assert await read_all(store, f"{log_id}-2") == rows


async def test_any_bytes_come_back(store: Store, log_id: str) -> None:
    rows = [Stored(1, LONG_AGO_MS, A, bytes(range(256))), Stored(2, LONG_AGO_MS, A, b"\0" * 10_000)]
    assert await store.restore(log_id, rows, KEEP)
    assert await read_all(store, log_id) == rows


async def test_it_goes_on_where_it_ended(store: Store, log_id: str) -> None:
    await store.restore(log_id, LOG, KEEP)
    assert await store.append(log_id, START, [b"x"], tag=new_tag()) == Conflict(LOG)
    assert await store.append(log_id, Tip(1, A), [b"x"], tag=new_tag()) == Conflict(LOG[1:])
    await put(store, log_id, END, b"four")
    assert [row.data for row in await read_all(store, log_id)] == [b"one", b"two", b"", b"four"]


async def test_time_does_not_run_backwards_after_it(store: Store, log_id: str) -> None:
    future_ms = store.now_ms() + HOUR_MS
    await store.restore(log_id, [Stored(1, future_ms, A, b"a")], KEEP)
    late = await store.append(log_id, Tip(1, A), [b"x"], tag=new_tag(), not_after=future_ms - 1)
    assert late == TooLate(future_ms)
    assert await store.append(log_id, Tip(1, A), [b"b"], tag=new_tag()) == Appended(2, future_ms)


@pytest.mark.parametrize("due_ms", [0, LONG_AGO_MS, 2**53])
async def test_the_deadline_comes_back(store: Store, log_id: str, due_ms: int) -> None:
    await store.restore(log_id, LOG, due_ms)
    assert await store.next_due() == due_ms
    assert await store.due(FAR_MS, 10) == [Due(log_id, due_ms)]
    await put(store, log_id, END, b"x", wake=CLEAR)
    assert await store.next_due() is None


@pytest.mark.parametrize("due_ms", [CLEAR, KEEP])
async def test_there_is_no_deadline_if_there_was_none(store: Store, log_id: str, due_ms: Wake) -> None:
    await store.restore(log_id, LOG, due_ms)
    assert await store.next_due() is None
    assert await read_all(store, log_id) == list(LOG)


@pytest.mark.parametrize("held", ["the same", "another", "a longer one"])
async def test_a_log_that_is_there_is_left_alone(store: Store, log_id: str, held: str) -> None:
    if held == "another":
        await put(store, log_id, START, b"a", wake=5000)
    else:
        await store.restore(log_id, LOG, 7)
    if held == "a longer one":
        await put(store, log_id, END, b"x")
    rows, due = await read_all(store, log_id), await store.due(FAR_MS, 10)
    assert not await store.restore(log_id, LOG, 9)
    assert not await store.restore(log_id, LOG, CLEAR)
    assert await read_all(store, log_id) == rows
    assert await store.due(FAR_MS, 10) == due


async def test_of_two_at_once_one_is_taken(open_store: OpenStore, log_id: str) -> None:
    one, other = await open_store(), await open_store()
    logs = [[Stored(1, LONG_AGO_MS, tag, tag)] for tag in (A, B)]
    taken = await asyncio.gather(one.restore(log_id, logs[0], KEEP), other.restore(log_id, logs[1], KEEP))
    assert sorted(taken) == [False, True]
    assert await read_all(one, log_id) == logs[taken.index(True)]


async def test_who_watches_is_told(open_store: OpenStore, log_id: str) -> None:
    one, other = await open_store(), await open_store()
    told: list[Stored] = []
    all_told = asyncio.Event()

    def on_events(rows: object) -> None:
        assert isinstance(rows, tuple | list)
        told.extend(rows)
        if told[-1].seq == END.seq:
            all_told.set()

    unwatch = one.watch(log_id, on_events)
    await one.read(log_id)
    await other.restore(log_id, LOG, KEEP)
    async with asyncio.timeout(20):
        await all_told.wait()
    unwatch()
    assert told == list(LOG)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "one event or more"),
        ([LOG[1]], "event 1 of a log has that number, not 2"),
        ([LOG[0], LOG[2]], "event 2 of a log has that number, not 3"),
        ([LOG[0], Stored(2, LONG_AGO_MS - 1, A, b"")], "the stamp of an event is a number from 16"),
        ([Stored(1, -1, A, b"")], "the stamp of an event is a number from 0"),
        ([Stored(1, 2**60, A, b"")], "the stamp of an event is a number from 0"),
        ([Stored(1, 0, b"short", b"")], "a tag has 8 bytes, not 5"),
    ],
)
async def test_what_is_no_log_is_refused(store: Store, log_id: str, rows: list[Stored], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        await store.restore(log_id, rows, KEEP)
    with pytest.raises(ValueError, match="a deadline is a number from 0"):
        await store.restore(log_id, LOG, -1)
    with pytest.raises(ValueError, match="printable ASCII"):
        await store.restore("two words", LOG, KEEP)
    assert await store.list_logs("") == []
