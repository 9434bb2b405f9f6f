"""One who says what can still be won, and is no solver."""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final

from server.freecell.position import Position
from server.solver.verdict import Lost, Unknown, Verdict, Winnable

UNKNOWN: Final = Unknown()

IN_CELLS: Final = ("5a", "5b", "5c", "5d")
"""Moves of deal 1 that take a cell each."""


@dataclass(slots=True, eq=False)
class Oracle:
    """Says of every position what `word` says; answers at once, unless `gate` is closed.

    As the solver does, it answers an older request for a board "unknown" when a newer one comes.
    """

    word: Callable[[Position], Verdict] = lambda _: UNKNOWN
    missing: str = ""
    asked: list[Position] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    given_up: int = 0
    _newest: dict[Hashable, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.gate.set()

    async def ask(self, position: Position, board: Hashable, *, urgent: bool = False) -> Verdict:
        self.asked.append(position)
        request = self._newest[board] = object()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        return self.word(position) if self._newest[board] is request else UNKNOWN


def by_cards_in_cells(position: Position) -> Verdict:
    """The more cells are taken the further it is; with all of them taken it is lost."""
    taken = sum(card is not None for card in position.cells)
    return Lost() if taken == len(position.cells) else Winnable(None, 10 + taken)
