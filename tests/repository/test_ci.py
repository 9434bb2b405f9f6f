"""The build machine runs what a person runs, with no skip allowed."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.repository.files import ROOT

RUN = ROOT / ".ci" / "run"

FAKE_MAKE = """\
#!/bin/sh
echo "make $* in $PWD, CI=$CI CELLRACE_NO_SKIP=$CELLRACE_NO_SKIP"
wc -c
exit ${STATUS}
"""


def test_it_can_be_run() -> None:
    assert os.access(RUN, os.X_OK)
    assert subprocess.run(["bash", "-n", str(RUN)], check=False).returncode == 0


@pytest.mark.parametrize("status", [0, 2])
def test_it_is_exactly_make_test_without_skips_or_input(tmp_path: Path, status: int) -> None:
    for name in ("make", "apt-get"):
        fake = tmp_path / name
        fake.write_text(FAKE_MAKE if name == "make" else "#!/bin/sh\n", encoding="utf-8")
        fake.chmod(0o755)
    result = subprocess.run(
        ["bash", str(RUN)],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "STATUS": str(status)},
        input="typed",
        text=True,
        capture_output=True,
        check=False,
        timeout=30,
    )
    assert result.stdout.splitlines() == [f"make test in {ROOT}, CI=true CELLRACE_NO_SKIP=1", "0"]
    assert result.returncode == status
