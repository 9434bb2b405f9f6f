import os
import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest

from server.deals.table import CELLS, read
from server.solver import commands
from server.solver.certify import (
    PUBLISHED,
    Answer,
    Answers,
    AnswersError,
    Case,
    Done,
    certify,
    lost_by_count,
    read_answers,
    write_answer,
)
from server.solver.commands import certify_command
from server.solver.progress import Progress
from server.solver.search import USUAL
from server.tools import ToolError
from tests.server.solver.needs import QUICK, needs_solver
from tests.solutions import moves_of

SOLUTION = " ".join(moves_of(1))


def test_answers_are_read_as_they_were_written() -> None:
    file = StringIO()
    write_answer(file, Answer(Case(2, 617), True))
    write_answer(file, Answer(Case(2, 618), None))
    write_answer(file, Answer(Case(1, 617), False))
    assert file.getvalue() == "2 617 winnable\n1 617 lost\n"
    assert read_answers(file.getvalue().splitlines()).known == {Case(2, 617): True, Case(1, 617): False}


@pytest.mark.parametrize("line", ["", "2 617", "2 617 maybe", "two 617 lost", "2 -617 lost", "2 617 lost 3"])
def test_a_line_that_is_no_answer_is_named(line: str) -> None:
    with pytest.raises(AnswersError, match="line 2"):
        read_answers(["2 1 lost", line])


def test_what_follows_from_other_numbers_of_cells_is_known() -> None:
    answers = Answers({Case(2, 1): True, Case(2, 2): False})
    assert [answers.of(Case(cells, 1)) for cells in (1, 2, 3, 4)] == [None, True, True, True]
    assert [answers.of(Case(cells, 2)) for cells in (1, 2, 3, 4)] == [False, False, None, None]


@needs_solver
def test_a_deal_that_one_bound_leaves_undecided_is_tried_again_with_the_next() -> None:
    answers = Answers({Case(4, 1): True})
    done = list(certify(answers, (4,), range(11_982, 11_983), 1, bounds=(QUICK, USUAL)))
    case = Case(4, 11_982)
    assert done == [
        Done(Answer(case, None), QUICK, 1, 1),
        Done(Answer(case, False), USUAL, 1, 1),
    ]
    assert answers.of(case) is False
    assert list(certify(answers, (4,), range(11_982, 11_983), 1, bounds=(QUICK, USUAL))) == []


@needs_solver
@pytest.mark.parametrize("victim", ["parent", "child"])
def test_whichever_process_is_killed_none_is_left(tmp_path: Path, victim: str) -> None:
    command = [sys.executable, "-m", "server.cli", "certify", "answers.txt", "--cells", "1"]
    path = str(Path(__file__).parents[3])
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as parent:
        assert parent.stderr is not None
        assert "1/32000" in parent.stderr.readline()
        [child, *_] = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        os.kill(parent.pid if victim == "parent" else int(child), signal.SIGKILL)
        told = parent.stderr.read()  # ends when all have ended
        status = parent.wait()
    lost = "a search was ended, perhaps for want of memory; all that is decided is in answers.txt"
    if victim == "child":
        assert (status, told) == (2, f"cellrace-server: {lost}\n")
    assert read_answers((tmp_path / "answers.txt").read_text().splitlines()).known


@needs_solver
def test_the_command_goes_on_where_it_was_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "answers.txt"
    file.write_text("3 1 winnable\n3 2 winnable\n3 3 winn", encoding="ascii")
    output = certify_command(str(file), (3,), range(1, 5), 1, None)
    assert output == ("3 cells: 4 can be won, 0 cannot, 0 are undecided", 0)
    assert file.read_text(encoding="ascii") == "".join(f"3 {deal} winnable\n" for deal in (1, 2, 3, 4))
    assert "3 cells, 100000 states [##############################] 2/2" in capsys.readouterr().err


def test_a_table_is_written_when_everything_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "check_installed", lambda: None)
    answers, packed = tmp_path / "answers.txt", tmp_path / "winnable.bin"
    lines = [f"1 {deal} winnable" for deal in range(1, 32_001) if deal % 6 == 0]
    lines += [f"3 {deal} lost" for deal in range(1, 32_001) if deal % 6]
    answers.write_text("\n".join(lines) + "\n", encoding="ascii")
    output = certify_command(str(answers), CELLS, range(1, 32_001), 1, str(packed))
    assert output.status == 0
    assert "2 cells: 5333 can be won, 26667 cannot, 0 are undecided" in output.text
    table = read(packed.read_bytes())
    assert all(ones(table[cells].winnable) == 5_333 for cells in CELLS)
    assert all(ones(table[cells].lost) == 26_667 for cells in CELLS)


def test_what_is_undecided_is_neither_winnable_nor_lost_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "check_installed", lambda: None)
    answers, packed = tmp_path / "answers.txt", tmp_path / "winnable.bin"
    answers.write_text("2 1 winnable\n2 2 lost\n", encoding="ascii")
    certify_command(str(answers), (3,), range(0), 1, str(packed))
    table = read(packed.read_bytes())
    assert [(ones(table[cells].winnable), ones(table[cells].lost)) for cells in (3, 2, 1)] == [
        (1, 0),
        (1, 1),
        (0, 1),
    ]


def test_what_is_left_is_lost_once_as_many_are_winnable_as_is_published() -> None:
    enough = {Case(2, deal): True for deal in range(1, PUBLISHED[2] + 1)}
    left = [Case(2, deal) for deal in range(PUBLISHED[2] + 1, 32_001)]
    assert list(lost_by_count(Answers(dict(enough)))) == left
    assert list(lost_by_count(Answers({**enough, left[0]: False}))) == left[1:]
    with pytest.raises(AnswersError, match="25382 deals are winnable with 2 cells, and 25381 can be"):
        list(lost_by_count(Answers({**enough, left[0]: True})))
    del enough[Case(2, 1)]
    assert list(lost_by_count(Answers(enough))) == []


def test_lines_from_elsewhere_are_played_through_before_they_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "check_installed", lambda: None)
    answers, lines = tmp_path / "answers.txt", tmp_path / "lines.txt"
    answers.write_text("4 1 winnable\n", encoding="ascii")
    lines.write_text(f"4 1 {SOLUTION}\n4 617 {' '.join(moves_of(617))}\n", encoding="ascii")
    output = certify_command(str(answers), (4,), range(617, 618), 1, None, str(lines))
    assert output == ("4 cells: 1 can be won, 0 cannot, 0 are undecided", 0)
    assert answers.read_text(encoding="ascii") == "4 1 winnable\n4 617 winnable\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "line 2 names no deal"),
        ("5 1 3a", "line 2 names no deal"),
        ("4 0 3a", "line 2: a deal is a whole number"),
        ("4 1 3a 3b", "line 2 does not win"),
        ("4 1 3a 3a", "line 2, move 2: "),
        ("1 1 3a xx", "line 2, move 2: "),
    ],
)
def test_a_line_from_elsewhere_that_does_not_win_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, words: str
) -> None:
    monkeypatch.setattr(commands, "check_installed", lambda: None)
    answers, lines = tmp_path / "answers.txt", tmp_path / "lines.txt"
    lines.write_text(f"4 1 {SOLUTION}\n{line}\n", encoding="ascii")
    with pytest.raises(ToolError, match=rf"lines\.txt: {words}"):
        certify_command(str(answers), (4,), range(1, 2), 1, None, str(lines))
    assert not answers.exists()


def ones(bits: bytes) -> int:
    return int.from_bytes(bits, "little").bit_count()


def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "check_installed", lambda: None)
    file = tmp_path / "answers.txt"
    file.write_text("hello\n", encoding="ascii")
    with pytest.raises(ToolError, match=r"answers\.txt: line 1 is no answer"):
        certify_command(str(file), (3,), range(1, 5), 1, None)
    for no_file in (str(tmp_path), "/dev/zero"):
        with pytest.raises(ToolError, match=f"{no_file}: this is not a regular file"):
            certify_command(no_file, (3,), range(1, 5), 1, None)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def done(place: int, *, winnable: bool | None = True) -> Done:
    return Done(Answer(Case(2, place), winnable), USUAL, place, 10)


def test_in_a_terminal_there_is_a_bar() -> None:
    stream, now_s = Terminal(), 0.0
    progress = Progress(stream, lambda: now_s)
    progress.did(done(1))
    for place in range(2, 6):
        now_s = place / 10
        progress.did(done(place, winnable=None))
    progress.did(done(10))
    bars = stream.getvalue().split("\r")[1:]
    assert (
        bars[0]
        == "2 cells, 100000 states [###...........................] 1/10, 0 undecided, 0:00 left\x1b[K"
    )
    assert bars[1].startswith("2 cells, 100000 states [######........................] 2/10, 1 undecided")
    assert (
        bars[-1]
        == "2 cells, 100000 states [##############################] 10/10, 4 undecided, 0:00 left\x1b[K\n"
    )
    assert len(bars) == 4


def test_elsewhere_there_is_a_line_now_and_then() -> None:
    stream, now_s = StringIO(), 0.0
    progress = Progress(stream, lambda: now_s)
    for place in range(1, 6):
        now_s = 4.0 * place
        progress.did(done(place))
    assert [line.split("] ")[1].split(",")[0] for line in stream.getvalue().splitlines()] == ["1/10", "4/10"]
