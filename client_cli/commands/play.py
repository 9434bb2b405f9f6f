"""`cellrace play`: a race on this machine, started at once."""

import argparse
from contextlib import AsyncExitStack

import msgspec

from client_cli.errors import ClientError
from client_cli.ghost_finding import old_race
from client_cli.going_on import Intent
from client_cli.hosting import ALONE, same_deal
from client_cli.installing import no_solver_here
from client_cli.language import mark, tr
from client_cli.lines import LEVELS
from client_cli.opening import no_race
from client_cli.options import add_command, add_settings, named_settings, settings_of
from client_cli.own_server import OwnServer
from client_cli.seat import sit_down
from client_cli.session import Session
from client_cli.table import Habits
from client_cli.visit import reach
from client_cli.wiring import new_create_id, terminal_of
from client_cli.world import World
from protocol.commands import Create

_EXAMPLE = mark("""\
  cellrace play --deal 617 --cells 3
  cellrace play --robot even --robot fast
  cellrace play --ghost ABCDEFGH     the deal of a race that is over, against how far you were then
  echo '3a 26 7h' | cellrace play
In the game, ? says what can be typed. A race you left is gone on with the next time, if it is as \
you ask for; its clock has run on.""")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "play", mark("race on this machine, at once and alone"), _EXAMPLE, run)
    parser.add_argument(
        "--new", action="store_true", help=tr("begin a new race even if an earlier one still runs")
    )
    parser.add_argument(
        "--robot",
        choices=LEVELS,
        action="append",
        default=[],
        dest="robots",
        help=tr("race a robot that plays so fast; more of them for more robots"),
    )
    parser.add_argument(
        "--ghost",
        metavar=tr("CODE"),
        help=tr("race once more on the deal of a race that is over, against yourself there"),
    )
    add_settings(parser)


async def run(args: argparse.Namespace, world: World) -> int:
    """Play: on the named server, else on one of our own."""
    settings = settings_of(args, ALONE)
    if args.ghost and settings != ALONE:
        raise ClientError(tr("with --ghost, deal and rules are those of its race; name no others"))
    async with AsyncExitStack() as stack:
        server, own = await reach(args, world, stack)
        old = await old_race(args, world, server, terminal_of(world)) if args.ghost else None
        settings = same_deal(old.life) if old else settings
        seats = max(settings.max_racers, 1 + len(args.robots))
        entrance = Create(new_create_id(), msgspec.structs.replace(settings, max_racers=seats))
        robots = tuple(LEVELS[level] for level in args.robots)
        intent = None if args.new or old else Intent("alone", named_settings(args), robots)
        session = Session(entrance, intent=intent, if_no_robots=_no_robots(own) if robots else "")
        at = f" --server {server.url}"
        habits = Habits(
            return_hint=f"{_come_back()} cellrace {'play' if own else f'join {{race}}{at}'}",
            replay=f"cellrace replay {{race}}{' --local' if own else at}",
            starts=True,
            robots=robots,
            haunt=old.haunt if old else None,
        )
        return await sit_down(args, world, server, session, habits, own)


def _no_robots(own: OwnServer | None) -> str:
    why = no_solver_here() if own else tr("the server has no solver, without which none can play")
    return no_race(why)


def _come_back() -> str:
    return tr("The race goes on without you; come back with:")
