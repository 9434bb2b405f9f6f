"""What all screens share: banner, line of notices, bar of keys, help, and a word where there is no room."""

from typing import TYPE_CHECKING, ClassVar, Final, cast

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Event
from textual.screen import Screen
from textual.widgets import Static

from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.screens.dialogs import help_window
from client_cli.screens.keys import Key, Where
from client_cli.screens.late import comes_too_late
from client_cli.screens.widgets import Banner, ChatInput, KeyBar, Notice, Roll
from client_cli.session import Session
from protocol.commands import Say

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp

MIN_WIDTH, MIN_HEIGHT = 80, 24

READING_MS: Final = 1500
"""For so long a line stays at least, however fast somebody types, so that what is said can be read."""


class Room(Screen[None]):
    """A screen of its own, not a window above another.

    Textual calls what every class in the line of inheritance does on an event, the screen's own first:
    `on_mount` of a screen comes before that of here, which draws.

    Attributes:
        where: its place in the table of keys.
        has_clock: whether it is looked at whenever a second of `clock_ms` is over.
        known: the race as it was when the screen came up: what it goes by once the race has been left, until
            it has gone itself.
    """

    where: ClassVar[Where]
    has_clock: ClassVar[bool] = False
    AUTO_FOCUS = ""
    known: Session | None = None
    _said_ms: int = 0

    @property
    def race_app(self) -> "RaceApp":
        """The app, by its own type."""
        return cast("RaceApp", self.app)

    @property
    def session(self) -> Session:
        """What is known of the race."""
        session = self.race_app.link.session or self.known
        assert session is not None  # the screens of a race are shown only within one
        return session

    @property
    def clock_ms(self) -> int | None:
        """The clock on this screen, as far as it is known."""
        return self.race_app.link.race_ms

    @property
    def is_drawn(self) -> bool:
        """Whether its widgets are there: not before it is shown, and not while it goes."""
        return self.is_mounted and self.is_attached and self.query_one_optional("#notice") is not None

    def compose(self) -> ComposeResult:
        """The frame; `body` fills it."""
        yield Static(id="too-small", markup=False)
        with Vertical(id="frame"):
            yield Banner()
            yield from self.body()
            yield ChatInput()
            yield Notice(id="notice", markup=False)
            yield KeyBar(self.where, self.can, self.label)

    def body(self) -> ComposeResult:
        """What is on this screen."""
        raise NotImplementedError

    def offers(self, _action: str) -> bool:
        """Whether an action of this screen can be done just now."""
        return True

    def can(self, action: str) -> bool:
        """Whether an action can be done just now, of this screen or of all."""
        match action:
            case "help" | "leave":
                return True
            case "try_now":
                return self.race_app.is_waiting
            case _:
                return self.offers(action)

    def explains(self, _action: str) -> bool:
        """Whether the help tells of an action, though it may not be offered just now."""
        return True

    def label(self, key: Key) -> str:
        """What a key of this screen is called just now."""
        return key.label

    def told(self, heard: Heard | None) -> None:
        """Draw the session as it is now; `heard` is what it has just heard."""

    def hear(self, heard: Heard | None) -> None:
        """Draw what is known now, and offer what can be done now."""
        self.told(heard)
        self.query_one(KeyBar).look_again()

    def ticked(self) -> None:
        """A moment has passed."""

    def look_changed(self) -> None:
        """Draw with the new look."""

    def show_trouble(self) -> None:
        """Show the banner, or no longer."""
        self.query_one(Banner).say(self.race_app.trouble)
        self.query_one(KeyBar).look_again()

    def say(self, text: str) -> None:
        """Say something in the line for it."""
        self._said_ms = self.race_app.now_ms()
        self.query_one(Notice).say(text.strip())

    def on_key(self) -> None:
        """What was said before is no news any more, once there was time to read it."""
        self._forget()

    def on_mouse_down(self) -> None:
        """The same by the mouse."""
        self._forget()

    def _forget(self) -> None:
        if self.is_drawn and self.race_app.now_ms() - self._said_ms >= READING_MS:
            self.race_app.complain("")

    async def on_event(self, event: Event) -> None:
        """Begin only what can still be shown."""
        if not comes_too_late(event, self):
            await super().on_event(event)

    def on_mount(self) -> None:
        """Begin with what is known."""
        self.show_trouble()
        self.say(self.race_app.last_notice)
        self.hear(None)
        self.ticked()

    def on_resize(self) -> None:
        """Say so where the terminal is too small."""
        self.set_class(self.is_too_small, "-small")
        if not self.is_too_small:
            self.call_later(self.race_app.begin)
        else:
            width, height = self.app.size
            text = tr(
                "The terminal has {width} x {height} cells; this needs {min_width} x {min_height}.\n"
                "Make it larger, or leave with Ctrl+Q and start again with --text, which needs lines only."
            )
            self.query_one("#too-small", Static).update(
                text.format(width=width, height=height, min_width=MIN_WIDTH, min_height=MIN_HEIGHT)
            )

    @property
    def is_too_small(self) -> bool:
        """Whether the terminal has too few cells to show cards."""
        width, height = self.app.size
        return width < MIN_WIDTH or height < MIN_HEIGHT

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Do nothing by a screen that cannot be seen: no race begins where no card can be shown."""
        return not self.is_too_small and super().check_action(action, parameters)

    # What can be done everywhere.

    async def action_help(self) -> None:
        """The keys of this screen."""
        await self.app.push_screen(help_window(self.where, self.explains))

    async def action_rules(self) -> None:
        """The rules, to read."""
        await self.race_app.open_rules()

    async def action_look(self) -> None:
        """How things look."""
        await self.race_app.open_look()

    def action_try_now(self) -> None:
        """Try to connect again at once."""
        self.race_app.try_now()

    def action_page(self, key: str) -> None:
        """Go up and down the list of racers, where there is no room for all."""
        for roll in self.query(Roll):
            roll.turn_page(1 if key == "pagedown" else -1)

    def action_chat(self) -> None:
        """Write a line to the others."""
        self.query_one(ChatInput).open(self.whom)

    @property
    def whom(self) -> str:
        """To whom a line goes, and how."""
        return tr("a line to the others; Enter sends, Esc does not")

    async def on_chat_input_said(self, event: ChatInput.Said) -> None:
        """Send it."""
        await self.speak(event.text)

    async def speak(self, text: str) -> None:
        """Say something to the others in the race."""
        await self.race_app.link.ask(Say("", 0, text))
