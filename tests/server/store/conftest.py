"""A store in a file of its own, on a clock that the test moves."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(1_700_000_000_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
async def store(path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    store = await open_sqlite(path, clock)
    yield store
    await store.close()
