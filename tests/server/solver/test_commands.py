import subprocess
import sys

import pytest

from server.cli import main
from server.freecell.deal import MAX_DEAL
from server.solver import engine
from tests.server.solver.needs import needs_solver


@pytest.fixture
def without_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    engine._new_run.cache_clear()
    monkeypatch.setitem(sys.modules, "freecell_solver", None)


@needs_solver
@pytest.mark.parametrize(("deal", "cells"), [("617", "4"), ("618", "3"), ("5", "2"), (str(MAX_DEAL), "3")])
def test_verify_takes_what_solve_prints(deal: str, cells: str) -> None:
    command = [sys.executable, "-m", "server.cli"]
    solved = subprocess.run([*command, "solve", deal, "--cells", cells], capture_output=True, check=True)
    verified = subprocess.run(
        [*command, "verify", "--deal", deal, "--cells", cells],
        input=solved.stdout,
        capture_output=True,
        check=True,
    )
    assert verified.stdout.startswith(b"won after ")
    assert not solved.stderr


@needs_solver
def test_what_is_lost_is_unwinnable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "657", "--cells", "3"]) == 1
    assert capsys.readouterr().out == "unwinnable\n"


@needs_solver
def test_what_a_bound_does_not_decide_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "1", "--states", "1"]) == 1
    assert capsys.readouterr().out == "unknown\n"


@pytest.mark.usefixtures("without_solver")
def test_without_the_solver_only_the_facts_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "1"]) == 1
    told = capsys.readouterr()
    assert told.out == "unknown\n"
    assert told.err == "cellrace-server: the Python package freecell_solver is not installed\n"
    assert main(["solve", "11982"]) == 1
    assert capsys.readouterr().out == "unwinnable\n"


@pytest.mark.usefixtures("without_solver")
def test_nothing_is_certified_without_the_solver(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "answers.txt"]) == 2
    assert "freecell_solver is not installed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["solve", "0"], "a deal is a whole number"),
        (["solve", "1", "--cells", "5"], "--cells is a whole number from 1 to 4, not '5'"),
        *(
            (["solve", "1", "--states", states], "--states is a whole number from 1 to 100000000, not ")
            for states in ("0", "-1", "100000001", "9" * 5_000, "", "1e6")
        ),
        (["solve", "1", "--cells", "x"], "--cells is a whole number"),
        (["solve", "1", "--states", "x"], "--states is a whole number"),
        (["certify", "f", "--deals", "1-3"], "--deals is written A..B"),
        *(
            (["certify", "f", "--deals", deals], "--deals is A..B, from A up to B and 1000000 deals at most")
            for deals in ("5..1", "1..1000001", "1..8589934591")
        ),
        (["certify", "f", "--deals", "0..5"], "from 1 to 8589934591, not 0"),
        *(
            (["certify", "f", "--processes", processes], "--processes is a whole number from 1 to 64, not ")
            for processes in ("0", "-1", "65", "9" * 5_000)
        ),
        (["certify", "f", "--cells", "3,0"], "--cells is a whole number from 1 to 4, not '0'"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_told(
    argv: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert words in capsys.readouterr().err
