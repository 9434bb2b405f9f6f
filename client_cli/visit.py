"""Asking a server something without entering a race."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from client_cli.connection import Conversation, Heard, Lost, NewPlayer, Over
from client_cli.errors import ClientError
from client_cli.hosting import ALONE_AT
from client_cli.inbox import Inbox
from client_cli.language import tr
from client_cli.own_server import OwnServer, own_server
from client_cli.session import Session, Visit
from client_cli.speech import DailyQuestion
from client_cli.story import WORTH_A_WORD_MS, link_text
from client_cli.terminal import Terminal
from client_cli.wiring import Server, converse, named_server, who
from client_cli.world import World
from protocol.events import Event, Refused, Welcome

Answer = TypeVar("Answer", bound=Event)


async def reach(
    args: argparse.Namespace, world: World, stack: AsyncExitStack
) -> tuple[Server, OwnServer | None]:
    """The named server, else one of our own, which ends with `stack`.

    Raises:
        ClientError: there is none, and none can be started.
    """
    server = named_server(args, world)
    if server is not None:
        return server, None
    own = await stack.enter_async_context(own_server(world, ALONE_AT))
    return own.server, own


def at(server: Server, own: OwnServer | None) -> str:
    """How another command names the same server, for `replay`."""
    return " --local" if own else f" --server {server.url}"


class Visitor:
    """One who asks; who he is there, is known once he was answered."""

    def __init__(self, conversation: Conversation, inbox: Inbox, terminal: Terminal) -> None:
        self._conversation, self._inbox, self._terminal = conversation, inbox, terminal
        self.player = ""
        self._waits_for = ""

    async def ask(self, *questions: tuple[DailyQuestion, type[Answer]]) -> list[Answer]:
        """Ask, all at once; the answers, in their order.

        Raises:
            ClientError: the server cannot be reached, or refuses to answer; in words.
        """
        await self._conversation.ask(*(question for question, _ in questions))
        return [await self._answer(kind) for _, kind in questions]

    async def _answer(self, kind: type[Answer]) -> Answer:
        while True:
            match await self._inbox.get():
                case Heard(_, Welcome(player=player)):
                    self.player = player
                case Heard(_, Refused() as refused, step):
                    if step.retry_ms is None:
                        raise ClientError(refused.detail)
                    self._wait_for(refused, step.retry_ms)
                case Heard(_, event) if isinstance(event, kind):
                    return event
                case Lost() | NewPlayer() as news:
                    self._terminal.say(link_text(news))
                case Over(why):
                    raise ClientError(why)

    def _wait_for(self, refused: Refused, retry_ms: int) -> None:
        """Say what is waited for; once, however often it is asked again."""
        if refused.detail != self._waits_for and retry_ms >= WORTH_A_WORD_MS:
            self._waits_for = refused.detail
            text = tr("{what}; again in {seconds:.0f} s")
            self._terminal.say(text.format(what=refused.detail, seconds=retry_ms / 1000))


@asynccontextmanager
async def visiting(
    args: argparse.Namespace, world: World, server: Server, terminal: Terminal
) -> AsyncIterator[Visitor]:
    """Be there to ask, over one connection, as long as the context lasts."""
    inbox = Inbox()
    conversation = converse(who(args, world, server), server, Session(Visit()), inbox, terminal, world)
    async with asyncio.TaskGroup() as group:
        talk = group.create_task(conversation.run())
        try:
            yield Visitor(conversation, inbox, terminal)
        finally:
            talk.cancel()
