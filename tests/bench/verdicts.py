"""Verdicts on two hundred boards asked for at once, and for how long they keep the event loop from all else.

The server and nothing else is in this process: those who race and watch are in another one, as are searches.
"""

import asyncio
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.app import running
from server.config import Config
from server.gateway.limits import Limits, Rate
from server.serving import new_runner, spare_collector
from server.solver.engine import SolverMissing, check_installed
from server.solver.solver import Solver
from tests.bench.crowd import RACERS, RACES
from tests.bench.measure import Figure

BOARDS: Final = RACES * RACERS
TICK_S: Final = 0.001
FREELY: Final = Rate(1e6, 1_000_000)
LIMITS: Final = Limits(moves=FREELY, joins=FREELY, creates=FREELY, creates_per_address=FREELY)


@dataclass(slots=True)
class Held:
    """The longest that a ticker had to wait for its turn, in seconds.

    Attributes:
        longest_s: by the clock on the wall; where other programs want the processors, for them as well.
        running_s: as long as this thread was running meanwhile.
    """

    longest_s: float = 0.0
    running_s: float = 0.0

    async def tick(self) -> None:
        """Ask for a turn every millisecond, for ever."""
        while True:
            begin, begun = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK_S)
            self.longest_s = max(self.longest_s, time.perf_counter() - begin - TICK_S)
            self.running_s = max(self.running_s, time.thread_time() - begun)


def figures() -> list[Figure]:
    """Verdicts a second, and the longest the event loop was held while they were found and told."""
    try:
        check_installed()
    except SolverMissing as error:
        print(f"bench: no verdicts: {error}", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder, new_runner() as runner:
        return runner.run(_measure(Path(folder) / "races.sqlite"))


async def _measure(path: Path) -> list[Figure]:
    solver, held = Solver(), Held()
    try:
        async with running(Config(port=0, store=f"sqlite:{path}", limits=LIMITS), assessor=solver) as server:
            spare_collector()
            took_s = await _watched(server.url, held)
    finally:
        await solver.close()
    return [
        Figure("verdicts", BOARDS / took_s, "1/s"),
        Figure("loop_held_by_verdicts", held.longest_s * 1000, "ms"),
        Figure("loop_held_by_verdicts:running", held.running_s * 1000, "ms"),
    ]


async def _watched(url: str, held: Held) -> float:
    """How many seconds it took until every board was judged."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "tests.bench.crowd", url)
    crowd = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    try:
        assert crowd.stdin  # it has pipes
        assert crowd.stdout
        assert await crowd.stdout.readline() == b"ready\n"
        ticking = asyncio.create_task(held.tick())
        crowd.stdin.write(b"go on\n")
        took_s = float(await crowd.stdout.readline())
        ticking.cancel()
        return took_s
    finally:
        with suppress(ProcessLookupError):
            crowd.kill()
        await crowd.wait()
