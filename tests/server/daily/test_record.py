from dataclasses import replace

import pytest

from server.daily.calendar import closes_ms, shifted, starts_ms
from server.daily.naming import Daily
from server.daily.record import Record, record_of
from server.daily.referee import Result
from tests.server.daily.attempts import ANN

TODAY = "2028-03-01"
NOON = starts_ms(TODAY) + 12 * 3_600_000
AFTER_MIDNIGHT = starts_ms(TODAY) + 1_800_000


def played(days: dict[int, bool], ms: int = 60_000) -> list[Result]:
    """Results of days counted back from today."""
    return [
        Result(Daily(shifted(TODAY, -back), 4), ANN, "Ann", won, ms + back, 100, 0, False, ())
        for back, won in sorted(days.items(), reverse=True)
    ]


def streak(days: dict[int, bool], now_ms: int = NOON) -> tuple[int, int]:
    record = record_of(played(days), now_ms, TODAY)
    return record.streak, record.best_streak


def test_who_never_played_has_nothing() -> None:
    assert record_of([], NOON, TODAY) == Record(0, 0, 0, 0, None)


@pytest.mark.parametrize(
    ("days", "now_ms", "current", "best"),
    [
        ({0: True}, NOON, 1, 1),
        ({1: True, 2: True}, NOON, 2, 2),  # today can still be won
        ({0: False, 1: True, 2: True}, NOON, 0, 2),  # today is lost
        ({2: True, 3: True}, NOON, 0, 2),  # yesterday was missed
        ({2: True, 3: True}, AFTER_MIDNIGHT, 2, 2),  # yesterday's may still be under way
        ({2: True, 3: True}, closes_ms(shifted(TODAY, -1)), 0, 2),
        ({0: True, 1: True, 2: True, 4: True, 5: True, 6: True, 7: True}, NOON, 3, 4),
        ({0: True, 1: False, 2: True}, NOON, 1, 1),
    ],
)
def test_streaks(days: dict[int, bool], now_ms: int, current: int, best: int) -> None:
    assert streak(days, now_ms) == (current, best)


def test_a_streak_goes_over_the_leap_day_and_the_end_of_a_year() -> None:
    assert streak(dict.fromkeys(range(100), True)) == (100, 100)
    assert shifted(TODAY, -1) == "2028-02-29"


def test_the_median_is_a_time_that_was_there() -> None:
    days = played(dict.fromkeys(range(4), True))
    results = [replace(one, ms=ms) for one, ms in zip(days, (9, 5, 7, 100), strict=True)]
    assert record_of(results, NOON, TODAY).median_ms == 7
    assert record_of(results[:3], NOON, TODAY).median_ms == 7
    lost = [replace(one, won=False) for one in results]
    assert record_of(lost, NOON, TODAY).median_ms is None
    assert record_of(lost, NOON, TODAY).played == 4
