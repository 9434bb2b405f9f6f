"""Finding whom to race against: an attempt on the boards of a day, or a race that is over."""

import argparse
import asyncio
from typing import NamedTuple

from client_cli.connection import Heard, Over
from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.inbox import Inbox
from client_cli.language import tr
from client_cli.session import Session
from client_cli.standings import winner_of
from client_cli.terminal import Terminal
from client_cli.visit import visiting
from client_cli.wiring import Server, converse, read_code, who
from client_cli.world import World
from protocol.commands import DailyCells, Ranking, Watch
from protocol.events import DayTold, Ranks, Refused
from protocol.views import Life, Picture


class OldRace(NamedTuple):
    """A race that is over: what was raced on, and whom to race against."""

    life: Life
    haunt: Haunt


async def on_the_boards(
    args: argparse.Namespace, world: World, server: Server, terminal: Terminal, told: DayTold
) -> Haunt:
    """The attempt that `--ghost` names: by its own name, or by that of somebody who has won the day's deal.

    Raises:
        ClientError: there is none; or the server cannot be asked.
    """
    name: str = args.ghost
    if name.startswith("daily:"):
        return Haunt(read_code(name))
    cells: DailyCells = 2 if told.cells == 2 else 4
    start, more = 0, True
    async with visiting(args, world, server, terminal) as visitor:
        while more:
            (page,) = await visitor.ask((Ranking(0, cells, told.day, "time", start), Ranks))
            for line in page.lines:
                if line.name.casefold() == name.casefold():
                    return Haunt(line.race, line.player)
            start, more = page.next, page.more and page.next > start
    text = tr("nobody called {name} has won that deal; cellrace board shows who has")
    raise ClientError(text.format(name=name))


async def old_race(args: argparse.Namespace, world: World, server: Server, terminal: Terminal) -> OldRace:
    """The race that `--ghost` names by its code; one races against oneself there, else against the winner.

    Raises:
        ClientError: there is none, it is not over, or nobody raced in it; or the server cannot be asked.
    """
    code = read_code(args.ghost)
    picture, player = await _look(args, world, server, terminal, code)
    if picture.life.phase != "over":
        raise ClientError(tr("race {race} is not over; a ghost is of a race that is").format(race=code))
    if picture.layout is None:
        raise ClientError(tr("race {race} was never started; there is no ghost in it").format(race=code))
    winner = winner_of(picture)
    is_own = any(racer.player == player for racer in picture.racers)
    return OldRace(picture.life, Haunt(code, player if is_own else winner.player if winner else ""))


async def _look(
    args: argparse.Namespace, world: World, server: Server, terminal: Terminal, code: str
) -> tuple[Picture, str]:
    """A race as it is, and one's own id."""
    inbox = Inbox()
    player = who(args, world, server)
    conversation = converse(player, server, Session(Watch(code)), inbox, terminal, world)
    async with asyncio.TaskGroup() as group:
        talk = group.create_task(conversation.run())
        try:
            while (picture := conversation.session.picture) is None:
                match await inbox.get():
                    case Over(why):
                        raise ClientError(why)
                    case Heard(_, Refused(detail=detail), step) if step.retry_ms is None:
                        raise ClientError(detail)
                    case _:
                        pass
            return picture, conversation.session.player
        finally:
            talk.cancel()
