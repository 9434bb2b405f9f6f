import subprocess
import sys

from tests.client_cli.screens.house import VECTORS

ROOT = VECTORS.parents[2]


def test_lines_do_without_what_draws_the_screen() -> None:
    code = "import sys, client_cli.cli; print(sorted({'textual', 'rich'} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True
    )
    assert loaded.stdout == "[]\n"
