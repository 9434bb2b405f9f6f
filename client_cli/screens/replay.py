"""A race that is over, looked at again: one racer, or two beside each other, at their own pace or another."""

from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.daily_words import race_text
from client_cli.language import tr
from client_cli.screens.canvas import Span
from client_cli.screens.chart_view import chart_lines
from client_cli.screens.deal_view import deal_text
from client_cli.screens.keys import Where, bindings
from client_cli.screens.names import level_note
from client_cli.screens.panel_view import Line
from client_cli.screens.race_chart import chart_of, letters_of
from client_cli.screens.replay_view import bar_width, pane_of, step_text, timeline
from client_cli.screens.room import Room
from client_cli.screens.tape import Film, Tape, film_of
from client_cli.screens.wall_view import grid_for, wall_lines
from client_cli.screens.widgets import KeyBar, Lines
from client_cli.standings import in_order
from protocol.commands import Replay, Watch
from protocol.events import Replayed
from protocol.picture import Hole

FRAME_S: Final = 0.05
JUMP_MS: Final = 10_000
CHART_FROM: Final = 34
"""Rows a screen has from which on the curves stand below the boards."""


class ReplayScreen(Room):
    """A tape, and what can be done with it."""

    where: ClassVar[Where] = "replay"
    BINDINGS = bindings("replay")

    def __init__(self) -> None:
        super().__init__()
        self._tape = Tape()
        self._players: list[str] = []
        self._pages: dict[str, list[Replayed]] = {}
        self._films: dict[str, Film] = {}
        self._timer: Timer | None = None

    def body(self) -> ComposeResult:
        """Title, boards, curves, line of the time, last step."""
        style = self.race_app.style_of
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
        yield Lines(self._boards, style, id="boards")
        yield Lines(self._chart, style, id="curves")
        yield Lines(self._timeline, style, id="timeline")
        yield Lines(self._last_step, style, id="step")

    async def on_mount(self) -> None:  # type: ignore[override]  # Textual waits for either
        """Begin with whom one asked for."""
        self._timer = self.set_interval(FRAME_S, self._played, pause=True)
        wish = self.race_app.replay
        assert wish is not None  # the screen is shown because of it
        self._tape = Tape(ms=wish.ms)
        await self._show([wish.player])

    def offers(self, action: str) -> bool:
        """With one racer there is no other."""
        match action:
            case "racer":
                return len(self._everybody) > len(self._players)
            case "beside":
                return len(self._everybody) > 1
            case "side":
                return len(self._players) > 1
            case _:
                return True

    # What is shown.

    def told(self, heard: Heard | None) -> None:
        """Take a page of a replay."""
        if heard is not None and isinstance(heard.event, Replayed):
            self._take(heard.event)
        self._draw()

    def look_changed(self) -> None:
        """Other cards."""
        self._draw()

    def on_resize(self) -> None:
        """The curves too, if there is room for them."""
        self.query_one("#curves").display = self.app.size.height >= CHART_FROM

    def _draw(self) -> None:
        race = tr("replay of {race}").format(race=race_text(self.session.race))
        missing = "" if self._tape.films else tr("fetching it ...")
        text = "  ".join(part for part in (race, deal_text(self.session), missing) if part)
        self.query_one("#what", Static).update(text, layout=False)
        for lines in self.query(Lines):
            lines.update()

    @property
    def _now(self) -> Tape:
        return self._tape.at(self.race_app.now_ms())

    def _boards(self, width: int, height: int) -> list[Line]:
        tape, letters = self._now, letters_of(self.session)
        notes = {racer.player: level_note(racer) for racer in self.session.racers}
        panes = [
            pane_of(film, tape.steps_of(place), letters.get(film.player, ""), notes.get(film.player, ""))
            for place, film in enumerate(tape.films)
        ]
        grid = grid_for(len(panes), width, height) if panes else None
        return wall_lines(panes, tape.focus, grid, self.race_app.look, height) if grid else []

    def _chart(self, width: int, height: int) -> list[Line]:
        link = self.race_app.link
        chart = chart_of(self.session, link.curves, 0, at_ms=self._now.ms, ghost=link.ghost)
        return chart_lines(chart, self.race_app.look, width, height)

    def _timeline(self, width: int, _height: int) -> list[Line]:
        return [timeline(self._now, self.race_app.look, width)]

    def _last_step(self, width: int, _height: int) -> list[Line]:
        tape = self._now
        return [[Span(step_text(tape, width), "text")]] if tape.films else []

    # Films.

    async def _show(self, players: list[str]) -> None:
        """Show these, fetching what is not there yet."""
        self._players = players
        for player in players:
            if player not in self._pages:
                self._pages[player] = []
                await self.race_app.link.ask(Replay("", 0, player))
        self._put_in()
        self.query_one(KeyBar).look_again()

    def _take(self, page: Replayed) -> None:
        pages = self._pages.setdefault(page.player, [])
        if page.after != sum(len(known.steps) for known in pages):
            return  # it was asked for twice, over two connections
        pages.append(page)
        if page.more:
            question = Replay("", 0, page.player, page.after + len(page.steps))
            self.run_worker(self.race_app.link.ask(question))
            return
        try:
            self._films[page.player] = film_of(pages)
        except Hole as error:
            self.say(tr("this replay does not fit its deal: {why}").format(why=error))
            return
        self._put_in()

    def _put_in(self) -> None:
        films = [self._films[player] for player in self._players if player in self._films]
        focus = max(0, min(self._tape.focus, len(films) - 1))
        if len(films) == len(self._players):
            self._tape = self._tape.showing(films, focus, self.race_app.now_ms())
        self._draw()

    @property
    def _everybody(self) -> list[str]:
        return [racer.player for racer in in_order(self.session.racers)]

    # What can be done.

    def _play(self, tape: Tape) -> None:
        self._tape = tape
        if self._timer is not None:
            (self._timer.resume if tape.is_playing else self._timer.pause)()
        self._draw()

    def _played(self) -> None:
        """A moment has passed while it runs."""
        tape = self._now
        if tape.is_playing:
            self._draw()
        else:
            self._play(tape)

    def action_play(self) -> None:
        """Play, or pause."""
        self._play(self._tape.toggled(self.race_app.now_ms()))

    def action_step(self, key: str) -> None:
        """A step on, or back."""
        by = -1 if key in {"left", "comma"} else 1
        self._play(self._tape.stepped(by, self.race_app.now_ms()))

    def action_jump(self, key: str) -> None:
        """To the beginning, the end, or some seconds away."""
        ms = self._now.ms
        to_ms = {"home": 0, "end": self._tape.end_ms, "pageup": ms - JUMP_MS, "pagedown": ms + JUMP_MS}[key]
        self._play(self._tape.sought(to_ms, self.race_app.now_ms()))

    def action_part(self, key: str) -> None:
        """To so many tenths of the whole."""
        self._play(self._tape.sought(self._tape.end_ms * int(key) // 10, self.race_app.now_ms()))

    def action_faster(self) -> None:
        """Twice as fast."""
        self._play(self._tape.faster(1, self.race_app.now_ms()))

    def action_slower(self) -> None:
        """Half as fast."""
        self._play(self._tape.faster(-1, self.race_app.now_ms()))

    async def action_racer(self) -> None:
        """Another racer on this side."""
        others = [player for player in self._everybody if player not in self._players]
        if others and self._tape.films:
            players = list(self._players)
            mine = self._everybody.index(players[self._tape.focus])
            later = [player for player in others if self._everybody.index(player) > mine]
            players[self._tape.focus] = (later or others)[0]
            await self._show(players)

    async def action_beside(self) -> None:
        """Another racer beside this one, or one alone."""
        if len(self._players) > 1:
            await self._show([self._players[self._tape.focus]])
            return
        others = [player for player in self._everybody if player not in self._players]
        if others:
            await self._show([*self._players, others[0]])

    def action_side(self) -> None:
        """The other side."""
        self._focus_on(self._tape.focus + 1)

    def _focus_on(self, place: int) -> None:
        films = self._tape.films
        if films:
            self._play(self._now.showing(films, place % len(films), self.race_app.now_ms()))

    def on_click(self, event: events.Click) -> None:
        """Focus on a board, or go to a time."""
        tape = self._now
        if event.widget is None or not tape.films:
            return
        size = event.widget.size
        if event.widget.id == "timeline":
            room = max(1, bar_width(tape, self.race_app.look, size.width) - 1)
            self._play(self._tape.sought(tape.end_ms * event.x // room, self.race_app.now_ms()))
        elif event.widget.id == "boards" and (grid := grid_for(len(tape.films), size.width, size.height)):
            self._focus_on(min(len(tape.films) - 1, grid.pane_at(event.x, event.y)))

    async def action_back(self) -> None:
        """Back to the standings; to the leaderboard, if one has come from there."""
        app = self.race_app
        if app.desk.room is not None and isinstance(self.session.entrance, Watch):
            app.replay = None
            await app.go_home()
        else:
            await app.close_replay()
