import subprocess
import sys

from tests.end_to_end.program import ROOT


def test_lines_do_without_what_draws_the_screen() -> None:
    code = "import sys, client_cli.cli; print(sorted({'textual', 'rich'} & set(sys.modules)))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True
    )
    assert loaded.stdout == "[]\n"
