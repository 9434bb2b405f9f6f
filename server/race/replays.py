"""What a racer did, step by step, as read from the log of a race that is over."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from server.freecell.moves import Move, carry
from server.freecell.notation import write_move
from server.freecell.position import Position
from server.race.events import AutoFinished, BoardEvent, Moved, Redone, Restarted, Stamped, Undone
from server.race.evolve import begin, evolve
from server.race.state import PlayerId, Race
from server.race.views import BoardView, board_of, card_moves, single_moves


@dataclass(frozen=True, slots=True)
class Step:
    """One accepted command on a board, `ms` after the start.

    `notation` is what to type to do the same (none for undo, redo, restart); `moves` the card movements, or
    `board` the whole board where they cannot tell it; `singles` as `views.single_moves` has them.
    """

    ms: int
    what: str
    notation: tuple[str, ...]
    moves: tuple[Move, ...]
    board: BoardView | None
    singles: tuple[Move, ...] = ()


_NAMES = {Moved: "move", Undone: "undo", Redone: "redo", Restarted: "restart", AutoFinished: "auto_finish"}


def steps(log: Iterable[Stamped], player: PlayerId) -> Iterator[Step]:
    """The steps of one racer, in order. `log` is the race's whole log; other boards are passed over."""
    race: Race | None = None
    for stamped in log:
        event = stamped.event
        if race is None:
            race = begin(stamped)
        elif not isinstance(event, BoardEvent):
            race = evolve(race, stamped)
        elif event.player == player:
            before, race = race, evolve(race, stamped)
            yield _step(before, stamped, event, race)


def _step(before: Race, stamped: Stamped, event: BoardEvent, after: Race) -> Step:
    member = before.members[event.player]
    assert member.game is not None  # a racing member has a board
    moves = card_moves(member, event)
    what = "send" if isinstance(event, Moved) and event.sent else _NAMES[type(event)]
    notation: tuple[str, ...] = ()
    if moves is not None and isinstance(event, Moved | AutoFinished):
        notation = _written(member.game.position, moves)
    board = board_of(after.members[event.player]) if moves is None else None
    ms, singles = stamped.at_ms - before.life.started_at, single_moves(member, moves or ())
    return Step(ms, what, notation, moves or (), board, singles)


def _written(position: Position, moves: tuple[Move, ...]) -> tuple[str, ...]:
    texts: list[str] = []
    for move in moves:
        texts.append(write_move(move, position))
        position = carry(position, move)
    return tuple(texts)
