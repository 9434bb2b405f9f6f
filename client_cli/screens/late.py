"""Screens that open while the program ends."""

from textual.events import Event, Mount
from textual.widget import Widget


def comes_too_late(event: Event, screen: Widget) -> bool:
    """Whether a screen is told to begin, but will never have its widgets: an app that ends adds none."""
    return isinstance(event, Mount) and not screen.children
