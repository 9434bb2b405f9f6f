"""Which tests run one after another: as `tests/conftest.py` has it."""

from pathlib import Path

import pytest

from tests.conftest import IN_A_ROW, row_of

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("place", IN_A_ROW)
def test_they_are_where_they_are_looked_for(place: str) -> None:
    assert (ROOT / place).exists()


@pytest.mark.parametrize(
    ("test", "row"),
    [
        ("tests/contract/test_read.py::test_it[sqlite]", "redis"),
        ("tests/server/store/redis/test_store.py::TestIt::test_it", "redis"),
        ("tests/server/daily/test_projecting.py::test_it", "redis"),
        ("tests/chaos/test_nodes.py::test_it", "chaos"),
        ("tests/server/daily/test_rows.py::test_it[a/b]", None),
    ],
)
def test_a_test_is_in_the_row_of_its_folder(test: str, row: str | None) -> None:
    assert row_of(test) == row
