"""A skip has a reason that is shown, and is a failure where CELLRACE_NO_SKIP=1 forbids it."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = ROOT / "tests" / "conftest.py"

SKIPS = {
    "test_mark": "@pytest.mark.skip(reason='no mark')\ndef test_it() -> None: ...",
    "test_call": "def test_it() -> None:\n    pytest.skip('no call')",
    "test_fixture": (
        "@pytest.fixture\ndef redis() -> None:\n    pytest.skip('no fixture')\n"
        "def test_it(redis: None) -> None: ..."
    ),
    "test_module": "pytest.skip('no module', allow_module_level=True)",
    "test_import": "pytest.importorskip('cellrace_no_such_module', reason='no import')",
}
REASONS = ["no mark", "no call", "no fixture", "no module", "no import"]


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)  # it reads modules of these tests
    pytester.makeconftest(CONFTEST.read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    return pytester


def run(project: pytest.Pytester, sources: dict[str, str], *args: str) -> pytest.RunResult:
    project.makepyfile(**{name: f"import pytest\n{source}" for name, source in sources.items()})
    return project.runpytest_subprocess("-ra", "-p", "no:cacheprovider", *args)


def test_a_skip_is_a_skip_where_nobody_forbids_it(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CELLRACE_NO_SKIP", raising=False)
    result = run(project, SKIPS)
    assert result.parseoutcomes() == {"skipped": len(SKIPS)}
    assert result.ret in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    for reason in REASONS:
        result.stdout.fnmatch_lines(f"SKIPPED*{reason}")


@pytest.mark.parametrize("workers", [0, 1])
def test_every_way_to_skip_is_a_failure_where_skipping_is_forbidden(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setenv("CELLRACE_NO_SKIP", "1")
    result = run(project, SKIPS, "--continue-on-collection-errors", "-n", str(workers))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.parseoutcomes() == {"failed": 1, "errors": 4}  # all but the call are over before the test
    for reason in REASONS:
        result.stdout.fnmatch_lines(f"*{reason} (and CELLRACE_NO_SKIP=1 forbids to skip)")


def test_an_expected_failure_is_not_a_skip(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELLRACE_NO_SKIP", "1")
    result = run(project, {"test_one": "@pytest.mark.xfail\ndef test_it() -> None:\n    assert not pytest"})
    assert result.parseoutcomes() == {"xfailed": 1}
    assert result.ret == pytest.ExitCode.OK
