"""Playing through a list of written moves, as ``verify`` and the checks of solutions do."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.freecell.autoplay import safe_moves
from server.freecell.legality import check
from server.freecell.movement import Move, carry, carry_all
from server.freecell.notation import Dialect, read_move
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import Rules


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a list of moves came.

    Attributes:
        position: the position reached.
        accepted: how many of the written moves were made.
        error: why the next one was not; ``None`` when all were made.
        moves: everything that moved, what safe autoplay moved included.
    """

    position: Position
    accepted: int
    error: Illegal | None
    moves: tuple[Move, ...]


def replay(
    start: Position,
    rules: Rules,
    tokens: Iterable[str],
    *,
    autoplay: bool = False,
    dialect: Dialect = Dialect.STANDARD,
) -> Replay:
    """Play written moves until they end or one is refused.

    Args:
        start: where to begin; it may have no free cell at all, as some solutions have.
        rules: what is legal.
        tokens: the moves.
        autoplay: whether safe autoplay runs at the start and after every move. No card leaves a foundation
            while it does.
        dialect: how the moves are written.
    """
    if autoplay:
        rules = replace(rules, returns=False)

    def follow(position: Position) -> tuple[Move, ...]:
        return safe_moves(position) if autoplay else ()

    made = list(follow(start))
    position = carry_all(start, made)
    accepted = 0
    for token in tokens:
        move = _judge(token, position, rules, dialect)
        if isinstance(move, Illegal):
            return Replay(position, accepted, move, tuple(made))
        accepted += 1
        position = carry(position, move)
        followed = follow(position)
        position = carry_all(position, followed)
        made += [move, *followed]
    return Replay(position, accepted, None, tuple(made))


def _judge(token: str, position: Position, rules: Rules, dialect: Dialect) -> Move | Illegal:
    if position.is_won:
        return Illegal("already_won", "the game was won before this move")
    move = read_move(token, position, rules, dialect)
    return move if isinstance(move, Illegal) else check(position, move, rules) or move
