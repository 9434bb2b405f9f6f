"""What the tests of export and import ask for by name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1_700_000_000_000)


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    store = await open_sqlite(tmp_path / "store.db", clock)
    yield store
    await store.close()


@pytest.fixture
async def other(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    """A second store, with nothing in it."""
    store = await open_sqlite(tmp_path / "other.db", clock)
    yield store
    await store.close()
