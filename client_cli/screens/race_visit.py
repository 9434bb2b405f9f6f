"""A visit to a race: how one enters it, what is heard of it, which screen that leads to, and how it ends."""

from dataclasses import replace
from typing import TYPE_CHECKING

from client_cli.clean import clean
from client_cli.company import is_alone
from client_cli.connection import Heard, Lost, NewPlayer, News, Over, Trying
from client_cli.errors import ClientError
from client_cli.going_on import found_text
from client_cli.language import tr
from client_cli.opening import has_seated_robot, opening, why_no_robot
from client_cli.screens.notices import lost_text, new_player_text, notice, outdated, trying_text
from client_cli.screens.preferences import SENT_OUT
from client_cli.screens.rooms import room_for, whose_replay
from client_cli.screens.seating import Seating, Wish
from client_cli.session import Session
from protocol.commands import Join, Leave, Ready, Watch
from protocol.errors import ErrorCode
from protocol.events import Refused, RematchReady

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp


class RaceVisit:
    """Goes from screen to screen as the race does.

    Attributes:
        came_for_it: whether the program was started for a race, and not to look around.
    """

    def __init__(self, app: "RaceApp", *, came_for_it: bool) -> None:
        self._app = app
        self.came_for_it = came_for_it
        self._arrived = ""
        self._is_for_replay = False

    # Into it.

    async def go_on_to(self, session: Session) -> None:
        """Another race over the same connection; who raced alone, or against robots, starts at once again."""
        self._arrived, self._is_for_replay = "", False
        before, seating = self._app.link.session, self._app.seating
        if seating is not None:
            starts = seating.starts and before is not None and is_alone(before)
            self._app.seating = replace(seating, starts=starts, robots=(), word="")
        if before is not None:
            self._app.upkeep.forget(before.race)
        await self._app.link.go_on_to(session)

    async def sit_down(self, seating: Seating) -> None:
        """Enter a race."""
        self._app.seating = seating
        self._arrived, self._is_for_replay = "", seating.replays
        await self._app.hang_up()
        try:
            player = self._app.passport.at(seating.server)
            await self._app.link.enter(player, seating.server, seating.session, seating.haunt)
            for race in seating.beside:
                await self._app.sidelines.watch(player, seating.server, race)
        except ClientError as error:
            self._app.seating = None
            self._app.complain(str(error))
            return
        self._app.complain(tr("connecting to {url} ...").format(url=clean(seating.server.url)))

    def remember(self) -> None:
        """Keep, for the list of races one was in, how it stands."""
        session, seating = self._app.link.session, self._app.seating
        if seating is None or session is None or session.race != self._arrived:
            return
        if self._is_for_replay and session.phase == "over" and not self._app.preferences.knows(session.race):
            return  # it was looked at, as a page of a book is
        self._app.likes.keep_race(session, seating.server, self._app.link.haunt)

    # News of it.

    async def hear(self, news: News) -> None:
        """React to what is heard; then the screen that fits shows it."""
        match news:
            case Heard() as heard:
                await self._heard(heard)
            case Lost() as lost:
                self._app.say_trouble(lost_text(lost))
            case Trying():
                self._app.say_trouble(trying_text())
            case NewPlayer() as player:
                self._app.complain(new_player_text(player))
            case Over(why, refusal):
                self._learn(refusal)
                await self.end(why)

    def _learn(self, refusal: Refused | None) -> None:
        """Why one cannot go back into a race is all that is told of it then."""
        entrance = self._app.link.session.entrance if self._app.link.session else None
        if refusal is None or not isinstance(entrance, Join):
            return
        if refusal.code is ErrorCode.RACE_OVER:
            self._app.likes.keep_news(entrance.race, is_over=True)
        elif refusal.code is ErrorCode.KICKED:
            self._app.likes.keep_news(entrance.race, end=SENT_OUT)
        if self._app.room is not None and self._app.room.is_drawn:
            self._app.room.hear(None)  # the first screen, where it stands in the list

    async def end(self, why: str, title: str = "") -> None:
        """The conversation is over; `title` as for `go_home`."""
        if self.came_for_it and not self._arrived:
            self._app.failure = why
            self._app.exit()
        else:
            await self._app.go_home(why, title)

    async def _leave_lobby(self) -> None:
        """Back to where one came from; home, where the server stays up, if others need it."""
        self.remember()
        if self.came_for_it and not self._app.upkeep.serves_others(self._app.links):
            self._app.exit(tr("You have left the race."))
        else:
            await self._app.go_home()

    async def _heard(self, heard: Heard) -> None:
        app = self._app
        await app.link.take(heard)
        session = app.link.session
        if session is None:
            return
        if session.inside and app.trouble:
            app.say_trouble("")
        if await self._parts(heard, session) or await self._open(heard):
            return
        told = heard.step.session  # what is known may be ahead of what was told
        if told.phase == "over" and not isinstance(session.entrance, Watch):
            await app.sidelines.look_away()
        if told.phase is not None and told.race == session.race:
            await self._arrive(session)
            if outdated(heard.before.phase, told.phase, session):
                # What was said of a race that was found is not to pass with a lobby that nobody sees.
                app.complain(self._found(told) if told.phase == "running" else "")
            if told.phase in {"running", "over"} and told.phase != heard.before.phase:
                self.remember()
            self._begin_replay(session)
            has_more, is_replaying = bool(app.sidelines.links), app.replay is not None
            await app.show(room_for(session, told.phase, has_more=has_more, is_replaying=is_replaying))
        if text := notice(heard, app.look.in_sentences):
            app.complain(text)
        if app.room is not None and app.room.is_drawn:
            app.room.hear(heard)

    def _begin_replay(self, session: Session) -> None:
        """Once the race is over, the replay that the program was started for."""
        seating = self._app.seating
        if session.phase != "over" or seating is None or not seating.replays:
            return
        self._app.seating = replace(seating, replays=False)
        found = whose_replay(session, seating.whose)
        if found is None:
            self._app.complain(tr("nobody called {name} raced there").format(name=seating.whose))
        else:
            self._app.replay = Wish(found.player)

    async def _parts(self, heard: Heard, session: Session) -> bool:
        """Go elsewhere, if one is not in this race any more."""
        if session.has_left:
            await self._leave_lobby()
        elif isinstance(heard.event, RematchReady):
            await self.go_on_to(Session(Join(heard.event.next), player=session.player))
        else:
            return False
        return True

    async def _open(self, heard: Heard) -> bool:
        """Go on with how a race of one's own begins at once; whether it does not begin at all."""
        if self._app.seating is None or not self._app.seating.starts:
            return False
        if has_seated_robot(heard):
            await self._app.link.ask(opening(heard.step.session, self._app.seating.robots))
        why = why_no_robot(heard)
        if why:
            await self._app.link.ask(Leave("", 0))
            self._arrived = ""  # for this race, one need not have come
            await self.end(why)
        return bool(why)

    async def _arrive(self, session: Session) -> None:
        """In a race for the first time."""
        seating = self._app.seating
        if session.race == self._arrived or seating is None:
            return
        self._arrived = session.race
        self._app.replay = None
        self._app.last_notice = self._found(session) or seating.word
        await self._find_ghost(session)
        self.remember()
        if session.phase != "lobby":
            return
        if seating.starts and session.is_host and is_alone(session):
            await self._app.link.ask(opening(session, seating.robots))
        elif seating.readies:
            await self._app.link.ask(Ready("", 0))

    async def _find_ghost(self, session: Session) -> None:
        """Back in a race, by whichever way: what one has raced against there, if nothing else was named."""
        known = self._app.preferences.ghost_in(session.race)
        if self._app.link.haunt is None and known is not None:
            await self._app.link.race_against(known)

    def _found(self, session: Session) -> str:
        """What to say of a race that was left, where one is gone on with, or another one begun."""
        if session.found is None:
            return ""
        return found_text(session.found, has_options=self.came_for_it)
