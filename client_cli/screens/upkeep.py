"""The server of one's own behind the full screen: started, kept up as long as it is needed, and ended."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from client_cli.company import goes_on, has_others
from client_cli.errors import ClientError
from client_cli.hosting import ALONE_AT
from client_cli.language import tr
from client_cli.own_server import OwnServer, start_own
from client_cli.screens.link import Link
from client_cli.session import Session
from client_cli.wiring import Server
from client_cli.world import World
from protocol.commands import Watch


@dataclass(frozen=True, slots=True)
class Need:
    """What a race needs the server for: it goes on without oneself, or others are there."""

    goes_on: bool
    has_others: bool


class Upkeep:
    """Owns the server, from when it is started or handed over until it has ended.

    There is one at a time: as long as it is there, it alone has the races open that are kept on this machine.
    It ends once one is home and no race needs it, and with the program at the latest. A race that one has
    left needs it as it did then; that is looked at again when one is back there.

    Attributes:
        own: the server; None while there is none.

    Args:
        world: what is around.
        report: told which one has ended by itself, and why.
    """

    def __init__(self, world: World, report: Callable[[OwnServer, str], None]) -> None:
        self.own: OwnServer | None = None
        self._world = world
        self._report = report
        self._left: dict[str, Need] = {}
        self._lifeline: asyncio.Task[None] | None = None
        self._ending: asyncio.Future[None] | None = None

    @property
    def is_up(self) -> bool:
        """Whether there is one, as far as we know."""
        return self.own is not None

    def is_own(self, server: Server | None) -> bool:
        """Whether that is ours."""
        return self.own is not None and self.own.server == server

    # How it begins and ends.

    async def start(self, listen: tuple[str, int]) -> OwnServer:
        """The one that is up, else a new one; one for oneself alone makes way for one that others can reach.

        Args:
            listen: host and port.

        Raises:
            ClientError: it does not start, or others are on the one that would make way; in words.
        """
        if self.own is not None and (self.own.listen != ALONE_AT or listen == ALONE_AT):
            return self.own
        if self.serves_others(()):
            text = tr("others are on the server of this machine, which would have to start anew: {races}")
            raise ClientError(text.format(races=self._names()))
        self._let_go()
        await self.ended()
        own = await start_own(self._world, listen)
        self.take_over(own)
        return own

    def take_over(self, own: OwnServer) -> None:
        """This one is ours from now on; there must be no other."""
        assert self.own is None
        self.own = own
        self._lifeline = asyncio.create_task(self._watch_over(own))

    def end(self) -> None:
        """It ends, whoever needs it; nobody waits for that here."""
        self._left.clear()
        self._let_go()

    async def ended(self) -> None:
        """Wait until the last one that was to end has ended."""
        if self._ending is not None:
            await self._ending

    def _let_go(self) -> None:
        own, self.own = self.own, None
        if own is None or self._lifeline is None:
            return
        self._lifeline.cancel()
        self._ending = asyncio.ensure_future(own.end())

    async def _watch_over(self, own: OwnServer) -> None:
        why = await own.ended()
        self._left.clear()
        self.own = None
        await own.end()
        self._report(own, why)

    # Who needs it.

    def leave(self, links: Iterable[Link]) -> None:
        """One leaves these races: keep in mind which of them need it."""
        for race, need in self._needs(links).items():
            self._left[race] = need

    def forget(self, race: str) -> None:
        """One goes on from this race to the next, and the others with one: it needs the server no more."""
        self._left.pop(race, None)

    def serves_others(self, links: Iterable[Link]) -> bool:
        """Whether others need it: in these races, in which one is, or in those that one has left."""
        return self.is_up and any(need.has_others for need in {**self._left, **self._needs(links)}.values())

    def end_unless_needed(self) -> str:
        """One is home: it ends if no race needs it; what to say if it does not."""
        self._left = {race: need for race, need in self._left.items() if need.goes_on or need.has_others}
        if not self._left or not self.is_up:
            self.end()
            return ""
        text = tr("the server on this machine stays up for {races}; it ends when you leave the program")
        return text.format(races=self._names())

    def _names(self) -> str:
        return ", ".join(sorted(self._left))

    def _needs(self, links: Iterable[Link]) -> dict[str, Need]:
        """What the races on it need it for, by code; as known through these links to them."""
        sessions: dict[str, list[Session]] = {}
        for link in links:
            if self.is_own(link.server) and link.session is not None and link.session.phase is not None:
                sessions.setdefault(link.session.race, []).append(link.session)
        return {race: _need(known) for race, known in sessions.items()}


def _need(known: list[Session]) -> Need:
    """Of one race, as known from one's seat and from beside it."""
    own_watches = sum(isinstance(session.entrance, Watch) for session in known)
    return Need(any(map(goes_on, known)), any(has_others(session, own_watches) for session in known))
