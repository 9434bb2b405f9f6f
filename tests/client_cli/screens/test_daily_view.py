import pytest
from rich.cells import cell_len

from client_cli.ghosts import Ghost
from client_cli.screens.answers import Day
from client_cli.screens.canvas import Span
from client_cli.screens.daily_view import Deal, board_rows, deal_lines, first_shown, record_lines
from client_cli.screens.look import Look
from client_cli.screens.panel_view import panel_lines
from protocol.events import DayTold, Mine, PlayedDay, Ranked, Ranks, Recorded
from tests.client_cli.samples import racing
from tests.client_cli.screens.test_panel_view import NAMES

DAY = "2026-11-30"
LOOK = Look()


def texts(lines: list[list[Span]]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def board(*names: str, period: str = DAY) -> Ranks:
    lines = [
        Ranked(place, chr(96 + place) * 16, name, DAY, "a race", 3_599_999, 3000, 1234, hinted=True)
        for place, name in enumerate(names, 1)
    ]
    return Ranks(1, period, 4, "time", len(lines), lines=tuple(lines))


@pytest.mark.parametrize("period", [DAY, "2026-11"])
@pytest.mark.parametrize("width", [78, 118, 198])
def test_every_row_fits_and_figures_stand_below_one_another(period: str, width: int) -> None:
    lines = texts(board_rows(board(*NAMES, period=period), LOOK, width, 20, cursor=1, player="a" * 16))
    assert len({cell_len(line) for line in lines}) == 1
    assert cell_len(lines[0]) <= width
    assert lines[1].startswith("  1st   bob (you) ")
    assert lines[2].startswith("▸ 2nd ")


def test_rows_around_the_cursor_are_shown() -> None:
    assert [first_shown(30, 10, cursor) for cursor in (0, 5, 6, 20, 29)] == [0, 0, 1, 15, 20]
    assert first_shown(3, 10, 2) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_fits_into_its_half_of_the_screen(name: str) -> None:
    mine = Mine("a race", "won", 183_456, 104, rank=4, of=31, percentile=90, curve=(0, 26, 52))
    day = Day(DayTold(1, DAY, 2, DAY, "", 1, left_ms=5000, mine=mine), 0)
    deal = Deal(2, day, board(name, *NAMES), Recorded(1, 2, 9, 8, 3, 5), name)
    lines = texts(deal_lines(deal, LOOK, 37, 17, now_ms=0, is_chosen=True, player="b" * 16))
    assert all(cell_len(line) <= 37 for line in lines)
    assert len(lines) <= 17
    assert lines[0] == "▸ 2 free cells, the hard one"


def test_ones_own_line_is_among_the_leaders_though_it_is_further_down() -> None:
    known = board(*(f"player {place}" for place in range(12)))
    mine = Ranked(40, "z" * 16, "ann", DAY, "a race", 4_000_000, 99)
    own = Ranks(1, DAY, 4, "time", 50, lines=known.lines, mine=mine)
    day = Day(DayTold(1, DAY, 4, DAY, "", 1, mine=Mine("a race", "won", 4_000_000, 99, rank=40, of=50)), 0)
    lines = texts(
        deal_lines(Deal(4, day, own, None), LOOK, 37, 17, now_ms=0, is_chosen=False, player="z" * 16)
    )
    assert lines[-1].startswith("▸ 40th  ann (you)")


@pytest.mark.parametrize("width", [36, 60])
def test_a_record_fits(width: int) -> None:
    days = tuple(PlayedDay(f"2026-11-{day:02}", day != 3, 3_599_999, 9, 123, 100) for day in range(1, 15))
    lines = texts(record_lines(Recorded(1, 4, 14, 13, 5, 5, 183_456, days), LOOK, width, 17))
    assert len(lines) == 17
    assert all(cell_len(line) <= width for line in lines)
    assert lines[9].endswith("100 %" if width == 36 else "█")


@pytest.mark.parametrize("width", [29, 31, 60])
def test_a_ghost_stands_below_the_racers_with_a_bar_as_long_as_theirs(width: int) -> None:
    ghost = Ghost("w" * 24, ((0, 0), (1000, 26)))
    lines = texts(panel_lines(racing(), LOOK, width, 14, ghost=(ghost, 500)))
    assert all(cell_len(line) <= width for line in lines)
    assert lines[4].startswith("ghost of")
    assert lines[5].count("░") == lines[1].count("░")
