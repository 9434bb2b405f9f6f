from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.daily.almanac import LOOK_AGAIN_MS, Almanac
from server.daily.calendar import closes_ms, ends_ms, shifted, starts_ms
from server.daily.drawing import COMMITTED_DAYS, commitment_of, deal_of
from server.daily.keys import find_key
from server.daily.naming import Daily
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.gateway.scripted import ScriptedStore

DAY = "2028-02-28"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(starts_ms(DAY))


@pytest.fixture
async def store(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    opened = await open_sqlite(tmp_path / "store.db", clock)
    yield opened
    await opened.close()


async def test_each_day_is_what_was_promised_30_days_before(store: SqliteStore, clock: FakeClock) -> None:
    """Over a whole year, the leap day in it: what is told when a day is closed is what was committed to."""
    almanac = Almanac(store)
    promised: dict[Daily, str] = {}
    checked = 0
    for _ in range(366 + COMMITTED_DAYS):
        for cells in (4, 2):
            commitments = await almanac.commitments(cells)
            assert [proof.daily.day for proof in commitments] == [
                shifted(almanac.today, ahead) for ahead in range(COMMITTED_DAYS + 1)
            ]
            for proof in commitments:
                assert proof.value is None, "a deal to come was told"
                assert promised.setdefault(proof.daily, proof.commitment) == proof.commitment
            closed = await almanac.proof(Daily(shifted(almanac.today, -2), cells))
            if closed.daily in promised:
                assert closed.value is not None
                assert commitment_of(closed.daily, closed.value) == promised[closed.daily]
                assert deal_of(closed.value, cells) == await almanac.deal(closed.daily)
                checked += 1
        await clock.advance_to(starts_ms(shifted(almanac.today, 1)))
    assert checked == 2 * (366 + COMMITTED_DAYS - 2)
    assert Daily("2028-02-29", 4) in promised


async def test_a_store_that_has_lost_its_key_is_given_it_back(
    store: SqliteStore, clock: FakeClock, tmp_path: Path
) -> None:
    node = ScriptedStore(store)
    almanac, daily = Almanac(node), Daily(DAY, 4)
    dealt = await almanac.deal(daily)
    node.inner = empty = await open_sqlite(tmp_path / "empty.db", clock)
    await clock.advance(LOOK_AGAIN_MS - 1)
    assert await almanac.deal(daily) == dealt
    assert await find_key(empty) is None, "it is not asked for each time"
    await clock.advance(1)
    assert await almanac.deal(daily) == dealt
    assert await Almanac(empty).deal(daily) == dealt, "as was promised"
    await empty.close()


async def test_a_node_draws_by_the_key_that_the_store_has_by_now(
    store: SqliteStore, clock: FakeClock, tmp_path: Path
) -> None:
    """All was lost, and another node was the first to come."""
    node = ScriptedStore(store)
    almanac = Almanac(node)
    dailies = [Daily(shifted(DAY, ahead), 4) for ahead in range(5)]
    before = [await almanac.deal(daily) for daily in dailies]
    node.inner = other = await open_sqlite(tmp_path / "other.db", clock)
    there = Almanac(other)
    dealt = [await there.deal(daily) for daily in dailies]
    await clock.advance(LOOK_AGAIN_MS)
    assert [await almanac.deal(daily) for daily in dailies] == dealt != before
    await other.close()


async def test_a_value_is_told_an_hour_after_midnight_and_not_before(
    store: SqliteStore, clock: FakeClock
) -> None:
    almanac = Almanac(store)
    daily = Daily(DAY, 4)
    for ms, told in ((ends_ms(DAY) - 1, False), (closes_ms(DAY) - 1, False), (closes_ms(DAY), True)):
        await clock.advance_to(ms)
        assert almanac.is_closed(DAY) is told
        assert ((await almanac.proof(daily)).value is not None) is told


async def test_deals_that_somebody_may_be_at_are_known_by_their_numbers(
    store: SqliteStore, clock: FakeClock
) -> None:
    almanac = Almanac(store)
    two = await almanac.deal(Daily(DAY, 2))
    assert await almanac.still_open(two) == Daily(DAY, 2)
    assert await almanac.still_open(await almanac.deal(Daily(DAY, 4))) == Daily(DAY, 4)
    assert await almanac.still_open(await almanac.deal(Daily("2028-02-29", 4))) is None
    assert await almanac.since() == DAY
    await clock.advance_to(closes_ms(DAY) - 1)
    assert await Almanac(store).since() == DAY
    assert await almanac.still_open(two) == Daily(DAY, 2), "one who began before midnight may be at it"
    await clock.advance_to(closes_ms(DAY))
    assert await almanac.still_open(two) is None
