"""A window above a screen."""

from typing import TypeVar

from textual.screen import ModalScreen

Result = TypeVar("Result")


class Window(ModalScreen[Result]):
    """What is shown until it is answered or closed."""

    def done(self, result: Result) -> None:
        """Away with it, and this is the answer."""
        self.dismiss(result)  # type: ignore[unused-awaitable]  # a screen must not wait for its own end
