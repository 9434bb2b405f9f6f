"""How far `certify` is: a bar in a terminal, a line now and then elsewhere."""

from collections.abc import Callable
from typing import Final, TextIO

from server.solver.certify import Done

WIDTH: Final = 30
BAR_EVERY_S: Final = 0.2
LINE_EVERY_S: Final = 10.0


class Progress:
    """Tells what was done, on one line that is written over again where there is a terminal.

    Args:
        stream: where to.
        now_s: a clock that never runs backwards.
    """

    def __init__(self, stream: TextIO, now_s: Callable[[], float]) -> None:
        self._stream = stream
        self._now_s = now_s
        self._is_terminal = stream.isatty()
        self._began: tuple[object, float] = (None, 0.0)
        self._said_s = -LINE_EVERY_S
        self._undecided = 0

    def did(self, done: Done) -> None:
        """One more case was tried."""
        now_s = self._now_s()
        part = (done.bound, done.answer.case.cells)
        if self._began[0] != part:
            self._began, self._undecided = (part, now_s), 0
        self._undecided += done.answer.winnable is None
        every_s = BAR_EVERY_S if self._is_terminal else LINE_EVERY_S
        if now_s - self._said_s >= every_s or done.place == done.total:
            self._said_s = now_s
            self._say(self._line(done, now_s - self._began[1]), last=done.place == done.total)

    def _line(self, done: Done, spent_s: float) -> str:
        filled = WIDTH * done.place // done.total
        bar = "#" * filled + "." * (WIDTH - filled)
        left_s = round(spent_s / done.place * (done.total - done.place))
        minutes, seconds = divmod(left_s, 60)
        what = f"{done.answer.case.cells} cells, {done.bound} states"
        how_far = f"{done.place}/{done.total}, {self._undecided} undecided"
        return f"{what} [{bar}] {how_far}, {minutes}:{seconds:02} left"

    def _say(self, line: str, *, last: bool) -> None:
        if self._is_terminal:
            self._stream.write(f"\r{line}\x1b[K" + ("\n" if last else ""))
        else:
            self._stream.write(f"{line}\n")
        self._stream.flush()
