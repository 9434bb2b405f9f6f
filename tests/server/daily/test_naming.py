import pytest

from server.daily.naming import Daily, attempt_of, daily_of, read_attempt
from server.race.state import PlayerId

ANN = PlayerId("mfrggzdfmztwq2lk")


def test_names_come_back_as_what_they_name() -> None:
    daily = Daily("2026-11-30", 2)
    assert str(daily) == "2026-11-30:2"
    assert daily_of(str(daily)) == daily
    assert attempt_of(daily, ANN) == "daily:2026-11-30:2:mfrggzdfmztwq2lk"
    assert read_attempt(attempt_of(daily, ANN)) == (daily, ANN)


@pytest.mark.parametrize(
    "name",
    [
        "KMNPQRST",
        "race:KMNPQRST",
        "daily:2026-11-30:2",
        "daily:2026-11-31:2:mfrggzdfmztwq2lk",
        "daily:2026-11-30:5:mfrggzdfmztwq2lk",
        "daily:2026-11-30:2:MFRGGZDFMZTWQ2LK",
        "daily:2026-11-30:2:mfrggzdfmztwq2lk ",
    ],
)
def test_anything_else_names_no_attempt(name: str) -> None:
    assert read_attempt(name) is None
