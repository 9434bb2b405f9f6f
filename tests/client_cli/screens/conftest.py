"""A server and somebody at a screen, for every test of a screen."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from client_cli import language
from tests.server.gateway.coaching import coach
from tests.server.gateway.house import House, house


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, coach=coach()) as built:
        yield built


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """No test leaves another language behind."""
    yield
    language.use("en")
