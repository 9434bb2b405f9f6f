"""Faults seen in public in other daily puzzles and leaderboards; each named after where it was seen."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import get_args

import pytest

from protocol.commands import Command
from server.daily.almanac import Almanac
from server.daily.boards import Boards
from server.daily.calendar import day_at, ends_ms, shifted, starts_ms
from server.daily.drawing import KEY_BYTES, deal_of, value_of
from server.daily.naming import CELLS, Daily, attempt_of
from server.daily.projecting import Projector
from server.daily.referee import Result
from server.daily.rows import By, day_table, puts
from server.deals.certified import is_certified
from server.race.state import PlayerId
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.daily.attempts import ANN, DAILY, Attempt


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_sqlite(tmp_path / "store.db", FakeClock(starts_ms(DAILY.day)))
    yield opened
    await opened.close()


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin"])
async def test_wordle_it_62_one_day_for_the_world(
    store: SqliteStore, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At both changes of the clocks, 14 hours ahead or 12 behind, it is the same day with the same deal."""
    seen = []
    for name in ("UTC", zone):
        monkeypatch.setenv("TZ", name)
        time.tzset()
        almanac = Almanac(store)
        hours = [
            starts_ms(day) + hour * 3_600_000 for day in ("2027-03-28", "2027-10-31") for hour in range(24)
        ]
        seen.append([(day_at(ms), await almanac.deal(Daily(day_at(ms), 4))) for ms in hours])
    monkeypatch.undo()
    time.tzset()
    assert seen[0] == seen[1]
    assert {day for day, _ in seen[0]} == {"2027-03-28", "2027-10-31"}


async def test_sanuli_7_a_win_after_midnight_counts_for_the_day_of_the_deal(store: SqliteStore) -> None:
    attempt = Attempt(now_ms=ends_ms(DAILY.day) - 10_000, pace_ms=10).win(after_ms=20_000)
    await attempt.store_in(store)
    await Projector(store, FakeClock()).sweep()
    result = await Boards(store).own_result(DAILY, ANN)
    assert result is not None
    assert (result.won, result.ms) == (True, 20_000)
    tomorrow = DAILY._replace(day=shifted(DAILY.day, 1))
    assert attempt_of(tomorrow, ANN) != attempt.code
    assert await store.results.size(day_table(tomorrow, By.TIME)) == 0


def test_freecell_online_no_command_carries_a_time_a_score_or_a_result() -> None:
    fields = {field for kind in get_args(Command) for field in kind.__struct_fields__}
    assert not fields & {"ms", "at", "at_ms", "time", "elapsed", "score", "result", "rank", "won", "date"}
    days = [kind.__name__ for kind in get_args(Command) if "day" in kind.__struct_fields__]
    # A day is named to say which one is meant, and refused if it is not the store's.
    assert sorted(days) == ["Attempt", "Daily"]


async def board_of(store: SqliteStore, *times: int) -> list[int]:
    for place, ms in enumerate(times):
        player = PlayerId("abcdefgh"[place] * 16)
        for table, row in puts(Result(DAILY, player, "x", True, ms, 9, 0, False, ())):
            await store.results.put_if_absent(table, *row)
    lines = (await Boards(store).page(day_table(DAILY, By.TIME), 0)).lines
    return [line.rank for line in lines]


async def test_submitty_11040_times_10_9_9_8_have_ranks_1_2_2_4_with_8_first(store: SqliteStore) -> None:
    assert await board_of(store, 10, 9, 9, 8) == [1, 2, 2, 4]
    lines = (await Boards(store).page(day_table(DAILY, By.TIME), 0)).lines
    assert [line.score for line in lines] == [8, 9, 9, 10]


@pytest.mark.parametrize("second", [5, 10, 15])
async def test_osu_29073_the_first_run_stays_whatever_the_second_is(store: SqliteStore, second: int) -> None:
    for ms in (10, second):
        for table, row in puts(Result(DAILY, ANN, "Ann", True, ms, ms, 0, False, ())):
            await store.results.put_if_absent(table, *row)
    result = await Boards(store).own_result(DAILY, ANN)
    assert result is not None
    assert result.ms == 10
    for by in By:
        assert [row.score for row in await store.results.range(day_table(DAILY, by))] == [10]


def test_playfreecellonline_nothing_of_tomorrow_follows_from_the_days_before() -> None:
    """Keys that agree on yesterday and today may differ tomorrow, and none is found by trying."""
    assert KEY_BYTES == 32
    days = [Daily(shifted(DAILY.day, ahead), 4) for ahead in (-1, 0, 1)]
    deals = {tuple(deal_of(value_of(bytes([key]) * 32, day), 4) for day in days) for key in range(256)}
    assert len({tomorrow for *_, tomorrow in deals}) > 250
    steps = {(after - before) for _, before, after in deals}
    assert len(steps) > 250, "nor does it lie at some distance from today's"


def test_20320311_the_date_is_not_the_number_and_every_daily_is_certified() -> None:
    key = b"any key" * 5
    for ahead in range(0, 400, 7):
        for cells in CELLS:
            daily = Daily(shifted("2032-03-11", ahead), cells)
            deal = deal_of(value_of(key, daily), cells)
            assert is_certified(deal, cells)
            year, month, date = daily.day.split("-")
            assert str(deal) not in {year + month + date, date + month + year, month + date + year}
