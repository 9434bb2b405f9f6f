import asyncio

import pytest

from server.store.base import CLEAR, KEEP, START, Store, Stored, Tip, Unavailable, new_tag
from tests.contract.conftest import OpenStore
from tests.contract.helpers import put

FAR_MS = 2**53


async def mark(store: Store, log_id: str, after: Tip = START) -> Tip:
    tag = new_tag()
    await store.append(log_id, after, [b"over"], tag=tag, wake=CLEAR, unprojected=True)
    return Tip(after.seq + 1, tag)


async def test_no_log_is_marked_until_an_append_marks_it(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a", wake=5)
    assert await store.unprojected(10) == []
    await mark(store, log_id, tip)
    assert await store.unprojected(10) == [log_id]


async def test_the_mark_stays_whatever_is_appended(store: Store, log_id: str) -> None:
    tip = await mark(store, log_id)
    tip = await put(store, log_id, tip, b"more")
    await put(store, log_id, tip, b"and more", wake=CLEAR)
    assert await store.unprojected(10) == [log_id]


async def test_it_goes_when_all_is_written(store: Store, log_id: str) -> None:
    await mark(store, log_id)
    await mark(store, f"{log_id}/2")
    await store.projected(log_id)
    await store.projected(log_id)
    assert await store.unprojected(10) == [f"{log_id}/2"]


async def test_a_log_that_is_not_marked_may_be_said_to_be_written(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a")
    await store.projected(log_id)
    await store.projected("race:NOSUCH")
    assert await store.unprojected(10) == []


async def test_an_append_without_effect_marks_nothing(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a")
    for after, window in ((START, None), (Tip(9, new_tag()), None), (tip, 0)):
        await store.append(log_id, after, [b"x"], tag=new_tag(), not_after=window, unprojected=True)
    await store.append(log_id, tip, [b"x"], tag=new_tag(), not_before=FAR_MS, unprojected=True)
    assert await store.unprojected(10) == []


async def test_those_marked_first_come_first_up_to_a_limit(store: Store, log_id: str) -> None:
    names = [f"{log_id}/{number}" for number in (3, 1, 2)]
    for name in names:
        await mark(store, name)
        while store.now_ms() <= (await store.read(name))[0].at_ms:  # noqa: ASYNC110 - time passes by itself
            await asyncio.sleep(0.001)
    assert await store.unprojected(10) == names
    assert await store.unprojected(2) == names[:2]


async def test_any_client_sees_the_mark_and_takes_it(open_store: OpenStore, log_id: str) -> None:
    one, other = await open_store(), await open_store()
    await mark(one, log_id)
    assert await other.unprojected(10) == [log_id]
    await other.projected(log_id)
    assert await one.unprojected(10) == []


async def test_the_mark_outlives_closing(open_store: OpenStore, log_id: str) -> None:
    store = await open_store()
    await mark(store, log_id)
    await store.close()
    store = await open_store()
    assert await store.unprojected(10) == [log_id]


@pytest.mark.parametrize("unprojected", [True, False])
async def test_a_log_may_come_back_with_it(store: Store, log_id: str, unprojected: bool) -> None:
    rows = [Stored(1, 1_600_000_000_000, new_tag(), b"over")]
    assert await store.restore(log_id, rows, KEEP, unprojected=unprojected)
    assert await store.unprojected(10) == ([log_id] if unprojected else [])


async def test_what_cannot_be_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="name of a log"):
        await store.projected("two words")
    with pytest.raises(ValueError, match="a limit is a number"):
        await store.unprojected(0)
    await store.close()
    with pytest.raises(Unavailable, match="closed"):
        await store.unprojected(1)
    with pytest.raises(Unavailable, match="closed"):
        await store.projected("race:A")
