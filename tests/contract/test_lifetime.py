import asyncio
from collections.abc import Awaitable, Callable

import pytest

from server.store.base import START, Appended, Conflict, Diverged, Store, Tip, Unavailable, new_tag
from tests.contract.conftest import OpenStore
from tests.contract.helpers import data_of, put, read_all


async def test_everything_is_there_after_closing_and_opening_again(
    open_store: OpenStore, log_id: str
) -> None:
    store = await open_store()
    tip = await put(store, log_id, START, b"a", b"b", wake=60_000)
    events, due = await read_all(store, log_id), await store.due(2**53, 10)
    await store.close()

    store = await open_store()
    assert await store.is_newest(log_id, tip)
    assert await read_all(store, log_id) == events
    assert await store.due(2**53, 10) == due != []
    assert await store.next_due() == due[0].at_ms
    assert isinstance(await store.append(log_id, START, [b"x"], tag=new_tag()), Conflict)
    assert await store.append(log_id, Tip(2, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    await put(store, log_id, tip, b"c")
    assert await data_of(store, log_id) == [b"a", b"b", b"c"]


async def test_a_healthy_store_passes_its_check_and_is_not_changed_by_it(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a", wake=5)
    due = await store.due(2**53, 10)
    await store.check()
    assert await store.is_newest(log_id, tip)
    assert await store.due(2**53, 10) == due
    assert await store.list_logs("") == [log_id]


async def test_closing_finishes_what_was_handed_over(open_store: OpenStore, log_id: str) -> None:
    store = await open_store()
    appends = [
        asyncio.create_task(store.append(f"{log_id}/{i}", START, [b"x"], tag=new_tag())) for i in range(50)
    ]
    await asyncio.sleep(0)  # let them be handed over
    await store.close()
    assert all(isinstance(outcome, Appended) for outcome in await asyncio.gather(*appends))
    store = await open_store()
    assert len(await store.list_logs(log_id)) == 50


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.append("race:A", START, [b"x"], tag=new_tag()),
        lambda store: store.read("race:A"),
        lambda store: store.is_newest("race:A", START),
        lambda store: store.due(0, 1),
        lambda store: store.next_due(),
        lambda store: store.list_logs(""),
        lambda store: store.check(),
    ],
    ids=["append", "read", "is_newest", "due", "next_due", "list_logs", "check"],
)
async def test_a_closed_store_is_unavailable(
    store: Store, call: Callable[[Store], Awaitable[object]]
) -> None:
    await store.close()
    with pytest.raises(Unavailable, match="closed") as raised:
        await call(store)
    assert raised.value.retry_ms > 0
    assert raised.value.detail


async def test_closing_twice_and_at_once_is_fine(store: Store) -> None:
    await asyncio.gather(store.close(), store.close())
    await store.close()
