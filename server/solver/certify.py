"""Which of deals 1..32000 can be won, computed: the work behind the table of `server.deals`.

Resumable: every answer is a line of a file, and what is there is not computed again. A deal that one bound
leaves undecided waits for the next one, and is never guessed.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple, TextIO

from server.freecell.deal import deal
from server.solver.search import PATIENT, USUAL, UTMOST, Line, NoLine, Undecided, find

BOUNDS: Final = (USUAL, PATIENT, 5_000_000, UTMOST)
"""States of one search; those of the last take gigabytes."""

ORDER: Final = (2, 1, 3, 4)
"""Numbers of cells, so ordered that what is known saves most work."""

PUBLISHED: Final = {3: 31_801, 2: 25_381, 1: 6_289}
"""How many of deals 1..32000 can be won with so many cells, and without returns, by the counts of others."""

_AHEAD: Final = 64
"""Cases given to each process before the oldest is decided, which may take it long."""
_WORDS: Final = {True: "winnable", False: "lost"}


class Case(NamedTuple):
    """A deal with a number of free cells."""

    cells: int
    deal: int


class Answer(NamedTuple):
    """Whether it can be won; None when the bound left it undecided."""

    case: Case
    winnable: bool | None


class AnswersError(ValueError):
    """A file that holds no answers."""


@dataclass(slots=True)
class Answers:
    """What is known so far.

    Fewer cells only take moves away: what can be won with fewer can be won with more, and what cannot be won
    with more cannot with fewer.
    """

    known: dict[Case, bool] = field(default_factory=dict)

    def of(self, case: Case) -> bool | None:
        """Whether a case can be won, as far as it follows from what is known."""
        for cells in range(1, 5):
            winnable = self.known.get(Case(cells, case.deal))
            if winnable is True and cells <= case.cells:
                return True
            if winnable is False and cells >= case.cells:
                return False
        return None


def read_answers(lines: Iterable[str]) -> Answers:
    """The answers of a file, a line each.

    Raises:
        AnswersError: a line is none.
    """
    answers = Answers()
    for number, line in enumerate(lines, start=1):
        match line.split():
            case [cells, deal_number, "winnable" | "lost" as word] if (cells + deal_number).isdecimal():
                answers.known[Case(int(cells), int(deal_number))] = word == "winnable"
            case _:
                raise AnswersError(f"line {number} is no answer: {line[:40]!a}")
    return answers


def write_answer(file: TextIO, answer: Answer) -> None:
    """Add one answer, if it is one."""
    if answer.winnable is not None:
        file.write(f"{answer.case.cells} {answer.case.deal} {_WORDS[answer.winnable]}\n")
        file.flush()


class Done(NamedTuple):
    """One more case was tried.

    Attributes:
        bound: states of one search.
        place: how many of `total` cases were tried with this bound and number of cells.
    """

    answer: Answer
    bound: int
    place: int
    total: int


def certify(
    answers: Answers, cells: Sequence[int], deals: range, processes: int, bounds: Sequence[int] = BOUNDS
) -> Iterator[Done]:
    """Decide all deals with each number of cells, and add to `answers` what is decided.

    Raises:
        SolverMissing, BadLineError: as `search.find`.
        BrokenProcessPool: somebody ended a process that searches.
    """
    pool = ProcessPoolExecutor(processes, initializer=_belong_to_the_parent)
    try:
        for above, bound in zip((0, *bounds), bounds, strict=False):
            for number in sorted(cells, key=ORDER.index):
                cases = [case for case in (Case(number, n) for n in deals) if answers.of(case) is None]
                decided = _in_order(pool, partial(_decide, bound, above), cases, _AHEAD * processes)
                for place, answer in enumerate(decided, start=1):
                    if answer.winnable is not None:
                        answers.known[answer.case] = answer.winnable
                    yield Done(answer, bound, place, len(cases))
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: Executor, decide: Callable[[Case], Answer], cases: Iterable[Case], ahead: int
) -> Iterator[Answer]:
    # Not `pool.map`: it cancels what is left when a process has died, and the thread that just then tells it
    # to all that wait finds some cancelled, and dies of it aloud.
    waiting: deque[Future[Answer]] = deque()
    for case in cases:
        waiting.append(pool.submit(decide, case))
        if len(waiting) == ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def lost_by_count(answers: Answers) -> Iterator[Case]:
    """What is undecided of deals 1..32000 where as many are known to be winnable as are published.

    Raises:
        AnswersError: more are, so that an answer is wrong.
    """
    for cells, published in PUBLISHED.items():
        cases = [Case(cells, number) for number in range(1, 32_001)]
        known = [answers.of(case) for case in cases]
        winnable = known.count(True)
        if winnable > published:
            raise AnswersError(f"{winnable} deals are winnable with {cells} cells, and {published} can be")
        if winnable == published:
            yield from (case for case, one in zip(cases, known, strict=True) if one is None)


def _decide(states: int, above: int, case: Case) -> Answer:
    match find(deal(case.deal, case.cells), states, above=above):
        case Line():
            return Answer(case, True)
        case NoLine():
            return Answer(case, False)
        case Undecided():
            return Answer(case, None)


def _belong_to_the_parent() -> None:
    """Leave Ctrl-C to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent  # only the processes of a pool come here
    parent.join()
    os._exit(1)
