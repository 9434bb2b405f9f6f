from dataclasses import replace

import msgspec
import orjson
import pytest

from server.daily.calendar import starts_ms
from server.daily.naming import Daily
from server.daily.referee import Result
from server.daily.rows import By, UnreadableRow, day_table, days_table, month_table, puts, read, write
from server.store.results import Row
from tests.server.daily.attempts import ANN, DAILY

WON = Result(DAILY, ANN, "Ann", True, 83_000, 104, 0, False, (0, 26, 52))


def tables(result: Result) -> dict[str, Row]:
    found = puts(result)
    assert len({table for table, _ in found}) == len(found)
    return dict(found)


def test_a_clean_win_is_on_every_board_of_its_day_and_month() -> None:
    found = tables(WON)
    assert set(found) == {
        *(day_table(DAILY, by) for by in By),
        *(month_table("2026-11", 4, by) for by in By),
        days_table(ANN, 4),
    }
    for by in By:
        score = 104 if by is By.ACTIONS else 83_000
        day, month = found[day_table(DAILY, by)], found[month_table("2026-11", 4, by)]
        assert (day.key, day.score) == (ANN, score)
        assert (month.key, month.score) == (f"2026-11-30:{ANN}", score)
        assert read(day) == read(month) == replace(WON, curve=())


def test_who_took_something_back_or_a_hint_is_not_on_the_boards_without() -> None:
    assert day_table(DAILY, By.NO_UNDO) not in tables(replace(WON, taken_back=1))
    assert day_table(DAILY, By.NO_HINTS) not in tables(replace(WON, hinted=True))
    both = tables(replace(WON, taken_back=1, hinted=True))
    assert {day_table(DAILY, By.TIME), day_table(DAILY, By.ACTIONS)} < set(both)
    assert len(both) == 5


def test_what_was_not_won_is_on_no_board_but_counts_as_a_day() -> None:
    assert set(tables(replace(WON, won=False))) == {days_table(ANN, 4)}


def test_the_row_of_the_player_comes_last_and_holds_all() -> None:
    table, row = puts(WON)[-1]
    assert table == days_table(ANN, 4)
    assert read(row) == WON
    assert row.key == "2026-11-30"
    later = puts(replace(WON, daily=Daily("2027-01-01", 4)))[-1].row
    assert later.score - row.score == (starts_ms("2027-01-01") - starts_ms("2026-11-30")) / 86_400_000


def test_the_same_result_makes_the_same_bytes() -> None:
    assert puts(WON) == puts(replace(WON))


def test_a_row_of_a_newer_program_is_said_to_be_one() -> None:
    newer = orjson.dumps([2, {**msgspec.to_builtins(WON), "luck": 7}])
    with pytest.raises(UnreadableRow, match="results of format 2 are a newer cellrace's"):
        read(Row(ANN, 1, newer))


JUNK = (
    *(b"", b"\xff", b"{}", b"1", b"null", b"[]", b"[1]", b"[1,2,3]", b"[1,{}]", b"[1,null]"),
    *(b"[true,{}]", b'["1",{}]', b"[" * 100_000, write(WON)[:-2]),
)


@pytest.mark.parametrize("place", range(len(JUNK)))
def test_what_is_no_row_is_said_to_be_none(place: int) -> None:
    with pytest.raises(UnreadableRow):
        read(Row(ANN, 1, JUNK[place]))
