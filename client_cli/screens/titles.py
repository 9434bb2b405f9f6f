"""The line at the top of a screen: a title in what room the clock beside it leaves."""

from collections.abc import Callable

from rich.cells import cell_len
from textual.screen import Screen
from textual.widgets import Static

from client_cli.text_width import cut

_PADDING = 2
_GAP = 2


def show_title(screen: Screen[None], make: Callable[[int], str]) -> None:
    """Give the clock the cells it needs, and make the title for those that are left."""
    what, clock = screen.query_one("#what", Static), screen.query_one("#clock", Static)
    clock.styles.width = cells = cell_len(str(clock.content))
    title = make(screen.app.size.width - _PADDING - (cells + _GAP if cells else 0))
    if what.content != title:
        what.update(title, layout=False)


def fitting(room: int, *titles: tuple[str, ...]) -> str:
    """The first of these titles for which there is room; if for none, as much as fits of the last.

    Args:
        room: how many cells there are.
        titles: the parts of each, from the longest title to the shortest; parts may be empty.
    """
    texts = ["  ".join(filter(None, parts)) for parts in titles]
    return next((text for text in texts if cell_len(text) <= room), cut(texts[-1], room).text)
