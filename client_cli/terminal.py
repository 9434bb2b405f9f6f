"""The terminal, or the pipe in its place: text out, lines in."""

import asyncio
import codecs
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TextIO

from client_cli.output import put
from client_cli.wrapping import wrapped

PROMPT: Final = "> "

_CLEAR_LINE: Final = "\r\x1b[K"
_CHUNK: Final = 65_536
_LONGEST_LINE: Final = 4096


LINES_AHEAD: Final = 1000
"""Lines that are read before the first of them is used: more than anybody types; a script may never end."""


def _nobody_waits() -> None:
    """What a line leads to that was not read from anywhere."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A line came in.

    Attributes:
        text: the line.
        used: to be called by who acts on it, so that another one is read.
    """

    text: str
    used: Callable[[], None] = field(default=_nobody_waits, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EndOfInput:
    """There will be no further line."""


Input = Typed | EndOfInput


class Terminal:
    """Where text goes.

    Attributes:
        is_interactive: whether a person sits there: then there is a prompt, and questions may be asked.

    Args:
        out: where to write.
        can_clear: whether a prompt can be taken back.
        width: in cells, at any time; 0 where lines are not to be broken.
    """

    def __init__(
        self,
        out: TextIO,
        *,
        is_interactive: bool,
        can_clear: bool = True,
        width: Callable[[], int] = lambda: 0,
    ) -> None:
        self.is_interactive = is_interactive
        self._width = width
        self._out = out
        self._clear = _CLEAR_LINE if can_clear else "\n"
        self._has_prompt = False

    def say(self, *texts: str) -> None:
        """Print texts, each on lines of its own, above the prompt."""
        if not texts:
            return
        above = self._clear if self._has_prompt else ""
        self._has_prompt = False
        put(self._out, above + "".join(f"{wrapped(text, self._width())}\n" for text in texts))

    def prompt(self, question: str = PROMPT) -> None:
        """Ask for a line, if somebody is there to type it and was not asked already."""
        if self.is_interactive and not self._has_prompt:
            put(self._out, wrapped(question, self._width()))
            self._has_prompt = True

    def answered(self) -> None:
        """A line was typed: the cursor is below the prompt now."""
        self._has_prompt = False


def read_lines(descriptor: int, report: Callable[[Input], None]) -> None:
    """Report every line that comes in on a file descriptor, then its end, from a thread of its own.

    A thread, because files and terminals and pipes are all to be read the same way; reading the descriptor,
    because a thread that waits inside `sys.stdin` would keep the interpreter from ending. `report` is called
    on the running loop. Of `LINES_AHEAD` lines one must be used before the next is read.
    """
    loop = asyncio.get_running_loop()

    def put(item: Input) -> None:
        try:
            loop.call_soon_threadsafe(report, item)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return

    threading.Thread(target=_read, args=(descriptor, put), name="input", daemon=True).start()


async def next_line(descriptor: int) -> Input:
    """The next line of a terminal or a pipe, and nothing of what follows it.

    Without a thread: one that waits for a line cannot be told that nobody wants it any more, and would take
    what is typed next from whoever reads then. Here Ctrl-C ends the wait at once.
    """
    loop = asyncio.get_running_loop()
    line = bytearray()
    done: asyncio.Future[Input] = loop.create_future()

    def read() -> None:
        byte = _read_chunk(descriptor, 1)
        if byte not in {b"", b"\n"}:
            line.extend(byte if len(line) < _LONGEST_LINE else b"")
        elif not done.done():
            text = line.decode("utf-8", errors="replace")
            done.set_result(Typed(text) if byte or text else EndOfInput())

    loop.add_reader(descriptor, read)
    try:
        return await done
    finally:
        loop.remove_reader(descriptor)


def _read(descriptor: int, put: Callable[[Input], None]) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    rest = ""
    room = threading.Semaphore(LINES_AHEAD)
    while chunk := _read_chunk(descriptor):
        *lines, rest = (rest + decoder.decode(chunk)).split("\n")
        for line in lines:
            room.acquire()
            put(Typed(line, room.release))
        rest = rest[:_LONGEST_LINE]
    if rest:
        put(Typed(rest))
    put(EndOfInput())


def _read_chunk(descriptor: int, most: int = _CHUNK) -> bytes:
    try:
        return os.read(descriptor, most)
    except OSError:  # a terminal that went away ends like a file does
        return b""
