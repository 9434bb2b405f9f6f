from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.daily.almanac import Almanac
from server.daily.calendar import closes_ms, ends_ms, shifted, starts_ms
from server.daily.drawing import COMMITTED_DAYS, commitment_of, deal_of
from server.daily.naming import Daily
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock

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
