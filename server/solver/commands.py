"""What `solve` and `certify` do."""

import sys
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from server.deals import table
from server.deals.certified import is_proved_unwinnable
from server.freecell.deal import deal
from server.freecell.movement import Move, carry
from server.freecell.notation import write_move
from server.freecell.position import Position
from server.solver.certify import Answers, AnswersError, Case, certify, read_answers, write_answer
from server.solver.engine import SolverMissing, check_installed
from server.solver.progress import Progress
from server.solver.search import PATIENT, Line, NoLine, Result, Undecided, find
from server.tools import Output, ToolError


def solve_command(number: int, cells: int, states: int | None) -> Output:
    """Print a solution, or what is known instead; why the solver is missing, if it is, on standard error."""
    start = deal(number, cells)
    result: Result = Undecided()
    try:
        result = find(start, PATIENT if states is None else states)
    except SolverMissing as error:
        print(f"cellrace-server: {error}", file=sys.stderr)
    if isinstance(result, Line):
        return Output(written(start, result.moves))
    lost = isinstance(result, NoLine) or is_proved_unwinnable(number, cells)
    return Output("unwinnable" if lost else "unknown", 1)


def written(position: Position, moves: Sequence[Move]) -> str:
    """Moves in notation, ten to a line."""
    words: list[str] = []
    for move in moves:
        words.append(write_move(move, position))
        position = carry(position, move)
    return "\n".join(" ".join(words[start : start + 10]) for start in range(0, len(words), 10))


def certify_command(
    file: str, cells: Sequence[int], deals: range, processes: int, table_file: str | None
) -> Output:
    """Decide deals, as far as that goes, and pack what is known of the table's deals.

    Raises:
        ToolError: the solver is missing, a search was ended, or a file cannot be read or written.
    """
    try:
        check_installed()
        answers = _read(Path(file))
        _decide(answers, Path(file), cells, deals, processes)
        if table_file is not None:
            Path(table_file).write_bytes(_packed(answers))
    except SolverMissing as error:
        raise ToolError(str(error)) from None
    except BrokenProcessPool:
        text = f"a search was ended, perhaps for want of memory; all that is decided is in {file}"
        raise ToolError(text) from None
    except AnswersError as error:
        raise ToolError(f"{file}: {error}") from None
    except OSError as error:
        raise ToolError(f"{error.filename or file}: {error.strerror}") from None
    lines = [_summary(answers, number, deals) for number in cells]
    undecided = any(answers.of(Case(number, one)) is None for number in cells for one in deals)
    return Output("\n".join(lines), 1 if undecided else 0)


def _decide(answers: Answers, file: Path, cells: Sequence[int], deals: range, processes: int) -> None:
    progress = Progress(sys.stderr, time.monotonic)
    with file.open("a", encoding="ascii") as out:
        for done in certify(answers, cells, deals, processes):
            write_answer(out, done.answer)
            progress.did(done)


def _read(file: Path) -> Answers:
    if not file.exists():
        return Answers()
    if not file.is_file():  # such as /dev/zero, which has no end
        raise AnswersError("this is not a regular file")
    text = file.read_text(encoding="ascii", errors="replace")
    if text and not text.endswith("\n"):  # It was interrupted while it wrote.
        text = text[: text.rfind("\n") + 1]
        file.write_text(text, encoding="ascii")
    return read_answers(text.splitlines())


def _packed(answers: Answers) -> bytes:
    deals = range(1, table.DEALS + 1)
    winnable, lost = (
        {cells: [n for n in deals if answers.of(Case(cells, n)) is wanted] for cells in table.CELLS}
        for wanted in (True, False)
    )
    return table.pack(winnable, lost)


def _summary(answers: Answers, cells: int, deals: range) -> str:
    known = [answers.of(Case(cells, one)) for one in deals]
    return (
        f"{cells} cells: {known.count(True)} can be won, {known.count(False)} cannot,"
        f" {known.count(None)} are undecided"
    )
