"""Moves: what they are, whether they are legal, what they do. Import these names from here.

A move is judged by ``check`` (or ``apply``) and carried out by ``carry``, which asks nothing: what was
accepted once is never judged again.
"""

from server.freecell.capacity import capacity
from server.freecell.choices import is_blocked, legal_moves
from server.freecell.expansion import expand, expand_all
from server.freecell.legality import apply, check
from server.freecell.movement import Move, carry, reverse
from server.freecell.refusal import ILLEGAL_CODES, Illegal, IllegalCode

__all__ = [
    "ILLEGAL_CODES",
    "Illegal",
    "IllegalCode",
    "Move",
    "apply",
    "capacity",
    "carry",
    "check",
    "expand",
    "expand_all",
    "is_blocked",
    "legal_moves",
    "reverse",
]
