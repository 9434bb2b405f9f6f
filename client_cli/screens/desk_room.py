"""What the screens share on which one asks about dailies."""

from typing import TYPE_CHECKING, ClassVar

from client_cli.screens.room import Room

if TYPE_CHECKING:
    from client_cli.screens.desk import Desk


class DeskRoom(Room):
    """A screen of what the desk was told; it asks when it is shown, and now and then."""

    has_clock: ClassVar[bool] = True

    @property
    def desk(self) -> "Desk":
        """Where one asks."""
        return self.race_app.desk

    async def ask(self) -> None:
        """Ask for what is shown here."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Come back here from a race, and ask."""
        self.desk.room = type(self)
        self.call_later(self.ask)

    def ticked(self) -> None:
        """Others play, too."""
        if self.desk.is_due():
            self.call_later(self.ask)

    def look_changed(self) -> None:
        """Other signs."""
        self.told(None)
