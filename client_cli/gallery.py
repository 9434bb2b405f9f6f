"""In the gallery: following a race without a seat in it."""

import asyncio

from client_cli.connection import Conversation, Heard, Lost, NewPlayer, Over, Surroundings
from client_cli.errors import ClientError
from client_cli.inbox import Inbox
from client_cli.language import mark, tr
from client_cli.lines import Local, ReadOut, Unclear, Wish, read_line
from client_cli.screens.rules_text import rules_text
from client_cli.session import Session
from client_cli.standings import lobby_text, standings_text
from client_cli.story import Storyteller, link_text, rematch_text
from client_cli.terminal import EndOfInput, Terminal, Typed
from protocol.commands import Rematch, Say, Watch

HELP = mark(
    "Watching: b the boards, l the boards pile by pile, p how far everybody is,"
    " say TEXT a line to the others who watch (racers read it after the race),"
    " rematch the next race like this one, q leave."
)


class Gallery:
    """Watch a race until it is over or one leaves; in a terminal, its rematch as well."""

    def __init__(
        self,
        conversation: Conversation,
        inbox: Inbox,
        terminal: Terminal,
        storyteller: Storyteller,
        around: Surroundings,
    ) -> None:
        self._conversation = conversation
        self._inbox = inbox
        self._terminal = terminal
        self._storyteller = storyteller
        self._around = around
        self._ran = ""

    async def run(self) -> None:
        """Watch.

        Raises:
            ClientError: the conversation ended otherwise than one wished.
        """
        async with asyncio.TaskGroup() as group:
            talk = group.create_task(self._conversation.run())
            try:
                while not await self._is_done_after(await self._inbox.get()):
                    if self._inbox.empty():
                        self._terminal.prompt()
            finally:
                talk.cancel()

    @property
    def _session(self) -> Session:
        return self._conversation.session

    async def _is_done_after(self, item: object) -> bool:
        match item:
            case Typed(text, used):
                used()
                self._terminal.answered()
                return await self._act(text)
            case EndOfInput():
                return True
            case Heard() as heard:
                self._terminal.say(*self._storyteller.tell(heard, self._around.now_ms()))
                self._tell_of_next(heard)
            case Lost() | NewPlayer() as news:
                self._terminal.say(link_text(news, can_type=self._terminal.is_interactive))
            case Over(why):
                raise ClientError(why)
        # The session is ahead of what was told.
        return self._session.phase == "over" and self._inbox.empty() and not self._stays(self._session)

    def _tell_of_next(self, heard: Heard) -> None:
        """With the end of the race, what there is to wait for."""
        session = heard.step.session
        if session.phase not in {None, "over"}:
            self._ran = session.race
        elif heard.before.phase != "over" and self._stays(session):
            rematch = self._rematch_of(session)
            self._terminal.say(
                rematch_text(rematch, session)
                if rematch is not None
                else tr("If they race again, that is told here; q to leave.")
            )

    def _stays(self, session: Session) -> bool:
        """Whether there may be a rematch to watch, for one who has seen the race run or comes after it."""
        picture = session.picture
        if not self._terminal.is_interactive or picture is None or picture.life.ranked:
            return False
        return session.race == self._ran or picture.life.rematch is not None

    @staticmethod
    def _rematch_of(session: Session) -> str | None:
        return session.picture.life.rematch if session.picture else None

    async def _watch_rematch(self) -> None:
        rematch = self._rematch_of(self._session)
        if rematch is None:
            self._terminal.say(tr("There is no rematch yet."))
        else:
            await self._conversation.enter(Session(Watch(rematch), player=self._session.player))

    async def _act(self, text: str) -> bool:
        """Do as typed; whether that ends the watching."""
        wishes = read_line(text)
        if isinstance(wishes, Unclear):
            self._terminal.say(wishes.why)
            return False
        for wish in wishes:
            if wish is Local.QUIT:
                return True
            if not await self._grant(wish):
                not_here = tr("{text} is nothing that one who watches can do.")
                self._terminal.say(not_here.format(text=repr(text.strip())), tr(HELP))
                return False
        return False

    async def _grant(self, wish: Wish) -> bool:
        """Do as wished; whether that can be."""
        match wish:
            case Local.NOTHING:
                if self._terminal.is_interactive:
                    self._conversation.try_now()
            case Local.RULES:
                self._terminal.say(rules_text())
            case Local.BOARD:
                self._terminal.say(*self._storyteller.all_boards(self._session))
            case ReadOut(pile):
                self._terminal.say(*self._storyteller.read_all(self._session, pile))
            case Local.PROGRESS:
                is_lobby = self._session.phase == "lobby"
                self._terminal.say((lobby_text if is_lobby else standings_text)(self._session))
            case Say():
                await self._conversation.ask(wish)
            case Rematch():
                await self._watch_rematch()
            case Local.HELP:
                self._terminal.say(tr(HELP))
            case _:
                return False
        return True
