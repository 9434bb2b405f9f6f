import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from server.daily.calendar import (
    DAY_MS,
    LIMIT_MS,
    BadDate,
    closes_ms,
    day_at,
    ends_ms,
    is_month,
    shifted,
    starts_ms,
)

ZONES = ("UTC", "Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin", "Australia/Lord_Howe")
"""The zones of +14 h and -12 h, and some that change their clocks, one of them by half an hour."""


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The zone of this machine, for as long as the test runs."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    os.environ.pop("TZ", None)
    time.tzset()


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize("year", [2027, 2028])
def test_every_day_of_a_year_has_24_hours_wherever_this_machine_is(zone: str, year: int) -> None:
    """2028 has a leap day; both years have both changes of the clocks in every zone that changes them."""
    day, now = f"{year}-01-01", datetime(year, 1, 1, tzinfo=UTC)
    days = 0
    while now.year == year:
        start = int(now.timestamp() * 1000)
        assert starts_ms(day) == start
        assert day_at(start) == day_at(start + DAY_MS // 2) == day_at(start + DAY_MS - 1) == day
        assert day_at(start - 1) == shifted(day, -1)
        assert ends_ms(day) == starts_ms(shifted(day, 1)) == start + DAY_MS
        assert day == now.date().isoformat()
        day, now, days = shifted(day, 1), now + timedelta(days=1), days + 1
    assert days == (366 if year == 2028 else 365)


def test_a_day_turns_at_midnight_utc_and_closes_an_hour_later() -> None:
    assert day_at(at("2026-11-30T23:59:59.999")) == "2026-11-30"
    assert day_at(at("2026-12-01T00:00:00")) == "2026-12-01"
    assert ends_ms("2026-11-30") == at("2026-12-01T00:00:00")
    assert closes_ms("2026-11-30") == at("2026-12-01T01:00:00") == ends_ms("2026-11-30") + LIMIT_MS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-1-01",
        "2026-02-29",
        "2026-13-01",
        "20261130",
        "2026-11-30 ",
        "2026-W49-1",
        "2026-11-3\u0660",
        "0000-01-01",
    ],
)
def test_what_is_no_day_is_refused(text: str) -> None:
    for ask in (starts_ms, ends_ms, closes_ms, lambda day: shifted(day, 1)):
        with pytest.raises(BadDate, match="a day looks like 2026-11-30"):
            ask(text)


def test_months() -> None:
    assert is_month("2026-11")
    for text in ("2026-13", "2026-00", "2026", "2026-11-30", "0000-01", ""):
        assert not is_month(text)
