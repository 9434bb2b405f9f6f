import asyncio

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.store.base import Store, Unavailable
from server.store.results import Row
from tests.contract.conftest import OpenStore

MOST = 2**53


@pytest.fixture
def table(log_id: str) -> str:
    """The name of a table that no other test has."""
    return f"day:{log_id}"


async def fill(store: Store, table: str, *scores: int) -> None:
    for place, score in enumerate(scores):
        assert await store.results.put_if_absent(table, f"k{place}", score, b"%d" % score)


async def test_there_is_nothing_in_a_table_before_its_first_row(store: Store, table: str) -> None:
    assert await store.results.range(table) == []
    assert await store.results.get(table, "k") is None
    assert await store.results.size(table) == 0
    assert await store.results.rank(table, 0) == 1
    assert await store.results.tables() == []


async def test_a_row_comes_back_as_it_was_put(store: Store, table: str) -> None:
    row = Row("ann", 617, bytes(range(256)))
    assert await store.results.put_if_absent(table, *row)
    assert await store.results.get(table, "ann") == row
    assert await store.results.range(table) == [row]
    assert await store.results.size(table) == 1


@pytest.mark.parametrize("score", [0, 1, 2**31, 10**15 + 1, MOST])
async def test_a_score_is_kept_exactly(store: Store, table: str, score: int) -> None:
    assert await store.results.put_if_absent(table, "k", score, b"")
    assert await store.results.get(table, "k") == Row("k", score, b"")
    assert await store.results.range(table) == [Row("k", score, b"")]
    assert await store.results.rank(table, score) == 1


async def test_the_first_row_of_a_key_stays(store: Store, table: str) -> None:
    first = Row("ann", 10, b"first")
    assert await store.results.put_if_absent(table, *first)
    assert await store.results.put_if_absent(table, *first), "the same again is there"
    assert not await store.results.put_if_absent(table, "ann", 10, b"other")
    assert not await store.results.put_if_absent(table, "ann", 9, b"first")
    assert await store.results.range(table) == [first]


async def test_of_many_at_once_one_is_put(open_store: OpenStore, table: str) -> None:
    one, other = await open_store(), await open_store()
    puts = [
        client.results.put_if_absent(table, "ann", 5, b"%d" % i) for i in range(10) for client in (one, other)
    ]
    # Each row was tried by both clients, so the one that was put is there for two.
    assert sum(await asyncio.gather(*puts)) == 2
    assert await one.results.size(table) == await other.results.size(table) == 1


async def test_equal_scores_share_a_rank(store: Store, table: str) -> None:
    await fill(store, table, 10, 9, 9, 8)
    ranks = [await store.results.rank(table, row.score) for row in await store.results.range(table)]
    assert ranks == [1, 2, 2, 4]
    assert await store.results.rank(table, 11) == 5
    assert await store.results.rank(table, 0) == 1


async def test_rows_are_in_order_of_score_then_key(store: Store, table: str) -> None:
    for key, score in (("b", 2), ("a", 2), ("Z", 2), ("c", 1), ("10", 10), ("9", 10)):
        await store.results.put_if_absent(table, key, score, b"")
    assert [row.key for row in await store.results.range(table)] == ["c", "Z", "a", "b", "10", "9"]


async def test_a_table_is_read_in_pages(store: Store, table: str) -> None:
    await fill(store, table, *range(7))
    rows = await store.results.range(table)
    assert await store.results.range(table, 0, 3) == rows[:3]
    assert await store.results.range(table, 3, 3) == rows[3:6]
    assert await store.results.range(table, 6, 3) == rows[6:]
    assert await store.results.range(table, 7, 3) == []


async def test_tables_are_apart_from_one_another_and_from_logs(store: Store, table: str) -> None:
    await fill(store, table, 1)
    await fill(store, f"{table}:2", 2, 3)
    assert await store.results.size(table) == 1
    assert await store.results.size(f"{table}:2") == 2
    assert await store.list_logs("") == []
    assert await store.read(table) == []


async def test_the_names_of_tables_are_listed_in_order(store: Store) -> None:
    names = sorted(f"table:{number}" for number in range(40))
    for name in reversed(names):
        await fill(store, name, 1, 2)
    assert await store.results.tables() == names
    assert await store.results.tables("", 5) == names[:5]
    assert await store.results.tables(names[4], 5) == names[5:10]
    assert await store.results.tables(names[-1]) == []


async def test_rows_outlive_closing(open_store: OpenStore, table: str) -> None:
    store = await open_store()
    await fill(store, table, 3, 1, 2)
    rows = await store.results.range(table)
    await store.close()
    store = await open_store()
    assert await store.results.range(table) == rows
    assert await store.results.tables() == [table]


@pytest.mark.parametrize("name", ["", "two words", "é", "x" * 201])
async def test_bad_names_are_refused(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="name of a log"):
        await store.results.put_if_absent(name, "k", 1, b"")
    with pytest.raises(ValueError, match="name of a log"):
        await store.results.put_if_absent("table", name, 1, b"")
    with pytest.raises(ValueError, match="name of a log"):
        await store.results.get("table", name)
    for asked in (store.results.range(name), store.results.size(name), store.results.rank(name, 1)):
        with pytest.raises(ValueError, match="name of a log"):
            await asked


@pytest.mark.parametrize("score", [-1, MOST + 1])
async def test_bad_numbers_are_refused(store: Store, table: str, score: int) -> None:
    with pytest.raises(ValueError, match="a score is a number"):
        await store.results.put_if_absent(table, "k", score, b"")
    with pytest.raises(ValueError, match="a score is a number"):
        await store.results.rank(table, score)
    with pytest.raises(ValueError, match="a place in a table"):
        await store.results.range(table, -1)
    with pytest.raises(ValueError, match="a limit is a number"):
        await store.results.range(table, 0, 0)
    with pytest.raises(ValueError, match="a limit is a number"):
        await store.results.tables("", 0)


async def test_a_closed_store_has_no_tables(store: Store, table: str) -> None:
    await store.close()
    for asked in (
        store.results.put_if_absent(table, "k", 1, b""),
        store.results.range(table),
        store.results.rank(table, 1),
        store.results.get(table, "k"),
        store.results.size(table),
        store.results.tables(),
    ):
        with pytest.raises(Unavailable, match="closed"):
            await asked


@given(puts=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5), st.binary(max_size=3)), max_size=20))
@settings(
    # The store is shared by the examples on purpose; each has a table of its own.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=30,
)
async def test_a_table_is_a_dictionary_that_forgets_nothing(
    open_store: OpenStore, puts: list[tuple[int, int, bytes]]
) -> None:
    store = await open_store()
    table = f"model:{len(await store.results.tables())}"
    model: dict[str, Row] = {}
    for number, score, data in puts:
        row = Row(f"k{number}", score, data)
        held = model.setdefault(row.key, row)
        assert await store.results.put_if_absent(table, *row) == (held == row)
    await store.results.put_if_absent(table, "last", 9, b"")
    model["last"] = Row("last", 9, b"")
    in_order = sorted(model.values(), key=lambda row: (row.score, row.key))
    assert await store.results.range(table) == in_order
    for row in in_order:
        assert await store.results.rank(table, row.score) == 1 + sum(r.score < row.score for r in in_order)
