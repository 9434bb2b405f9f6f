"""Running the full screen as a program."""

import argparse
import asyncio
import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from client_cli import language
from client_cli.errors import ClientError
from client_cli.screens.app import RaceApp
from client_cli.screens.seating import Seating
from client_cli.screens.suit_width import are_suits_narrow
from client_cli.wiring import style_of
from client_cli.world import World


async def run_screen(args: argparse.Namespace, world: World, seating: Seating | None = None) -> int:
    """Run the full screen until the player leaves it; the exit status.

    Args:
        args: the options of the command.
        world: what is around.
        seating: the race to begin with; without one it begins with the first screen.

    Raises:
        ClientError: the race to begin with does not let one in.
    """
    language.use(language.language_of(args.lang, world.environment))
    if style_of(args, world).symbols and not are_suits_narrow(world.stdin, world.stdout):
        args = argparse.Namespace(**{**vars(args), "ascii": True})
    # What was loaded stays; a collector that looks through all of it now and then would be felt as a stutter.
    gc.collect()
    gc.freeze()
    app = RaceApp(args, world, seating)
    with _giving_the_terminal_back(app):
        hint = await app.run_async()
    if app.failure:
        raise ClientError(app.failure)
    if hint:
        world.stdout.write(f"{hint}\n")
        world.stdout.flush()
    return 0


@contextmanager
def _giving_the_terminal_back(app: RaceApp) -> Iterator[None]:
    """End the screen in good order where the system ends the program, or the terminal stays drawn upon."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows knows no such thing
        loop.add_signal_handler(signal.SIGTERM, app.exit)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGTERM)
