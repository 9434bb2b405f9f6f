"""At the table: a seat in a race, played by lines.

One loop takes, in the order in which they come, what the server says and what is typed. In a terminal a
line is acted upon at once, but for one that asks how things stand: it waits for the answers to what was typed
before it, and moves behind it wait with it. In a pipe every line waits until everything before it was
answered, so that a script means the same however fast it is written, and the end of input comes after the
last answer.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from client_cli.chances import report_on
from client_cli.clean import clean
from client_cli.company import has_others
from client_cli.connection import Conversation, Heard, Lost, NewPlayer, News, Over, Surroundings
from client_cli.consent import is_yes
from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.going_on import found_text
from client_cli.haunting import Haunting
from client_cli.inbox import Inbox
from client_cli.language import tr
from client_cli.lines import (
    Change,
    KickByName,
    Local,
    ReadOut,
    ReportOn,
    Unclear,
    Wish,
    help_text,
    read_line,
)
from client_cli.opening import has_seated_robot, opening, why_no_robot
from client_cli.own_settings import asked_for
from client_cli.screens.rules_text import rules_text
from client_cli.session import Session
from client_cli.settings import BadSetting, changed
from client_cli.standings import lobby_text, resign_question, standings_text
from client_cli.story import Boards, Storyteller, link_text
from client_cli.tally import Tally
from client_cli.terminal import EndOfInput, Input, Terminal, Typed
from client_cli.turns import Turns
from protocol.commands import (
    Configure,
    Join,
    Kick,
    Leave,
    Ready,
    Resign,
    RobotLevel,
    Settings,
)
from protocol.events import Created, RematchReady, Snapshot, Welcome
from protocol.views import Racer

COUNTED_S: Final = 5
"""The last seconds of a countdown are told one by one."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What a command does by itself at the table.

    Attributes:
        invitation: what to tell friends, `{race}` being the race's code; nothing if empty.
        return_hint: how to come back, `{race}` likewise.
        replay: the command that shows a replay, `{race}` likewise.
        starts: start a race of one's own at once, without waiting for others.
        readies: be ready as soon as there is a lobby.
        serves: the server is one's own, and ends with this command.
        robots: how fast robots are to play against whom one starts at once.
        ends: leave when the race is over, as there is no rematch.
        haunt: whose race that is over to race against.
    """

    invitation: str = ""
    return_hint: str = ""
    replay: str = ""
    starts: bool = False
    readies: bool = False
    serves: bool = False
    robots: tuple[RobotLevel, ...] = ()
    ends: bool = False
    haunt: Haunt | None = None


class Table:
    """A seat at the table, until the race is over or one leaves.

    Args:
        conversation: with the server.
        inbox: what it says, and what is typed.
        terminal: where it is told.
        storyteller: who says it in words.
        around: the clock.
        habits: what to do without being asked.
        past: against what one has raced, as a ghost, in a race that one comes back to.
    """

    def __init__(
        self,
        conversation: Conversation,
        inbox: Inbox,
        terminal: Terminal,
        storyteller: Storyteller,
        around: Surroundings,
        habits: Habits,
        past: Callable[[str], Haunt | None],
    ) -> None:
        self._conversation = conversation
        self._inbox = inbox
        self._terminal = terminal
        self._storyteller = storyteller
        self._around = around
        self._habits = habits
        self._turns = Turns(is_interactive=terminal.is_interactive, starts=habits.starts)
        self._greeted = ""
        self._failure = ""
        self._tally = Tally(conversation) if terminal.is_interactive else None
        self._to_confirm: Wish | None = None
        self._shown_n = 0
        self._shown_racers: tuple[Racer, ...] = ()
        self._ticking: asyncio.Task[None] | None = None
        self._haunting = Haunting(habits.haunt, past, conversation, terminal, around)

    async def run(self) -> None:
        """Play.

        Raises:
            ClientError: the conversation ended otherwise than one wished.
        """
        async with asyncio.TaskGroup() as group:
            talk = group.create_task(self._conversation.run())
            try:
                await self._play()
            finally:
                talk.cancel()
                self._stop_ticking()
                self._haunting.stop()

    async def _play(self) -> None:
        while True:
            await self._take(await self._inbox.get())
            # The session is ahead of what was told; lines are for one who was told everything.
            if self._inbox.empty():
                if self._is_done() or await self._take_lines():
                    return
                self._ask()

    async def _take(self, item: News | Input) -> None:
        match item:
            case Typed() | EndOfInput():
                self._terminal.answered()
                self._turns.add(item)
            case Heard():
                self._tell_found(item)
                if not self._lacks_robot(item):
                    self._terminal.say(*self._storyteller.tell(item, self._around.now_ms()))
                if self._tally is not None:
                    await self._tally.hear(item)
                await self._react(item)
                await self._haunting.hear(item)
            case Lost() | NewPlayer():
                # To a question Enter says no.
                can_enter = self._terminal.is_interactive and self._to_confirm is None
                self._terminal.say(link_text(item, can_type=can_enter))
            case Over(why):
                raise ClientError(why)

    def _is_done(self) -> bool:
        """Whether there is nothing more to do at this table."""
        if self._session.has_left and self._failure:
            raise ClientError(self._failure)
        if self._session.has_left:
            self._terminal.say(tr("You have left the race."))
            return True
        # In a pipe nobody can ask for a rematch: the end of the race is the end.
        return self._session.phase == "over" and (self._habits.ends or not self._terminal.is_interactive)

    @property
    def _session(self) -> Session:
        return self._conversation.session

    # What the server says.

    def _tell_found(self, heard: Heard) -> None:
        """That a race which was left is gone on with; or that it is not, once another is there instead."""
        found = heard.step.session.found
        match heard.event:
            case Welcome() if found is not None and found != heard.before.found and not found.is_left:
                self._terminal.say(found_text(found))
            case Created() if found is not None:
                self._terminal.say(found_text(found))

    async def _react(self, heard: Heard) -> None:
        session = heard.step.session
        match heard.event:
            case RematchReady(next=code):
                self._tally = Tally(self._conversation)
                await self._conversation.enter(Session(Join(code), player=session.player))
            case Snapshot() if session.phase == "lobby" and session.race != self._greeted:
                self._greeted = session.race
                await self._arrive(session)
        if self._habits.starts and has_seated_robot(heard):
            await self._conversation.ask(opening(session, self._habits.robots))
        if self._lacks_robot(heard):
            self._failure = why_no_robot(heard)
            await self._conversation.ask(Leave("", 0))
        if session.phase != heard.before.phase:
            # Board and standings were told with that.
            self._shown_n = session.board.n if session.board else 0
            self._shown_racers = session.racers
        if session.phase == "countdown":
            self._start_ticking()
        has_ended = session.phase == "over" != heard.before.phase
        if has_ended and self._terminal.is_interactive and not self._habits.ends:
            replay = self._habits.replay.replace("{race}", session.race)
            if self._tally is not None:
                self._terminal.say(*self._tally.result(session, self._storyteller.style))
            text = tr("Type rematch for another race, q to leave. The replay: {replay}")
            self._terminal.say(
                text.format(replay=replay), tr("report tells until when your game could be won.")
            )

    def _lacks_robot(self, heard: Heard) -> bool:
        """Whether the race is not to begin, as a robot is refused; that is said once, at the end."""
        return self._habits.starts and bool(why_no_robot(heard))

    async def _arrive(self, session: Session) -> None:
        """In a lobby for the first time."""
        if self._habits.invitation:
            self._terminal.say(self._habits.invitation.replace("{race}", session.race))
        if self._habits.starts and session.is_host and len(session.racers) == 1:
            await self._conversation.ask(opening(session, self._habits.robots))
            return
        if self._habits.readies:
            await self._conversation.ask(Ready("", 0))
        elif session.is_host:
            self._terminal.say(tr("/start when all are here; ? shows what else can be typed."))
        else:
            self._terminal.say(tr("Type ready when you are; ? shows what else can be typed."))

    def _start_ticking(self) -> None:
        if self._terminal.is_interactive and self._ticking is None:
            self._ticking = asyncio.create_task(self._tick())

    def _stop_ticking(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    async def _tick(self) -> None:
        """Count the last seconds down, by the race's clock."""
        counted = COUNTED_S + 1
        is_first = True  # which was told when the countdown began
        while self._session.phase == "countdown":
            race_ms = self._session.race_ms(self._around.now_ms())
            if race_ms is None or race_ms >= 0:
                return
            seconds = -(race_ms // 1000)
            if seconds < counted:
                counted = seconds
                if not is_first:
                    self._terminal.say(f"{seconds} ...")
            is_first = False
            await self._around.sleep((seconds * -1000 - race_ms + 1000) / 1000)

    # What is typed.

    async def _take_lines(self) -> bool:
        """Act on what was typed, as far as its turn has come; whether that ends the game."""
        while (line := self._turns.next(self._session, is_asked=self._to_confirm is not None)) is not None:
            match line:
                case Typed(text, used):
                    used()
                    if await self._act(text):
                        return True
                case EndOfInput():
                    self._leave()
                    return True
        return False

    async def _act(self, text: str) -> bool:
        before = self._session.speech
        ends = await self._obey(text)
        if self._is_cut and self._session.speech != before:
            self._terminal.say(tr("There is no connection: it is sent once there is one again."))
        return ends

    @property
    def _is_cut(self) -> bool:
        """Whether the connection was lost, and one is not in the race again."""
        session = self._session
        return not session.inside and not session.broken and session.following is not None

    def _tell_if_old(self) -> None:
        """Where it is so, that what is shown next is how it was."""
        if self._is_cut:
            self._terminal.say(tr("There is no connection: so it stood when it was lost."))

    async def _obey(self, text: str) -> bool:
        if self._to_confirm is not None:
            wish, self._to_confirm = self._to_confirm, None
            return await self._grant(wish) if is_yes(text) else False
        wishes = read_line(text)
        if isinstance(wishes, Unclear):
            self._terminal.say(wishes.why)
            return False
        for wish in wishes:
            if self._is_grave(wish):
                self._to_confirm = wish
            elif await self._grant(wish):
                return True
        return False

    def _is_grave(self, wish: Wish) -> bool:
        """Whether to ask before doing it."""
        if not self._terminal.is_interactive:
            return False
        if wish is Local.QUIT:
            return self._session.is_racing or self._others_need_us()
        if isinstance(wish, Leave):
            return self._session.phase in {"lobby", "countdown"} and self._others_need_us()
        return isinstance(wish, Resign) and self._session.is_racing

    def _others_need_us(self) -> bool:
        """Whether others are in a race on a server that ends with this command."""
        return self._habits.serves and has_others(self._session)

    def _ask(self) -> None:
        match self._to_confirm:
            case None:
                self._terminal.prompt()
            case Resign():
                self._terminal.prompt(f"{resign_question(self._session)} {tr('[y/N]')} ")
            case Local.QUIT if not self._others_need_us():
                self._terminal.prompt(tr("You are racing, and the clock runs on. Leave all the same? [y/N] "))
            case _:
                self._terminal.prompt(
                    tr("The server ends with you, for the others too. Leave all the same? [y/N] ")
                )

    async def _grant(self, wish: Wish) -> bool:
        """Do as wished; whether that ends the game."""
        match wish:
            case Local.NOTHING:
                self._conversation.try_now()
            case Local.HELP:
                self._terminal.say(help_text())
            case Local.RULES:
                self._terminal.say(rules_text())
            case Local.BOARD:
                self._tell_if_old()
                self._show_board()
            case Local.BOARDS:
                self._show_boards_or_not()
            case ReadOut(pile):
                self._tell_if_old()
                self._terminal.say(self._storyteller.read_out(self._session, pile))
            case Local.PROGRESS:
                self._tell_if_old()
                self._show_progress()
            case Local.QUIT:
                self._leave()
                return True
            case KickByName(name):
                await self._kick(name)
            case ReportOn():
                await self._report(wish)
            case Change():
                await self._change(wish)
            case _:
                await self._conversation.ask(wish)
        return False

    async def _kick(self, name: str) -> None:
        player = self._player_called(name)
        if player is not None:
            await self._conversation.ask(Kick("", 0, player))

    async def _report(self, wish: ReportOn) -> None:
        player = self._player_called(wish.name) if wish.name else self._session.player
        other = self._player_called(wish.other) if wish.other else None
        if player is not None and (other is not None or not wish.other):
            await self._conversation.ask(report_on(self._session, player, other))

    def _player_called(self, name: str) -> str | None:
        for racer in self._session.racers:
            if racer.name.casefold() == name.casefold():
                return racer.player
        self._terminal.say(tr("Nobody here is called {name}.").format(name=clean(name)))
        return None

    async def _change(self, wish: Change) -> None:
        picture = self._session.picture
        settings = asked_for(self._session) or (picture.life.settings if picture else Settings())
        try:
            await self._conversation.ask(Configure("", 0, changed(settings, wish.setting, wish.value)))
        except BadSetting as error:
            self._terminal.say(str(error))

    def _show_progress(self) -> None:
        is_lobby = self._session.phase == "lobby"
        self._shown_racers = self._session.racers
        self._terminal.say((lobby_text if is_lobby else standings_text)(self._session))
        if line := self._haunting.line():
            self._terminal.say(line)

    def _show_board(self) -> None:
        board = self._session.board
        self._shown_n = board.n if board else 0
        self._terminal.say(self._storyteller.board(self._session))

    def _show_boards_or_not(self) -> None:
        shows = self._storyteller.boards is not Boards.AFTER_MOVES
        boards = Boards.AFTER_MOVES if shows else Boards.NEVER
        self._storyteller = replace(self._storyteller, boards=boards)
        if shows and self._session.board is not None:
            self._show_board()
        elif shows:
            self._terminal.say(tr("From now on the board is shown after each move."))
        else:
            self._terminal.say(tr("From now on the board is shown when you ask for it: b, or l."))

    def _leave(self) -> None:
        session = self._session
        if not self._terminal.is_interactive:
            if session.board is not None and session.board.n != self._shown_n:
                self._show_board()
            if session.racers != self._shown_racers:
                self._show_progress()
        if self._habits.return_hint and (session.is_racing or session.phase in ("lobby", "countdown")):
            self._terminal.say(self._habits.return_hint.replace("{race}", session.race))
