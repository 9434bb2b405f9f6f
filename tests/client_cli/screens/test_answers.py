import pytest
from msgspec.structs import replace

from client_cli.screens.answers import ATTEMPT_MS, Answers, Day, shifted
from protocol.events import DayTold, Mine, Ranked, Ranks, Recorded, Welcome

DAY = "2026-11-30"
PLAIN = DayTold(1, DAY, 4, DAY, "", 1, left_ms=5000)


def ranked(rank: int) -> Ranked:
    return Ranked(rank, chr(96 + rank) * 16, f"player {rank}", DAY, "a race", 1000 * rank, 90)


def ranks(*places: int, start: int = 0, of: int = 3) -> Ranks:
    return Ranks(1, DAY, 4, "time", of, start, tuple(map(ranked, places)))


@pytest.mark.parametrize(
    ("period", "by", "other"),
    [
        (DAY, 1, "2026-12-01"),
        ("2027-01-01", -1, "2026-12-31"),
        ("2028-02-28", 1, "2028-02-29"),
        ("2026-12", 1, "2027-01"),
        ("2026-01", -1, "2025-12"),
        ("2026-11", 0, "2026-11"),
    ],
)
def test_days_and_months_follow_one_another(period: str, by: int, other: str) -> None:
    assert shifted(period, by) == other


def test_time_goes_on_from_when_it_was_told() -> None:
    day = Day(PLAIN, 100)
    assert [day.left_ms(now) for now in (100, 1100, 9999)] == [5000, 4000, 0]
    assert day.run_ms(500) is None
    over = Day(DayTold(1, DAY, 4, DAY, "", 1, closed=True), 100)
    assert over.left_ms(200) is None
    assert (over.is_open, over.is_to_play) == (True, False)


def test_an_attempt_runs_for_an_hour_at_most() -> None:
    day = Day(DayTold(1, DAY, 4, "2026-12-01", "", 1, mine=Mine("a race", "racing", 1000)), 100)
    assert [day.run_ms(now) for now in (100, 600)] == [1000, 1500]
    assert day.run_ms(ATTEMPT_MS * 2) == ATTEMPT_MS
    assert (day.is_to_play, day.is_open, day.is_mine_over) == (True, False, False)


def test_who_has_played_may_see_and_has_no_other_attempt() -> None:
    day = Day(DayTold(1, DAY, 4, DAY, "", 1, left_ms=5, mine=Mine("a race", "lost", 1000)), 0)
    assert (day.is_to_play, day.is_open, day.is_mine_over) == (False, True, True)


def test_pages_of_a_board_are_put_together_and_the_first_begins_it_anew() -> None:
    answers = Answers().with_told(ranks(1, 2), 0).with_told(ranks(3, start=2), 0)
    (board,) = answers.boards.values()
    assert ([line.rank for line in board.lines], board.start) == ([1, 2, 3], 0)
    (board,) = answers.with_told(ranks(1), 0).boards.values()
    assert [line.rank for line in board.lines] == [1]


def test_the_newest_of_each_is_kept() -> None:
    answers = Answers().with_told(PLAIN, 7).with_told(Recorded(1, 2, 5), 8)
    assert answers.today == DAY
    assert answers.days == {(DAY, 4): Day(PLAIN, 7)}
    assert answers.records == {2: Recorded(1, 2, 5)}
    assert answers.with_told(Welcome(1, 0, "a" * 16, "ann"), 9) == answers


def test_pages_join_where_lines_between_them_cannot_be_read() -> None:
    first, second = ranks(1, 3, of=6), ranks(5, start=4, of=6)
    first, second = replace(first, more=True, unreadable=2), replace(second, unreadable=1)
    answers = Answers().with_told(first, 0).with_told(second, 0)
    (joined,) = answers.boards.values()
    assert [line.rank for line in joined.lines] == [1, 3, 5]
    assert (joined.start, joined.unreadable, joined.next, joined.more) == (0, 3, 6, False)
