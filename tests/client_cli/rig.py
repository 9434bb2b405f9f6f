"""A table, a gallery or a robot, connected to a scripted server, with a screen that can be waited for."""

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

from client_cli.connection import Conversation, Surroundings
from client_cli.inbox import Inbox
from client_cli.session import Session
from client_cli.story import Boards, Storyteller
from client_cli.style import Style
from client_cli.terminal import EndOfInput, Terminal, Typed
from client_cli.waits import growing_waits
from protocol.commands import Hello
from protocol.version import PROTOCOL


class Screen(io.StringIO):
    """What is on the screen, and a way to wait for more."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = asyncio.Event()
        self._seen = 0

    def write(self, text: str) -> int:
        self._changed.set()
        return super().write(text)

    async def shows(self, text: str) -> None:
        """Wait until that is shown, below what was waited for before."""
        while (place := self.getvalue().find(text, self._seen)) < 0:
            self._changed.clear()
            await self._changed.wait()
        self._seen = place + len(text)


class Time:
    """A clock that runs only when somebody sleeps; one that stands still lets nobody sleep to the end."""

    def __init__(self, *, runs: bool = True) -> None:
        self.ms = 0
        self._runs = runs

    def now_ms(self) -> int:
        return self.ms

    async def sleep(self, seconds: float) -> None:
        if not self._runs:
            await asyncio.Event().wait()
        self.ms += round(seconds * 1000)
        await asyncio.sleep(0)


class Rig:
    """All that a table needs, and what a person does at it."""

    def __init__(
        self,
        url: str,
        session: Session,
        *,
        is_interactive: bool = True,
        is_alone: bool = False,
        token: str | None = None,
        time_runs: bool = True,
    ) -> None:
        self.screen = Screen()
        self.time = Time(runs=time_runs)
        self.inbox = Inbox()
        self.terminal = Terminal(self.screen, is_interactive=is_interactive)
        boards = Boards.AFTER_MOVES if is_interactive else Boards.AT_THE_START
        self.storyteller = Storyteller(Style(symbols=False), boards, is_alone=is_alone)
        self.around = Surroundings(self.time.now_ms, lambda: growing_waits(lambda: 0.0), self.time.sleep)
        self.conversation = Conversation(
            url, Hello(PROTOCOL, "ann", token), session, self.inbox.put_nowait, self.around
        )

    def type(self, *lines: str) -> None:
        for line in lines:
            self.inbox.put_nowait(Typed(line))

    def end(self) -> None:
        self.inbox.put_nowait(EndOfInput())

    @property
    def shown(self) -> str:
        return self.screen.getvalue()


@asynccontextmanager
async def running(work: Awaitable[None]) -> AsyncIterator[asyncio.Task[None]]:
    """The work as a task; a failure of it ends the test at once, and the test waits for its end."""
    async with asyncio.TaskGroup() as group:

        async def do() -> None:
            await work

        yield group.create_task(do())
