from dataclasses import replace
from typing import get_args

import pytest
from rich.cells import cell_len

from client_cli import language
from client_cli.chances import chance_of
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.small_board import LOWEST, NARROW, WIDE, small_lines
from client_cli.screens.wall_view import GAP, MOST, Pane, grid_for, pane_lines, wall_lines
from protocol.events import Known, Verdict
from protocol.views import Board
from tests.client_cli.samples import LAYOUT
from tests.client_cli.screens.test_panel_view import NAMES

FULL = Board(
    ("KD QS JD TS 9D 8S 7D 6S 5D 4S 3D 2S AD " * 2, "", "TH", "AC", "2C", "3C", "4C", "5C"),
    ("TD", None, "9H"),
    (0, 13, 1, 0),
)


def texts(lines: list[list[Span]]) -> list[str]:
    return ["".join(span.text for span in line) for line in lines]


def pane(name: str = "ann", board: Board | None = LAYOUT, home: int = 3) -> Pane:
    return Pane(name, "racing", board, home, 12)


# How they stand.


@pytest.mark.parametrize("size", [(78, 20), (84, 36), (118, 36), (164, 56)])
@pytest.mark.parametrize("panes", range(1, MOST + 1))
def test_all_boards_fit_or_there_is_no_grid(panes: int, size: tuple[int, int]) -> None:
    grid = grid_for(panes, *size)
    if grid is None:
        assert size == (78, 20)
        assert panes > 3
        return
    assert grid.columns * grid.rows >= panes
    assert grid.columns * grid.width + GAP * (grid.columns - 1) <= size[0]
    assert grid.rows * grid.height <= size[1]
    assert grid.width >= NARROW


def test_the_boards_are_as_large_as_may_be() -> None:
    found = [grid_for(panes, 118, 36) for panes in (1, 2, 4)]
    assert [(grid.columns, grid.rows) for grid in found if grid] == [(1, 1), (2, 1), (2, 2)]


def test_a_click_finds_its_pane() -> None:
    grid = grid_for(4, 118, 36)
    assert grid is not None
    right, below = grid.width + GAP, grid.height
    places = [(0, 0), (right, 0), (0, below), (right, below), (117, 35), (400, 400)]
    assert [grid.pane_at(*place) for place in places] == [0, 1, 2, 3, 3, 3]


# What they look like.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [NARROW, WIDE, 47, 90])
@pytest.mark.parametrize("height", [LOWEST + 2, 18, 40])
def test_every_line_of_a_pane_is_as_wide_as_the_pane(name: str, width: int, height: int) -> None:
    for board in (LAYOUT, FULL, None):
        lines = texts(pane_lines(pane(name, board), Look(), width, height, is_focus=True))
        assert len(lines) == height
        assert {cell_len(line) for line in lines} == {width}


VERDICTS = (
    None,
    *(Verdict("r", "watch", "p1", 1, what) for what in get_args(Known)),
    *(Verdict("r", "watch", "p1", 1, "winnable", moves) for moves in (1, 220)),
)


def feet(width: int, *verdicts: Verdict | None, home: int = 3) -> list[str]:
    """The lines below boards that differ in what is known of them, and in nothing else."""
    panes = [replace(pane(home=home), chance=chance_of(verdict)) for verdict in verdicts]
    return [texts(pane_lines(shown, Look(), width, 18, is_focus=False))[-1] for shown in panes]


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("width", [*range(NARROW, 60), 90])
@pytest.mark.parametrize("home", [3, 52])
def test_what_can_be_won_stands_below_the_board_and_is_never_cut(home: int, width: int, code: str) -> None:
    language.use(code)
    for verdict, foot in zip(VERDICTS, feet(width, *VERDICTS, home=home), strict=True):
        assert cell_len(foot) == width
        said = foot.partition(f"{home}/52")[2].strip()
        assert said.removeprefix("12 actions").removeprefix("12 ações").strip() in chance_of(verdict)


@pytest.mark.parametrize(
    ("width", "words"),
    [
        (NARROW, "<= 220 moves"),
        (36, "<= 220 moves"),
        (37, "winnable within 220 moves"),
        (90, "winnable within 220 moves"),
    ],
)
def test_the_words_go_by_the_room_there_is(width: int, words: str) -> None:
    assert feet(width, VERDICTS[-1])[0].rstrip().endswith(f"  {words}")


@pytest.mark.parametrize("width", [*range(NARROW, 60), 90])
def test_what_is_said_of_a_board_moves_nothing_else_below_it(width: int) -> None:
    shown = feet(width, *VERDICTS)
    assert len({foot.partition("52")[0] for foot in shown}) == 1
    assert len({"12 actions" in foot for foot in shown}) == 1
    has_bar = {"\u2588" in foot for foot in feet(width, *VERDICTS, home=52)}
    assert has_bar == {width >= 27}


def test_where_nothing_is_said_of_any_board_no_room_is_kept_for_it() -> None:
    foot = texts(pane_lines(pane(), Look(), 40, 18, is_focus=False))[-1]
    assert foot.startswith("\u2588" + "\u2591" * 21)
    assert foot.rstrip().endswith(" 3/52 12 actions")


def test_the_pane_in_focus_has_a_sign_not_only_a_colour() -> None:
    grid = grid_for(2, 100, 20)
    assert grid is not None
    lines = texts(wall_lines([pane("ann"), pane("bob")], 1, grid, Look(symbols=False), 20))
    assert lines[0].startswith("  ann")
    assert "> bob" in lines[0]
    alone = texts(wall_lines([pane("ann")], 0, grid, Look(symbols=False), 20))
    assert ">" not in alone[0]


def test_a_last_row_that_is_not_full() -> None:
    grid = grid_for(3, 84, 36)
    assert grid is not None
    lines = texts(wall_lines([pane("ann"), pane("bob"), pane("cleo")], 0, grid, Look(), 36))
    assert len(lines) == 36
    assert "cleo" in lines[grid.height]


def test_how_far_he_is_stands_below() -> None:
    lines = texts(pane_lines(pane(home=26), Look(symbols=False), 47, 20, is_focus=False))
    assert lines[-1].startswith("###")
    assert lines[-1].rstrip().endswith(" 26/52 12 actions")


def test_a_board_that_is_not_shown_leaves_its_place_empty() -> None:
    lines = texts(pane_lines(pane(board=None), Look(), 47, 20, is_focus=False))
    assert {line.strip() for line in lines[1:-1]} == {""}


# Small boards.


@pytest.mark.parametrize("symbols", [True, False])
def test_small_cards_have_rank_and_suit_and_a_cell_left_free(symbols: bool) -> None:
    look = Look(symbols=symbols)
    lines = texts(small_lines(FULL, look, WIDE, 30))
    suit = look.suit
    assert lines[0].startswith(f"T{suit('D')}  -   9{suit('H')} ")
    assert f"{suit('C')}   K{suit('D')}  A{suit('H')}  {suit('S')}" in lines[0]
    assert lines[2].startswith(f"K{suit('D')}  -   T{suit('H')} ")
    assert {len(line) for line in lines} == {WIDE}
    assert {len(line) for line in texts(small_lines(FULL, look, NARROW, 30))} == {NARROW}
    assert symbols or "".join(lines).isascii()


def test_a_long_column_is_cut_at_its_top() -> None:
    lines = texts(small_lines(FULL, Look(symbols=False), NARROW, 12))
    assert lines[1].startswith(" : ")
    assert lines[11].startswith("AD ")
