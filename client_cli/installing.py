"""How the solver comes onto this machine, in words."""

import shlex
import sys
from pathlib import Path
from typing import Final

from client_cli.language import tr

ROOT: Final = Path(__file__).parents[1]


def no_solver_here(root: Path = ROOT, python: Path = Path(sys.executable)) -> str:
    """That there is no solver here, and how to have it, each command on a line of its own.

    Args:
        root: where this program is; in a clone its pins are there.
        python: what runs it, and is to have the solver.
    """
    pins = root / "requirements" / "solver.txt"
    what = f"--require-hashes -r {_shown(pins)}" if pins.exists() else "'cellrace[solver]'"
    return "\n".join(
        [
            tr("the solver is not installed here; to have it:"),
            "  sudo apt install libfreecell-solver0",
            f"  {_shown(python)} -m pip install {what}",
        ]
    )


def _shown(path: Path) -> str:
    """The path as it may be typed where one is now."""
    try:
        here = Path.cwd()
    except OSError:  # the folder one is in has been removed
        return shlex.quote(str(path))
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))
