"""The library freecell-solver: one bounded search at a time.

What it finds is not trusted here: `lines` plays it through.
"""

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import Any, Final, NamedTuple

from server.freecell.cards import RANKS, card_name
from server.freecell.position import Position


class SolverMissing(Exception):
    """The library or its binding is not installed; says which."""


class Method(Enum):
    """A way to search: options of the library.

    `r:tf` sends home what no other card can need. All but `EXHAUSTIVE` leave moves out, so that finding no
    line proves nothing: the library calls deals lost that it wins by another of these.
    """

    EXHAUSTIVE = ("--method", "soft-dfs", "-to", "01ABCDE", "-sp", "r:tf")
    """Depth first over single cards: every move there is but returns."""
    BEST_FIRST = ("--method", "a-star", "-to", "0123467", "-asw", "0.2,0.8,0,0,0", "-sp", "r:tf")
    """By cards home and by the longest run that could move."""
    WEIGHTED = ("--method", "random-dfs", "-to", "[01]=asw(1)[23456j89]=asw(1)", "-sp", "r:tf")
    """Depth first over whole runs, those first that bring most cards home."""
    RANDOM = ("--method", "random-dfs", "-seed", "1", "-to", "0[0123456789]", "-sp", "r:tf")
    RANDOM_HOMEWARD = ("--method", "random-dfs", "-seed", "2", "-to", "0[01][23456789]", "-sp", "r:tf")
    PATSOLVE = ("--method", "patsolve")
    """Keeps some fifty bytes of a position, the others some seven hundred."""


class Found(NamedTuple):
    """A line, not yet played through by our rules.

    Attributes:
        moves: kind (of the library's `fcs_move.h`), source, destination and number of cards, a byte each.
    """

    moves: tuple[bytes, ...]


class Exhausted(NamedTuple):
    """The method has tried all that it tries."""


class GaveUp(NamedTuple):
    """The bound was reached."""


_SOLVED: Final = 0
_NOT_SOLVABLE: Final = 1


def check_installed() -> None:
    """Load the library.

    Raises:
        SolverMissing: it is not there, or broken.
    """
    _new_run()


@cache
def _new_run() -> Callable[[], Any]:
    """What makes a run. No run is kept: one that is left when Python ends complains of it."""
    try:
        from freecell_solver import FreecellSolver  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        raise SolverMissing(f"the Python package {error.name} is not installed") from None
    except ImportError as error:  # as of a package that was built for another Python
        raise SolverMissing(f"the Python package freecell_solver cannot be loaded: {error}") from None
    try:
        first = FreecellSolver()
    except OSError as error:
        raise SolverMissing(f"the library libfreecell-solver cannot be loaded: {error}") from None
    return partial(FreecellSolver, first.ffi, first.lib)


def search(position: Position, method: Method, states: int) -> Found | Exhausted | GaveUp:
    """Search from a position of 1 to 4 cells that is not won.

    Args:
        position: where to begin.
        method: how.
        states: how many positions to look at, and to keep, at most.

    Raises:
        SolverMissing: the library is not there.
    """
    run = _new_run()()
    options = ["--freecells-num", str(len(position.cells)), "--max-stored-states", str(states), *method.value]
    read = run.input_cmd_line(options)
    if read["last_arg"] != len(options):
        raise SolverMissing(f"this libfreecell-solver does not know {options[read['last_arg']]}")
    run.limit_iterations(states)
    ended = run.solve_board(_board_text(position))
    if ended == _SOLVED:
        return Found(_moves(run))
    return Exhausted() if ended == _NOT_SOLVABLE else GaveUp()


def _board_text(position: Position) -> str:
    clubs, diamonds, hearts, spades = (f"0{RANKS}"[top] for top in position.foundations)
    cells = " ".join("-" if card is None else card_name(card) for card in position.cells)
    columns = "".join(f": {' '.join(map(card_name, cascade))}\n" for cascade in position.cascades)
    return f"Foundations: H-{hearts} C-{clubs} D-{diamonds} S-{spades}\nFreecells: {cells}\n{columns}"


def _moves(run: Any) -> tuple[bytes, ...]:  # noqa: ANN401 - the binding ships no types
    """What moved, as the library has it."""
    moves: list[bytes] = []
    while (move := run.get_next_move()) is not None:
        # The binding takes a move for twenty bytes; it has four.
        moves.append(bytes(run.ffi.buffer(move))[:4])
    return tuple(moves)
