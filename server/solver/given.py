"""Lines that something else has found. One is believed once our rules have played it through."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from server.freecell.deal import DealError, deal
from server.freecell.replay import replay
from server.freecell.rulesets import RULESETS
from server.solver.certify import Answer, AnswersError, Case

# No card comes back off a foundation; how many cells there are, the position tells.
_RULES: Final = RULESETS["classic"]


def play_given(lines: Iterable[str]) -> Iterator[Answer]:
    """The deals that lines win.

    Args:
        lines: each the number of cells, the deal and the moves, in standard notation, with spaces between.

    Raises:
        AnswersError: a line is none, or does not win.
    """
    for number, line in enumerate(lines, start=1):
        cells, _, rest = line.partition(" ")
        deal_number, _, moves = rest.partition(" ")
        if cells not in {"1", "2", "3", "4"} or not re.fullmatch("[0-9]{1,19}", deal_number):
            raise AnswersError(f"line {number} names no deal: {line[:40]!a}")
        case = Case(int(cells), int(deal_number))
        _play(case, moves.split(), number)
        yield Answer(case, winnable=True)


def _play(case: Case, moves: list[str], number: int) -> None:
    try:
        start = deal(case.deal, case.cells)
    except DealError as error:
        raise AnswersError(f"line {number}: {error}") from None
    played = replay(start, _RULES, moves)
    if played.error:
        raise AnswersError(f"line {number}, move {played.accepted + 1}: {played.error.detail}")
    if not played.position.is_won:
        raise AnswersError(f"line {number} does not win")
