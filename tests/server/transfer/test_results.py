"""Results in an export, and out of it again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store.base import CLEAR, KEEP, START
from server.store.results import ROWS, Row
from server.store.sqlite import SqliteStore
from server.transfer.importing import BadInput
from server.transfer.lines import ResultLine, read, result_line, result_of, write
from tests.contract.helpers import put
from tests.server.transfer.logs import contents, exported, imported

RESULTS = st.builds(Row, st.just("ann"), st.integers(0, 2**53), st.binary() | st.text().map(str.encode))


@given(RESULTS)
def test_a_row_comes_back_as_it_was(row: Row) -> None:
    line = read(write(result_line("day:1", row)))
    assert isinstance(line, ResultLine)
    assert (line.table, result_of(line)) == ("day:1", row)


async def fill(store: SqliteStore) -> None:
    await put(store, "player:ann", START, b"x")
    for table, many in (("day:1", 2), ("day:2", ROWS + 1)):
        for number in range(many):
            await store.results.put_if_absent(table, f"k{number}", number, b"\xff" if number == 1 else b"row")


async def test_all_of_them_are_in_it(store: SqliteStore, other: SqliteStore) -> None:
    await fill(store)
    lines = await exported(store)
    assert json.loads(lines[-1]) == {"logs": 1, "events": 1, "results": ROWS + 3}
    await imported(other, lines)
    assert await contents(other) == await contents(store)
    assert await exported(other) == lines


async def test_logs_asked_for_by_name_come_without(store: SqliteStore) -> None:
    await fill(store)
    assert json.loads((await exported(store, ["player:ann"]))[-1]) == {"logs": 1, "events": 1}


async def test_importing_twice_does_no_harm(store: SqliteStore, other: SqliteStore) -> None:
    await fill(store)
    lines = await exported(store)
    await imported(other, lines)
    again = await imported(other, lines)
    assert (again.already_there, again.different) == (1 + ROWS + 3, [])


async def test_a_row_that_is_there_and_different_is_left_alone_and_named(
    store: SqliteStore, other: SqliteStore
) -> None:
    await store.results.put_if_absent("day:1", "ann", 5, b"here")
    await other.results.put_if_absent("day:1", "ann", 4, b"there")
    came_to = await imported(other, await exported(store))
    assert came_to.different == ["day:1 ann"]
    assert await other.results.get("day:1", "ann") == Row("ann", 4, b"there")


async def test_attempts_come_back_to_be_written_once_more(store: SqliteStore, other: SqliteStore) -> None:
    await put(store, "daily:2026-11-30:4:ann", START, b"x")
    await put(store, "race:AAAAAAAA", START, b"x", wake=CLEAR)
    await put(store, "player:ann", START, b"x", wake=KEEP)
    await imported(other, await exported(store))
    assert await other.unprojected(9) == ["daily:2026-11-30:4:ann"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"table": "two words", "key": "k", "score": 1, "data": ""}, "printable ASCII"),
        ({"table": "t", "key": "", "score": 1, "data": ""}, "1 to 200 characters"),
        ({"table": "t", "key": "k", "score": -1, "data": ""}, "a score is a number from 0"),
        ({"table": "t", "key": "k", "score": 1}, "data or data_base64"),
        ({"table": "t", "key": "k", "score": "1", "data": ""}, "Expected `int`"),
    ],
)
async def test_what_is_no_row_is_refused(store: SqliteStore, line: dict[str, str | int], words: str) -> None:
    head, end = await exported(store)
    with pytest.raises(BadInput, match=f"line 2: .*{words}"):
        await imported(store, [head, json.dumps(line).encode() + b"\n", end])
    assert await store.results.tables() == []


async def test_rows_that_are_missing_are_missed(store: SqliteStore, other: SqliteStore) -> None:
    await fill(store)
    lines = await exported(store)
    with pytest.raises(BadInput, match="503 results, before this, and there are 1 with 1, and 502"):
        await imported(other, [*lines[:-2], lines[-1]])
