"""The tools: a whole process from start to end, against Python starting and ending."""

import subprocess
import sys

from tests.bench.measure import Figure, against_floor, best_s
from tests.solutions import moves_of

REPETITIONS = 7


def figures() -> list[Figure]:
    """Seconds for `cellrace-server verify` of a solution of about a hundred moves."""
    moves = " ".join(moves_of(617))

    def verify() -> None:
        command = [sys.executable, "-m", "server.cli", "verify", "--deal", "617"]
        subprocess.run(command, input=moves, text=True, check=True, capture_output=True)

    def start() -> None:
        subprocess.run([sys.executable, "-c", "pass"], check=True)

    return against_floor(
        "verify_all_told", best_s(verify, REPETITIONS), "s", "python_start", best_s(start, REPETITIONS)
    )
