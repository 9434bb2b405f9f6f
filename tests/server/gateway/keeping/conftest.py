"""What the tests of a keeper ask for by name."""

import pytest

from server.gateway.keeper import Keeper
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.races import BEN, Scribe, Told, keep
from tests.server.gateway.scripted import ScriptedStore


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
