"""Stuck: all that is left leads back to where one has been. Advice; it ends nothing."""

from typing import Final

from server.freecell.choices import each_move
from server.freecell.game import Game, where_been
from server.freecell.movement import carry
from server.freecell.position import Contents, contents

MAX_BEEN: Final = 200
"""How many positions that a board has had are looked through after each action: in a millisecond or less."""


def is_stuck(game: Game) -> bool:
    """Whether there are legal moves, and all lead only to where one has been: going round is not progress.

    The order of cells, and of cascades, does not count. Where one has been is `where_been`, up to `MAX_BEEN`.
    """
    position, rules = game.position, game.rules
    left = where_been(game, MAX_BEEN)
    known: set[Contents] = set()
    has_moves = False
    for move in each_move(position, rules):
        has_moves = True
        after = contents(carry(position, move))
        while after not in known:
            one = next(left, None)
            if one is None:
                return False
            known.add(contents(one))
    return has_moves
