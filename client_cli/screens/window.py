"""A window above a screen."""

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.events import Event
from textual.screen import ModalScreen
from textual.scrollbar import ScrollBarRender

from client_cli.screens.late import comes_too_late

if TYPE_CHECKING:
    from client_cli.screens.app import RaceApp

Result = TypeVar("Result")


class PlainScrollBar(ScrollBarRender):
    """A scroll bar of spaces and colour alone, as every terminal can show it."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8


class Window(ModalScreen[Result]):
    """What is shown until it is answered or closed."""

    async def on_event(self, event: Event) -> None:
        """Begin only what can still be shown."""
        if not comes_too_late(event, self):
            await super().on_event(event)

    def on_mount(self) -> None:
        """Begin with the look there is; a window's own `on_mount` is called besides."""
        self.look_changed()

    def look_changed(self) -> None:
        """A frame that the terminal can show."""
        self.set_class(not cast("RaceApp", self.app).look.symbols, "-ascii")

    def done(self, result: Result) -> None:
        """Away with it, and this is the answer."""
        self.dismiss(result)  # type: ignore[unused-awaitable]  # a screen must not wait for its own end
