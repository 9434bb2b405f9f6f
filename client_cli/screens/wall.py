"""Watching: a wall of boards with one in focus, how far everybody is, and the race so far as lines."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from client_cli.chances import chance_of
from client_cli.connection import Heard
from client_cli.ghosts import Ghost
from client_cli.language import tr
from client_cli.screens.canvas import Span
from client_cli.screens.chart_view import Chart, chart_lines
from client_cli.screens.deal_view import deal_text
from client_cli.screens.keys import Where, bindings
from client_cli.screens.link import Link
from client_cli.screens.names import level_note
from client_cli.screens.panel_view import CHAT_LINES, Line, panel_lines
from client_cli.screens.race_chart import at_text, chart_of, letters_of, pointed
from client_cli.screens.racer_rows import state_text
from client_cli.screens.room import Room
from client_cli.screens.timing import clock_line
from client_cli.screens.titles import fitting, show_title
from client_cli.screens.wall_view import MOST, Pane, grid_for, most_for, wall_lines
from client_cli.screens.widgets import Lines, Roll
from client_cli.session import Session
from client_cli.standings import clock_text, rules_in_words
from client_cli.text_width import cut
from protocol.commands import Say, Watch
from protocol.views import Racer

CHART_FROM = 9
"""Rows from which on a chart below the panel tells something."""

WIDE_SIDE_FROM = 160
SIDE_FROM = 110
"""Cells a screen has from which on there is room for a panel beside the whole wall."""


class WallScreen(Room):
    """What one who watches sees."""

    where: ClassVar[Where] = "watch"
    has_clock: ClassVar[bool] = True
    BINDINGS = bindings("watch")

    def __init__(self) -> None:
        super().__init__()
        self._focus = 0
        self._as_lines = False
        self._at_ms: int | None = None

    def body(self) -> ComposeResult:
        """Title, boards or lines, panel."""
        style = self.race_app.style_of
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
            yield Static(id="clock", markup=False)
        with Horizontal(id="middle"):
            yield Lines(self._main, style, id="wall")
            with Vertical(id="side"):
                yield Roll(self._panel, style, id="panel")
                yield Lines(self._small_chart, style, id="chart")

    def offers(self, action: str) -> bool:
        """A rematch, where there is one."""
        return action != "rematch" or self._over_with_rematch is not None

    def explains(self, action: str) -> bool:
        """The same."""
        return self.offers(action)

    # What is shown.

    @property
    def links(self) -> tuple[Link, ...]:
        """The races that are watched."""
        return self.race_app.sidelines.watched

    @property
    def everybody(self) -> list[tuple[Link, Session, Racer]]:
        """All whose boards could hang on the wall."""
        return [
            (link, link.session, racer)
            for link in self.links
            if link.session is not None
            for racer in link.session.racers
        ]

    @property
    def shown(self) -> list[tuple[Link, Session, Racer]]:
        """Whose boards hang on the wall: as many as it takes, with the one in focus among them."""
        return self.everybody[self._first : self._first + self._most]

    @property
    def _most(self) -> int:
        size = self.query_one("#wall").size
        return most_for(len(self.everybody), size.width, size.height)

    @property
    def _first(self) -> int:
        return self._focus // self._most * self._most

    @property
    def in_focus(self) -> Link:
        """The race whose board is in focus."""
        everybody = self.everybody
        if everybody:
            return everybody[min(self._focus, len(everybody) - 1)][0]
        # Once one's own board is all that is left, until this screen has gone, there is none.
        return self.links[0] if self.links else self.race_app.link

    @property
    def _over_with_rematch(self) -> tuple[Link, str] | None:
        """A race that is over and the code of its rematch: that of the one in focus, if it has one."""
        for link in (self.in_focus, *self.links):
            picture = link.session.picture if link.session else None
            if picture is not None and picture.life.rematch is not None:
                return link, picture.life.rematch
        return None

    @property
    def _seated(self) -> Session | None:
        """The same race as told to one's own seat in it, if one has one and the race runs."""
        seat = self.race_app.link.session
        is_seat = seat is not None and not isinstance(seat.entrance, Watch)
        return seat if seat is not None and is_seat and seat.race == self.session.race else None

    @property
    def _ghost(self) -> Ghost | None:
        """What the race in focus is raced against from one's own seat."""
        return self.race_app.link.ghost if self._seated is not None else None

    @property
    def session(self) -> Session:
        """The race whose board is in focus."""
        session = self.in_focus.session or self.known
        assert session is not None  # it is watched
        return session

    @property
    def clock_ms(self) -> int | None:
        """The clock of that race."""
        return self.in_focus.race_ms

    def told(self, heard: Heard | None) -> None:
        """Draw it all as it is now, whatever was heard."""
        del heard
        self._focus = max(0, min(self._focus, len(self.everybody) - 1))
        self._draw()

    def ticked(self) -> None:
        """The clock; and the lines grow with it."""
        link = self.in_focus
        text = clock_line(link.session, link.race_ms) if link.session else ""
        clock = self.query_one("#clock", Static)
        if clock.content != text:
            clock.update(text, layout=False)
            self._show_title()
            self.query_one("#wall" if self._is_chart else "#chart", Lines).update()

    def look_changed(self) -> None:
        """Other cards, other lines."""
        self._draw()

    def on_resize(self) -> None:
        """The panel beside the wall, if there is room for both."""
        self._arrange()
        self.call_after_refresh(self._show_title)

    def on_mount(self) -> None:
        """Begin with what is known."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.app.size
        has_all = most_for(len(self.everybody), width - 2, height - 4) >= min(MOST, len(self.everybody))
        side, panel, chart = self.query_one("#side"), self.query_one("#panel"), self.query_one("#chart")
        side.styles.width = 34 if width < WIDE_SIDE_FROM else 48
        side.display = not self._as_lines and (width >= SIDE_FROM or not has_all)
        # The panel takes what it needs, and the chart the rest, if that is enough to tell anything.
        listed = len(self.session.racers) + (self._ghost is not None)
        needed = 2 * listed + 2 + CHAT_LINES
        chart.display = not self._is_chart and height - 4 - needed >= CHART_FROM
        panel.styles.height = needed if chart.display else "1fr"

    def _draw(self) -> None:
        self._arrange()
        self._show_title()
        for lines in self.query(Lines):
            lines.update()

    def _show_title(self) -> None:
        show_title(self, self._title)

    def _title(self, room: int) -> str:
        """What is watched, and how late; where there is little room, what is told elsewhere, too, is not."""
        race = tr("watching {race}").format(race=self.session.race)
        deal, late, part = deal_text(self.session), self._lateness(), self._part()
        return fitting(room, (race, deal, late, part), (deal, late, part), (deal, late))

    def _lateness(self) -> str:
        session, watching = self.session, self.session.watching
        late = watching.delay_ms // 1000 if watching else 0
        if session.phase is None:
            return ""
        if watching is not None and watching.paused:
            return watching.why
        if session.phase == "over":
            return tr("over")
        if session.phase == "running":
            return tr("{seconds} s late").format(seconds=late) if late else tr("live")
        if not late:
            return tr("waiting for the start")
        if self._seated is None:
            return tr("{seconds} s late; it had not started then").format(seconds=late)
        text = tr("{seconds} s late: shown from {time} on")
        return text.format(seconds=late, time=clock_text(late * 1000))

    def _part(self) -> str:
        """Which of the boards are seen, if those are not all."""
        first, last, everybody = self._first + 1, self._first + len(self.shown), len(self.everybody)
        if self._is_chart or last - first + 1 >= everybody:
            return ""
        if first == last:
            return tr("board {first} of {all}").format(first=first, all=everybody)
        return tr("boards {first} to {last} of {all}").format(first=first, last=last, all=everybody)

    @property
    def _is_chart(self) -> bool:
        """Whether lines are shown where boards could be: because one likes to, or sees no boards."""
        picture = self.session.picture
        has_begun = picture is not None and picture.life.phase in {"running", "over"}
        return self._as_lines or (has_begun and picture is not None and not picture.boards)

    def _main(self, width: int, height: int) -> list[Line]:
        picture = self.session.picture
        if picture is not None and picture.layout is None and len(self.links) == 1:
            return [[Span(cut(text, width).text, "text")] for text in rules_in_words(picture.life)]
        if self._is_chart:
            return self._large_chart(width, height)
        panes = [self._pane(session, racer) for _, session, racer in self.shown]
        grid = grid_for(len(panes), width, height) if panes else None
        focus = self._focus - self._first
        return wall_lines(panes, focus, grid, self.race_app.look, height) if grid else []

    def _pane(self, session: Session, racer: Racer) -> Pane:
        boards = session.picture.boards if session.picture else {}
        board = boards.get(racer.player)
        name = f"{letters_of(session)[racer.player]} {racer.name}{level_note(racer)}"
        title = f"{name} - {session.race}" if len(self.links) > 1 else name
        known = session.verdict_on(racer.player) if racer.state != "finished" else None
        chance = chance_of(known) if session.verdicts else None
        return Pane(title, state_text(racer, session), board, racer.home, racer.actions, chance=chance)

    def _panel(self, width: int, height: int) -> list[Line]:
        # Who has raced here himself is told live how far the others are, whatever he watches late.
        session, pick = self._seated or self.session, self.query_one(Roll).pick
        ghost = self.race_app.link.haunting if self._ghost is not None else None
        return panel_lines(session, self.race_app.look, width, height, letters_of(session), ghost, pick)

    def _small_chart(self, width: int, height: int) -> list[Line]:
        return self._chart(width, min(height, 2 + width // 2))

    def _large_chart(self, width: int, height: int) -> list[Line]:
        link, session = self.in_focus, self.session
        if self._at_ms is not None:
            said = at_text(session, link.curves, self._at_ms, self._ghost)
        elif not self._as_lines and session.watching:
            said = session.watching.why
        else:
            said = tr("cards home over time; the arrows look at a moment of it")
        return [[Span(cut(said, width).text, "own")], *self._chart(width, height - 1)]

    def _chart(self, width: int, height: int) -> list[Line]:
        chart = self._chart_at(self._at_ms)
        return chart_lines(chart, self.race_app.look, width, height)

    def _chart_at(self, at_ms: int | None) -> Chart:
        link = self.in_focus
        return chart_of(self.session, link.curves, link.race_ms or 0, at_ms=at_ms, ghost=self._ghost)

    # What can be done.

    def action_next(self) -> None:
        """The next board."""
        self._turn(1)

    def action_previous(self) -> None:
        """The board before."""
        self._turn(-1)

    def _turn(self, by: int) -> None:
        self._focus = (self._focus + by) % max(1, len(self.everybody))
        self.told(None)

    def action_lines(self) -> None:
        """Lines in place of boards, and back."""
        self._as_lines = not self._as_lines
        self._at_ms = None
        self._draw()

    def action_point(self, direction: str) -> None:
        """Look at another moment of the lines; without lines, at another board."""
        if not self._is_chart:
            self._turn(-1 if direction == "left" else 1)
            return
        self._at_ms = pointed(self._chart_at(None).until_ms, self._at_ms, direction)
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Focus on a board."""
        wall = self.query_one("#wall", Lines)
        if event.widget is not wall or self._is_chart or not self.shown:
            return
        grid = grid_for(len(self.shown), wall.size.width, wall.size.height)
        if grid is not None:
            self._focus = self._first + min(len(self.shown) - 1, grid.pane_at(event.x, event.y))
            self.told(None)

    async def action_rematch(self) -> None:
        """Watch the next race in the place of the one that is over."""
        if (found := self._over_with_rematch) is not None:
            self.say("")
            await self.race_app.sidelines.go_on_to(*found)

    async def action_back(self) -> None:
        """Back to one's own board, or to the first screen."""
        await self.race_app.sidelines.leave_wall()

    @property
    def whom(self) -> str:
        """Racers are told after the race what those who watch have said."""
        if self._seated is not None or self.session.phase == "over":
            return super().whom
        return tr("to those who watch; racers read it after the race; Enter sends, Esc does not")

    async def speak(self, text: str) -> None:
        """Speak in the race in focus; one who has a seat in it speaks from there."""
        link = self.race_app.link if self._seated is not None else self.in_focus
        await link.ask(Say("", 0, text))
        if self.session.watching is not None and self.session.watching.delay_ms:
            self.say(f"{self.race_app.passport.name}: {text}")  # it is heard here only with the rest
