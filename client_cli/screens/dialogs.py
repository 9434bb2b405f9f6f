"""Windows above a screen: a question, a text to read, the look."""

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Button, Checkbox, Static

from client_cli.consent import no_key, yes_key
from client_cli.language import mark, tr
from client_cli.screens.key_texts import help_rows
from client_cli.screens.keys import Where, bindings
from client_cli.screens.rules_text import rules_text
from client_cli.screens.widgets import Buttons, Tick
from client_cli.screens.window import PlainScrollBar, Window


class Question(Window[bool]):
    """Yes or no, by the letters of the language or the English ones; whoever does nothing says no."""

    # Bound, and not heard as keys: a key that is typed before the window is drawn counts, too.
    BINDINGS = bindings("question")

    def __init__(self, text: str, yes: str) -> None:
        super().__init__()
        self._text, self._yes = text, yes

    def compose(self) -> ComposeResult:
        """The question, and its two answers."""
        with Vertical(classes="window"):
            yield Static(self._text, markup=False)
            yield Buttons((f"{self._yes} ({yes_key()})", "yes"), (f"{tr('no')} ({no_key()})", "no"))

    def on_mount(self) -> None:
        """The harmless answer first."""
        self.query_one("#do-no", Button).focus()

    def action_answer(self, letter: str) -> None:
        """A letter, if it is one that answers."""
        if letter in {"y", yes_key()}:
            self.action_yes()
        elif letter in {"n", no_key()}:
            self.action_no()

    def action_yes(self) -> None:
        """Yes."""
        self.done(True)

    def action_no(self) -> None:
        """No."""
        self.done(False)


AROUND: Final = 5
"""Rows of a window for reading that are not its text's: frame, title, and the hint below a blank one."""


class Reading(Window[None]):
    """A text to read, in as much of the height as it takes; it is said where there is more of it below."""

    BINDINGS = bindings("reading")

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title, self._text = title, text
        self._scroll = VerticalScroll()
        self._hint = Static(classes="hint", markup=False)

    def compose(self) -> ComposeResult:
        """Title, text, and what can be done."""
        with Vertical(classes="window reading"):
            yield Static(self._title, classes="title", markup=False)
            with self._scroll as scroll:
                scroll.vertical_scrollbar.renderer = PlainScrollBar  # type: ignore[misc]  # Textual's way
                yield Static(self._text, markup=False)
            yield self._hint

    def on_mount(self) -> None:
        """Arrows scroll."""
        self._scroll.focus()
        self.watch(self._scroll, "scroll_y", self._tell_more)
        self.watch(self._scroll, "virtual_size", self._tell_more)

    def on_resize(self) -> None:
        """As many rows as there are."""
        self._scroll.styles.max_height = max(1, self.app.size.height - AROUND)
        self.call_after_refresh(self._tell_more)

    def _tell_more(self) -> None:
        closes = tr("Esc closes this window")
        has_more = self._scroll.scroll_y < self._scroll.max_scroll_y
        self._hint.update(f"{tr('Page Down: more')}   {closes}" if has_more else closes, layout=False)

    def action_close(self) -> None:
        """Away with it."""
        self.done(None)


MOUSE: Final = mark(
    "With the mouse: click a card, then where it goes; or draw it there;"
    " or double-click to send it where it fits."
)


def help_window(where: Where, explains: Callable[[str], bool] = lambda _: True) -> Reading:
    """The keys of a screen, and what they do."""
    keys = Table.grid(padding=(0, 2, 0, 0))
    keys.add_column(no_wrap=True)
    keys.add_column()
    for shown, meaning in help_rows(where, explains):
        keys.add_row(Text(shown), Text(meaning))
    return Reading(tr("Keys"), Group(keys, "", Text(tr(MOUSE))) if where == "race" else keys)


def rules_window() -> Reading:
    """The rules of the game and of a race."""
    return Reading(tr("Rules"), rules_text())


CHOICES: Final = (
    ("four_colours", mark("four colours: a colour for each suit")),
    ("contrast", mark("high contrast")),
    ("letters", mark("suits as letters (C D H S)")),
    ("animated", mark("show cards going one by one")),
)


class LookWindow(Window[None]):
    """What the cards look like; each change is seen at once."""

    BINDINGS = bindings("looks")

    def __init__(self, chosen: Mapping[str, bool], change: Callable[[str, bool], None]) -> None:
        super().__init__()
        self._chosen, self._change = dict(chosen), change

    def compose(self) -> ComposeResult:
        """A box to tick for each choice."""
        with Vertical(classes="window"):
            yield Static(tr("Look"), classes="title", markup=False)
            for name, label in CHOICES:
                yield Tick(tr(label), value=self._chosen[name], id=name, compact=True)
            yield Static(tr("Esc closes this window"), classes="hint", markup=False)

    def action_close(self) -> None:
        """Away with it."""
        self.done(None)

    def on_checkbox_changed(self, event: Checkbox.Changed) -> None:
        """Seen at once."""
        if event.checkbox.id is not None:
            self._change(event.checkbox.id, event.value)
            self.look_changed()
