"""A wall of boards as text: how many beside each other, and each as large as there is room for. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.cells import cell_len

from client_cli.chances import Chance, chances
from client_cli.language import trn
from client_cli.screens.board_columns import board_lines
from client_cli.screens.board_view import SMALLEST as SMALLEST_SHAPE
from client_cli.screens.board_view import View, longest_of, shape_for
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.racer_rows import bar
from client_cli.screens.small_board import LOWEST, NARROW, small_lines
from client_cli.standings import CARDS
from client_cli.text_width import cut
from protocol.views import Board

Line = list[Span]

MOST: Final = 8
"""Boards on one wall."""

GAP: Final = 2
_AROUND: Final = 2
"""Rows of a pane that are not its board's: who it is, and the bar below."""
_SHORTEST_BAR: Final = 4
_ROOMY_BAR: Final = 12
"""Cells of a bar from which on there is room for actions between it and a verdict."""
_LOW: Final = 14
"""Rows below which a small board shows more of the columns than a large one."""
_ROOM_FOR: Final = 13
"""Cards in a column there is room for, so that the drawing does not jump as columns grow."""


@dataclass(frozen=True, slots=True)
class Pane:
    """One board of a wall.

    Attributes:
        title: whose it is.
        state: what he is doing.
        board: None where it is not shown.
        home: cards home.
        actions: how many he has made.
        marked: piles that the last step was about.
        chance: what is known of whether it can be won; None where such things are not told.
    """

    title: str
    state: str
    board: Board | None
    home: int
    actions: int
    marked: frozenset[str] = frozenset()
    chance: Chance | None = None


class Grid(NamedTuple):
    """How panes stand: so many beside and above each other, each of this size."""

    columns: int
    rows: int
    width: int
    height: int

    def pane_at(self, x: int, y: int) -> int:
        """The place of the pane at a cell."""
        column = min(self.columns - 1, x // (self.width + GAP))
        return min(self.rows - 1, y // self.height) * self.columns + column


def grid_for(panes: int, width: int, height: int) -> Grid | None:
    """The grid in which the boards are largest; None where they do not all have room."""
    found: list[tuple[float, Grid]] = []
    for columns in range(1, panes + 1):
        rows = -(-panes // columns)
        grid = Grid(columns, rows, (width - GAP * (columns - 1)) // columns, height // rows)
        inside = grid.height - _AROUND
        if grid.width >= NARROW and inside >= LOWEST:
            size = min(grid.width / SMALLEST_SHAPE.width, inside / SMALLEST_SHAPE.height)
            found.append((size, grid))
    return max(found, key=lambda entry: entry[0])[1] if found else None


def most_for(panes: int, width: int, height: int) -> int:
    """How many of so many boards are shown at once: one at least, else as many as there is room for."""
    most = min(panes, MOST)
    return next((some for some in range(most, 1, -1) if grid_for(some, width, height)), 1)


def wall_lines(panes: Sequence[Pane], focus: int, grid: Grid, look: Look, height: int) -> list[Line]:
    """All panes in their grid, the one in focus marked."""
    lines: list[Line] = []
    for first in range(0, len(panes), grid.columns):
        row = [
            pane_lines(pane, look, grid.width, grid.height, is_focus=place == focus and len(panes) > 1)
            for place, pane in enumerate(panes[first : first + grid.columns], start=first)
        ]
        for beside in zip(*row, strict=True):
            line: Line = []
            for part in beside:
                line += [Span(" " * GAP, "text"), *part] if line else part
            lines.append(line)
    return lines[:height]


def pane_lines(pane: Pane, look: Look, width: int, height: int, *, is_focus: bool) -> list[Line]:
    """One pane: who, the board, how far; every line `width` cells wide."""
    sign = f"{look.signs.picked} " if is_focus else "  "
    name = cut(pane.title, max(4, width - len(sign) - cell_len(pane.state) - 1))
    space = " " * max(1, width - len(sign) - name.cells - cell_len(pane.state))
    kind = "reach" if is_focus else "own"
    title: Line = [Span(sign, kind), Span(name.text, kind), Span(space, "text"), Span(pane.state, "label")]
    body = _board(pane, look, width, height - _AROUND) if pane.board is not None else []
    body += [[] for _ in range(height - _AROUND - len(body))]
    return [_filled(line, width) for line in (title, *body, _foot(pane, look, width))]


def _foot(pane: Pane, look: Look, width: int) -> Line:
    """How far, and what can still be won. What stands there goes by the width alone, not by what is said."""
    figures = f" {pane.home:2}/{CARDS}"
    left = width - cell_len(figures) - _SHORTEST_BAR
    chance = _chance(pane.chance, left) if pane.chance is not None else ""
    room = width - cell_len(figures) - cell_len(chance)
    most = cell_len(_actions(max(100, pane.actions)))
    if room - most >= (_SHORTEST_BAR if pane.chance is None else _ROOMY_BAR):
        figures, room = f"{figures}{_actions(pane.actions).ljust(most)}", room - most
    figures = f"{figures}{chance}".rstrip()
    if room < _SHORTEST_BAR:
        return [Span(cut(figures[1:], width).text, "text")]
    return [Span(bar(pane.home, min(CARDS, room), look), "bar"), Span(figures, "text")]


def _chance(chance: Chance, room: int) -> str:
    """What is said, in the words for so much room, with the room that any other would take."""
    most = chance_widths()
    said, cells = (chance.short, most[0]) if 2 + most[0] <= room else (chance.shortest, most[1])
    return f"  {said}{' ' * (cells - cell_len(said))}"


def chance_widths() -> tuple[int, int]:
    """Cells that what is said of a board takes at most: in few words, and in the fewest."""
    return max(cell_len(said.short) for said in chances()), max(cell_len(said.shortest) for said in chances())


def _actions(actions: int) -> str:
    return f" {trn('{n} action', '{n} actions', actions)}"


def _board(pane: Pane, look: Look, width: int, height: int) -> list[Line]:
    board = pane.board
    assert board is not None  # only a board that is shown is drawn
    if width < SMALLEST_SHAPE.width or height < _LOW:
        return small_lines(board, look, width, height)
    shape = shape_for(width, height, max(_ROOM_FOR, longest_of(board)))
    return board_lines(View(board, hint=pane.marked), shape, look)


def _filled(line: Line, width: int) -> Line:
    cells = sum(cell_len(span.text) for span in line)
    return [*line, Span(" " * (width - cells), "text")] if cells < width else line
