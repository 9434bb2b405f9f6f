"""A process that searches for a server: requests on standard input, answers on standard output.

A process of its own, so that a search takes time and memory from nobody else, and can be ended. It ends with
its standard input, and so also when the server is killed.
"""

import os
import signal
import sys
from typing import Final

from server.solver import wire
from server.solver.engine import SolverMissing, check_installed
from server.solver.search import find

MAX_MEMORY: Final = 2 << 30
"""Bytes; a bound of states keeps a search far below, and this whatever the library does."""

_NICENESS: Final = 10


def main() -> int:
    """Answer until there is nothing more to read, or nobody who reads."""
    _give_way()
    try:
        _answer()
    except BrokenPipeError:
        # What is still in the buffer has nowhere to go when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _answer() -> None:
    try:
        check_installed()
    except SolverMissing as error:
        _tell(wire.write(["missing", str(error)]))
        return
    _tell(wire.write(wire.READY))
    for line in sys.stdin.buffer:
        position, states = wire.read_request(line)
        _tell(wire.reply(position, find(position, states)))


def _tell(answer: bytes) -> None:
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


def _give_way() -> None:
    """Leave Ctrl-C to the server, the processor to whoever wants it, and memory to the machine."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on every system

    os.nice(_NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


if __name__ == "__main__":
    sys.exit(main())
