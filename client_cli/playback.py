"""A racer's replay: its boards one after the other, and the moves that count in the end. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from protocol.events import Replayed, Step
from protocol.picture import carry
from protocol.views import Board

MOVES_TO_A_LINE: Final = 10
"""By custom, in published solutions too."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A step, the board before it and the board after."""

    number: int
    step: Step
    before: Board
    after: Board


def frames(layout: Board, steps: Iterable[Step]) -> list[Frame]:
    """All steps with their boards.

    Raises:
        Hole: the steps do not fit the layout.
    """
    board, found = layout, []
    for number, step in enumerate(steps, start=1):
        after = step.board or carry(board, step.moves, n=number, score=0, actions=0)
        found.append(Frame(number, step, board, after))
        board = after
    return found


def counting_notation(steps: Iterable[Step]) -> list[str]:
    """The moves that led to the last board: without what was undone, and from the last restart on."""
    done: list[Step] = []
    undone: list[Step] = []
    for step in steps:
        match step.what:
            case "undo" if done:
                undone.append(done.pop())
            case "redo" if undone:
                done.append(undone.pop())
            case _:
                done.append(step)
                undone.clear()
    restarts = [place for place, step in enumerate(done) if step.what == "restart"]
    counting = done[restarts[-1] + 1 :] if restarts else done
    return [text for step in counting for text in step.notation]


def notation_text(moves: list[str]) -> str:
    """Moves as they are written, ten to a line."""
    lines = (moves[at : at + MOVES_TO_A_LINE] for at in range(0, len(moves), MOVES_TO_A_LINE))
    return "\n".join(" ".join(line) for line in lines)


def joined(pages: list[Replayed]) -> tuple[Step, ...]:
    """The steps of all pages."""
    return tuple(step for page in pages for step in page.steps)
