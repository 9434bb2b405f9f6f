import io
import os
import pty
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from client_cli.screens.suit_width import are_suits_narrow


@contextmanager
def terminal(answer: bytes) -> Iterator[int]:
    """A terminal that says this when it is asked where its cursor is."""
    ours, theirs = pty.openpty()

    def play() -> None:
        heard = b""
        while b"\x1b[6n" not in heard:
            heard += os.read(ours, 256)
        os.write(ours, answer)

    player = threading.Thread(target=play)
    player.start()
    try:
        yield theirs
    finally:
        player.join()
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize(
    ("answer", "is_narrow"),
    [(b"\x1b[7;3R", True), (b"\x1b[7;5R", False), (b"\x1b[7;4R", False), (b"ab\x1b[1;3R", True), (b"", True)],
)
def test_the_terminal_is_asked(answer: bytes, is_narrow: bool) -> None:
    with terminal(answer) as theirs, os.fdopen(os.dup(theirs), "w", encoding="utf-8") as stdout:
        assert are_suits_narrow(theirs, stdout) is is_narrow


def test_what_is_no_terminal_is_not_asked() -> None:
    source, sink = os.pipe()
    try:
        out = io.StringIO()
        assert are_suits_narrow(source, out)
        assert out.getvalue() == ""
    finally:
        os.close(source)
        os.close(sink)
