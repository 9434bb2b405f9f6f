"""What the tests of the gateway ask for by name."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.daily import almanac
from server.gateway.keeper import Keeper
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.gateway.attempts import NOON
from tests.server.gateway.house import House, house
from tests.server.gateway.judging import Oracle, by_cards_in_cells
from tests.server.gateway.races import BEN, Scribe, Told, keep
from tests.server.gateway.scripted import ScriptedStore


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
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """All dailies for four cells are deal 1, whose solution is known; those for two are deal 2."""
    monkeypatch.setattr(almanac, "deal_of", lambda value, cells: 1 if cells == 4 else 2)


@pytest.fixture
async def at_noon(tmp_path: Path) -> AsyncIterator[House]:
    """The same at noon of the day on which the tests of dailies are."""
    async with house(tmp_path, clock=FakeClock(NOON)) as built:
        yield built


@pytest.fixture
async def scripted(store: SqliteStore) -> ScriptedStore:
    """A store with a running race of Ana and Ben in it."""
    await Scribe().start(BEN).store_in(store)
    return ScriptedStore(store)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def keeper(scripted: ScriptedStore, clock: FakeClock, told: Told) -> Keeper:
    return await keep(scripted, clock, told)


@pytest.fixture
def oracle() -> Oracle:
    return Oracle(by_cards_in_cells)


@pytest.fixture
async def judged(tmp_path: Path, oracle: Oracle) -> AsyncIterator[House]:
    """A server that has somebody to ask."""
    async with house(tmp_path, assessor=oracle) as built:
        yield built
