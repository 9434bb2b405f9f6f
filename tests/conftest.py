"""What holds for every test: skips, examples, what runs beside what, leaks, and the Redis that they share."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import PurePosixPath
from typing import Final

import hypothesis
import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.redis_server import Cluster, RedisServer, cluster_running, redis_running

NO_SKIP = os.environ.get("CELLRACE_NO_SKIP") == "1"

# The machine that runs the tests is shared, so a slow example says nothing. All else is left to hypothesis:
# where the variable CI is set it chooses the same examples every time.
hypothesis.settings.register_profile("cellrace", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("cellrace")


# Tests that run one after another, beside the others: those of chaos are of many processes each, and Redis
# servers are shared only within one process.
IN_A_ROW: Final = {
    "tests/chaos": "chaos",
    "tests/contract": "redis",
    "tests/server/store/redis": "redis",
    "tests/server/daily/test_keys.py": "redis",
    "tests/server/daily/test_projecting.py": "redis",
}


def row_of(nodeid: str) -> str | None:
    """The row in which a test is, if it is in one."""
    place = PurePosixPath(nodeid.partition("::")[0])
    rows = (IN_A_ROW.get(str(above)) for above in (place, *place.parents))
    return next(filter(None, rows), None)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    """Who runs what; the marks that xdist has for this do nothing with pytest 9.2 (pytest-xdist #1386)."""

    def _split_scope(self, nodeid: str) -> str:
        return row_of(nodeid) or nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling:
    return Scheduling(config, log)


def pytest_collection_finish() -> None:
    """What is there by now stays; to look through it all the time took a tenth of the time of the tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def leaks() -> Iterator[None]:
    """What is left unclosed within a cycle is found before the last test is over, and so fails the run."""
    yield
    gc.collect()


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A server for many tests. Nobody may stop it."""
    with redis_running(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(scope="session")
def redis_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for many tests. Nobody may stop it."""
    with cluster_running(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


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
