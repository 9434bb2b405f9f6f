"""A race as lines: cards home over time, as text. Pure.

Where there are symbols the lines are drawn in the eight dots of a braille cell, dashed each in its own
way where there is no colour; else each is drawn with a letter of its own. At its end stands the letter
either way, so none is told by its colour alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from client_cli.curves import Points, home_at
from client_cli.screens.canvas import Canvas, Span
from client_cli.screens.look import Look
from client_cli.standings import CARDS, clock_text

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GHOST: Final = "@"
"""What stands in the place of a letter for a ghost."""
SMALLEST: Final = (24, 6)
"""Cells and rows below which a chart tells nothing."""

_MARGIN: Final = 3
_ENDS: Final = 2
_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BLANK: Final = 0x2800
_DASHES: Final = ("1", "1100", "1110", "10", "111100", "11010", "1000", "11101000")
"""Which dots of a line are drawn, again and again, where lines differ by nothing else."""
_GHOST_DASHES: Final = "100000"
"""Those of a ghost, in colours too: it takes no part in the race."""


class _Marks(NamedTuple):
    """What axes are made of."""

    across: str
    upright: str
    corner: str
    dotted: str
    pointer: str


_SYMBOLS: Final = _Marks("─", "│", "└", "┈", "▲")
_ASCII: Final = _Marks("-", "|", "+", ".", "^")


@dataclass(frozen=True, slots=True)
class Plot:
    """One line.

    Attributes:
        letter: what stands at its end.
        points: where it goes.
        end_ms: where it ends: now, or when its racer was done.
    """

    letter: str
    points: Points
    end_ms: int

    @property
    def kind(self) -> str:
        """What it is to the look."""
        return "ghost" if self.letter == GHOST else f"line{LETTERS.index(self.letter) % 8}"


@dataclass(frozen=True, slots=True)
class Chart:
    """All that is drawn.

    Attributes:
        plots: the lines; later ones are drawn over earlier ones.
        until_ms: the time at the right edge.
        at_ms: a time that is pointed at.
        decided_ms: when the race was decided.
    """

    plots: tuple[Plot, ...]
    until_ms: int
    at_ms: int | None = None
    decided_ms: int | None = None


def letter_of(place: int) -> str:
    """The letter of the racer who took the `place`-th seat, from 0 on."""
    return LETTERS[place % len(LETTERS)]


def chart_lines(chart: Chart, look: Look, width: int, height: int) -> list[list[Span]]:
    """The drawing: `height` lines of `width` cells; none where it would tell nothing."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return []
    canvas = Canvas(width, height)
    sheet = _Sheet(canvas, look, width - _MARGIN - _ENDS, height - 2, max(1, chart.until_ms))
    sheet.axes(chart)
    for plot in chart.plots:
        sheet.line(plot)
    sheet.ends(chart.plots)
    return canvas.lines()


class _Sheet:
    """A canvas with its measures; the last two rows are the axis and its times."""

    def __init__(self, canvas: Canvas, look: Look, columns: int, rows: int, until_ms: int) -> None:
        self._canvas, self._symbols = canvas, look.symbols
        self._dashed = look.symbols and not look.colour
        self._marks = _SYMBOLS if look.symbols else _ASCII
        self._columns, self._rows, self._until_ms = columns, rows, until_ms
        self._across, self._down = (2, 4) if look.symbols else (1, 1)
        self._bits = [[0] * columns for _ in range(rows)]

    def _column(self, ms: int) -> int:
        return min(self._columns - 1, max(0, round(ms * (self._columns - 1) / self._until_ms)))

    def axes(self, chart: Chart) -> None:
        """The scale of cards, the times, and what is pointed at."""
        canvas, signs = self._canvas, self._marks
        for home in (0, CARDS // 4, CARDS // 2, 3 * CARDS // 4, CARDS):
            row = self._dot_row(home) // self._down
            canvas.put(0, row, f"{home:2}", "label")
            canvas.put(_MARGIN, row, signs.dotted * self._columns, "grid")
        for row in range(self._rows):
            canvas.put(_MARGIN - 1, row, signs.upright, "grid")
        canvas.put(_MARGIN - 1, self._rows, signs.corner + signs.across * self._columns, "grid")
        if chart.decided_ms is not None:
            canvas.put(_MARGIN + self._column(chart.decided_ms), self._rows, "*", "own")
        if chart.at_ms is not None:
            x = _MARGIN + self._column(chart.at_ms)
            for row in range(self._rows):
                canvas.put(x, row, signs.upright, "label")
            canvas.put(x, self._rows, signs.pointer, "reach")
        self._times(chart)

    def _times(self, chart: Chart) -> None:
        """Start, end, and what is pointed at; a time that would run into another is left out."""
        told = [
            (0, _MARGIN, "label"),
            (chart.until_ms, _MARGIN + self._columns, "label"),
        ]
        if chart.at_ms is not None:
            told.insert(0, (chart.at_ms, _MARGIN + self._column(chart.at_ms), "reach"))
        taken: set[int] = set()
        for ms, x, kind in told:
            text = clock_text(ms)
            start = min(max(0, x - len(text) // 2), self._canvas.width - len(text))
            cells = set(range(start - 1, start + len(text) + 1))
            if not cells & taken:
                taken |= cells
                self._canvas.put(start, self._rows + 1, text, kind)

    def line(self, plot: Plot) -> None:
        """One line, as steps: a card is home at once."""
        if not plot.points:
            return
        dashes = self._dashes_of(plot)
        before: int | None = None
        touched: dict[tuple[int, int], None] = {}
        for x, home in enumerate(self._heights(plot)):
            y = self._dot_row(home)
            low, high = (y, y) if before is None else (min(y, before), max(y, before))
            before = y
            if low == high and dashes[x % len(dashes)] == "0":
                continue
            for dot in range(low, high + 1):
                column, row = x // self._across, dot // self._down
                self._bits[row][column] |= _DOTS[x % 2][dot % 4]
                touched[column, row] = None
        for column, row in touched:
            text = chr(_BLANK + self._bits[row][column]) if self._symbols else plot.letter.lower()
            self._canvas.put(_MARGIN + column, row, text, plot.kind)

    def _dashes_of(self, plot: Plot) -> str:
        if plot.letter == GHOST:
            return _GHOST_DASHES if self._symbols else "100"
        return _DASHES[LETTERS.index(plot.letter) % len(_DASHES)] if self._dashed else "1"

    def _heights(self, plot: Plot) -> Iterator[int]:
        """The cards home at each dot from the left to the end of the line."""
        wide, place = self._columns * self._across, 0
        for x in range(wide):
            ms = x * self._until_ms // max(1, wide - 1)
            if ms > plot.end_ms and x:
                return
            while place < len(plot.points) and plot.points[place][0] <= ms:
                place += 1
            yield plot.points[place - 1][1] if place else 0

    def ends(self, plots: Sequence[Plot]) -> None:
        """The letter of each line right of its end; beside it where another stands there."""
        taken: set[tuple[int, int]] = set()
        for plot in sorted(plots, key=lambda plot: plot.letter == GHOST):
            if not plot.points:
                continue
            x = _MARGIN + self._column(plot.end_ms) + 1
            y = self._dot_row(home_at(plot.points, plot.end_ms)) // self._down
            place = _free_place(x, y, self._rows, taken)
            taken.add(place)
            self._canvas.put(*place, plot.letter, plot.kind)

    def _dot_row(self, home: int) -> int:
        tall = self._rows * self._down
        return tall - 1 - round(home * (tall - 1) / CARDS)


def _free_place(x: int, y: int, rows: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """Where a letter can stand: at the end of its line, else as near to it as may be."""
    places = [(x + right, row) for right in range(_ENDS) for row in range(rows)]
    free = [place for place in places if place not in taken]
    return min(free, key=lambda place: (2 * abs(place[1] - y) + place[0] - x, place), default=(x, y))
