"""What `solve` and `certify` do."""

import sys
import time
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TextIO

from server.deals import table
from server.deals.certified import is_proved_unwinnable
from server.freecell.deal import deal
from server.freecell.movement import Move, carry
from server.freecell.notation import write_move
from server.freecell.position import Position
from server.solver.certify import (
    Answer,
    Answers,
    AnswersError,
    Case,
    certify,
    lost_by_count,
    read_answers,
    write_answer,
)
from server.solver.engine import SolverMissing, check_installed
from server.solver.given import play_given
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
    file: str,
    cells: Sequence[int],
    deals: range,
    processes: int,
    table_file: str | None,
    lines_file: str | None = None,
) -> Output:
    """Decide deals, as far as that goes, and pack what is known of the table's deals.

    Raises:
        ToolError: the solver is missing, a search was ended, or a file cannot be read or written.
    """
    try:
        check_installed()
        answers = _read(Path(file))
        if lines_file is not None:
            _take_given(answers, Path(file), Path(lines_file))
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
        _settle(answers, out)
        for done in certify(answers, cells, deals, processes):
            write_answer(out, done.answer)
            progress.did(done)
        _settle(answers, out)


def _settle(answers: Answers, out: TextIO) -> None:
    for case in list(lost_by_count(answers)):
        answers.known[case] = False
        write_answer(out, Answer(case, winnable=False))


def _take_given(answers: Answers, file: Path, lines_file: Path) -> None:
    try:
        given = play_given(_text(lines_file).splitlines())
        found = [answer for answer in given if answers.of(answer.case) is None]
    except AnswersError as error:
        raise ToolError(f"{lines_file}: {error}") from None
    with file.open("a", encoding="ascii") as out:
        for answer in found:
            answers.known[answer.case] = True
            write_answer(out, answer)


def _read(file: Path) -> Answers:
    if not file.exists():
        return Answers()
    text = _text(file)
    if text and not text.endswith("\n"):  # It was interrupted while it wrote.
        text = text[: text.rfind("\n") + 1]
        file.write_text(text, encoding="ascii")
    return read_answers(text.splitlines())


def _text(file: Path) -> str:
    if file.exists() and not file.is_file():  # such as /dev/zero, which has no end
        raise AnswersError("this is not a regular file")
    return file.read_text(encoding="ascii", errors="replace")


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
