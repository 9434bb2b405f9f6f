"""Hints: one legal move that looks like progress. A nudge, not a plan."""

from collections.abc import Iterable

from server.freecell.capacity import run_length
from server.freecell.cards import Card, rank
from server.freecell.choices import legal_moves
from server.freecell.movement import Move, carry
from server.freecell.piles import FIRST_FOUNDATION, home_of, is_cascade, is_cell, is_foundation
from server.freecell.position import Cascade, Position, contents
from server.freecell.rulesets import Rules

_NOTHING_WANTED = 52
_NO_PROGRESS = (8, 0)


def hint(position: Position, rules: Rules, been: Iterable[Position] = ()) -> Move | None:
    """A legal move worth making, the same one each time; ``None`` when there is none.

    Moves home come first. It is never a withdrawal, never from cell to cell, and never leads to one of
    ``been``, for going round in circles is not progress; so there may be no hint where legal moves are left.
    Whether hints are allowed at all (``rules.hints``) is for the caller to ask.

    Args:
        position: the board now.
        rules: what it is played by.
        been: the positions before it, and itself; their cells and cascades count as the same in any order.
    """
    known = {contents(one) for one in been}
    moves = [move for move in _by_merit(position, rules) if contents(carry(position, move)) not in known]
    for move in moves:
        if _merit(position, move) < _NO_PROGRESS and not _is_undone_next(position, move, rules):
            return move
    return moves[0] if moves else None


def _by_merit(position: Position, rules: Rules) -> list[Move]:
    moves = (move for move in legal_moves(position, rules) if not _is_idle(move))
    return sorted(moves, key=lambda move: _merit(position, move))


def _is_undone_next(position: Position, move: Move, rules: Rules) -> bool:
    """Whether the best-looking move after this one would only bring the position back."""
    after = carry(position, move)
    following = _by_merit(after, rules)
    return bool(following) and carry(after, following[0]) == position


def _is_idle(move: Move) -> bool:
    return is_foundation(move.source) or (is_cell(move.source) and is_cell(move.dest))


def _merit(position: Position, move: Move) -> tuple[int, int]:
    """How good a move looks, best lowest: its kind, then what tells moves of one kind apart."""
    source, dest, count = move
    if is_foundation(dest):
        return 0, position.foundations[dest - FIRST_FOUNDATION]
    onto_card = is_cascade(dest) and bool(position.cascades[dest])
    if is_cell(source):
        return (1, 0) if onto_card else (6, 0)
    cascade = position.cascades[source]
    left = cascade[:-count]
    digging = _depth_of_wanted(left, position)
    if digging == 0:
        return 2, 0 if onto_card else 1
    if count < run_length(cascade):
        # Taking a run apart only to put it together again is going round in circles.
        return (5, digging) if is_cell(dest) else (7, digging)
    if onto_card:
        return 3, digging if left else 0
    if not left and is_cascade(dest):
        return _NO_PROGRESS
    return 4, digging if left else 0


def _depth_of_wanted(cascade: Cascade, position: Position) -> int:
    """How many cards lie on the nearest card that its foundation waits for."""
    for depth, card in enumerate(reversed(cascade)):
        if _is_wanted(card, position):
            return depth
    return _NOTHING_WANTED


def _is_wanted(card: Card, position: Position) -> bool:
    return rank(card) == position.foundations[home_of(card) - FIRST_FOUNDATION] + 1
