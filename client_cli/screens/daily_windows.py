"""Windows above the deal of the day: whose ghost to race against, and which day to look at."""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client_cli.daily_words import cells_text
from client_cli.language import tr
from client_cli.screens.answers import Answers, shifted
from client_cli.screens.keys import bindings
from client_cli.screens.window import Window
from client_cli.standings import time_text
from protocol.events import Ranked

ARCHIVE_DAYS: Final = 60
"""Days that the archive goes back."""


class GhostWindow(Window[Ranked | None]):
    """Whose attempt to race against."""

    BINDINGS = bindings("dialog")

    def __init__(self, lines: tuple[Ranked, ...]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Nobody, or one of those who have won."""
        with Vertical(classes="window"):
            yield Static(tr("Race against the ghost of:"), classes="title", markup=False)
            rows = (f"{time_text(line.ms):>11}  {line.name}" for line in self._lines)
            yield OptionList(
                Option(tr("nobody")), *map(Option, rows), id="ghosts", markup=False, compact=True
            )
            yield Static(tr("A bar shows how far it was; never its moves."), classes="hint", markup=False)

    def on_mount(self) -> None:
        """Arrows choose."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """This one."""
        self.done(self._lines[event.option_index - 1] if event.option_index else None)

    def action_close(self) -> None:
        """Nobody."""
        self.done(None)


class ArchiveWindow(Window[str | None]):
    """Past days, and how one's own attempts at them went."""

    BINDINGS = bindings("dialog")

    def __init__(self, answers: Answers, since: str) -> None:
        super().__init__()
        days = (shifted(answers.today, -back) for back in range(ARCHIVE_DAYS))
        self._days = [day for day in days if day >= since]
        self._answers = answers

    def compose(self) -> ComposeResult:
        """A line for each day."""
        with Vertical(classes="window"):
            yield Static(tr("Past days"), classes="title", markup=False)
            yield OptionList(
                *(Option(self._row(day)) for day in self._days), id="days", markup=False, compact=True
            )
            yield Static(tr("Enter shows a day, Esc closes this window"), classes="hint", markup=False)

    def on_mount(self) -> None:
        """Arrows choose."""
        self.query_one(OptionList).focus()

    def _row(self, day: str) -> str:
        results = [
            f"{cells_text(cells)}: {time_text(played.ms) if played.won else tr('not won')}"
            for cells, record in sorted(self._answers.records.items(), reverse=True)
            for played in record.days
            if played.day == day
        ]
        return "  ".join([day, *results])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """This day."""
        self.done(self._days[event.option_index])

    def action_close(self) -> None:
        """The day as before."""
        self.done(None)
