"""What a robot is: a racer whose whole game is settled beforehand, move by move and minute by minute.

That is what lets it race from any node: when it acts next follows from the log alone, so its next move is a
deadline of the race like the time limit.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from server.freecell.moves import Move

MAX_ROBOTS: Final = 8
"""Seats of one race that robots may have."""

PLAN_WITHIN_MS: Final = 10_000
"""How long after the start a robot waits for somebody to find it a line, before it gives up."""


class Level(StrEnum):
    """How fast a robot plays."""

    EASY = "easy"
    EVEN = "even"
    FAST = "fast"


@dataclass(frozen=True, slots=True)
class Robot:
    """A robot's game. Nobody may see it before the race is over.

    Attributes:
        level: how fast it plays.
        line: its moves from the deal to the win; empty if no way to win is known, None as long as nobody has
            looked for one.
        at_ms: when each of them is made, in milliseconds after the start.
    """

    level: Level
    line: tuple[Move, ...] | None = None
    at_ms: tuple[int, ...] = ()

    def move(self, played: int) -> Move | None:
        """Its next move after so many; None if it knows none."""
        return None if self.line is None or played >= len(self.line) else self.line[played]

    def due_ms(self, played: int) -> int:
        """When, in milliseconds after the start, it acts next: makes that move, or gives up."""
        if self.line is None:
            return PLAN_WITHIN_MS
        return self.at_ms[played] if played < len(self.line) else 0
