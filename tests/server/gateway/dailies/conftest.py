"""What the tests of the deal of the day ask for by name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.daily import almanac
from tests.clock import FakeClock
from tests.server.gateway.dailies.attempts import NOON
from tests.server.gateway.house import House, house


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """All dailies for four cells are deal 1, whose solution is known; those for two are deal 2."""
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1 if cells == 4 else 2)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, clock=FakeClock(NOON)) as built:
        yield built
