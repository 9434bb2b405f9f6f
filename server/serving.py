"""Running a server as a process: its event loop, its signals, its log."""

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Final

from server.app import running
from server.config import Config
from server.gateway.coach import Coach
from server.solver.solver import Solver

_new_event_loop: Callable[[], asyncio.AbstractEventLoop] | None
try:
    from uvloop import new_event_loop as _new_event_loop
except ModuleNotFoundError:
    _new_event_loop = None

_COLLECT: Final = (2_000, 5, 100)
"""After so many new objects the youngest are gone through, after so many times those older, and then all."""

EXIT_S: Final = 20.0
"""How long going down may take in all."""


def serve_forever(config: Config, *, until_stdin_closes: bool = False) -> int:
    """Serve until a signal, or the end of standard input, says to stop; the exit status.

    Raises:
        CannotOpen, OSError: as `app.running`.
    """
    _fill_standard_files()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    with new_runner() as runner:
        return runner.run(_serve(config, until_stdin_closes=until_stdin_closes))


def new_runner() -> asyncio.Runner:
    """What a server runs on."""
    return asyncio.Runner(loop_factory=_new_event_loop)


def spare_collector() -> None:
    """Have the garbage collector pass over what is there by now and stays, and seldom go through the rest.

    The event loop waits for it, some ten milliseconds for each fifty thousand objects. What goes in races is
    freed without it, as nothing in there refers back; it is needed for what connections and tasks leave.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


def _fill_standard_files() -> None:
    """Open what was closed of the first three files, lest a socket gets a number that libuv takes amiss."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # It gets the lowest number that is free: this one.


async def _serve(config: Config, *, until_stdin_closes: bool) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, _stop_or_die, stop, name)
    solver = Solver()
    solver.find_out()  # so that the first who adds a robot is told
    try:
        async with running(config, coach=Coach(solver, speed=config.robot_speed), assessor=solver) as server:
            spare_collector()
            print(f"cellrace-server listening on {server.url}", flush=True)
            if until_stdin_closes:
                _at_end_of_stdin(lambda: loop.call_soon_threadsafe(stop.set))
            await stop.wait()
            # A store that hangs must not keep a process that was told to go.
            loop.call_later(EXIT_S, os._exit, 1)
    finally:
        await solver.close()
    return 0


def _stop_or_die(stop: asyncio.Event, signum: int) -> None:
    """The first signal asks to stop, the second one does not ask."""
    if stop.is_set():
        os._exit(128 + signum)
    stop.set()


def _at_end_of_stdin(call: Callable[[], object]) -> None:
    def read() -> None:
        while os.read(0, 4096):
            pass
        call()

    # A daemon thread, since a read that waits cannot be interrupted.
    threading.Thread(target=read, name="stdin", daemon=True).start()
