"""A racer that plays written moves."""

import asyncio
from collections.abc import Callable, Sequence

from client_cli.connection import Conversation, Heard, Lost, NewPlayer, Over, Surroundings
from client_cli.errors import ClientError
from client_cli.inbox import Inbox
from client_cli.language import tr, trn
from client_cli.lines import BoardDraft, Unclear, read_line
from client_cli.session import Session
from protocol.commands import Ready, Resign
from protocol.events import Refused

Tell = Callable[[Heard | Lost | NewPlayer], None]


def read_moves(text: str) -> tuple[BoardDraft, ...]:
    """Moves in notation, separated by white space; undo, redo, restart and finish may stand among them.

    Raises:
        ClientError: one of them is none.
    """
    moves: list[BoardDraft] = []
    for word in text.split():
        wishes = read_line(word)
        if isinstance(wishes, Unclear):
            raise ClientError(wishes.why)
        for wish in wishes:
            if not isinstance(wish, BoardDraft):
                raise ClientError(tr("{word} is no move").format(word=word))
            moves.append(wish)
    return tuple(moves)


class Robot:
    """Joins, is ready, plays its moves in their order, and waits for the end of the race.

    It plays the move whose place is the version of its board, so one that was cut off or started again goes
    on where it was. It is ready once there are `company` racers, itself among them.
    """

    def __init__(
        self,
        conversation: Conversation,
        inbox: Inbox,
        moves: Sequence[BoardDraft],
        pace_ms: int,
        around: Surroundings,
        company: int = 1,
    ) -> None:
        self._conversation = conversation
        self._inbox = inbox
        self._moves = moves
        self._pace_ms = pace_ms
        self._around = around
        self._company = company
        self._failure = ""

    async def run(self, tell: Tell) -> None:
        """Race.

        Args:
            tell: called with everything that is heard, and when a connection is lost.

        Raises:
            ClientError: a move was refused, the moves do not win, or the conversation ended otherwise than
            wished.
        """
        async with asyncio.TaskGroup() as group:
            talk = group.create_task(self._conversation.run())
            try:
                while not self._is_done():
                    await self._take(await self._inbox.get(), tell)
                    await self._act()
            finally:
                talk.cancel()
        if self._failure:
            raise ClientError(self._failure)

    @property
    def _session(self) -> Session:
        return self._conversation.session

    def _is_done(self) -> bool:
        """Whether nothing is to come any more, and everything was told."""
        has_given_up = bool(self._failure) and self._session.is_settled and not self._session.is_racing
        return (has_given_up or self._session.phase == "over") and self._inbox.empty()

    async def _take(self, item: object, tell: Tell) -> None:
        match item:
            case Heard(_, event) as heard:
                tell(heard)
                if isinstance(event, Refused) and heard.step.retry_ms is None:
                    await self._give_up(tr("refused: {why}").format(why=event.detail))
            case Lost() | NewPlayer() as news:
                tell(news)
            case Over(why):
                raise ClientError(why)

    async def _act(self) -> None:
        session = self._session
        if not session.is_settled or self._failure:
            return
        if session.phase == "lobby" and session.me is not None and not session.me.ready:
            if len(session.racers) >= self._company:
                await self._conversation.ask(Ready("", 0))
        elif session.is_racing and session.board is not None:
            if session.board.n >= len(self._moves):
                await self._give_up(
                    trn("not won after {n} move", "not won after all {n} moves", len(self._moves))
                )
                return
            await self._around.sleep(self._pace_ms / 1000)
            # The connection may have gone, and the race ended, while it slept.
            if self._session.is_settled and self._session.is_racing and self._session.board is not None:
                await self._conversation.ask(self._moves[self._session.board.n])

    async def _give_up(self, why: str) -> None:
        """Stop racing, so that nobody waits for a racer that cannot go on."""
        self._failure = self._failure or why
        if self._session.is_racing:
            await self._conversation.ask(Resign("", 0))
