"""What the tests of the gateway ask for by name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.gateway.house import House, house
from tests.server.gateway.judging import Oracle, by_cards_in_cells


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1_700_000_000_000)


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    store = await open_sqlite(tmp_path / "store.db", clock)
    yield store
    await store.close()


@pytest.fixture
async def home(tmp_path: Path, clock: FakeClock) -> AsyncIterator[House]:
    """A whole server, whose limits nobody reaches."""
    async with house(tmp_path, clock=clock) as built:
        yield built


@pytest.fixture
def oracle() -> Oracle:
    return Oracle(by_cards_in_cells)


@pytest.fixture
async def judged(tmp_path: Path, oracle: Oracle) -> AsyncIterator[House]:
    """A server that has somebody to ask."""
    async with house(tmp_path, assessor=oracle) as built:
        yield built
