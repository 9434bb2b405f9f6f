"""Races that are watched beside the one that one is in."""

from typing import TYPE_CHECKING

from client_cli.connection import Heard, Lost, News, Over
from client_cli.errors import ClientError
from client_cli.screens.link import Link
from client_cli.screens.notices import lost_text, rematch_notice
from client_cli.screens.race import RaceScreen
from client_cli.screens.wall import WallScreen
from client_cli.session import Session
from client_cli.wiring import Server, Who
from protocol.commands import Watch

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp


class Sidelines:
    """Each has a connection of its own; the race one has a seat in may be among them.

    Attributes:
        links: those races.
    """

    def __init__(self, app: "RaceApp") -> None:
        self._app = app
        self.links: list[Link] = []
        self._lost: dict[Link, str] = {}

    @property
    def watched(self) -> tuple[Link, ...]:
        """All races that are watched rather than raced in."""
        link = self._app.link
        is_watching = link.session is not None and isinstance(link.session.entrance, Watch)
        return (link, *self.links) if is_watching else tuple(self.links)

    async def watch(self, player: Who, server: Server, race: str) -> None:
        """Watch one more.

        Raises:
            ClientError: the token file cannot be read.
        """
        link = self._app.new_link()
        self.links.append(link)
        await link.enter(player, server, Session(Watch(race)))

    async def watch_own(self) -> None:
        """Watch the race in which one's own board is done."""
        session, server = self._app.link.session, self._app.link.server
        if session is None or server is None or self.links:
            return
        # What was said of one's own board would be read as news of theirs.
        self._app.complain("")
        try:
            await self.watch(self._app.passport.at(server), server, session.race)
        except ClientError as error:
            self.links.clear()
            self._app.complain(str(error))
            return
        await self._app.show(WallScreen)

    async def go_on_to(self, link: Link, race: str) -> None:
        """Watch another race in the place of one of them."""
        assert link.session is not None  # it is watched
        session = Session(Watch(race), player=link.session.player)
        await (self._app.visit if link is self._app.link else link).go_on_to(session)

    async def leave_wall(self) -> None:
        """Back to one's own board, if one has a seat; else to the first screen."""
        session = self._app.link.session
        if session is None or isinstance(session.entrance, Watch):
            await self._app.go_home()
        else:
            await self.look_away()
            await self._app.show(RaceScreen)

    async def look_away(self) -> None:
        """Watch none of them any more."""
        links, self.links = self.links, []
        self._lost.clear()
        for link in links:
            await link.close()

    def _find_again(self, link: Link) -> None:
        """It is there again: that it was lost is no news any more."""
        if self._lost.pop(link, None) == self._app.last_notice:
            self._app.complain("")

    async def hear(self, link: Link, news: News) -> None:
        """News of one of them."""
        app = self._app
        match news:
            case Heard() as heard:
                await link.take(heard)
                if text := rematch_notice(heard):
                    app.complain(text)
                if link.session is not None and link.session.inside:
                    self._find_again(link)
            case Lost() as lost:
                self._lost[link] = lost_text(lost)
                app.complain(self._lost[link])
            case Over(why) if link in self.links:
                self.links.remove(link)
                if not self.watched:
                    await self.leave_wall()
                app.complain(why)
            case _:
                pass
        if isinstance(app.room, WallScreen) and app.room.is_drawn:
            app.room.hear(None)
