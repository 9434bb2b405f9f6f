"""How many cells of a terminal a text takes, and texts that fit."""

from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

ELLIPSIS = "~"


class Fitted(NamedTuple):
    """A text, and the cells it takes."""

    text: str
    cells: int


def cut(text: str, width: int) -> Fitted:
    """The text, or as much of it as fits, with a sign that there was more."""
    cells = cell_len(text)
    if cells <= width:
        return Fitted(text, cells)
    return Fitted(set_cell_size(text, max(0, width - 1)) + ELLIPSIS, max(1, width))
