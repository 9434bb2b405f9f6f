"""One racer's board: a position with its score, undo and redo.

Nothing here asks whether an action is legal or allowed; whoever decides has asked ``check``, ``can_undo`` or
``can_redo`` before, and whoever folds a log trusts what was decided.
"""

from collections.abc import Iterator
from itertools import chain, islice, takewhile
from typing import NamedTuple

from server.freecell.history import History, pack, unpack, unpack_reversed
from server.freecell.movement import Move, carry, carry_all
from server.freecell.position import Position
from server.freecell.rulesets import Rules
from server.freecell.scoring import first_score, score_after


class Game(NamedTuple):
    """A board between two actions.

    Attributes:
        rules: what it is played by.
        start: the position a restart goes back to.
        position: the position now.
        score: the score now, 0 or more.
        actions: actions made, undone ones included; undos and redos do not count.
        past: what ``undo`` takes back, newest on top.
        future: what ``redo`` makes again, next on top.
        undoable: how many actions of ``past`` the undo limit still lets one take back.
    """

    rules: Rules
    start: Position
    position: Position
    score: int
    actions: int
    past: History | None
    future: History | None
    undoable: int


def new_game(start: Position, rules: Rules) -> Game:
    """A board nobody has touched."""
    return Game(rules, start, start, first_score(rules.scoring, start), 0, None, None, 0)


def can_undo(game: Game) -> bool:
    """Whether there is an action to take back and the undo limit allows it."""
    return game.undoable > 0


def can_redo(game: Game) -> bool:
    """Whether there is an undone action to make again and the rules have redo."""
    return game.future is not None and game.rules.redo


def push(game: Game, moves: tuple[Move, ...]) -> Game:
    """Make one action of any number of moves; it is taken back as one. What could be redone is gone."""
    rules, start, position, score, actions, past, _, undoable = game
    for move in moves:
        position = carry(position, move)
    after = score_after(rules.scoring, score, moves, position)
    past = History(pack(moves), score, past)
    return Game(rules, start, position, after, actions + 1, past, None, _count_undoable(rules, undoable))


def push_restart(game: Game) -> Game:
    """Go back to the start; an action like any other, which can be undone."""
    rules, start, position, score, actions, past, _, undoable = game
    past = History(position, score, past)
    after = first_score(rules.scoring, start)
    return Game(rules, start, start, after, actions + 1, past, None, _count_undoable(rules, undoable))


def undo(game: Game) -> Game:
    """Take back the last action, position and score.

    Raises:
        ValueError: when there is none.
    """
    if game.past is None:
        raise ValueError("nothing to undo")
    action, score, past = game.past
    if isinstance(action, Position):
        position, action = action, game.position
    else:
        position = carry_all(game.position, unpack_reversed(action))
    future = History(action, game.score, game.future)
    return game._replace(position=position, score=score, past=past, future=future, undoable=game.undoable - 1)


def redo(game: Game) -> Game:
    """Make the last undone action again, with the score it gave.

    Raises:
        ValueError: when there is none.
    """
    if game.future is None:
        raise ValueError("nothing to redo")
    action, score, future = game.future
    if isinstance(action, Position):
        position, action = action, game.position
    else:
        position = carry_all(game.position, unpack(action))
    past = History(action, game.score, game.past)
    return game._replace(position=position, score=score, past=past, future=future, undoable=game.undoable + 1)


def been(game: Game) -> Iterator[Position]:
    """All positions on the way here, newest first: the one now, and before it."""
    position, past = game.position, game.past
    yield position
    while past is not None:
        action, _, past = past
        position = action if isinstance(action, Position) else carry_all(position, unpack_reversed(action))
        yield position


def lately(game: Game) -> Iterator[Position]:
    """Those of them since the number of cards home last changed."""
    home = game.position.home
    return takewhile(lambda position: position.home == home, been(game))


def undone(game: Game) -> Iterator[Position]:
    """The positions that a redo after the other would bring back, whether the rules have redo or not."""
    position, future = game.position, game.future
    while future is not None:
        action, _, future = future
        position = action if isinstance(action, Position) else carry_all(position, unpack(action))
        yield position


def where_been(game: Game, most: int) -> Iterator[Position]:
    """Where going would be going back: what undo and redo still know, at most `most` of each.

    What was undone before another action is forgotten. Where no card comes back off a foundation, no move
    leads to what was there before the number of cards home last changed.
    """
    before = been(game) if game.rules.returns else lately(game)
    return chain(islice(before, most), islice(undone(game), most))


def undo_moves(game: Game) -> tuple[Move, ...] | None:
    """The card movements of the next ``undo``, empty without one; ``None`` when a whole board comes back."""
    if game.past is None:
        return ()
    action = game.past.action
    return None if isinstance(action, Position) else unpack_reversed(action)


def redo_moves(game: Game) -> tuple[Move, ...] | None:
    """The card movements of the next ``redo``, empty without one; ``None`` when it restarts the board."""
    if game.future is None:
        return ()
    action = game.future.action
    return None if isinstance(action, Position) else unpack(action)


def _count_undoable(rules: Rules, undoable: int) -> int:
    """How many actions can be undone after one more; the oldest falls off a full history."""
    return undoable + 1 if rules.undo_limit is None else min(undoable + 1, rules.undo_limit)
