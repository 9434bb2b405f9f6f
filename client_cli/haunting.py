"""A ghost beside a seat at the table: asked for, and told of now and then, by lines."""

import asyncio
from collections.abc import Callable
from typing import Final

from client_cli.connection import Conversation, Heard, Surroundings
from client_cli.ghosts import Ghost, Haunt, ghost_line, ghost_of, margin_line
from client_cli.language import tr
from client_cli.terminal import Terminal
from protocol.commands import Trace
from protocol.events import RematchReady, Seat, Traced

MARKS: Final = (10, 20, 30, 40)
"""Cards home at which a ghost is worth a word; its end is, too."""


class Haunting:
    """Tells how far a ghost is, by the race's clock; where there is none, nothing.

    Args:
        haunt: whose race that is over to race against.
        past: against what one has raced in a race that one comes back to, if nothing else is named.
        conversation: with the server.
        terminal: where it is told.
        around: the clock.
    """

    def __init__(
        self,
        haunt: Haunt | None,
        past: Callable[[str], Haunt | None],
        conversation: Conversation,
        terminal: Terminal,
        around: Surroundings,
    ) -> None:
        self._haunt = haunt
        self._past = past
        self._conversation = conversation
        self._terminal = terminal
        self._around = around
        self._ghost: Ghost | None = None
        self._telling: asyncio.Task[None] | None = None

    async def hear(self, heard: Heard) -> None:
        """Ask for the ghost at the seat, find it in the answer, and tell its end with that of the race."""
        match heard.event:
            case Seat(race=race) if self._ghost is None:
                self._haunt = self._haunt or self._past(race)
                if self._haunt is not None:
                    await self._conversation.ask(Trace(self._haunt.race, 0))
            case RematchReady():
                self.stop()
                self._haunt = self._ghost = None  # the next race is on other cards
            case Traced() as page if self._haunt is not None and page.race == self._haunt.race:
                await self._find(page, self._haunt)
        if self._ghost is None:
            return
        if heard.step.session.phase == "over" != heard.before.phase:
            self.stop()
            self._terminal.say(ghost_line(self._ghost, self._ghost.end_ms))
            me = heard.step.session.me
            if me is not None and me.state == "finished" and me.ended_ms is not None:
                self._terminal.say(*filter(None, [margin_line(self._ghost, me.ended_ms)]))
        elif self._telling is None and self._is_to_tell:
            self._telling = asyncio.create_task(self._tell(self._ghost))

    def line(self) -> str:
        """How far it is now; nothing while it, or the race's clock, is not known."""
        race_ms = self._race_ms
        return "" if self._ghost is None or race_ms is None else ghost_line(self._ghost, race_ms)

    def stop(self) -> None:
        """Tell no more of it."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None

    @property
    def _is_to_tell(self) -> bool:
        """Whether it is told as it goes on: to a person, in a race that runs."""
        has_clock = self._conversation.session.phase != "over" and self._race_ms is not None
        return self._terminal.is_interactive and has_clock

    async def _find(self, page: Traced, haunt: Haunt) -> None:
        """Race against it, once it is found."""
        self._ghost = ghost_of(page, haunt)
        if self._ghost is not None:
            self._terminal.say(tr("You race against the ghost of {name}.").format(name=self._ghost.name))
        elif page.more:
            await self._conversation.ask(Trace(haunt.race, 0, page.after + len(page.curves)))
        else:
            self._terminal.say(tr("There is no ghost in that race."))

    @property
    def _race_ms(self) -> int | None:
        race_ms = self._conversation.session.race_ms(self._around.now_ms())
        return None if race_ms is None else max(0, race_ms)

    async def _tell(self, ghost: Ghost) -> None:
        for ms in milestones(ghost):
            race_ms = self._race_ms
            if race_ms is not None and race_ms <= ms:
                await self._around.sleep((ms - race_ms) / 1000)
                self._terminal.say(ghost_line(ghost, ms))


def milestones(ghost: Ghost) -> list[int]:
    """The times at which a ghost is worth a word: at its marks, each once, and at its end."""
    times = {next((ms for ms, home in ghost.points if home >= mark), ghost.end_ms) for mark in MARKS}
    return sorted(times | {ghost.end_ms})
