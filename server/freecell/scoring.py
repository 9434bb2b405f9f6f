"""The score of a board after an action."""

from typing import Final

from server.freecell.movement import Move
from server.freecell.piles import FIRST_CELL, FIRST_FOUNDATION
from server.freecell.position import Position
from server.freecell.rulesets import Scoring

CARD_HOME: Final = 10
"""``app`` and ``cardems``: a card put on a foundation."""
CELL_TO_CASCADE: Final = 5
"""``app``: a card put from a free cell to a cascade, an empty one too."""
CARD_TAKEN_BACK: Final = -15
"""``cardems``: a card taken back off a foundation."""


def first_score(scoring: Scoring, position: Position) -> int:
    """The score of a board nobody has touched."""
    return position.home if scoring is Scoring.HOME else 0


def score_after(scoring: Scoring, score: int, moves: tuple[Move, ...], position: Position) -> int:
    """The score after one action; never below 0.

    Args:
        scoring: how this ruleset counts.
        score: the score before.
        moves: what the action moved. A supermove gives nothing, whatever its expansion would.
        position: the position after.
    """
    if scoring is Scoring.NONE:
        return 0
    if scoring is Scoring.HOME:
        return sum(position.foundations)
    points = _app_points if scoring is Scoring.APP else _cardems_points
    return max(0, score + sum(map(points, moves)))


def _app_points(move: Move) -> int:
    if move.dest >= FIRST_FOUNDATION:
        return CARD_HOME
    return CELL_TO_CASCADE if FIRST_CELL <= move.source < FIRST_FOUNDATION and move.dest < FIRST_CELL else 0


def _cardems_points(move: Move) -> int:
    if move.dest >= FIRST_FOUNDATION:
        return CARD_HOME
    return CARD_TAKEN_BACK if move.source >= FIRST_FOUNDATION else 0
