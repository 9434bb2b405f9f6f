"""Looking on at races on the full screen: while they run, and once they are over."""

import argparse
from collections.abc import Sequence
from typing import Final

from client_cli.errors import ClientError
from client_cli.language import tr
from client_cli.own_server import OwnServer
from client_cli.session import Session
from client_cli.wiring import Server
from client_cli.world import World
from protocol.commands import Watch

MOST: Final = 8
"""Races on one wall."""


def shows_screen(args: argparse.Namespace, world: World) -> bool:
    """Whether there is a screen to show it on, and one did not ask for lines of text."""
    return world.has_screen and not args.text


async def watch_on_screen(
    args: argparse.Namespace, world: World, server: Server, races: Sequence[str]
) -> int:
    """Hang the boards of these races on a wall; the exit status.

    Raises:
        ClientError: there are too many, or the first of them does not let one watch.
    """
    first, *others = dict.fromkeys(races)
    if len(others) >= MOST:
        raise ClientError(tr("{most} races at once are enough").format(most=MOST))
    return await _look_on(args, world, server, first, beside=tuple(others))


async def replay_on_screen(
    args: argparse.Namespace,
    world: World,
    server: Server,
    race: str,
    own: OwnServer | None = None,
) -> int:
    """Show a race that is over, beginning with a replay; the exit status.

    Args:
        args: whose, as `player`; who came first, if that is None.
        world: what is around.
        server: where the race is.
        race: its code.
        own: the server, if it is one's own; the screen ends it.

    Raises:
        ClientError: it does not let one watch.
    """
    return await _look_on(args, world, server, race, replays=True, whose=args.player or "", own=own)


async def _look_on(args: argparse.Namespace, world: World, server: Server, race: str, **more: object) -> int:
    # What draws on the whole screen takes a while to load, and lines do without it.
    from client_cli.screens.running import run_screen  # noqa: PLC0415
    from client_cli.screens.seating import Seating  # noqa: PLC0415

    seating = Seating(server, Session(Watch(race)), server.url, **more)  # type: ignore[arg-type]  # fields of it
    return await run_screen(args, world, seating)
