"""Which searches, in which order, and what each is believed.

A line is believed once our rules have played it through; that there is none, only of the exhaustive search.
The order was found by trying, on deals of all numbers of cells: first the cheap searches that find many
lines, and among them the exhaustive one, since from most lost positions there is not far to go.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.freecell.movement import Move
from server.freecell.position import Position
from server.solver import engine
from server.solver.engine import Exhausted, Found, Method
from server.solver.lines import play_through


@dataclass(frozen=True, slots=True)
class Line:
    """Moves that win from the position asked about; none when it is won."""

    moves: tuple[Move, ...]


class NoLine(NamedTuple):
    """There is none, unless cards are taken off the foundations."""


class Undecided(NamedTuple):
    """Not within the bound."""


Result = Line | NoLine | Undecided


class _Step(NamedTuple):
    method: Method
    states: int


_STEPS: Final = (
    _Step(Method.BEST_FIRST, 2_000),
    _Step(Method.EXHAUSTIVE, 10_000),
    _Step(Method.BEST_FIRST, 20_000),
    _Step(Method.WEIGHTED, 20_000),
    _Step(Method.RANDOM, 20_000),
    _Step(Method.EXHAUSTIVE, 100_000),
    _Step(Method.WEIGHTED, 100_000),
    _Step(Method.RANDOM_HOMEWARD, 100_000),
    _Step(Method.PATSOLVE, 300_000),
    _Step(Method.WEIGHTED, 300_000),
    _Step(Method.RANDOM, 300_000),
    _Step(Method.EXHAUSTIVE, 1_000_000),
    _Step(Method.RANDOM_HOMEWARD, 1_000_000),
    _Step(Method.WEIGHTED, 1_000_000),
    _Step(Method.PATSOLVE, 3_000_000),
    _Step(Method.EXHAUSTIVE, 5_000_000),
    _Step(Method.WEIGHTED, 5_000_000),
    _Step(Method.RANDOM, 5_000_000),
    _Step(Method.PATSOLVE, 20_000_000),
    _Step(Method.EXHAUSTIVE, 20_000_000),
)

USUAL: Final = 100_000
"""Half a second, and some hundred megabytes at the most."""
PATIENT: Final = 1_000_000
"""Some seconds, and most of a gigabyte at the most; decides all but a handful of the deals to 32000."""
UTMOST: Final = 20_000_000
"""Minutes, and more than ten gigabytes."""


def find(position: Position, states: int, *, above: int = 0) -> Result:
    """A line that wins from a position, or that there is none.

    Args:
        position: of 1 to 4 cells.
        states: the bound on the positions that one step looks at and keeps.
        above: leave out the steps that have no more states than this, for they were taken before.

    Raises:
        SolverMissing: the library is not there.
        BadLineError: the library gave a line that does not win.
    """
    if position.is_won:
        return Line(())
    for step in _steps(above, states):
        outcome = engine.search(position, step.method, step.states)
        if isinstance(outcome, Found):
            return Line(play_through(position, outcome.moves))
        if isinstance(outcome, Exhausted) and step.method is Method.EXHAUSTIVE:
            return NoLine()
    return Undecided()


def _steps(above: int, states: int) -> Iterator[_Step]:
    return (step for step in _STEPS if above < step.states <= states)
