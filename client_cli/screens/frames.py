"""Cards that go together, shown going one by one: the boards between before and after. Pure."""

from msgspec.structs import replace

from client_cli.screens.board_view import CASCADES
from protocol import picture
from protocol.views import Board, CardMove


def frames(board: Board, moves: tuple[CardMove, ...]) -> list[Board]:
    """The boards to show between `board` and the one after the moves, which is left out.

    Raises:
        Hole: the moves are not about this board.
    """
    shown: list[Board] = []
    for move in moves:
        after = picture.carry(board, (move,), n=board.n, score=board.score, actions=board.actions)
        shown += [*_on_the_way(board, after, move), after]
        board = after
    return shown[:-1]


def _on_the_way(before: Board, after: Board, move: CardMove) -> list[Board]:
    """Cards of one run that have arrived, the first first; the others still lie where they were."""
    source, dest, count = move
    if source not in CASCADES or dest not in CASCADES or count < 2:
        return []
    from_, to = CASCADES.index(source), CASCADES.index(dest)
    run = before.cascades[from_].split()[-count:]
    shown = []
    for arrived in range(1, count):
        cascades = list(after.cascades)
        cascades[from_] = " ".join([*after.cascades[from_].split(), *run[arrived:]])
        cascades[to] = " ".join([*before.cascades[to].split(), *run[:arrived]])
        shown.append(replace(after, cascades=tuple(cascades)))
    return shown
