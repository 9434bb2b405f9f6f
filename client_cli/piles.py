"""The piles of a board, by their names and in words."""

from typing import Final

from client_cli.language import mark, tr

CASCADES: Final = "12345678"
CELLS: Final = "abcd"
HOME: Final = "h"
"""All four foundations together, as they are typed."""

PILES: Final = (*CASCADES, *CELLS, HOME)
"""What can be read out by itself."""

_FOUNDATIONS: Final = {
    HOME: mark("the foundations"),
    "hc": mark("the foundation of clubs"),
    "hd": mark("the foundation of diamonds"),
    "hh": mark("the foundation of hearts"),
    "hs": mark("the foundation of spades"),
}


def pile_text(pile: str) -> str:
    """A pile in words."""
    if pile in CASCADES:
        return tr("column {pile}").format(pile=pile)
    if pile in CELLS:
        return tr("cell {pile}").format(pile=pile)
    return tr(_FOUNDATIONS.get(pile, pile))
