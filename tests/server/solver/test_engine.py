import sys
from pathlib import Path
from types import ModuleType

import pytest

from server.freecell.deal import UNWINNABLE_WITH_4, deal
from server.solver import engine
from server.solver.engine import Exhausted, Found, GaveUp, Method, SolverMissing, check_installed, search
from tests.server.solver.needs import needs_solver


@needs_solver
@pytest.mark.parametrize("method", Method)
def test_every_method_finds_a_line(method: Method) -> None:
    assert isinstance(search(deal(1), method, 100_000), Found)


@needs_solver
@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("states", [1, 2, 10, 100, 500])
def test_a_bound_that_was_reached_is_never_taken_for_the_end(method: Method, states: int) -> None:
    for number in (9, 11982, 146692):
        assert isinstance(search(deal(number), method, states), GaveUp)


@needs_solver
def test_the_exhaustive_method_comes_to_the_end() -> None:
    for number in UNWINNABLE_WITH_4:
        assert isinstance(search(deal(number), Method.EXHAUSTIVE, 100_000), Exhausted)


@needs_solver
def test_another_method_may_come_to_its_end_where_there_is_a_line() -> None:
    """Why only one method is believed: this deal can be won with two cells."""
    assert isinstance(search(deal(9, 2), Method.PATSOLVE, 1_000_000), Exhausted)
    assert isinstance(search(deal(9, 2), Method.EXHAUSTIVE, 200_000), Found)


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    engine._new_run.cache_clear()
    return monkeypatch


def test_a_missing_binding_is_told(unloaded: pytest.MonkeyPatch) -> None:
    unloaded.setitem(sys.modules, "freecell_solver", None)
    with pytest.raises(SolverMissing, match="Python package freecell_solver is not installed"):
        check_installed()


def test_a_binding_that_does_not_fit_this_python_is_told(
    unloaded: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "freecell_solver.py").write_text("raise ImportError('undefined symbol: _PyX')")
    unloaded.delitem(sys.modules, "freecell_solver", raising=False)
    unloaded.syspath_prepend(tmp_path)
    with pytest.raises(SolverMissing, match="freecell_solver cannot be loaded: undefined symbol: _PyX"):
        check_installed()


def test_a_missing_library_is_told(unloaded: pytest.MonkeyPatch) -> None:
    def load() -> None:
        raise OSError("cannot load library 'libfreecell-solver.so.0'")

    binding = ModuleType("freecell_solver")
    binding.FreecellSolver = load  # type: ignore[attr-defined]  # a stand-in for the binding
    unloaded.setitem(sys.modules, "freecell_solver", binding)
    with pytest.raises(SolverMissing, match=r"libfreecell-solver cannot be loaded: .*so\.0"):
        check_installed()
