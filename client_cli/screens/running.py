"""Running the full screen as a program."""

import argparse
import asyncio
import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from client_cli import language
from client_cli.errors import ClientError
from client_cli.screens.app import RaceApp
from client_cli.screens.seating import Seating
from client_cli.screens.suit_width import are_suits_narrow
from client_cli.wiring import name_asked_for, style_of
from client_cli.world import World

_ENDING: Final = ("SIGTERM", "SIGHUP", "SIGQUIT")
"""By what the system ends a program at a terminal; not every system has all."""


async def run_screen(args: argparse.Namespace, world: World, seating: Seating | None = None) -> int:
    """Run the full screen until the player leaves it; the exit status.

    Args:
        args: the options of the command.
        world: what is around.
        seating: the race to begin with; without one it begins with the first screen.

    Raises:
        ClientError: the race to begin with does not let one in, or a name that cannot be one was given.
    """
    language.use(language.language_of(args.lang, world.environment))
    name_asked_for(args, world)
    with _told_to_end() as told:
        if style_of(args, world).symbols and not are_suits_narrow(world.stdin, world.stdout):
            args = argparse.Namespace(**{**vars(args), "ascii": True})
        # What was loaded stays; a collector that looks through all of it now and then would be felt as a
        # stutter.
        gc.collect()
        gc.freeze()
        app = _at_terminal(RaceApp(args, world, seating))
        ending = asyncio.create_task(_end_when(told, app))
        try:
            hint = await app.run_async()
        finally:
            ending.cancel()
    if app.failure:
        raise ClientError(app.failure)
    if hint:
        world.stdout.write(f"{hint}\n")
        world.stdout.flush()
    return app.return_code or 0


def _at_terminal(app: RaceApp) -> RaceApp:
    """The app as it uses the terminals of this system."""
    if sys.platform != "win32":
        from client_cli.screens.driver import TerminalDriver  # noqa: PLC0415 - Windows has not what it needs

        app.driver_class = TerminalDriver
    return app


@contextmanager
def _told_to_end() -> Iterator[asyncio.Event]:
    """Whether the system has told the program to end: in good order, or the terminal stays drawn upon."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    with suppress(NotImplementedError):  # Windows knows no such thing
        for number in signals:
            loop.add_signal_handler(number, told.set)
    try:
        yield told
    finally:
        with suppress(NotImplementedError):
            for number in signals:
                loop.remove_signal_handler(number)


async def _end_when(told: asyncio.Event, app: RaceApp) -> None:
    await told.wait()
    app.exit()
