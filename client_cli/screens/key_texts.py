"""The table of keys as it is read: the bar at the foot of a screen, the text of a button, the help. Pure."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.cells import cell_len

from client_cli.language import tr
from client_cli.screens.keys import Key, Where, keys_of
from client_cli.text_width import cut

MOST_ROWS: Final = 2
"""Rows that the bar may take; what a screen offers fits into them at 80 cells, in either language."""

_GAP: Final = "  "
_FIRST: Final = ("help", "try_now")
_WAYS_OUT: Final = frozenset({"home", "back", "close", "give_up", "leave"})


def own_label(key: Key) -> str:
    """The label of a key that always leads to the same."""
    return key.label


def bar_rows(
    where: Where,
    width: int,
    offers: Callable[[str], bool] = lambda _: True,
    label: Callable[[Key], str] = own_label,
) -> tuple[str, ...]:
    """The bar: keys with their labels, in as many rows as that takes; the ways out last, always.

    First is help, and the way out of trouble, for which others may have to give room.

    Args:
        where: the screen.
        width: cells a row has.
        offers: whether an action can be done just now; what cannot is left out.
        label: what a key is called just now.
    """
    keys = [key for key in keys_of(where) if key.label and offers(key.action)]
    first = [key for key in keys if key.action in _FIRST]
    last = [key for key in keys if key.action in _WAYS_OUT]
    others = [key for key in keys if key not in first and key not in last]
    while True:
        rows = _rows([*first, *others, *last], width, label)
        if len(rows) <= MOST_ROWS or not others:
            return tuple(cut(row, width).text for row in rows[:MOST_ROWS])
        others.pop()


def _rows(keys: Sequence[Key], width: int, label: Callable[[Key], str]) -> list[str]:
    rows = [""]
    for key in keys:
        text = f"{tr(key.shown)} {tr(label(key))}"
        longer = f"{rows[-1]}{_GAP}{text}" if rows[-1] else text
        if rows[-1] and cell_len(longer) > width:
            rows.append(text)
        else:
            rows[-1] = longer
    return rows


def button(where: Where, action: str, label: Callable[[Key], str] = own_label) -> tuple[str, str]:
    """A button for an action of a screen: what it does with its key, and the action."""
    key = next(key for key in keys_of(where) if key.action == action)
    return f"{tr(label(key))} ({tr(key.shown)})", action


def help_rows(where: Where, explains: Callable[[str], bool] = lambda _: True) -> list[tuple[str, str]]:
    """Each key and what it does, for the help: those that all screens have first, so that they are seen."""
    keys = sorted(keys_of(where), key=lambda key: key.where != "all")
    return [(tr(key.shown), tr(key.meaning)) for key in keys if key.where == "all" or explains(key.action)]
