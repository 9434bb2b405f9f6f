"""What one has done on all days."""

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Grid, Horizontal
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.screens.answers import BOTH
from client_cli.screens.canvas import Span
from client_cli.screens.daily_view import record_lines, running_text
from client_cli.screens.desk_room import DeskRoom
from client_cli.screens.key_texts import button
from client_cli.screens.keys import Where, bindings
from client_cli.screens.panel_view import Line
from client_cli.screens.widgets import Buttons, Lines


class MeScreen(DeskRoom):
    """Streaks, days, times; for each of the two deals of a day."""

    where: ClassVar[Where] = "me"
    BINDINGS = bindings("me")

    def body(self) -> ComposeResult:
        """Title, a column for each deal, the way back."""
        with Horizontal(id="top"):
            yield Static(
                tr("{name} and the deals of the day").format(name=self.race_app.passport.name),
                id="what",
                markup=False,
            )
        with Grid(id="deals"):
            for cells in BOTH:
                yield Lines(partial(self._record, cells), self.race_app.style_of, id=f"record-{cells}")
        yield Buttons(button("me", "boards"), button("me", "back"))

    async def ask(self) -> None:
        """About both records, and what runs today."""
        await self.desk.ask_day()
        await self.desk.ask_today()

    def ticked(self) -> None:
        """What runs, runs on."""
        super().ticked()
        self.told(None)

    def told(self, heard: Heard | None) -> None:
        """Draw both."""
        del heard
        for lines in self.query(Lines):
            lines.update()

    def _record(self, cells: int, width: int, height: int) -> list[Line]:
        answers, now_ms = self.desk.answers, self.desk.now_ms
        day = answers.running(cells, now_ms)
        running = running_text(day, now_ms) if day else ""
        lines = record_lines(answers.records.get(cells), self.race_app.look, width - 2, height, running)
        return [[Span(" ", "text"), *line] for line in lines]

    async def action_boards(self) -> None:
        """The leaderboards."""
        await self.race_app.daily.open_boards()

    async def action_back(self) -> None:
        """Back to the day."""
        await self.race_app.daily.open_day()
