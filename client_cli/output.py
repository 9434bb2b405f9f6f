"""Standard output, which may be a full disk, a pipe nobody reads, or closed."""

import os
import sys
from contextlib import suppress
from typing import Protocol, TextIO

from client_cli.errors import ClientError
from client_cli.language import tr
from client_cli.os_words import why_of
from client_cli.wrapping import wrapped


class Sink(Protocol):
    """What text goes to."""

    def write(self, text: str, /) -> int:
        """Take text, perhaps only into a buffer."""

    def flush(self) -> None:
        """Let go of what is buffered."""


def put(out: Sink, text: str) -> None:
    """Write text at once.

    Raises:
        ClientError: it cannot be written.
        BrokenPipeError: nobody reads it any more.
    """
    try:
        out.write(text)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ClientError(tr("cannot write the output: {why}").format(why=why_of(error))) from None


def complain(text: str) -> None:
    """Write to standard error, for a person broken at words; who closed it does not want to know."""
    if sys.stderr is not None:
        with suppress(OSError):
            sys.stderr.write(wrapped(text, width_of(sys.stderr)))


def width_of(out: TextIO) -> int:
    """The width of a terminal in cells; 0 of what is none, or has gone."""
    try:
        return os.get_terminal_size(out.fileno()).columns
    except (OSError, ValueError):
        return 0


def discard() -> None:
    """Give up on standard output: Python would try once more, when it ends, to write what is buffered."""
    with suppress(OSError):
        sys.stdout.flush()
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
