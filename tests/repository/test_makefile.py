"""The Makefile finds an interpreter, makes the environment once, and makes it again when it must."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.repository.files import ROOT, read

# Stands in for Python: it makes an environment whose own python writes down what it is asked to do.
FAKE_PYTHON = """\
#!/bin/sh
case "$*" in
*"-c "*"ensurepip"*) exit ${WITHOUT_VENV:-0} ;;
*"-c "*) exit ${TOO_OLD:-0} ;;
esac
rm -rf .venv
mkdir -p .venv/bin
echo "new environment" >> log
cat > .venv/bin/python <<'END'
#!/bin/sh
echo "$*" | sed -e 's/.*--disable-pip-version-check //' >> log
test ! -e broken
END
chmod +x .venv/bin/python
"""
NEW, PLAY, PROJECT, DEV = (
    "new environment",
    "--require-hashes -r requirements/play.txt",
    "--no-deps --no-build-isolation -e .",
    "--require-hashes -r requirements/dev.txt",
)


class Clone:
    """A folder with the Makefile, the pins and a stand-in for Python; `make` runs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "requirements").mkdir()
        for name in ("Makefile", "pyproject.toml", "requirements/play.txt", "requirements/dev.txt"):
            shutil.copy(ROOT / name, folder / name)
            self.change(name, age_s=3600)
        python = folder / "fake-python"
        python.write_text(FAKE_PYTHON, encoding="utf-8")
        python.chmod(0o755)

    def change(self, name: str, age_s: int) -> None:
        """Give a file a time of change: `age_s` seconds ago."""
        status = (self.folder / "Makefile").stat()
        now_s = status.st_ctime
        os.utime(self.folder / name, (now_s - age_s, now_s - age_s))

    def make(self, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        inherited = {name: os.environ[name] for name in ("PATH",)}
        return subprocess.run(
            ["make", "PYTHON=./fake-python", *args],
            cwd=self.folder,
            env=inherited | environment,
            text=True,
            capture_output=True,
            check=False,
            timeout=30,
        )

    def done(self) -> list[str]:
        """What was done to the environment since it was last asked."""
        log = self.folder / "log"
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines


PLAY_READY = (".venv/bin/.play", ".venv/bin/.project")
DEV_READY = (".venv/bin/.dev", ".venv/bin/.project")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_the_environment_is_made_once(clone: Clone) -> None:
    first = clone.make(*PLAY_READY)
    assert first.returncode == 0, first.stderr
    assert first.stdout == "setting up .venv with ./fake-python (once, some seconds)\n"
    assert clone.done() == [NEW, PLAY, PROJECT]

    clone.make(*PLAY_READY)
    assert clone.done() == []

    clone.make(*DEV_READY)
    assert clone.done() == [DEV]

    clone.make(*PLAY_READY, *DEV_READY)
    assert clone.done() == []


@pytest.mark.parametrize("pins", ["requirements/play.txt", "requirements/dev.txt"])
def test_new_pins_make_it_anew(clone: Clone, pins: str) -> None:
    clone.make(*DEV_READY)
    clone.done()
    clone.change(pins, age_s=-3600)
    clone.make(*DEV_READY)
    assert clone.done() == [NEW, PLAY, DEV, PROJECT]


def test_new_metadata_installs_only_the_project_again(clone: Clone) -> None:
    clone.make(*DEV_READY)
    clone.done()
    clone.change("pyproject.toml", age_s=-3600)
    clone.make(*DEV_READY)
    assert clone.done() == [PROJECT]


def test_an_interrupted_install_is_done_again_from_the_start(clone: Clone) -> None:
    (clone.folder / "broken").touch()
    assert clone.make(*PLAY_READY).returncode != 0
    assert clone.done() == [NEW, PLAY]

    (clone.folder / "broken").unlink()
    assert clone.make(*PLAY_READY).returncode == 0
    assert clone.done() == [NEW, PLAY, PROJECT]


def test_an_environment_whose_interpreter_is_gone_is_made_anew(clone: Clone) -> None:
    clone.make(*PLAY_READY)
    clone.done()
    python = clone.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/no/such/python")
    clone.make(*PLAY_READY)
    assert clone.done() == [NEW, PLAY, PROJECT]


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"TOO_OLD": "1", "WITHOUT_VENV": "1"}, "cellrace needs Python 3.11 or newer"),
        ({"WITHOUT_VENV": "1"}, "./fake-python cannot make virtual environments"),
    ],
    ids=["too old", "without venv"],
)
def test_an_unfit_interpreter_is_refused_in_one_line(
    clone: Clone, environment: dict[str, str], words: str
) -> None:
    result = clone.make(*PLAY_READY, **environment)
    assert result.returncode != 0
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert clone.done() == []


def test_help_is_the_default_and_names_every_target(clone: Clone) -> None:
    result = clone.make()
    assert result.stdout == clone.make("help").stdout
    listed = [line.split()[1] for line in result.stdout.splitlines()]
    phony = [line.split(":")[1].strip() for line in read("Makefile").splitlines() if ".PHONY" in line]
    assert listed == phony
    assert {"play", "demo", "test", "lint", "bench", "format", "requirements", "clean"} <= set(listed)


def test_test_lints_first_and_lint_runs_all_four_checks(clone: Clone) -> None:
    clone.make(*DEV_READY)
    commands = clone.make("--dry-run", "test").stdout
    checks = ["ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"]
    assert [check for check in checks if check in commands] == checks
    assert sorted(checks, key=commands.index) == checks


def test_what_must_be_covered_is_named_by_folder(clone: Clone) -> None:
    # A package given by name is left out of the reckoning, silently, when no test imports it.
    covered, _ = (run.split() for run in runs_of_tests(clone))
    folders = [word.removeprefix("--cov=") for word in covered if word.startswith("--cov=")]
    assert folders == ["protocol", "server/freecell", "server/race"]
    assert all((ROOT / folder).is_dir() for folder in folders)
    assert "--cov-fail-under=100" in covered


def test_no_test_is_left_out_and_none_runs_twice(clone: Clone) -> None:
    first, second = (run.split() for run in runs_of_tests(clone))
    own = [word for word in first if word.startswith("tests/")]
    left_out = [word.removeprefix("--ignore=") for word in second if word.startswith("--ignore=")]
    assert own == left_out == ["tests/protocol", "tests/server/freecell", "tests/server/race"]
    assert not [word for word in second if word.startswith("tests")]  # all that is not left out


def runs_of_tests(clone: Clone) -> list[str]:
    """What `make test` runs when all is set up and the checks are done."""
    clone.make(*DEV_READY)
    return [line for line in clone.make("--dry-run", "test").stdout.splitlines() if " -m pytest " in line]
