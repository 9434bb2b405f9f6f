import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from server.store.base import START, Store, Stored, new_tag
from tests.contract.conftest import OpenStore
from tests.contract.helpers import put, read_all


class Watcher:
    """Remembers what it was told, and lets a test wait until it was told enough."""

    def __init__(self) -> None:
        self.events: list[Stored] = []
        self._told = asyncio.Event()

    def __call__(self, events: Sequence[Stored]) -> None:
        self.events += events
        self._told.set()

    async def hear(self, many: int) -> list[Stored]:
        async with asyncio.timeout(10):
            while len(self.events) < many:
                self._told.clear()
                await self._told.wait()
        return self.events


async def test_a_watcher_is_told_of_every_append_whole_and_in_order(
    open_store: OpenStore, log_id: str
) -> None:
    here, there = await open_store(), await open_store()
    watcher = Watcher()
    here.watch(log_id, watcher)
    tip = await put(there, log_id, START, b"a", b"b")
    tip = await put(here, log_id, tip, b"c")
    await put(there, log_id, tip, b"d", b"e")
    assert await watcher.hear(5) == await read_all(here, log_id)


async def test_a_watcher_hears_nothing_of_other_logs_and_of_appends_without_effect(
    store: Store, log_id: str
) -> None:
    watcher = Watcher()
    store.watch(log_id, watcher)
    await put(store, f"{log_id}/other", START, b"x")
    await store.append(log_id, START, [b"x"], tag=new_tag(), not_after=0)
    tip = await put(store, log_id, START, b"a")
    await store.append(log_id, START, [b"x"], tag=new_tag())
    await put(store, log_id, tip, b"b")
    assert [event.data for event in await watcher.hear(2)] == [b"a", b"b"]


async def test_what_a_watcher_is_told_can_be_read(store: Store, log_id: str) -> None:
    watcher = Watcher()
    store.watch(log_id, watcher)
    appending = asyncio.create_task(put(store, log_id, START, b"a"))
    heard = await watcher.hear(1)
    assert await store.read(log_id) == heard
    await appending


async def test_a_watcher_is_told_of_an_append_whose_caller_was_cancelled(store: Store, log_id: str) -> None:
    watcher = Watcher()
    store.watch(log_id, watcher)
    caller = asyncio.create_task(store.append(log_id, START, [b"a"], tag=new_tag()))
    await asyncio.sleep(0)  # let it be handed over
    caller.cancel()
    assert [event.data for event in await watcher.hear(1)] == [b"a"]
    assert caller.cancelled()


async def test_ending_a_watch_ends_it_and_no_other(store: Store, log_id: str) -> None:
    ended, kept = Watcher(), Watcher()
    end = store.watch(log_id, ended)
    store.watch(log_id, kept)
    tip = await put(store, log_id, START, b"a")
    await ended.hear(1)
    end()
    end()
    await put(store, log_id, tip, b"b")
    await kept.hear(2)
    assert [event.data for event in ended.events] == [b"a"]


async def test_the_same_function_may_watch_twice_and_end_one_of_them(store: Store, log_id: str) -> None:
    watcher = Watcher()
    end = store.watch(log_id, watcher)
    store.watch(log_id, watcher)
    tip = await put(store, log_id, START, b"a")
    await watcher.hear(2)
    end()
    await put(store, log_id, tip, b"b")
    assert [event.data for event in await watcher.hear(3)] == [b"a", b"a", b"b"]


async def test_a_watch_ended_by_another_watcher_is_not_called_any_more(store: Store, log_id: str) -> None:
    later = Watcher()
    ends: list[Callable[[], None]] = []
    store.watch(log_id, lambda events: ends[0]())
    ends.append(store.watch(log_id, later))
    last = Watcher()
    store.watch(log_id, last)
    await put(store, log_id, START, b"a")
    await last.hear(1)
    assert later.events == []


async def test_a_watch_may_begin_and_end_while_watchers_are_told(store: Store, log_id: str) -> None:
    new = Watcher()

    def swap(events: Sequence[Stored]) -> None:
        end()
        store.watch(log_id, new)

    end = store.watch(log_id, swap)
    tip = await put(store, log_id, START, b"a")
    await put(store, log_id, tip, b"b")
    await new.hear(1)
    assert [event.data for event in new.events] == [b"b"]


async def test_a_watcher_that_fails_harms_no_other_and_is_reported(store: Store, log_id: str) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))

    def fail(events: Sequence[Stored]) -> None:
        raise RuntimeError("the watcher's own fault")

    other = Watcher()
    store.watch(log_id, fail)
    store.watch(log_id, other)
    await put(store, log_id, START, b"a")
    await other.hear(1)
    assert [str(context["exception"]) for context in reported] == ["the watcher's own fault"]
    assert log_id in reported[0]["message"]


@pytest.mark.parametrize("watchers", [50])
async def test_watchers_that_come_and_go_during_appends_miss_nothing_while_they_are_there(
    open_store: OpenStore, log_id: str, watchers: int
) -> None:
    here, there = await open_store(), await open_store()
    steady = Watcher()
    here.watch(log_id, steady)
    tip = START
    for i in range(watchers):
        passing = Watcher()
        end = here.watch(log_id, passing)
        tip = await put(there, log_id, tip, b"%d" % i)
        await passing.hear(1)
        end()
        assert [event.data for event in passing.events] == [b"%d" % i]
    assert await steady.hear(watchers) == await read_all(here, log_id)
