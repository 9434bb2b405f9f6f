"""How wide this terminal draws the suits, found out by asking it.

Some terminals draw them two cells wide, as pictures or by a setting for East Asian letters, and say so to
nobody. So two are written, and the terminal is asked where its cursor is now. One that does not answer is
taken to draw them as nearly all do.
"""

import os
import re
import select
import time
from contextlib import suppress
from typing import Final, TextIO

ANSWER_S: Final = 0.25
_ASKED: Final = "♥♣"
_PLACE: Final = re.compile(rb"\x1b\[\d+;(\d+)R")


def are_suits_narrow(stdin: int, stdout: TextIO) -> bool:
    """Whether each takes one cell. Nothing of the question is left on the screen."""
    try:
        import termios  # noqa: PLC0415 - not on every system
        import tty  # noqa: PLC0415
    except ImportError:
        return True
    with suppress(termios.error, OSError):
        before = termios.tcgetattr(stdin)
        try:
            tty.setcbreak(stdin)
            stdout.write(f"\r{_ASKED}\x1b[6n\r\x1b[K")
            stdout.flush()
            column = _column(stdin)
        finally:
            termios.tcsetattr(stdin, termios.TCSANOW, before)
        return column is None or column == len(_ASKED) + 1
    return True


def _column(stdin: int) -> int | None:
    """The column in the terminal's answer; None without one."""
    heard, until = b"", time.monotonic() + ANSWER_S
    while (left_s := until - time.monotonic()) > 0:
        if select.select([stdin], [], [], left_s)[0]:
            heard += os.read(stdin, 256)
            if found := _PLACE.search(heard):
                return int(found[1])
    return None
