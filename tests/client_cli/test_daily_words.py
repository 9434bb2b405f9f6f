from typing import Any

import pytest
from msgspec.structs import replace

from client_cli.daily_words import (
    board_lines,
    challenge_lines,
    day_lines,
    record_lines,
    result_lines,
    share_line,
    sparkline,
)
from client_cli.style import Style
from protocol.events import DayTold, Mine, PlayedDay, Ranked, Ranks, Recorded

DAY = "2026-11-30"
CURVE = (0, 0, 4, 9, 13, 20, 26, 30, 39, 40, 47, 52)
RACE = f"daily:{DAY}:4:mfrggzdfmztwq2lk"
WON = Mine(RACE, "won", 183_456, 104, rank=3, of=12, percentile=81, curve=CURVE)
PLAIN = Style(symbols=False)
SYMBOLS = Style()


def told(**changes: Any) -> DayTold:
    return replace(DayTold(1, DAY, 4, DAY, "c", 1, left_ms=3_723_000, won=12), **changes)


def test_a_day_is_told_before_it_is_played() -> None:
    assert day_lines(told()) == [
        f"The deal of {DAY}, 4 free cells",
        "12 players have won it",
        "1:02:03 left to begin a ranked attempt",
    ]
    assert day_lines(told(cells=2, won=1, left_ms=None))[1:] == ["one player has won it"]


def test_the_line_to_share_shows_no_card() -> None:
    line = share_line(told(deal=617, deal_code="FC1-C4-AAAAATJ"), WON, SYMBOLS)
    assert line == f"cellrace {DAY}, 4 free cells, #3 of 12, 3:03.456, 104 actions ▁▁▁▂▃▄▅▅▇▇██"
    assert "617" not in line
    assert "FC1" not in line
    lost = Mine(RACE, "lost", 60_000, 10, curve=(0, 1))
    assert share_line(told(), lost, PLAIN) == f"cellrace {DAY}, 4 free cells, not won 00"


def test_what_a_result_was_helped_by_is_told_with_it() -> None:
    helped = Mine(RACE, "won", 1000, 1, taken_back=2, hinted=True, rank=1, of=1, curve=(52,))
    assert share_line(told(), helped, PLAIN).endswith("#1 of 1, 0:01.000, 1 action, 2 undos, with hints 9")
    (line,) = result_lines(told(), helped)
    assert line.endswith(": #1 of 1, 0:01.000, 1 action, 2 undos, with hints.")


@pytest.mark.parametrize(
    ("home", "bar", "digit"), [(0, "▁", "0"), (26, "▅", "5"), (51, "█", "9"), (52, "█", "9")]
)
def test_a_sparkline_goes_from_none_to_all(home: int, bar: str, digit: str) -> None:
    assert sparkline([home], SYMBOLS) == bar
    assert sparkline([home], PLAIN) == digit


def test_a_deal_that_nobody_else_has_is_shared_as_such() -> None:
    line = share_line(told(), Mine(RACE, "lost"), PLAIN, is_private=True)
    assert line == f"cellrace {DAY}, 4 free cells, on a server of my own, not won"


def test_faster_than_nobody_is_not_told() -> None:
    slowest = Mine(RACE, "won", 60_000, 99, rank=2, of=2, percentile=0)
    assert result_lines(told(), slowest) == [
        f"You have won the deal of {DAY}, 4 free cells: #2 of 2, 1:00.000, 99 actions."
    ]


def test_a_result_is_a_sentence() -> None:
    how = "#3 of 12, faster than 81 % of the others, 3:03.456, 104 actions"
    assert result_lines(told(), WON) == [f"You have won the deal of {DAY}, 4 free cells: {how}."]
    lost = Mine(RACE, "lost")
    assert result_lines(told(cells=2), lost) == [f"You have not won the deal of {DAY}, 2 free cells."]


def test_friends_are_challenged_without_telling_them_the_cards() -> None:
    assert challenge_lines(told(), "ws://h") == ["A friend plays it with: cellrace daily --server ws://h"]
    assert challenge_lines(told(cells=2, deal_code="FC1-C2-AAAAATJ"), "ws://h") == [
        "A friend plays it with: cellrace daily --cells 2 --server ws://h",
        (
            "Once both have played it, race each other on the same cards with:"
            " cellrace host --deal FC1-C2-AAAAATJ --server ws://h"
        ),
    ]
    past = told(day="2026-11-29", deal_code="FC1-C4-AAAAATJ")
    assert challenge_lines(past, "ws://h") == [
        "Race each other on the same cards with: cellrace host --deal FC1-C4-AAAAATJ --server ws://h"
    ]
    assert challenge_lines(told(day="2026-11-29"), "ws://h") == []
    assert challenge_lines(told(), "") == []


def line(rank: int, name: str, **changes: Any) -> Ranked:
    return replace(Ranked(rank, name, name, DAY, RACE, 60_000 + rank, 100), **changes)


def test_a_board_shows_equal_ranks_and_ones_own_line() -> None:
    ranks = Ranks(
        1,
        DAY,
        4,
        "actions",
        5,
        0,
        (line(1, "ann"), line(2, "ben", taken_back=1), line(2, "cec", hinted=True)),
        line(5, "dan"),
        more=True,
    )
    assert board_lines(ranks, "dan", PLAIN) == [
        f"{DAY}, 4 free cells, fewest actions",
        "   1  ann, 1:00.001, 100 actions",
        "   2  ben, 1:00.002, 100 actions, one undo",
        "   2  cec, 1:00.002, 100 actions, with hints",
        "and 2 more",
        ">  5  dan (you), 1:00.005, 100 actions",
    ]


def test_lines_that_the_server_cannot_read_are_not_told_to_follow() -> None:
    ranks = Ranks(1, DAY, 4, "time", 60, 50, (line(51, "ann"), line(53, "ben")), more=True, unreadable=7)
    assert board_lines(ranks, "cec", PLAIN)[-1] == "and one more"


def test_a_month_tells_the_day_of_each_line_and_nobody_twice() -> None:
    ranks = Ranks(1, "2026-11", 2, "time", 1, 0, (line(1, "ann"),))
    assert board_lines(ranks, "ann", PLAIN) == [
        "2026-11, 2 free cells, by time",
        f">  1  ann (you), 1:00.001, 100 actions, {DAY}",
    ]
    own = Ranks(1, DAY, 2, "time", 1, 0, (line(1, "ann"),), line(1, "ann"))
    assert len(board_lines(own, "ann", PLAIN)) == 2
    assert board_lines(Ranks(1, DAY, 4, "no-hints", 0), "ann", PLAIN)[1:] == ["Nobody is on this board yet."]


def test_a_record_tells_streaks_and_days() -> None:
    first = PlayedDay(DAY, won=True, ms=60_000, rank=2, of=3, percentile=50)
    days = (first, PlayedDay("2026-11-29", won=False, ms=9))
    assert record_lines(Recorded(1, 4, 2, 1, 1, 1, 60_000, days), PLAIN) == [
        "4 free cells: 1 of 2 won; streak 1, best 1",
        "  median time 1:00.000",
        f"+ {DAY}  1:00.000, #2 of 3, faster than 50 % of the others",
        "- 2026-11-29  not won",
    ]
    assert record_lines(Recorded(1, 2), PLAIN) == ["2 free cells: no ranked attempt is over yet"]


def test_signs_and_colour_set_off_what_is_ones_own() -> None:
    look = Style(symbols=True, colour=True)
    ranks = Ranks(1, DAY, 4, "time", 2, 0, (line(1, "ann"), line(2, "ben")))
    assert board_lines(ranks, "ben", look) == [
        f"\x1b[1m{DAY}, 4 free cells, by time\x1b[0m",
        "   1  ann, 1:00.001, 100 actions",
        "\x1b[1m▸  2  ben (you), 1:00.002, 100 actions\x1b[0m",
    ]
    days = (PlayedDay(DAY, won=True, ms=60_000), PlayedDay("2026-11-29", won=False, ms=9))
    assert record_lines(Recorded(1, 4, 2, 1, 1, 1, None, days), look) == [
        "\x1b[1m4 free cells: 1 of 2 won; streak 1, best 1\x1b[0m",
        f"✓ {DAY}  1:00.000",
        "✗ 2026-11-29  not won",
    ]
