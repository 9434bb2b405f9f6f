"""All ways from the first screen into a race, and from a race that is over to the next."""

from typing import TYPE_CHECKING, Final

from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.going_on import Intent
from client_cli.hosting import ALONE, ALONE_AT, EVERYWHERE, host_and_port, same_deal
from client_cli.language import tr
from client_cli.local_server import CannotListen
from client_cli.own_server import OwnServer
from client_cli.screens.links import Pasted
from client_cli.screens.preferences import Recent
from client_cli.screens.seating import Seating
from client_cli.session import Session
from client_cli.wiring import new_create_id
from protocol.commands import Create, Join, Settings, Watch

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp


_ANY_PORT: Final = 0


class Entrances:
    """Finds the server of a race, starting one of one's own where none is named, and sits down there."""

    def __init__(self, app: "RaceApp") -> None:
        self._app = app

    async def play(self) -> None:
        """Race at once and alone: on the named server, else on one of one's own."""
        session = Session(Create(new_create_id(), ALONE), intent=Intent("alone"))
        await self._go(session, ALONE_AT, starts=True)

    async def host(self) -> None:
        """Open a race for others."""
        await self._go(Session(Create(new_create_id(), Settings())), host_and_port(EVERYWHERE))

    async def go_back_to(self, recent: Recent) -> None:
        """Back to a race one was in; one of this machine needs its server again."""
        entrance = Watch(recent.race) if recent.watched else Join(recent.race)
        if not recent.server:
            await self._go_on_own(Session(entrance), ALONE_AT)
        else:
            await self._enter(entrance, recent.server)

    async def join(self, pasted: Pasted) -> None:
        """Join a race; it is on the server that was pasted with it, or the one that is named."""
        await self._enter(Join(pasted.race), pasted.server)

    async def look_on(self, pasted: Pasted) -> None:
        """Watch a race; it is on the server that was pasted with it, or the one that is named."""
        await self._enter(Watch(pasted.race), pasted.server)

    async def race_again(self) -> None:
        """Race alone on the deal of the race one is in, against the ghost of oneself there."""
        session, seating = self._app.link.session, self._app.seating
        if session is None or session.picture is None or seating is None:
            return
        create = Create(new_create_id(), same_deal(session.picture.life))
        haunt = Haunt(session.race, session.player)
        place = Seating(seating.server, Session(create), seating.public_url, starts=True, haunt=haunt)
        await self._app.visit.sit_down(place)

    async def own_server(self, listen: tuple[str, int]) -> OwnServer | None:
        """A server of one's own, started now if there is none; None if that failed."""
        app = self._app
        app.complain(tr("starting a server on this machine ..."))
        try:
            await app.hang_up()
            return await self._start(listen)
        except ClientError as error:
            app.complain(error.on_screen)
            return None

    async def _start(self, listen: tuple[str, int]) -> OwnServer:
        """A server there, on any port where that one is taken: friends are told it with the address."""
        try:
            return await self._app.upkeep.start(listen)
        except CannotListen as error:
            try:
                return await self._app.upkeep.start((listen[0], _ANY_PORT))
            except CannotListen:
                raise error from None

    async def _enter(self, entrance: Join | Watch, address: str) -> None:
        try:
            server = self._app.passport.server_at(address)
        except ClientError as error:
            self._app.complain(str(error))
            return
        await self._app.visit.sit_down(Seating(server, Session(entrance), server.url))

    async def _go(self, session: Session, listen: tuple[str, int], *, starts: bool = False) -> None:
        named = self._app.passport.server
        if named is not None:
            await self._app.visit.sit_down(Seating(named, session, named.url, starts=starts))
        else:
            await self._go_on_own(session, listen, starts=starts)

    async def _go_on_own(self, session: Session, listen: tuple[str, int], *, starts: bool = False) -> None:
        own = await self.own_server(listen)
        if own is not None:
            word = _other_port(own, listen[1])
            place = Seating(own.server, session, own.public_url, starts=starts, word=word)
            await self._app.visit.sit_down(place)


def _other_port(own: OwnServer, wanted: int) -> str:
    """On which port a server listens, where that is not the one that was wanted."""
    if wanted == _ANY_PORT or own.listen[1] != _ANY_PORT:
        return ""
    text = tr("port {wanted} is taken on this machine: this server has port {port}")
    return text.format(wanted=wanted, port=own.public_url.rpartition(":")[2])
