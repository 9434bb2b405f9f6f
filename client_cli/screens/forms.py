"""Windows to fill in: the settings of a race, and whom to send out of it."""

from collections.abc import Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Grid, Vertical
from textual.events import DescendantFocus
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from client_cli.language import mark, tr
from client_cli.screens.key_texts import button
from client_cli.screens.keys import bindings, over_fields
from client_cli.screens.widgets import Buttons
from client_cli.screens.window import Window
from client_cli.settings import CHOICES, LABELS, BadSetting, changed, said
from protocol.commands import RobotLevel, Settings
from protocol.views import Racer, Terms

PACES: Final[dict[RobotLevel, str]] = {
    "easy": mark("eight minutes (easy)"),
    "even": mark("four minutes (even)"),
    "fast": mark("two minutes (fast)"),
}


class SettingsWindow(Window[Settings | None]):
    """The settings of a race. What goes together, the server decides."""

    BINDINGS = [*bindings("dialog"), *over_fields()]  # noqa: RUF012 - as Textual has it

    def __init__(self, terms: Terms, deal: int | str) -> None:
        super().__init__()
        self._terms, self._deal = terms, deal

    def compose(self) -> ComposeResult:
        """A field for each, and below what the one may be in which one is."""
        with Vertical(classes="window"):
            yield Static(tr("Settings"), classes="title", markup=False)
            with Grid(classes="settings"):
                for name, label in LABELS.items():
                    yield Label(tr(label), markup=False)
                    yield Input(self._value(name), id=name, compact=True)
            yield Static(id="about", markup=False)
            yield Static(id="wrong", markup=False)
            yield Buttons((tr("change them"), "apply"), button("dialog", "close"))

    def on_mount(self) -> None:
        """Begin at the first."""
        self.query_one("#ruleset", Input).focus()

    @on(DescendantFocus)
    def tell_about(self, event: DescendantFocus) -> None:
        """What the setting does, and what it may be."""
        choice = CHOICES.get(event.widget.id or "")
        if choice is not None:
            self.query_one("#about", Static).update(f"{tr(choice.meaning)}: {choice.values}")

    def _value(self, name: str) -> str:
        return said(self._deal if name == "deal" else getattr(self._terms, name))

    @on(Input.Submitted)
    def action_apply(self) -> None:
        """Take over what was changed."""
        settings = Settings(**{name: getattr(self._terms, name) for name in Settings.__struct_fields__})
        try:
            settings = before = changed(settings, "deal", str(self._deal))
            for name, label in LABELS.items():
                value = self.query_one(f"#{name}", Input).value.strip()
                if value and value != self._value(name):
                    settings = changed(settings, name, value, tr(label))
        except BadSetting as error:
            self.query_one("#wrong", Static).update(str(error))
            return
        self.done(None if settings == before else settings)

    def action_close(self) -> None:
        """All as it was."""
        self.done(None)


class KickWindow(Window[str | None]):
    """Whom to send out."""

    BINDINGS = bindings("dialog")

    def __init__(self, others: Sequence[Racer]) -> None:
        super().__init__()
        self._others = others

    def compose(self) -> ComposeResult:
        """The others."""
        with Vertical(classes="window"):
            yield Static(tr("Send out, for good:"), classes="title", markup=False)
            yield OptionList(*(Option(racer.name) for racer in self._others), markup=False, compact=True)
            yield Buttons(button("dialog", "close"))

    def on_mount(self) -> None:
        """Arrows choose."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """This one."""
        self.done(self._others[event.option_index].player)

    def action_close(self) -> None:
        """Nobody."""
        self.done(None)


class RobotWindow(Window[RobotLevel | None]):
    """How fast a robot is to play."""

    BINDINGS = bindings("dialog")

    def compose(self) -> ComposeResult:
        """The levels, from slow to fast."""
        with Vertical(classes="window"):
            yield Static(tr("A robot that plays a game in about:"), classes="title", markup=False)
            yield OptionList(*(Option(tr(pace)) for pace in PACES.values()), markup=False, compact=True)
            yield Buttons(button("dialog", "close"))

    def on_mount(self) -> None:
        """Arrows choose."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """This one."""
        self.done(list(PACES)[event.option_index])

    def action_close(self) -> None:
        """None."""
        self.done(None)
