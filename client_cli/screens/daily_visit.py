"""A visit to the deal of the day: its screens, the races one enters from there, and the way back."""

from typing import TYPE_CHECKING

from client_cli.connection import Heard, Lost, NewPlayer, News, Over, Trying
from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.hosting import ALONE_AT
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.desk import Desk
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.me import MeScreen
from client_cli.screens.notices import lost_text, new_player_text, notice, trying_text
from client_cli.screens.seating import Seating
from client_cli.session import Session

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp


class DailyVisit:
    """Opens the desk, goes from screen to screen there, and hears what it is told.

    Args:
        app: the full screen.
        desk: where one asks.
    """

    def __init__(self, app: "RaceApp", desk: Desk) -> None:
        self._app = app
        self._desk = desk

    async def open(self) -> None:
        """Ask about dailies: the named server, else one of one's own."""
        app = self._app
        named = app.passport.server
        if named is not None:
            server, public_url = named, named.url
        else:
            own = await app.entrances.own_server(ALONE_AT)
            if own is None:
                return
            server, public_url = own.server, own.public_url
        try:
            await self._desk.open(app.passport.at(server), server, public_url)
        except ClientError as error:
            app.complain(str(error))
            return
        app.complain("")
        await self.open_day()

    async def open_day(self) -> None:
        """The deals of a day."""
        await self._app.show(DailyScreen)

    async def open_boards(self) -> None:
        """The leaderboards."""
        await self._app.show(BoardsScreen)

    async def open_record(self) -> None:
        """What one has done on all days."""
        await self._app.show(MeScreen)

    async def enter(
        self,
        session: Session,
        *,
        starts: bool = False,
        haunt: Haunt | None = None,
        replay_of: str | None = None,
    ) -> None:
        """Into a race on the server that is asked; with `replay_of`, to look at what one of that name did."""
        server = self._desk.server
        assert server is not None  # the screens of the desk are shown only while it is open
        place = Seating(
            server,
            session,
            self._desk.public_url,
            starts=starts,
            haunt=haunt,
            replays=replay_of is not None,
            whose=replay_of or "",
        )
        await self._app.visit.sit_down(place)

    async def leave(self) -> None:
        """Back to the first screen."""
        await self._desk.close()
        await self._app.go_home()

    async def hear(self, news: News) -> None:
        """An answer, or trouble in getting one."""
        app = self._app
        room = app.room if isinstance(app.room, DeskRoom) and app.room.is_drawn else None
        match news:
            case Heard() as heard:
                self._desk.take(heard)
                if room is not None:
                    app.say_trouble("")
                    if text := notice(heard, app.look.in_sentences):
                        app.complain(text)
                    room.hear(heard)
            case Lost() as lost if room is not None:
                app.say_trouble(lost_text(lost))
            case Trying() if room is not None:
                app.say_trouble(trying_text())
            case NewPlayer() as news:
                app.complain(new_player_text(news))
            case Over(why):
                await self._desk.close()
                if room is not None:
                    await app.go_home(why)
            case _:
                pass
