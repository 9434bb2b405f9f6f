"""`cellrace replay CODE`: what a racer did, step by step."""

import argparse
import asyncio
from contextlib import AsyncExitStack
from typing import TypeVar

from client_cli.chances import WHAT, report_lines, report_on
from client_cli.connection import Conversation, Heard, News, Over
from client_cli.errors import ClientError
from client_cli.hosting import ALONE_AT
from client_cli.inbox import Inbox
from client_cli.language import mark, tr
from client_cli.local_server import RacesInUse
from client_cli.options import add_command
from client_cli.own_server import own_server
from client_cli.playback import Frame, counting_notation, frames, joined, notation_text
from client_cli.render import board_text, home_of, moves_text
from client_cli.session import Session
from client_cli.standings import time_text, winner_of
from client_cli.style import Style
from client_cli.terminal import Input, Terminal, Typed, read_lines
from client_cli.viewing import replay_on_screen, shows_screen
from client_cli.wiring import (
    CODE_HELP,
    check_local,
    converse,
    race_named,
    read_code,
    style_of,
    terminal_of,
    who,
)
from client_cli.world import World
from protocol.commands import Replay, Watch
from protocol.events import Refused, Replayed, Reported
from protocol.picture import Hole
from protocol.views import Picture, Racer

_EXAMPLE = mark("""\
  cellrace replay ABCDEFGH --player bob
  cellrace replay ABCDEFGH --report    until when it could be won
  cellrace replay ABCDEFGH --local     a race of play or host here
  cellrace replay ABCDEFGH --notation | cellrace-server verify --deal 617
With --text one steps through: Enter goes on, b goes back, a number goes there, q ends.""")

_IN_USE = mark(
    "cannot read the races of this machine while another cellrace has them open (play, host, or a full screen"
    " with a race here); end that one, or leave its race"
)

GRACE_S = 3.0
"""What the end of a race may take to arrive, beside the delay that the host asked for."""

_Answer = TypeVar("_Answer", Replayed, Reported)

_STEPPING = mark("Enter: on   b: back   NUMBER: there   q: end > ")


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = add_command(commands, "replay", mark("what a racer did, once the race is over"), _EXAMPLE, run)
    parser.add_argument("code", metavar=tr("CODE"), help=tr(CODE_HELP))
    parser.add_argument("--player", metavar=tr("NAME"), help=tr("whose (default: the winner's)"))
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--notation", action="store_true", help=tr("print only the moves that count, after undos")
    )
    only.add_argument(
        "--report",
        action="store_true",
        help=tr("say only until when the game could be won, and where it left another's"),
    )
    parser.add_argument(
        "--local", action="store_true", help=tr("a race kept by play or host on this machine")
    )


async def run(args: argparse.Namespace, world: World) -> int:
    """Fetch a replay and show it."""
    if args.player is not None and not args.player.strip():
        raise ClientError(tr("--player wants the name of one who raced"))
    check_local(args)
    async with AsyncExitStack() as stack:
        own = None
        if args.local:
            code = read_code(args.code)
            try:
                own = await stack.enter_async_context(own_server(world, ALONE_AT))
            except RacesInUse:
                raise ClientError(tr(_IN_USE)) from None
            server = own.server
        else:
            server, code = race_named(args, world)
        if shows_screen(args, world) and not args.notation and not args.report:
            return await replay_on_screen(args, world, server, code, own)
        terminal = terminal_of(world)
        inbox = Inbox()
        player = who(args, world, server)
        conversation = converse(player, server, Session(Watch(code)), inbox, terminal, world)
        if args.report:
            report = await _fetch_report(conversation, inbox, args.player)
            terminal.say(*report_lines(report, conversation.session))
            return 0
        pages = await _fetch(conversation, inbox, args.player)
    steps = joined(pages)
    if args.notation:
        terminal.say(notation_text(counting_notation(steps)))
        return 0
    try:
        film = frames(pages[0].layout, steps)
    except Hole as error:
        raise ClientError(tr("this replay does not fit its deal: {why}").format(why=error)) from None
    await _show(args, world, terminal, pages[0], film)
    return 0


async def _fetch(conversation: Conversation, inbox: Inbox, name: str | None) -> list[Replayed]:
    """All pages of a racer's replay.

    Raises:
        ClientError: the race is not over, or has no such racer; in words.
    """
    async with asyncio.TaskGroup() as group:
        talk = group.create_task(conversation.run())
        try:
            racer = _racer(await _picture(conversation, inbox), name)
            pages: list[Replayed] = []
            while not pages or pages[-1].more:
                after = pages[-1].after + len(pages[-1].steps) if pages else 0
                await conversation.ask(Replay("", 0, racer.player, after))
                pages.append(await _answer(inbox, Replayed))
            return pages
        finally:
            talk.cancel()


async def _fetch_report(conversation: Conversation, inbox: Inbox, name: str | None) -> Reported:
    """The report of a racer's game, beside the best of the others; raises as `_fetch`."""
    async with asyncio.TaskGroup() as group:
        talk = group.create_task(conversation.run())
        try:
            racer = _racer(await _picture(conversation, inbox), name)
            await conversation.ask(report_on(conversation.session, racer.player))
            return await _answer(inbox, Reported)
        finally:
            talk.cancel()


async def _picture(conversation: Conversation, inbox: Inbox) -> Picture:
    """The race as it is; where its end may be told late, as it is then."""
    while (picture := conversation.session.picture) is None:
        _check(await inbox.get())
    watching = conversation.session.watching
    late_s = watching.delay_ms / 1000 if watching else 0
    try:
        async with asyncio.timeout(late_s + GRACE_S if late_s else 0):
            while picture.life.phase != "over":
                _check(await inbox.get())
                picture = conversation.session.picture or picture
    except TimeoutError:
        raise ClientError(tr("this race is not over; replays are open once it is")) from None
    return picture


async def _answer(inbox: Inbox, kind: type[_Answer]) -> _Answer:
    while True:
        news = await inbox.get()
        _check(news)
        if isinstance(news, Heard) and isinstance(news.event, kind):
            return news.event


def _check(news: News | Input) -> None:
    match news:
        case Over(why):
            raise ClientError(why)
        case Heard(_, Refused(detail=detail), step) if step.retry_ms is None:
            raise ClientError(detail)


def _racer(picture: Picture, name: str | None) -> Racer:
    if name is None:
        winner = winner_of(picture)
        if winner is None and len(picture.racers) == 1:
            return picture.racers[0]
        if winner is None:
            raise ClientError(tr("nobody has won this race; say whose replay: --player NAME"))
        return winner
    for racer in picture.racers:
        if racer.name.casefold() == name.casefold():
            return racer
    names = ", ".join(racer.name for racer in picture.racers)
    text = tr("nobody called {name} raced there; there were {names}")
    raise ClientError(text.format(name=name, names=names))


async def _show(
    args: argparse.Namespace, world: World, terminal: Terminal, first: Replayed, film: list[Frame]
) -> None:
    style = style_of(args, world)
    raced = tr("{name} on deal {deal} with {cells} cells ({ruleset}): {steps} steps").format(
        name=first.name, deal=first.deal, cells=first.cells, ruleset=first.ruleset, steps=len(film)
    )
    terminal.say(raced, "", board_text(first.layout, style), "")
    if not terminal.is_interactive:
        for frame in film:
            terminal.say(_frame_line(frame, style))
            if args.boards and frame is not film[-1]:
                terminal.say("", board_text(frame.after, style), "")
        if film:
            terminal.say("", board_text(film[-1].after, style))
        return
    lines: asyncio.Queue[Input] = asyncio.Queue()
    read_lines(world.stdin, lines.put_nowait)
    shown = 0
    while True:
        terminal.prompt(tr(_STEPPING))
        line = await lines.get()
        terminal.answered()
        text = "q"
        if isinstance(line, Typed):
            line.used()
            text = line.text.strip().lower()
        if text == "q":
            return
        shown = _turned_to(text, shown, len(film))
        if shown == 0:
            terminal.say(board_text(first.layout, style), "")
        else:
            frame = film[shown - 1]
            terminal.say(_frame_line(frame, style), "", board_text(frame.after, style), "")


def _turned_to(text: str, shown: int, last: int) -> int:
    """The step to show next, 0 being the deal."""
    if text.isascii() and text.isdecimal():
        return min(int(text), last)
    return max(0, shown - 1) if text == "b" else min(shown + 1, last)


def _frame_line(frame: Frame, style: Style) -> str:
    step = frame.step
    notation = f" {' '.join(step.notation)}" if step.notation else ""
    moves = f": {moves_text(frame.before, step.moves, style)}" if step.moves else ""
    home = tr("{home} of 52 home").format(home=home_of(frame.after))
    what = tr(WHAT.get(step.what, step.what))
    return f"{frame.number:4}  {time_text(step.ms):>9}  {what}{notation}{moves} ({home})"
