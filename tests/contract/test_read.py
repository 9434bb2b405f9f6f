import pytest

from server.store.base import PAGE, START, Store, Tip, new_tag
from tests.contract.conftest import OpenStore
from tests.contract.helpers import fill, put, read_all


async def test_a_log_that_is_not_there_is_empty(store: Store, log_id: str) -> None:
    assert await store.read(log_id) == []
    assert await store.read(log_id, 7) == []


@pytest.mark.parametrize(
    ("after", "limit", "numbers"),
    [
        (0, 3, [1, 2, 3]),
        (3, 3, [4, 5, 6]),
        (8, 3, [9, 10]),
        (10, 3, []),
        (11, 1, []),
        (0, 100, [*range(1, 11)]),
    ],
)
async def test_reading_goes_on_after_a_number_up_to_a_limit(
    store: Store, log_id: str, after: int, limit: int, numbers: list[int]
) -> None:
    await fill(store, log_id, 10)
    events = await store.read(log_id, after, limit)
    assert [event.seq for event in events] == numbers
    assert [event.data for event in events] == [b"%d" % number for number in numbers]


async def test_a_page_is_what_one_read_brings_unless_told(store: Store, log_id: str) -> None:
    await fill(store, log_id, PAGE + 1)
    assert len(await store.read(log_id)) == PAGE
    assert len(await store.read(log_id, PAGE)) == 1
    assert len(await read_all(store, log_id)) == PAGE + 1


async def test_one_client_reads_what_another_appended(open_store: OpenStore, log_id: str) -> None:
    one, other = await open_store(), await open_store()
    tip = START
    for i in range(5):
        tip = await put(one if i % 2 else other, log_id, tip, b"%d" % i)
        assert await one.read(log_id) == await other.read(log_id)


async def test_logs_whose_names_begin_alike_are_apart(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a")
    await put(store, f"{log_id}0", START, b"b")
    await put(store, log_id.lower(), START, b"c")
    assert [event.data for event in await read_all(store, log_id)] == [b"a"]


# Freshness.


async def test_the_end_of_a_log_is_newest_and_nothing_else(store: Store, log_id: str) -> None:
    first = await put(store, log_id, START, b"a")
    assert await store.is_newest(log_id, first)
    assert not await store.is_newest(log_id, START)
    last = await put(store, log_id, first, b"b")
    assert await store.is_newest(log_id, last)
    for tip in (first, START, Tip(2, first.tag), Tip(2, new_tag()), Tip(1, last.tag), Tip(3, last.tag)):
        assert not await store.is_newest(log_id, tip)


async def test_the_start_is_newest_where_there_is_no_log(store: Store, log_id: str) -> None:
    assert await store.is_newest(log_id, START)
    assert not await store.is_newest(log_id, Tip(1, new_tag()))
    await put(store, log_id, START, b"a")
    assert not await store.is_newest(log_id, START)


async def test_freshness_is_judged_on_what_any_client_appended(open_store: OpenStore, log_id: str) -> None:
    one, other = await open_store(), await open_store()
    first = await put(one, log_id, START, b"a")
    assert await other.is_newest(log_id, first)
    last = await put(other, log_id, first, b"b")
    assert not await one.is_newest(log_id, first)
    assert await one.is_newest(log_id, last)


async def test_an_append_that_was_refused_leaves_the_end_newest(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a")
    await store.append(log_id, tip, [b"x"], tag=new_tag(), not_after=0)
    await store.append(log_id, START, [b"x"], tag=new_tag())
    assert await store.is_newest(log_id, tip)


# Names.


async def test_logs_are_listed_by_prefix_in_order_and_page_by_page(store: Store) -> None:
    names = [f"race:{letter}{number}" for letter in "AB" for number in range(5)]
    for name in [*reversed(names), "player:1", "race", "racf:1"]:
        await put(store, name, START, b"x", b"y")
    assert await store.list_logs("race:") == names
    assert await store.list_logs("race:B") == names[5:]
    assert await store.list_logs("race:B3") == ["race:B3"]
    assert await store.list_logs("race:C") == []
    assert await store.list_logs("race:", limit=3) == names[:3]
    assert await store.list_logs("race:", names[2], 3) == names[3:6]
    assert await store.list_logs("race:", names[-1]) == []
    assert await store.list_logs("race:", "a") == names
    assert await store.list_logs("") == sorted([*names, "player:1", "race", "racf:1"])


async def test_a_log_is_listed_from_its_first_event_on(store: Store, log_id: str) -> None:
    await store.append(log_id, START, [b"x"], tag=new_tag(), not_after=0)
    await store.append(log_id, Tip(1, new_tag()), [b"x"], tag=new_tag())
    assert await store.list_logs(log_id) == []
    await put(store, log_id, START, b"x")
    assert await store.list_logs(log_id) == [log_id]
