"""The full screen as a whole: which screen is shown, and what is asked for on it. Start reading here."""

import argparse
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace

from rich.style import Style
from textual import work
from textual.app import App
from textual.filter import LineFilter, NoColor
from textual.message import Message
from textual.worker import Worker

from client_cli.connection import Heard, Lost, NewPlayer, News, Over
from client_cli.errors import ClientError
from client_cli.ghosts import Haunt
from client_cli.hosting import ALONE, ALONE_AT, EVERYWHERE, host_and_port, own_url, public_url, same_deal
from client_cli.language import tr
from client_cli.local_server import local_server
from client_cli.screens.after import AfterScreen
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.desk import Desk
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.dialogs import LookWindow, Question, Reading, help_window, rules_window
from client_cli.screens.home import HomeScreen
from client_cli.screens.keys import Where, leaving
from client_cli.screens.likes import Likes
from client_cli.screens.link import Link
from client_cli.screens.links import Pasted
from client_cli.screens.look import Kind, Look
from client_cli.screens.me import MeScreen
from client_cli.screens.notices import lost_text, new_player_text, notice
from client_cli.screens.preferences import Preferences, Recent
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.room import Room
from client_cli.screens.rooms import room_for, sends_out, whose_replay, why_home
from client_cli.screens.seating import Seating, Wish
from client_cli.screens.theme import CONTRAST, CSS, FELT
from client_cli.screens.wall import WallScreen
from client_cli.session import Session, Visit
from client_cli.wiring import (
    Server,
    any_server,
    local_server_at,
    named_server,
    new_create_id,
    style_of,
    who,
)
from client_cli.world import World
from protocol.commands import AddRobot, Create, Join, Ready, Settings, Start, Watch
from protocol.events import RematchReady

TICK_S = 0.25


class RaceApp(App[str]):
    """The full-screen client; its result is a line to print when it has ended.

    Attributes:
        link: the race one is in, or watches.
        beside: races that are watched beside it.
        desk: where one asks about dailies.
        replay: the replay that is looked at.
        likes: what the player likes.
        player_name: how others see the player.
        address: the server that was named; "" for this machine.
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

    def __init__(
        self, args: argparse.Namespace, world: World, stack: AsyncExitStack, seating: Seating | None = None
    ) -> None:
        super().__init__(ansi_color=None if style_of(args, world).colour else True)
        self._world = world
        self.likes = Likes(args, world, self._complain)
        self.link = self._new_link()
        self.beside: list[Link] = []
        self.desk = Desk(self._report, self._complain, world.around)
        self.replay: Wish | None = None
        self.trouble = ""
        self.last_notice = ""
        self.failure = ""
        self._came_for_race = seating is not None
        self._stack = stack
        self._seating = seating
        self._args = self._with_preferences(args)
        self._arrived = ""
        self._lifeline: Worker[None] | None = None

    # What Textual asks.

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colour where there is to be none, and nothing grey instead."""
        filters = super().get_line_filters()
        return filters if self.look.colour else [*filters, NoColor()]

    async def on_mount(self) -> None:
        """Begin where one was asked to."""
        self.register_theme(FELT)
        self.register_theme(CONTRAST)
        self.theme = "contrast" if self.look.contrast else "felt"
        await self.push_screen(HomeScreen())
        self.set_interval(TICK_S, self._tick)
        if self._seating is not None:
            await self.sit_down(self._seating)

    async def on_unmount(self) -> None:
        """Hang up."""
        await self._hang_up()
        await self.desk.close()

    async def _hang_up(self) -> None:
        await self._look_away()
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
    def player_name(self) -> str:
        """How others see the player."""
        return who(self._args, self._world, self._server()).name

    @property
    def address(self) -> str:
        """The server that was named; "" for this machine."""
        return self._args.server or ""

    @property
    def public_url(self) -> str:
        """Where others find the server of the race."""
        return self._seating.public_url if self._seating else ""

    def introduce(self, name: str, server: str) -> None:
        """Take over name and server.

        Raises:
            ClientError: one of them cannot be.
        """
        args = argparse.Namespace(**{**vars(self._args), "name": name or None, "server": server or None})
        found = named_server(args, self._world)
        who(args, self._world, found or local_server_at(""))
        self._args = args
        self.likes.keep(name=name, server=server)

    # Into a race.

    async def play(self) -> None:
        """Race at once and alone: on the named server, else on one of one's own."""
        session = Session(Create(new_create_id(), ALONE), resumes=True)
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

    async def look_on_others(self) -> None:
        """Watch the race in which one's own board is done, over a connection of its own."""
        session, server = self.link.session, self.link.server
        if session is None or server is None or self.beside:
            return
        link = self._new_link()
        self.beside.append(link)
        try:
            await link.enter(who(self._args, self._world, server), server, Session(Watch(session.race)))
        except ClientError as error:
            self.beside.clear()
            self._complain(str(error))
            return
        await self._show(WallScreen)

    async def leave_wall(self) -> None:
        """Back to one's own board, if one has a seat; else to the first screen."""
        session = self.link.session
        if session is None or isinstance(session.entrance, Watch):
            await self.go_home()
        else:
            await self._look_away()
            await self._show(RaceScreen)

    async def _look_away(self) -> None:
        """No race beside the one that one is in."""
        beside, self.beside = self.beside, []
        for link in beside:
            await link.close()

    async def _enter(self, entrance: Join | Watch, address: str) -> None:
        args = argparse.Namespace(**{**vars(self._args), "server": address or self._args.server})
        try:
            server = any_server(args, self._world)
        except ClientError as error:
            self._complain(str(error))
            return
        await self.sit_down(Seating(server, Session(entrance), server.url))

    async def go_on_to(self, session: Session) -> None:
        """Another race over the same connection."""
        self._arrived = ""
        if self._seating is not None:
            self._seating = replace(self._seating, starts=False)
        await self.link.go_on_to(session)

    async def sit_down(self, seating: Seating) -> None:
        """Enter a race."""
        self._seating = seating
        self._arrived = ""
        await self._hang_up()
        try:
            player = who(self._args, self._world, seating.server)
            await self.link.enter(player, seating.server, seating.session, seating.haunt)
            for race in seating.beside:
                self.beside.append(self._new_link())
                await self.beside[-1].enter(player, seating.server, Session(Watch(race)))
        except ClientError as error:
            self._complain(str(error))
            return
        self._complain(tr("connecting to {url} ...").format(url=seating.server.url))
        if seating.ended is not None:
            self._lifeline = self._watch_over(seating.ended)

    async def _go(self, session: Session, listen: tuple[str, int], *, starts: bool = False) -> None:
        named = named_server(self._args, self._world)
        if named is not None:
            await self.sit_down(Seating(named, session, named.url, starts=starts))
        else:
            await self._go_on_own(session, listen, starts=starts)

    async def _go_on_own(self, session: Session, listen: tuple[str, int], *, starts: bool = False) -> None:
        """Enter a race on a server of one's own, started for it."""
        own = await self._start_own(listen)
        if own is not None:
            await self.sit_down(replace(own, session=session, starts=starts))

    async def _start_own(self, listen: tuple[str, int]) -> Seating | None:
        """Start a server of one's own: a place on it, with nothing to enter yet; None if that failed."""
        self._complain(tr("starting a server on this machine ..."))
        host, port = listen
        try:
            self._forget_server()
            await self._hang_up()
            await self._stack.aclose()
            context = local_server(self._world.data_folder, host, port, self._world.environment)
            local = await self._stack.enter_async_context(context)
        except ClientError as error:
            self._complain(str(error))
            return None
        server = local_server_at(own_url(host, local.url))
        return Seating(server, Session(Visit()), public_url(host, local.url), ended=local.ended)

    def _forget_server(self) -> None:
        """That a server of one's own ends is no news any more."""
        if self._lifeline is not None:
            self._lifeline.cancel()
            self._lifeline = None

    @work
    async def _watch_over(self, ended: Callable[[], Awaitable[str]]) -> None:
        why = await ended()
        if self.desk.server is not None and self.desk.server.key == local_server_at("").key:
            await self.desk.close()
        self.post_message(self.Came(Over(why), self.link))

    # The deal of the day.

    async def open_daily(self) -> None:
        """Ask about it: the named server, else one of one's own."""
        named = named_server(self._args, self._world)
        place = Seating(named, Session(Visit()), named.url) if named else await self._start_own(ALONE_AT)
        if place is None:
            return
        try:
            await self.desk.open(who(self._args, self._world, place.server), place.server, place.public_url)
        except ClientError as error:
            self._complain(str(error))
            return
        if place.ended is not None:
            self._lifeline = self._watch_over(place.ended)
        self._complain("")
        await self.open_day()

    async def open_day(self) -> None:
        """The deals of a day."""
        await self._show(DailyScreen)

    async def open_boards(self) -> None:
        """The leaderboards."""
        await self._show(BoardsScreen)

    async def open_record(self) -> None:
        """What one has done on all days."""
        await self._show(MeScreen)

    async def enter_from_desk(
        self,
        session: Session,
        *,
        starts: bool = False,
        haunt: Haunt | None = None,
        replay_of: str | None = None,
    ) -> None:
        """Into a race on the server that is asked; with `replay_of`, to look at what one of that name did."""
        server = self.desk.server
        assert server is not None  # the screens of the desk are shown only while it is open
        place = Seating(server, session, self.desk.public_url, starts=starts, haunt=haunt)
        is_replay = replay_of is not None
        await self.sit_down(replace(place, replays=is_replay, whose=replay_of or ""))

    async def race_again(self) -> None:
        """Race alone on the deal of the race one is in, against the ghost of oneself there."""
        session, seating = self.link.session, self._seating
        if session is None or session.picture is None or seating is None:
            return
        create = Create(new_create_id(), same_deal(session.picture.life))
        haunt = Haunt(session.race, session.player)
        place = Seating(seating.server, Session(create), seating.public_url, starts=True, haunt=haunt)
        await self.sit_down(place)

    async def leave_desk(self) -> None:
        """Back to the first screen."""
        await self.desk.close()
        await self.go_home()

    async def _came_to_desk(self, news: News) -> None:
        """An answer, or trouble in getting one."""
        room = self.room if isinstance(self.room, DeskRoom) and self.room.is_drawn else None
        match news:
            case Heard() as heard:
                is_elsewhere = self.desk.take(heard)
                if room is not None:
                    if is_elsewhere:
                        room.call_later(room.ask)
                    self._say_trouble("")
                    if text := notice(heard, self.look.in_sentences):
                        self._complain(text)
                    room.hear(heard)
            case Lost() as lost if room is not None:
                self._say_trouble(lost_text(lost))
            case NewPlayer() as news:
                self._complain(new_player_text(news))
            case Over(why):
                await self.desk.close()
                if room is not None:
                    await self.go_home(why)
            case _:
                pass

    # News of it.

    def _new_link(self) -> Link:
        def report(news: News) -> None:
            self._report(news, link)

        link = Link(report, self._complain, self._world.around)
        return link

    def _report(self, news: News, link: Link) -> None:
        self.post_message(self.Came(news, link))

    @property
    def watched(self) -> tuple[Link, ...]:
        """The races that are watched rather than raced in."""
        session = self.link.session
        is_watching = session is not None and isinstance(session.entrance, Watch)
        return (self.link, *self.beside) if is_watching else tuple(self.beside)

    async def on_race_app_came(self, came: Came) -> None:
        """React to what is heard; then the screen that fits shows it."""
        if came.link is self.desk.link:
            await self._came_to_desk(came.news)
            return
        if came.link is not self.link:
            await self._came_beside(came.link, came.news)
            return
        match came.news:
            case Heard() as heard:
                await self._heard(heard)
            case Lost() as lost:
                self._say_trouble(lost_text(lost))
            case NewPlayer() as news:
                self._complain(new_player_text(news))
            case Over(why):
                await self._end(why)

    async def _end(self, why: str) -> None:
        """The conversation is over."""
        if self._came_for_race and not self._arrived:
            self.failure = why
            self.exit()
        else:
            await self.go_home(why)

    async def _leave_lobby(self) -> None:
        """Back to where one came from."""
        if self._came_for_race:
            self.exit(tr("You have left the race."))
        else:
            await self.go_home()

    async def _came_beside(self, link: Link, news: News) -> None:
        """News of a race that is watched beside another."""
        match news:
            case Heard() as heard:
                await link.take(heard)
            case Lost() as lost:
                self._complain(lost_text(lost))
            case Over(why) if link in self.beside:
                self.beside.remove(link)
                if not self.watched:
                    await self.leave_wall()
                self._complain(why)
            case _:
                pass
        if isinstance(self.room, WallScreen) and self.room.is_drawn:
            self.room.told(None)

    async def _heard(self, heard: Heard) -> None:
        await self.link.take(heard)
        session = self.link.session
        if session is None:
            return
        if session.inside and self.trouble:
            self._say_trouble("")
        if session.was_kicked or sends_out(heard.event, session):
            await self.go_home(tr("the host has sent you out of this race"))
            return
        if session.has_left:
            await self._leave_lobby()
            return
        if isinstance(heard.event, RematchReady):
            await self.go_on_to(Session(Join(heard.event.next), player=session.player))
            return
        told = heard.step.session  # what is known may be ahead of what was told
        if told.phase == "over" and not isinstance(session.entrance, Watch):
            await self._look_away()
        if told.phase is not None and told.race == session.race:
            await self._arrive(session)
            if told.phase == "over" and self._seating is not None:
                self.likes.keep_race(session, self._seating.server)
            self._begin_replay(session)
            has_more, is_replaying = bool(self.beside), self.replay is not None
            await self._show(room_for(session, told.phase, has_more=has_more, is_replaying=is_replaying))
        if text := notice(heard, self.look.in_sentences):
            self._complain(text)
        if self.room is not None and self.room.is_drawn:
            self.room.hear(heard)

    def _begin_replay(self, session: Session) -> None:
        """Once the race is over, the replay that the program was started for."""
        seating = self._seating
        if session.phase != "over" or seating is None or not seating.replays:
            return
        self._seating = replace(seating, replays=False)
        found = whose_replay(session, seating.whose)
        if found is None:
            self._complain(tr("nobody called {name} raced there").format(name=seating.whose))
        else:
            self.replay = Wish(found.player)

    async def _arrive(self, session: Session) -> None:
        """In a race for the first time."""
        seating = self._seating
        if session.race == self._arrived or seating is None:
            return
        self._arrived = session.race
        self.replay = None
        self.last_notice = ""
        self.likes.keep_race(session, seating.server)
        if session.phase != "lobby":
            return
        if seating.starts and session.is_host and len(session.racers) == 1:
            for level in seating.robots:
                await self.link.ask(AddRobot("", 0, level))
            await self.link.ask(Start("", 0))
        elif seating.readies:
            await self.link.ask(Ready("", 0))

    # Which screen.

    @property
    def room(self) -> Room | None:
        """The screen below any window."""
        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, Room)), None)

    async def go_home(self, why: str = "") -> None:
        """Back to the first screen; `why`, where it was not asked for."""
        title = why_home(self.link.session)
        self._seating = None
        self._came_for_race = False
        await self._show(self.desk.room or HomeScreen)
        await self._hang_up()
        self._say_trouble("")
        self._complain("")
        if why:
            await self.push_screen(Reading(title, why))

    async def open_replay(self, player: str, ms: int = 0) -> None:
        """Look at what a racer did, once the race is over."""
        self.replay = Wish(player, ms)
        self.last_notice = ""
        await self._show(ReplayScreen)

    async def close_replay(self) -> None:
        """Back to the standings."""
        self.replay = None
        await self._show(AfterScreen)

    def now_ms(self) -> int:
        """Our clock."""
        return self._world.now_ms()

    async def _show(self, room: type[Room]) -> None:
        if type(self.room) is room:
            return
        while not isinstance(self.screen, Room):
            await self.pop_screen()
        before, after = self.screen, room()
        if isinstance(before, RaceScreen) and isinstance(after, AfterScreen):
            after.film = before.table.rest
        await self.switch_screen(after)

    def _tick(self) -> None:
        if self.room is not None and self.room.is_drawn:
            self.room.ticked()

    def _say_trouble(self, text: str) -> None:
        self.trouble = text
        if self.room is not None and self.room.is_drawn:
            self.room.show_trouble()

    def _complain(self, text: str) -> None:
        self.last_notice = text
        if self.room is not None and self.room.is_drawn:
            self.room.say(text)

    # Windows.

    async def open_help(self, where: Where) -> None:
        """The keys of a screen."""
        await self.push_screen(help_window(where))

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
        self.theme = "contrast" if self.look.contrast else "felt"
        if self.room is not None:
            self.room.look_changed()

    async def action_leave(self) -> None:
        """Leave the program; a running race keeps the seat, which is asked about."""
        session = self.link.session
        if session is None or not session.is_racing:
            self.exit(self._return_hint(session))
            return
        question = tr("You are racing, and the clock runs on. Leave all the same? Your seat is kept.")
        await self.push_screen(Question(question, tr("leave")), self._left)

    def _left(self, answer: bool | None) -> None:  # noqa: FBT001 - as Textual calls it
        if answer:
            self.exit(self._return_hint(self.link.session))

    def _return_hint(self, session: Session | None) -> str:
        if session is None or self._seating is None or session.phase in {None, "over"}:
            return ""
        return self._seating.return_hint.replace("{race}", session.race)

    # What is kept.

    def _with_preferences(self, args: argparse.Namespace) -> argparse.Namespace:
        environment = self._world.environment
        server = args.server or environment.get("CELLRACE_SERVER")
        if self._seating is None:
            server = server or self.preferences.server
        return argparse.Namespace(**{**vars(args), "server": server or None})

    def _server(self) -> Server:
        try:
            return named_server(self._args, self._world) or local_server_at("")
        except ClientError:
            return local_server_at("")
