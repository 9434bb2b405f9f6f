"""The first screen: who one is, on which server, and what to do."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Grid, Vertical
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from client_cli.connection import Heard
from client_cli.errors import ClientError
from client_cli.language import tr
from client_cli.screens.key_texts import button
from client_cli.screens.keys import Where, bindings, over_fields
from client_cli.screens.links import Pasted, read_link
from client_cli.screens.preferences import Recent
from client_cli.screens.recent_view import recent_text
from client_cli.screens.room import Room
from client_cli.screens.widgets import Buttons

_TITLE = "♣ ♦ cellrace ♥ ♠"


class HomeScreen(Room):
    """Where one comes from and goes back to."""

    where: ClassVar[Where] = "home"
    BINDINGS = [*bindings("home"), *over_fields(), ("escape", "unfocus")]  # noqa: RUF012 - as Textual has it
    _recent: tuple[Recent, ...] = ()  # those that are shown; meanwhile another program may keep others

    def body(self) -> ComposeResult:
        """Fields, buttons, and the races one was in."""
        app = self.race_app
        self._recent = app.preferences.recent
        yield Static(_TITLE if app.look.symbols else "cellrace", classes="title", markup=False)
        with Grid(id="fields"):
            yield Label(tr("Name"))
            yield Input(app.passport.name, id="name", max_length=24, compact=True)
            yield Label(tr("Server"))
            yield Input(app.passport.address, placeholder=tr("none: this machine"), id="server", compact=True)
            yield Label(tr("Code or link"))
            yield Input(placeholder=tr("ABCDEFGH, or what a friend has sent you"), id="code", compact=True)
        yield Buttons(
            button("home", "play"),
            button("home", "host"),
            button("home", "join"),
            button("home", "look_on"),
            button("home", "daily"),
        )
        with Vertical(id="recent"):
            yield Label(tr("Races you were in:"))
            yield OptionList(*self._rows(), id="races", markup=False, compact=True)

    def told(self, heard: Heard | None) -> None:
        """Show what is remembered of races by now; no list, if there is none."""
        del heard
        if self._recent != self.race_app.preferences.recent:
            self._recent = self.race_app.preferences.recent
            self.query_one("#races", OptionList).set_options(self._rows())
        self.query_one("#recent").display = bool(self._recent)

    def _rows(self) -> list[Option]:
        return [Option(f"{n}  {recent_text(race)}") for n, race in enumerate(self._recent, 1)]

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted where no field is, is what a friend has sent."""
        event.stop()
        field = self.query_one("#code", Input)
        field.value = " ".join(event.text.split())
        field.focus()

    def action_unfocus(self) -> None:
        """Out of a field, so that letters are keys again."""
        self.set_focus(None)

    async def action_play(self) -> None:
        """Race at once and alone."""
        if self._remember():
            await self.race_app.entrances.play()

    async def action_host(self) -> None:
        """Open a race for others."""
        if self._remember():
            await self.race_app.entrances.host()

    async def action_join(self) -> None:
        """Join what stands in the field."""
        pasted = self.pasted()
        if pasted is not None and self._remember():
            await self.race_app.entrances.join(pasted)

    async def action_daily(self) -> None:
        """The deal of the day."""
        if self._remember():
            await self.race_app.daily.open()

    async def action_look_on(self) -> None:
        """Watch what stands in the field, or look at it if it is over."""
        pasted = self.pasted()
        if pasted is not None and self._remember():
            await self.race_app.entrances.look_on(pasted)

    @on(Input.Submitted, "#code")
    async def join(self) -> None:
        """Enter in the field of the code joins."""
        await self.action_join()

    @on(Input.Submitted, "#name,#server")
    def next_field(self) -> None:
        """Enter elsewhere goes on to the next field."""
        self._sort_out()
        self.focus_next()

    @on(OptionList.OptionSelected, "#races")
    async def go_back(self, event: OptionList.OptionSelected) -> None:
        """Back to a race one was in."""
        await self._go_back_to(event.option_index)

    async def action_return(self, key: str) -> None:
        """The same by its number."""
        await self._go_back_to(int(key) - 1)

    async def _go_back_to(self, place: int) -> None:
        # While one race is being entered, a key may have been meant for it.
        if self.race_app.seating is None and place < len(self._recent) and self._remember():
            await self.race_app.entrances.go_back_to(self._recent[place])

    def offers(self, action: str) -> bool:
        """Only races that there are."""
        return action != "return" or bool(self._recent)

    def pasted(self) -> Pasted | None:
        """The race in the field; what is wrong with it is said."""
        self._sort_out()
        text = self.query_one("#code", Input).value
        pasted = read_link(text)
        if pasted is None:
            self.say(tr("a race has a code of eight letters, none of them I, L or O; paste it, or a link"))
            self.query_one("#code", Input).focus()
        return pasted

    def _sort_out(self) -> None:
        """Of a link to a race in the field of the server, that field keeps the server."""
        server, code = self.query_one("#server", Input), self.query_one("#code", Input)
        link = read_link(server.value)
        if link is not None and link.server and link.race in server.value:  # as it is written, not a path
            server.value, code.value = link.server, code.value or link.race

    def _remember(self) -> bool:
        """Take over name and server; whether they can be."""
        self._sort_out()
        try:
            self.race_app.introduce(
                self.query_one("#name", Input).value.strip(), self.query_one("#server", Input).value.strip()
            )
        except ClientError as error:
            self.say(str(error))
            return False
        for pressed in self.query(Button):
            pressed.blur()
        return True
