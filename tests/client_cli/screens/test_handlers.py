"""What screens do on events: Textual calls the handlers of a class and of all that it is made from."""

import importlib
import inspect
import pkgutil
import re

import pytest
from textual.message_pump import MessagePump

from client_cli import screens

MODULES = [
    importlib.import_module(f"{screens.__name__}.{module.name}")
    for module in pkgutil.iter_modules(screens.__path__)
]
CLASSES = sorted(
    {
        found
        for module in MODULES
        for found in vars(module).values()
        if inspect.isclass(found) and issubclass(found, MessagePump) and found.__module__ == module.__name__
    },
    key=lambda found: found.__qualname__,
)
BESIDES = {"on_mount", "on_resize"}
"""What a screen does at its own beginning comes before what all screens do."""


@pytest.mark.parametrize("found", CLASSES)
def test_nothing_that_is_said_or_done_is_heard_twice(found: type[MessagePump]) -> None:
    """What is sent twice is seen by the others, as once every line said on the wall was."""
    above = {name for base in found.__mro__[1:] if base in CLASSES for name in vars(base)}
    twice = {name for name in vars(found) if re.match("_?on_", name)} & above - BESIDES
    assert twice <= {"on_event"}, "on_event alone is looked up as methods are"


@pytest.mark.parametrize("found", CLASSES)
def test_no_handler_calls_one_that_is_called_anyway(found: type[MessagePump]) -> None:
    assert not re.search(r"super\(\)\._?on_(?!event\b)", inspect.getsource(found))
