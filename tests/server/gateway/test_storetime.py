"""Waiting by the store's time where the node's clock is wrong."""

import asyncio

import pytest

from server.gateway.storetime import sleep_until_stored
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.scripted import ScriptedStore


@pytest.mark.parametrize("ahead_ms", [-40_000, 0, 40_000])
async def test_it_is_the_stores_time_that_counts(store: SqliteStore, clock: FakeClock, ahead_ms: int) -> None:
    scripted = ScriptedStore(store, ahead_ms=ahead_ms)
    at_ms = scripted.now_ms() + 30_000
    waiting = asyncio.create_task(sleep_until_stored(scripted, clock, at_ms))
    await clock.advance(29_999)
    assert not waiting.done()
    await clock.advance(1)
    await waiting
    assert scripted.now_ms() == at_ms
