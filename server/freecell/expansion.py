"""A supermove as the single-card moves it stands for."""

from collections.abc import Iterable, Iterator

from server.freecell.capacity import most_at_once
from server.freecell.movement import Move, carry
from server.freecell.piles import CASCADES, CELLS, Pile
from server.freecell.position import Position


def expand(position: Position, move: Move) -> tuple[Move, ...]:
    """The single-card moves of a legal move, each legal when its turn comes, ending in the same position.

    Uses free cells before empty cascades, and no more of either than it needs.

    Raises:
        ValueError: when the position has no room for so many cards.
    """
    source, dest, count = move
    if count == 1:
        return (move,)
    if count > most_at_once(position, to_empty=not position.cascades[dest]):
        raise ValueError(f"there is no room to move {count} cards one by one")
    cells = [cell for cell, held in zip(CELLS, position.cells, strict=False) if held is None]
    spare = [pile for pile in CASCADES if pile != dest and not position.cascades[pile]]
    return tuple(_steps(source, dest, count, cells, spare))


def expand_all(position: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The same for moves made one after the other, each on the position that those before lead to.

    Moves that take back what was legal have an expansion too: the way back has as much room as the way there.

    Raises:
        ValueError: as ``expand``.
    """
    expanded: list[Move] = []
    for move in moves:
        expanded += expand(position, move)
        position = carry(position, move)
    return tuple(expanded)


def _steps(source: Pile, dest: Pile, count: int, cells: list[Pile], spare: list[Pile]) -> Iterator[Move]:
    """Move ``count`` cards with the help of empty cells and cascades, all of them empty again at the end.

    What the cells alone cannot carry is parked on the last spare cascade, using the others, and fetched from
    there.
    """
    if count <= len(cells) + 1:
        parked = cells[: count - 1]
        yield from (Move(source, cell) for cell in parked)
        yield Move(source, dest)
        yield from (Move(cell, dest) for cell in reversed(parked))
        return
    while count <= (len(cells) + 1) << (len(spare) - 1):
        spare = spare[:-1]
    *others, last = spare
    direct = (len(cells) + 1) << len(others)
    yield from _steps(source, last, count - direct, cells, others)
    yield from _steps(source, dest, direct, cells, others)
    yield from _steps(last, dest, count - direct, cells, others)
