"""The full screen in a terminal of 120 x 40: from a key to the drawn board, and what doing nothing costs.

What nothing costs depends on the machine more than on the program. To be woken costs differently, so a
program that is woken as often and does nothing then is measured beside it. And some virtual machines take
memory away that was not touched for a moment: then the first touch of each page is charged to the program,
some 30 us instead of one or less, and a Python program touches a thousand pages in a second of idleness. So
that is measured, too, and what the same seconds cost without the pause in which memory goes.
"""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from client_cli.screens.race import RaceScreen
from client_cli.screens.timing import SECOND_MS
from tests.bench.measure import Figure, against_floor
from tests.client_cli.screens.house import Clock, hosting, person
from tests.end_to_end.terminal import terminal
from tests.server.gateway.house import house

MOVES = 300
IDLE_S = 5.0
SECONDS = 100
PAGES, PAGE_BYTES = 1000, 4096
WAKING = """
import asyncio
async def main():
    print("up", flush=True)
    while True:
        await asyncio.sleep(1)
asyncio.run(main())
"""


def figures() -> list[Figure]:
    """Milliseconds at the 50th and 99th of a hundred, client and server on one machine; percent of a core."""
    with tempfile.TemporaryDirectory() as folder:
        took_ms, idle, waking = asyncio.run(_measure(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        work = asyncio.run(_idle_work_percent(Path(folder)))
    took_ms.sort()
    return [
        Figure("screen_key_to_board_p50", took_ms[len(took_ms) // 2], "ms"),
        Figure("screen_key_to_board_p99", took_ms[len(took_ms) * 99 // 100], "ms"),
        *against_floor("screen_idle_cpu", idle, "%", "waking_idle_cpu", waking),
        Figure("screen_idle_cpu_without_pause", work, "%"),
        Figure("page_untouched_for_1_s", _page_us(), "us"),
    ]


async def _measure(folder: Path) -> tuple[list[float], float, float]:
    """Play a card from cell to cell and back, each time waiting until it is drawn; then do nothing."""
    async with terminal(folder, "ann", "play", "--deal", "1") as screen:
        await screen.shows("0 actions")
        screen.type("5a")
        await screen.shows(r"\b1 action")
        took_ms = []
        for made in range(2, MOVES + 2):
            source, dest = ("b", "a") if made % 2 else ("a", "b")
            screen.type(source)
            begin = time.perf_counter()
            screen.type(dest)
            await screen.shows(rf"\b{made} action")
            took_ms.append((time.perf_counter() - begin) * 1000)
        return took_ms, await _idle_percent(screen.process.pid), await _waking_percent()


async def _waking_percent() -> float:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", WAKING, stdout=pipe)
    try:
        assert process.stdout is not None
        await process.stdout.readline()
        return await _idle_percent(process.pid)
    finally:
        process.kill()
        await process.communicate()


async def _idle_percent(pid: int) -> float:
    before, begin = _cpu_s(pid), time.monotonic()
    await asyncio.sleep(IDLE_S)
    return (_cpu_s(pid) - before) / (time.monotonic() - begin) * 100


async def _idle_work_percent(folder: Path) -> float:
    """Draw second after second by a clock that is not waited for; all but the writing to a terminal."""
    clock = Clock()
    async with (
        house(folder) as server,
        person(folder, "ann", seating=hosting(server.url, starts=True), now_ms=clock) as ann,
    ):
        await ann.reaches(RaceScreen)
        await ann.settled()
        begin = time.process_time()
        for _ in range(SECONDS):
            clock.ms += SECOND_MS
            await ann.ticks()
        return (time.process_time() - begin) / SECONDS * 100


def _page_us() -> float:
    """Microseconds to touch a page that nobody has touched for a second."""
    pages = bytearray(PAGES * PAGE_BYTES)
    took_us = []
    for _ in range(5):
        time.sleep(1)
        begin = time.perf_counter()
        for at in range(0, len(pages), PAGE_BYTES):
            pages[at] = 1
        took_us.append((time.perf_counter() - begin) * 1e6 / PAGES)
    return sorted(took_us)[2]


def _cpu_s(pid: int) -> float:
    """Seconds of processor time that a process has used; the first figure of its threads' `schedstat`.

    Not from its `stat`: that counts ticks, and whoever is woken by a tick is charged for the whole of it.
    """
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9
