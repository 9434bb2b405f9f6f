"""The processes that search for one server, started when they are first needed."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from server.freecell.position import Position
from server.solver import wire
from server.solver.engine import SolverMissing, check_installed
from server.solver.search import Undecided

log = logging.getLogger(__name__)

START_S: Final = 20.0
SEARCH_S: Final = 60.0
"""After so long a process is ended; a bound of states ends a search long before."""

COMMAND: Final = (sys.executable, "-m", "server.solver.worker")

_NOTHING: Final[wire.Found] = (Undecided(), ())


class Crew:
    """So many processes, each with one search at a time."""

    def __init__(self, size: int, command: Sequence[str] = COMMAND) -> None:
        self.size = size
        self.missing = ""
        """Why there is no solver here, once that is known."""
        self._command = command
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    def find_out(self) -> None:
        """Find out now, not at the first search, whether there is a solver; it takes some milliseconds."""
        try:
            check_installed()
        except SolverMissing as error:
            self._miss(str(error))

    async def search(self, position: Position, states: int) -> wire.Found:
        """What a search comes to: undecided where the solver is missing, or its processes fail.

        Not more than `size` at a time may be asked for.
        """
        # A process may be killed for what is none of its doing, so that says something of the position only
        # if it happens twice.
        for _ in range(2):
            found = await self._try(wire.request(position, states))
            if found is not None:
                return found
        return _NOTHING

    async def _try(self, request: bytes) -> wire.Found | None:
        """What one process finds; None if it fails."""
        process: asyncio.subprocess.Process | None = None
        try:
            process = self._idle.pop() if self._idle else await self._start()
            if process is None:
                return _NOTHING
            assert process.stdin  # it has pipes
            process.stdin.write(request)
            found = wire.read_reply(await _line(process, SEARCH_S))
        except TimeoutError:
            log.warning("a search took too long")
            await self._end(process)
            return _NOTHING
        except (OSError, EOFError, ValueError) as error:
            log.warning("a search failed: %s", str(error) or type(error).__name__)
            await self._end(process)
            return None
        except BaseException:
            await self._end(process)
            raise
        self._idle.append(process)
        return found

    async def close(self) -> None:
        """End all processes."""
        for process in list(self._all):
            await self._end(process)

    async def _start(self) -> asyncio.subprocess.Process | None:
        """A new process that is ready; None where the solver is missing."""
        if self.missing:
            return None
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=wire.MAX_LINE
        )
        self._all.add(process)
        try:
            first = wire.read(await _line(process, START_S))
        except BaseException:
            await self._end(process)
            raise
        if first == wire.READY:
            return process
        self._miss(str(first[1]))
        await self._end(process)
        return None

    def _miss(self, why: str) -> None:
        if not self.missing:
            self.missing = why
            log.info("nothing is known of what can still be won: %s", why)

    async def _end(self, process: asyncio.subprocess.Process | None) -> None:
        if process is None:
            return
        self._all.discard(process)
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdin  # it has pipes
        process.stdin.close()
        await process.wait()


async def _line(process: asyncio.subprocess.Process, seconds: float) -> bytes:
    """The next line that a process writes.

    Raises:
        EOFError: it has ended.
        TimeoutError: it took too long.
    """
    assert process.stdout  # it has pipes
    async with asyncio.timeout(seconds):
        line = await process.stdout.readline()
    if not line.endswith(b"\n"):
        raise EOFError("its process has ended")
    return line
