"""The full screen as a whole: which screen is shown, and what is asked for on it. Start reading here."""

import argparse
from collections.abc import Sequence

from rich.style import Style
from textual.app import App
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.timer import Timer

from client_cli.connection import News
from client_cli.language import tr
from client_cli.own_server import OwnServer
from client_cli.screens.after import AfterScreen
from client_cli.screens.daily_visit import DailyVisit
from client_cli.screens.desk import Desk
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.dialogs import LookWindow, Question, Reading, rules_window
from client_cli.screens.entrances import Entrances
from client_cli.screens.home import HomeScreen
from client_cli.screens.keys import leaving
from client_cli.screens.likes import Likes
from client_cli.screens.link import Link
from client_cli.screens.look import Kind, Look
from client_cli.screens.passport import Passport
from client_cli.screens.preferences import Preferences
from client_cli.screens.race import RaceScreen
from client_cli.screens.race_visit import RaceVisit
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.room import Room
from client_cli.screens.rooms import why_home
from client_cli.screens.seating import Seating, Wish
from client_cli.screens.sidelines import Sidelines
from client_cli.screens.theme import CONTRAST, CSS, FELT
from client_cli.screens.timing import until_turn_s
from client_cli.screens.upkeep import Upkeep
from client_cli.session import Session
from client_cli.wiring import style_of
from client_cli.world import World


class RaceApp(App[str]):
    """The full-screen client; its result is a line to print when it has ended.

    Attributes:
        link: the race one is in, or watches.
        sidelines: races that are watched beside it.
        seating: how one has sat down in it; None on the first screen.
        desk: where one asks about dailies.
        passport: who one is, and which server is named.
        upkeep: the server of one's own, and how long it stays up.
        entrances: the ways into a race.
        daily: the way to the deal of the day, and around there.
        visit: what becomes of the race one is in.
        replay: the replay that is looked at.
        likes: what the player likes.
        trouble: what the banner says.
        last_notice: what was said last.
        failure: why the race that the program was started for did not let one in.
    """

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = leaving()

    class Came(Message):
        """There is news of a race."""

        def __init__(self, news: News, link: Link) -> None:
            super().__init__()
            self.news, self.link = news, link

    class ServerEnded(Message):
        """A server of one's own has ended by itself."""

        def __init__(self, own: OwnServer, why: str) -> None:
            super().__init__()
            self.own, self.why = own, why

    def __init__(self, args: argparse.Namespace, world: World, seating: Seating | None = None) -> None:
        super().__init__(ansi_color=None if style_of(args, world).colour else True)
        self._world = world
        self.likes = Likes(args, world, self.complain)
        self.register_theme(FELT)
        self.register_theme(CONTRAST)
        # Before the styles are read: after it, all of them would be read again.
        self.set_reactive(RaceApp.theme, self._theme_of_look)
        self.stylesheet.set_variables(self.get_css_variables())
        self.link = self.new_link()
        self.desk = Desk(self._report, self.complain, world.around)
        self.passport = Passport(args, world, self.preferences.server if seating is None else "")
        self.upkeep = Upkeep(world, self._report_end)
        self.entrances = Entrances(self)
        self.sidelines = Sidelines(self)
        self.daily = DailyVisit(self, self.desk)
        self.visit = RaceVisit(self, came_for_it=seating is not None)
        self.replay: Wish | None = None
        self.trouble = ""
        self.last_notice = ""
        self.failure = ""
        self.seating = seating
        self._waits_for_room = seating
        self._turn: Timer | None = None

    # What Textual asks.

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colour where there is to be none, and nothing grey instead."""
        filters = super().get_line_filters()
        return filters if self.look.colour else [*filters, NoColor()]

    async def on_mount(self) -> None:
        """Begin where one was asked to."""
        await self.push_screen(HomeScreen())
        self._wait_for_turn()
        if self.seating is not None:
            if self.seating.own is not None:
                self.upkeep.take_over(self.seating.own)
            await self.begin()

    async def begin(self) -> None:
        """Sit down in the race that the program was started for, once there is room to show its cards."""
        seating = self._waits_for_room
        if seating is not None and self.room is not None and not self.room.is_too_small:
            self._waits_for_room = None
            await self.visit.sit_down(seating)

    async def on_unmount(self) -> None:
        """Hang up."""
        await self.hang_up()
        await self.desk.close()
        self.upkeep.end()
        await self.upkeep.ended()

    async def hang_up(self) -> None:
        """Leave all races; seats stay one's own."""
        self.upkeep.leave(self.links)
        await self.sidelines.look_away()
        await self.link.close()

    # Who and where.

    @property
    def look(self) -> Look:
        """How cards look."""
        return self.likes.look

    @property
    def preferences(self) -> Preferences:
        """What is kept between two runs."""
        return self.likes.preferences

    @property
    def links(self) -> tuple[Link, ...]:
        """All races one is in, or watches."""
        return (self.link, *self.sidelines.links)

    @property
    def public_url(self) -> str:
        """Where others find the server of the race."""
        return self.seating.public_url if self.seating else ""

    def introduce(self, name: str, server: str) -> None:
        """Take over name and server.

        Raises:
            ClientError: one of them cannot be.
        """
        self.passport.introduce(name, server)
        self.likes.keep(name=name, server=server)

    @property
    def _theme_of_look(self) -> str:
        return "contrast" if self.look.contrast else "felt"

    # A server of one's own.

    def _report_end(self, own: OwnServer, why: str) -> None:
        self.post_message(self.ServerEnded(own, why))

    async def on_race_app_server_ended(self, ended: ServerEnded) -> None:
        """What was asked or raced there is over, and nothing else."""
        if self.room is None:
            return  # the program ends
        server, title = ended.own.server, tr("The server has ended")
        asked = self.desk.server == server
        if asked:
            await self.desk.close()
        if (self.link.session is not None and self.link.server == server) or (
            asked and isinstance(self.room, DeskRoom)
        ):
            await self.visit.end(ended.why, title)
        else:
            self.complain(ended.why)

    # News of it.

    def new_link(self) -> Link:
        """A bridge to a race, which tells us what it hears."""

        def report(news: News) -> None:
            self._report(news, link)

        link = Link(report, self.complain, self._world.around)
        return link

    def _report(self, news: News, link: Link) -> None:
        self.post_message(self.Came(news, link))

    async def on_race_app_came(self, came: Came) -> None:
        """React to what is heard; then the screen that fits shows it."""
        try:
            await self._react(came)
        finally:
            came.link.looked_at()

    async def _react(self, came: Came) -> None:
        if self.room is None:
            return  # the program ends, and its screens have gone before its connections
        if came.link is self.desk.link:
            await self.daily.hear(came.news)
            return
        if came.link is not self.link:
            await self.sidelines.hear(came.link, came.news)
            return
        await self.visit.hear(came.news)

    # Which screen.

    @property
    def room(self) -> Room | None:
        """The screen below any window."""
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, Room)), None)

    @property
    def behind(self) -> type[Room]:
        """The screen that one comes back to from a race."""
        return self.desk.room or HomeScreen

    async def go_home(self, why: str = "", title: str = "") -> None:
        """Back to where one came from; `why` and under which title, where it was not asked for."""
        self.visit.remember()
        title = title or why_home(self.link.session)
        self.seating = None
        self.visit.came_for_it = False
        await self.show(self.behind)
        await self.hang_up()
        self.say_trouble("")
        self.complain("" if self.upkeep.is_own(self.desk.server) else self.upkeep.end_unless_needed())
        if why:
            await self.push_screen(Reading(title, why))

    async def open_replay(self, player: str, ms: int = 0) -> None:
        """Look at what a racer did, once the race is over."""
        self.replay = Wish(player, ms)
        self.last_notice = ""
        await self.show(ReplayScreen)

    async def close_replay(self) -> None:
        """Back to the standings."""
        self.replay = None
        await self.show(AfterScreen)

    def now_ms(self) -> int:
        """Our clock."""
        return self._world.now_ms()

    async def show(self, room: type[Room]) -> None:
        """Show this screen, without any window, if it is not there already."""
        if type(self.room) is room:
            return
        while not isinstance(self.screen, Room):
            await self.pop_screen()
        before, after = self.screen, room()
        after.known = self.link.session
        if isinstance(before, RaceScreen) and isinstance(after, AfterScreen):
            after.film = before.table.rest
        await self.switch_screen(after)
        self._wait_for_turn()

    # The clock.

    def tick(self) -> None:
        """Show what time it is."""
        if self.room is not None and self.room.is_drawn:
            self.room.ticked()

    def _wait_for_turn(self) -> None:
        """Look at the clock when a second of it is over, no sooner: being woken is what idleness costs."""
        if self._turn is not None:
            self._turn.stop()
        if self.room is not None and self.room.has_clock:
            self._turn = self.set_timer(until_turn_s(self.room.clock_ms or 0), self._take_turn)

    def _take_turn(self) -> None:
        self.tick()
        self._wait_for_turn()

    def say_trouble(self, text: str) -> None:
        """Show this in the banner; with "", no banner."""
        self.trouble = text
        if self.room is not None and self.room.is_drawn:
            self.room.show_trouble()

    @property
    def is_waiting(self) -> bool:
        """Whether a connection is lost that is needed here, and some time passes before the next attempt."""
        return any(link.is_waiting for link in self._needed)

    def try_now(self) -> None:
        """Make that attempt at once."""
        for link in self._needed:
            link.try_now()

    @property
    def _needed(self) -> tuple[Link, ...]:
        return (*self.links, self.desk.link) if isinstance(self.room, DeskRoom) else self.links

    def complain(self, text: str) -> None:
        """Say something in the line for it, here and on the next screen."""
        self.last_notice = text
        if self.room is not None and self.room.is_drawn:
            self.room.say(text)

    # Windows.

    async def open_rules(self) -> None:
        """The rules."""
        await self.push_screen(rules_window())

    async def open_look(self) -> None:
        """The look."""
        await self.push_screen(LookWindow(self.likes.choices, self.change_look))

    def style_of(self, kind: Kind) -> Style:
        """How a piece of a drawing looks now."""
        return self.look.style(kind)

    def change_look(self, name: str, value: bool) -> None:  # noqa: FBT001 - as a box tells it
        """One choice of the look is another from now on."""
        self.likes.choose(name, value=value)
        self.theme = self._theme_of_look
        if self.room is not None:
            self.room.look_changed()

    async def action_leave(self) -> None:
        """Leave the program; asks first where a race goes on, one's own or others' on the server here."""
        session = self.link.session
        if self.upkeep.serves_others(self.links):
            question = tr("The server ends with you, for the others too. Leave all the same?")
        elif session is not None and session.is_racing:
            question = tr("You are racing, and the clock runs on. Leave all the same? Your seat is kept.")
        else:
            self.exit(self._return_hint(session))
            return
        await self.push_screen(Question(question, tr("leave")), self._left)

    def _left(self, answer: bool | None) -> None:  # noqa: FBT001 - as Textual calls it
        if answer:
            self.exit(self._return_hint(self.link.session))

    def _return_hint(self, session: Session | None) -> str:
        if session is None or self.seating is None or session.phase in {None, "over"}:
            return ""
        return self.seating.return_hint.replace("{race}", session.race)
