"""An exhaustive search of our own: slow, and knowing nothing but `server.freecell`."""

from server.freecell.choices import legal_moves
from server.freecell.movement import carry
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from server.solver.canonical import key_of

_RULES = RULESETS["classic"]


def can_be_won(start: Position, most: int) -> bool:
    """Whether any line wins that takes nothing off a foundation.

    Raises:
        AssertionError: more than `most` positions would have to be looked at.
    """
    seen = {key_of(start)}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        if position.is_won:
            return True
        for move in legal_moves(position, _RULES):
            after = carry(position, move)
            key = key_of(after)
            if key not in seen:
                assert len(seen) < most
                seen.add(key)
                waiting.append(after)
    return False
