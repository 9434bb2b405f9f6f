import pytest

from server.store.base import CLEAR, KEEP, START, Appended, Due, Store, Tip, Wake, new_tag
from tests.contract.conftest import OpenStore
from tests.contract.helpers import HOUR_MS, put

FAR_MS = 2**53


async def stamp(store: Store, log_id: str, tip: Tip) -> int:
    """When the log came to its end."""
    (event,) = await store.read(log_id, tip.seq - 1, 1)
    return event.at_ms


async def test_there_is_no_deadline_until_one_is_set(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a")
    assert await store.due(FAR_MS, 10) == []
    assert await store.next_due() is None


@pytest.mark.parametrize("wake", [0, 1, 10_000])
async def test_a_deadline_is_counted_from_the_stamp_of_the_append(
    store: Store, log_id: str, wake: int
) -> None:
    tip = await put(store, log_id, START, b"a", b"b", wake=wake)
    at_ms = await stamp(store, log_id, tip) + wake
    assert await store.next_due() == at_ms
    assert await store.due(at_ms, 10) == [Due(log_id, at_ms)]
    assert await store.due(at_ms - 1, 10) == []


@pytest.mark.parametrize(("wake", "kept"), [(KEEP, True), (CLEAR, False)])
async def test_a_later_append_keeps_or_clears_it(store: Store, log_id: str, wake: Wake, kept: bool) -> None:
    tip = await put(store, log_id, START, b"a", wake=5000)
    at_ms = await stamp(store, log_id, tip) + 5000
    await put(store, log_id, tip, b"b", wake=wake)
    assert await store.due(FAR_MS, 10) == ([Due(log_id, at_ms)] if kept else [])
    assert await store.next_due() == (at_ms if kept else None)


async def test_a_later_append_sets_it_anew_earlier_or_later(store: Store, log_id: str) -> None:
    tip = START
    for wake in (5000, 60_000, 0):
        tip = await put(store, log_id, tip, b"x", wake=wake)
        at_ms = await stamp(store, log_id, tip) + wake
        assert await store.due(FAR_MS, 10) == [Due(log_id, at_ms)]
        assert await store.next_due() == at_ms


async def test_clearing_what_is_not_set_does_no_harm(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a", wake=CLEAR)
    assert await store.next_due() is None


async def test_an_append_without_effect_changes_no_deadline(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a", wake=HOUR_MS)
    before = await store.due(FAR_MS, 10)
    for wake in (CLEAR, 5):
        await store.append(log_id, START, [b"x"], tag=new_tag(), wake=wake)
        await store.append(log_id, Tip(9, new_tag()), [b"x"], tag=new_tag(), wake=wake)
        await store.append(log_id, tip, [b"x"], tag=new_tag(), wake=wake, not_after=0)
        await store.append(log_id, tip, [b"x"], tag=new_tag(), wake=wake, not_before=FAR_MS)
    assert await store.due(FAR_MS, 10) == before


async def test_deadlines_come_in_order_of_time_up_to_a_limit(store: Store, log_id: str) -> None:
    for wake in (30, 10, 50, 20, 40):
        await put(store, f"{log_id}/{wake}", START, b"x", wake=wake * 60_000)
    due = await store.due(FAR_MS, 10)
    assert [name for name, _ in due] == [f"{log_id}/{wake}" for wake in (10, 20, 30, 40, 50)]
    assert [at_ms for _, at_ms in due] == sorted(at_ms for _, at_ms in due)
    assert await store.due(FAR_MS, 2) == due[:2]
    assert await store.due(due[2].at_ms, 10) == due[:3]
    assert await store.next_due() == due[0].at_ms


async def test_looking_at_a_deadline_does_not_end_it(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a", wake=0)
    assert await store.due(FAR_MS, 10) == await store.due(FAR_MS, 10) != []


async def test_whichever_client_sees_a_deadline_first_the_other_finds_it_done(
    open_store: OpenStore, log_id: str
) -> None:
    one, other = await open_store(), await open_store()
    tip = await put(one, log_id, START, b"a", wake=0)
    assert await one.due(FAR_MS, 10) == await other.due(FAR_MS, 10)
    first = await other.append(log_id, tip, [b"time"], tag=new_tag(), wake=CLEAR)
    second = await one.append(log_id, tip, [b"time"], tag=new_tag(), wake=CLEAR)
    assert isinstance(first, Appended)
    assert not isinstance(second, Appended)
    assert await one.due(FAR_MS, 10) == []
