"""What a racer does, step by step: legal if and only if each step counts exactly once."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from protocol import commands
from tests.solutions import moves_of

Step = tuple[type[commands.Numbered], dict[str, Any]]


def script(deal: int, dice: random.Random, may_win: Callable[[], bool], *, chat: bool) -> Iterator[Step]:
    """Moves, undos, redos and lines, again from the deal on for as long as he may not win; then he does."""
    moves = moves_of(deal)
    while True:
        for move in moves[:-1]:
            yield commands.Move, {"move": move}
            match dice.randrange(36):
                case 0 | 1 | 2:
                    yield commands.Undo, {}
                    yield commands.Redo, {}
                case 3 | 4 | 5:
                    yield commands.Undo, {}
                    yield commands.Move, {"move": move}
                case 6 if chat:
                    yield commands.Say, {"text": f"{move}, said {dice.randrange(10**9)}"}
                case _:
                    pass
        if may_win():
            yield commands.Move, {"move": moves[-1]}
            return
        yield commands.Restart, {}
