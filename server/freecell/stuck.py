"""Stuck: all that is left leads back to where one has been. Advice; it ends nothing."""

from itertools import chain, islice
from typing import Final

from server.freecell.choices import each_move
from server.freecell.game import Game, been, lately, undone
from server.freecell.movement import carry
from server.freecell.position import Contents, contents

MAX_BEEN: Final = 500
"""How many positions that a board has had are looked through; it takes some milliseconds."""


def is_stuck(game: Game) -> bool:
    """Whether there are legal moves, and all lead only to where one has been: going round is not progress.

    The order of cells, and of cascades, does not count. Where one has been is what undo and redo still know,
    up to `MAX_BEEN` positions of each: what was undone before another action is forgotten. Where no card
    comes back off a foundation, a move home always leads on, after a restart as well.
    """
    position, rules = game.position, game.rules
    before = been(game) if rules.returns else lately(game)
    left = chain(islice(before, MAX_BEEN), islice(undone(game), MAX_BEEN))
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
