"""What holds for every test: when a skip is a failure, and how long hypothesis may think."""

import os
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest

NO_SKIP = os.environ.get("CELLRACE_NO_SKIP") == "1"

# The machine that runs the tests is shared, so a slow example says nothing. All else is left to hypothesis:
# where the variable CI is set it chooses the same examples every time.
hypothesis.settings.register_profile("cellrace", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("cellrace")


# Tests of whole programs, each of several processes. Two of them at once would only wait for each other.
_WHOLE_PROGRAMS = ("chaos", "end_to_end")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have the tests of whole programs run one after another, beside the others."""
    tests = Path(__file__).parent
    for item in items:
        if item.path.relative_to(tests).parts[0] in _WHOLE_PROGRAMS:
            item.add_marker(pytest.mark.xdist_group("whole programs"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failed one where skipping is forbidden."""
    report = yield
    # An expected failure is reported as skipped too; it is no skip.
    if not hasattr(report, "wasxfail"):
        _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a skipped module into a failed one where skipping is forbidden."""
    report = yield
    _forbid_skip(report)
    return report


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if NO_SKIP and report.skipped:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
        report.outcome = "failed"
        report.longrepr = f"{reason} (and CELLRACE_NO_SKIP=1 forbids to skip)"
