"""A process that searches, seen from outside."""

import asyncio
import os
import sys

from server.freecell.deal import deal
from server.solver import wire
from tests.server.solver.needs import needs_solver

pytestmark = needs_solver

WORKER = (sys.executable, "-m", "server.solver.worker")


async def test_it_says_nothing_when_nobody_is_there_to_be_answered() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    worker = await asyncio.create_subprocess_exec(
        *WORKER, stdin=asyncio.subprocess.PIPE, stdout=writing, stderr=asyncio.subprocess.PIPE
    )
    os.close(writing)
    _, said = await worker.communicate(wire.request(deal(1), 1000))
    assert said == b""
    assert worker.returncode == 0
