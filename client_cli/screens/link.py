"""The bridge between a conversation and the screens: one race at a time, and what is heard of it."""

import asyncio
from collections.abc import Callable

from client_cli.backlog import Backlog
from client_cli.connection import Conversation, Heard, News, Surroundings
from client_cli.curves import Curves, told
from client_cli.ghosts import Ghost, Haunt, ghost_of
from client_cli.session import Session
from client_cli.speech import Draft
from client_cli.wiring import Server, Who, conversation
from protocol.commands import Trace
from protocol.events import Seat, Traced, Watching


class Link:
    """A seat in a race, or a place among those who watch it.

    Attributes:
        server: where it is; None before the first race.
        curves: how far everybody was at every time, as far as that was told.
        haunt: what this one is raced against: a race that is over.
        ghost: that, once it is known.
    """

    def __init__(
        self, report: Callable[[News], None], complain: Callable[[str], None], around: Surroundings
    ) -> None:
        self.server: Server | None = None
        self.curves = Curves()
        self.ghost: Ghost | None = None
        self.haunt: Haunt | None = None
        self._report = report
        self._complain = complain
        self._around = around
        self._conversation: Conversation | None = None
        self._talk: asyncio.Task[None] | None = None
        self._backlog = Backlog()

    @property
    def session(self) -> Session | None:
        """What is known of the race; None while there is none."""
        return self._conversation.session if self._conversation else None

    @property
    def race_ms(self) -> int | None:
        """The race's clock."""
        return self.session.race_ms(self._around.now_ms()) if self.session else None

    @property
    def haunting(self) -> tuple[Ghost, int] | None:
        """The ghost, and the race's clock, once both are known."""
        race_ms = self.race_ms
        return None if self.ghost is None or race_ms is None else (self.ghost, max(0, race_ms))

    async def enter(self, player: Who, server: Server, session: Session, haunt: Haunt | None = None) -> None:
        """Leave what there was, and enter a race; against a ghost, if one is named.

        Raises:
            ClientError: the token file cannot be read.
        """
        await self.close()
        self.server = server
        self.curves, self.ghost, self.haunt = Curves(), None, haunt

        def report(news: News) -> None:
            if self._conversation is talking:
                self._backlog.add()
                self._report(news)

        talking = conversation(
            player, server, session, report, self._complain, self._around, self._backlog.room
        )
        self._conversation = talking
        self._talk = asyncio.create_task(talking.run())

    async def race_against(self, haunt: Haunt) -> None:
        """Race on against a ghost: the one that there was when one was in this race before."""
        self.haunt = haunt
        await self.ask(Trace(haunt.race, 0))

    async def go_on_to(self, session: Session) -> None:
        """Another race over the same connection, as after a rematch."""
        assert self._conversation is not None  # only who was in a race goes on to its rematch
        self.curves, self.ghost, self.haunt = Curves(), None, None
        await self._conversation.enter(session)

    def looked_at(self) -> None:
        """What was reported first of what waited was looked at: more may come."""
        self._backlog.take()

    async def take(self, heard: Heard) -> None:
        """Draw on the curves what was heard, and ask for what is missing of them."""
        self.curves = told(self.curves, heard)
        if isinstance(heard.event, Seat | Watching) and self.haunt is not None and self.ghost is None:
            await self.ask(Trace(self.haunt.race, 0))
        match heard.event:
            case Traced() as page if self.haunt is not None and page.race == self.haunt.race:
                await self._see_ghost(page, self.haunt)
            case Watching(paused=False):
                await self.ask(Trace("", 0))
            case Traced(more=True) as page:
                await self.ask(Trace("", 0, page.after + len(page.curves)))
            case _:
                pass

    async def _see_ghost(self, page: Traced, haunt: Haunt) -> None:
        """Race against it, once it is found."""
        self.ghost = ghost_of(page, haunt)
        if self.ghost is None and page.more:
            await self.ask(Trace(haunt.race, 0, page.after + len(page.curves)))

    async def ask(self, *drafts: Draft) -> None:
        """Say something to the race."""
        if self._conversation is not None:
            await self._conversation.ask(*drafts)

    @property
    def is_waiting(self) -> bool:
        """Whether the connection is lost, and some time passes before the next attempt."""
        return self._conversation is not None and self._conversation.is_waiting

    def try_now(self) -> None:
        """Make that attempt at once."""
        if self._conversation is not None:
            self._conversation.try_now()

    def drop(self) -> None:
        """Lose the connection as a network does."""
        if self._conversation is not None:
            self._conversation.drop()

    async def close(self) -> None:
        """Hang up; a seat in a race stays one's own."""
        talk, self._talk, self._conversation = self._talk, None, None
        if talk is not None:
            talk.cancel()
            await asyncio.wait([talk])
