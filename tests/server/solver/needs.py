"""Marks what needs the solver itself, an extra and a Debian package."""

from typing import Final

import pytest

from server.solver.engine import SolverMissing, check_installed


def _missing() -> str:
    try:
        check_installed()
    except SolverMissing as error:
        return str(error)
    return ""


needs_solver = pytest.mark.skipif(bool(_missing()), reason=f"the solver is missing: {_missing()}")

QUICK: Final = 20_000
"""States of the steps that take tens of milliseconds: a bound that is soon reached."""
