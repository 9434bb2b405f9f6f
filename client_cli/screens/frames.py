"""Cards shown going one by one: the boards between before and after. Pure."""

from protocol import picture
from protocol.views import Board, CardMove


def frames(board: Board, moves: tuple[CardMove, ...], most: int) -> list[Board]:
    """The boards to show between `board` and the one after the moves, which is left out.

    Args:
        board: before the moves.
        moves: one after the other.
        most: how many boards there is time for; of more than these some are passed over.

    Raises:
        Hole: the moves are not about this board.
    """
    shown: list[Board] = []
    for move in moves:
        board = picture.carry(board, (move,), n=board.n, score=board.score, actions=board.actions)
        shown.append(board)
    between = shown[:-1]
    return between[:: -(-len(between) // most)] if between else []
