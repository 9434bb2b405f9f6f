"""How fast robots play: when each move of a line is made, as a person would come to make it.

Most moves follow soon on the one before; now and then there is a pause to think, and the longest one is
before the first move. Cards go home quickly. Whatever the line, a game takes about as long as its level says,
a little more or less each time.
"""

from collections.abc import Sequence
from itertools import accumulate
from random import Random
from typing import Final

from server.freecell.moves import Move
from server.freecell.piles import is_foundation
from server.race.robot import Level

GAME_MS: Final = {Level.EASY: 480_000, Level.EVEN: 240_000, Level.FAST: 120_000}
"""How long a whole game takes, about."""

LEAST_MS: Final = 150
"""No hand is faster."""

_SPREAD: Final = 0.5
_LUCK: Final = 0.1
_PAUSES: Final = 0.1
_PAUSE: Final = 4.0
_FIRST: Final = 6.0
_HOME: Final = 0.4


def times(line: Sequence[Move], level: Level, chance: Random, speed: float = 1.0) -> tuple[int, ...]:
    """When each move of a line is made, in milliseconds after the start; `speed` times as fast as people."""
    weights = [_weight(move, chance) for move in line]
    if weights:
        weights[0] = _FIRST * chance.lognormvariate(0, _LUCK)
    game_ms = GAME_MS[level] / speed * chance.lognormvariate(0, _LUCK)
    unit_ms = game_ms / sum(weights) if weights else 0
    return tuple(accumulate(max(LEAST_MS, round(weight * unit_ms)) for weight in weights))


def _weight(move: Move, chance: Random) -> float:
    """How long a move takes beside others."""
    weight = chance.lognormvariate(0, _SPREAD)
    if is_foundation(move.dest):
        return weight * _HOME
    return weight * _PAUSE if chance.random() < _PAUSES else weight
