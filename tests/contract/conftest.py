"""The stores under contract."""

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import TypeAlias

import pytest

from server.clock import SystemClock
from server.store.base import Store
from server.store.sqlite import SqliteStore, open_sqlite

OpenStore: TypeAlias = Callable[[], Awaitable[Store]]
"""Opens one more client of the same data; a store that takes only one gives that again until it is closed."""

_numbers = count(1)


@pytest.fixture(params=["sqlite"])
async def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    assert request.param == "sqlite"
    opened: list[SqliteStore] = []

    async def one_more() -> Store:
        if not opened or opened[-1]._closing:
            opened.append(await open_sqlite(tmp_path / "store.db", SystemClock()))
        return opened[-1]

    yield one_more
    for store in opened:
        await store.close()


@pytest.fixture
async def store(open_store: OpenStore) -> Store:
    return await open_store()


@pytest.fixture
def log_id() -> str:
    """The name of a log that no other test has."""
    return f"race:TEST{next(_numbers):04}"
