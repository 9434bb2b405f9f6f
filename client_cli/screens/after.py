"""After the race: the standings, where it was decided, everybody's last board, and another race like it."""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from client_cli import daily_words
from client_cli.chances import report_lines, report_on
from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.screens.board_view import View
from client_cli.screens.canvas import Span
from client_cli.screens.card_table import CardTable
from client_cli.screens.chart_view import Chart, chart_lines
from client_cli.screens.daily_view import result_lines
from client_cli.screens.deal_view import unpromised_text
from client_cli.screens.dialogs import Reading
from client_cli.screens.key_texts import button
from client_cli.screens.keys import PLACES, Key, Where, bindings
from client_cli.screens.panel_view import Line, panel_lines
from client_cli.screens.race_chart import at_text, chart_of, decision_text, letters_of, pointed
from client_cli.screens.result import board_text
from client_cli.screens.room import Room
from client_cli.screens.widgets import Buttons, Lines, Roll
from client_cli.session import Session
from client_cli.sharing import result_line
from client_cli.standings import in_order
from client_cli.style import Style
from client_cli.text_width import cut
from protocol.commands import Daily, DailyCells, Rematch, Trace, Watch
from protocol.events import DayTold, Reported
from protocol.views import Board

ROOMY: Final = (110, 34)
"""Cells and rows of a screen that has room for a board and the lines at once."""


class AfterScreen(Room):
    """How it ended."""

    where: ClassVar[Where] = "after"
    BINDINGS = bindings("after")

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self._as_lines = False
        self._at_ms: int | None = None
        self._day: DayTold | None = None
        self.film: Sequence[Board] = ()
        """What was still to be shown of the last moves when the race ended."""

    def body(self) -> ComposeResult:
        """Title, a board or the lines, the standings, buttons."""
        style = self.race_app.style_of
        with Horizontal(id="top"):
            yield Static(id="what", markup=False)
        with Horizontal(id="middle"):
            yield CardTable(self.race_app.look, id="board")
            yield Lines(self._chart, style, id="lines")
            with Vertical(id="side"):
                yield Roll(self._standings, style, id="panel")
                yield Lines(self._chart, style, id="chart")
        yield Buttons(
            button("after", "rematch"),
            button("after", "board"),
            button("after", "lines"),
            button("after", "replay"),
            button("after", "copy"),
            button("after", "home", self.label),
        )

    async def on_mount(self) -> None:  # type: ignore[override]  # Textual waits for either
        """Ask how far everybody was at every time; after a ranked attempt, what place it has, too."""
        await self.race_app.link.ask(Trace("", 0))
        picture = self.session.picture
        if picture is not None and self._is_own_attempt:
            cells: DailyCells = 2 if picture.life.settings.cells == 2 else 4
            await self.race_app.link.ask(Daily(0, cells, picture.life.daily))

    def offers(self, action: str) -> bool:
        """A rematch is for those who raced; of a race that never began there is nothing to look at."""
        if action == "rematch":
            return (self._has_seat and not self._is_own_attempt) or self._next_race is not None
        if action == "challenge":
            return self._day is not None
        if action == "again":
            return self.session.me is not None and self._was_raced
        if action == "board" and len(self.session.racers) == 1 and not self._as_lines:
            return False
        return action not in {"lines", "replay", "report", "board", "point"} or self._was_raced

    def explains(self, action: str) -> bool:
        """Not what is never to be had after this race."""
        return action not in {"rematch", "challenge"} or self.offers(action)

    def label(self, key: Key) -> str:
        """The way out is called by where it leads."""
        return PLACES[self.race_app.behind.where] if key.action == "home" else key.label

    # What is shown.

    def told(self, heard: Heard | None) -> None:
        """Draw the standings, the board and the lines."""
        match heard:
            case Heard(_, DayTold() as day):
                self._day = day
            case Heard(_, Reported() as report):
                self.run_worker(self._show_report(report))
            case _:
                pass
        if not self._shown:
            first = next(iter(in_order(self.session.racers)), None)
            self._shown = self.session.player if self.session.me else first.player if first else ""
            self._as_lines = self.session.me is None and self._was_raced
        self._draw()

    def look_changed(self) -> None:
        """Other cards, other lines."""
        self.query_one(CardTable).change_look(self.race_app.look)
        self._draw()

    def on_resize(self) -> None:
        """Board and lines at once, if there is room for both."""
        self._draw()

    def _draw(self) -> None:
        width, height = self.app.size
        is_roomy = width >= ROOMY[0] and height >= ROOMY[1]
        board = self._board
        self.query_one("#chart").display = is_roomy and self._was_raced and not self._as_lines
        self.query_one("#lines").display = self._as_lines
        table = self.query_one(CardTable)
        table.display = not self._as_lines
        if board is not None and (table.view is None or table.view.board != board):
            film, self.film = self.film, ()
            table.play(film, View(board))
        self.query_one("#what", Static).update(self._title(is_roomy=is_roomy), layout=False)
        self.query_one(Buttons).rename(*button("after", "home", self.label))
        self.query_one(Buttons).offer(self.offers)
        for lines in self.query(Lines):
            lines.update()

    @property
    def _chart_now(self) -> Chart:
        link = self.race_app.link
        return chart_of(self.session, link.curves, 0, at_ms=self._at_ms, ghost=link.ghost)

    @property
    def _board(self) -> Board | None:
        picture = self.session.picture
        own = self.session.board if self._shown == self.session.player else None
        return own or (picture.boards.get(self._shown) if picture else None)

    @property
    def _was_raced(self) -> bool:
        picture = self.session.picture
        return picture is not None and picture.layout is not None

    @property
    def _is_own_attempt(self) -> bool:
        picture = self.session.picture
        return picture is not None and picture.life.ranked and self.session.me is not None

    @property
    def _has_seat(self) -> bool:
        """Whether one is here as a racer, and not to look at a race that one was in."""
        return self.session.me is not None and not isinstance(self.session.entrance, Watch)

    @property
    def _next_race(self) -> str | None:
        picture = self.session.picture
        return picture.life.rematch if picture else None

    def _title(self, *, is_roomy: bool) -> str:
        session, curves = self.session, self.race_app.link.curves
        racer = next((racer for racer in session.racers if racer.player == self._shown), None)
        whose = board_text(racer, session, self.race_app.link.ghost) if racer and self._board else ""
        said = decision_text(session, curves)
        if self._at_ms is not None:
            said = at_text(session, curves, self._at_ms, self.race_app.link.ghost)
        has_lines = is_roomy or self._as_lines
        parts = (
            unpromised_text(session),
            "" if self._as_lines else whose,
            said if has_lines else "",
        )
        text = "  ".join(part for part in parts if part)
        whole = f"{tr('The race is over.')}  {text}".strip()
        # That it is over is seen by the rest, too.
        return whole if cell_len(whole) <= self.app.size.width - 2 else text

    def _standings(self, width: int, height: int) -> list[Line]:
        link, look = self.race_app.link, self.race_app.look
        mine = self._day.mine if self._day else None
        result = result_lines(mine, look) if mine else []
        ghost = (link.ghost, link.ghost.end_ms) if link.ghost else None
        room = height - len(result)
        letters, pick = letters_of(self.session), self.query_one(Roll).pick
        lines = panel_lines(self.session, look, width, room, letters, ghost, pick)
        return [*lines, [], *([Span(cut(text, width).text, kind)] for text, kind in result)]

    def _chart(self, width: int, height: int) -> list[Line]:
        return chart_lines(self._chart_now, self.race_app.look, width, height)

    # What can be done.

    async def action_rematch(self) -> None:
        """Another race; one who only watched goes on to watch it, once there is one."""
        if self._has_seat:
            await self.race_app.link.ask(Rematch("", 0))
        elif self._next_race is not None:
            await self.race_app.visit.go_on_to(Session(Watch(self._next_race), player=self.session.player))

    def action_board(self) -> None:
        """The next racer's last board."""
        players = [racer.player for racer in in_order(self.session.racers)]
        if players and self._was_raced:
            place = players.index(self._shown) + 1 if self._shown in players and not self._as_lines else 0
            self._shown = players[place % len(players)]
            self._as_lines = False
            self._draw()

    def action_lines(self) -> None:
        """The race as lines in place of a board, and back."""
        self._as_lines = self._was_raced and not self._as_lines
        self.hear(None)

    def action_point(self, direction: str) -> None:
        """Look at another moment of the lines, where they are shown."""
        if self.query_one("#lines").display or self.query_one("#chart").display:
            self._at_ms = pointed(self._chart_now.until_ms, self._at_ms, direction)
            self._draw()

    async def action_replay(self) -> None:
        """What the racer did whose board is shown, from the moment that is looked at."""
        if self._shown and self._was_raced:
            await self.race_app.open_replay(self._shown, self._at_ms or 0)

    async def action_report(self) -> None:
        """Until when the game could be won whose board is shown; the server may have to look for it."""
        if self._shown and self._was_raced:
            self.say(tr("the server looks for where it was lost ..."))
            await self.race_app.link.ask(report_on(self.session, self._shown))

    async def _show_report(self, report: Reported) -> None:
        self.say("")
        title, *text = report_lines(report, self.session)
        await self.app.push_screen(Reading(title.removesuffix(":"), "\n".join(text)))

    def action_copy(self) -> None:
        """Copy the result."""
        style = Style(symbols=self.race_app.look.symbols)
        racer = self.session.me or next(iter(in_order(self.session.racers)), None)
        if self._day is not None and self._day.mine is not None:
            is_private = self.race_app.desk.is_private
            self._copy(daily_words.share_line(self._day, self._day.mine, style, is_private=is_private))
        elif racer is not None:
            points = self.race_app.link.curves.of.get(racer.player, ())
            self._copy(result_line(self.session, racer, points, style))

    def action_challenge(self) -> None:
        """Copy what a friend needs to race the same deal of the day."""
        if self._day is not None:
            lines = daily_words.challenge_lines(self._day, self.race_app.public_url)
            self._copy("\n".join(lines))

    def _copy(self, text: str) -> None:
        self.app.copy_to_clipboard(text)
        self.say(tr("copied, if your terminal lets programs copy: {code}").format(code=text))

    async def action_again(self) -> None:
        """The same deal once more, against oneself as one was."""
        if self.session.me is not None and self._was_raced:
            await self.race_app.entrances.race_again()

    async def action_home(self) -> None:
        """Back to where one came from."""
        await self.race_app.go_home()
