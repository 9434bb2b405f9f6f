from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.daily.boards import Boards, Page, Place
from server.daily.calendar import shifted
from server.daily.naming import Daily
from server.daily.referee import Result
from server.daily.rows import By, day_table, days_table, puts
from server.race.state import PlayerId
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.daily.attempts import ANN, DAILY


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    opened = await open_sqlite(tmp_path / "store.db", FakeClock())
    yield opened
    await opened.close()


def result(player: str, ms: int, day: str = DAILY.day, *, won: bool = True) -> Result:
    return Result(Daily(day, 4), PlayerId(player * 16), player, won, ms, 100, 0, False, ())


async def put(store: SqliteStore, *results: Result) -> None:
    for one in results:
        for table, row in puts(one):
            await store.results.put_if_absent(table, *row)


async def ranks(boards: Boards, start: int = 0, limit: int = 50) -> list[tuple[int, int]]:
    found = await boards.page(day_table(DAILY, By.TIME), start, limit)
    return [(line.rank, line.score) for line in found.lines]


async def test_equal_results_share_a_rank(store: SqliteStore) -> None:
    await put(store, result("a", 10), result("b", 9), result("c", 9), result("d", 8))
    assert await ranks(Boards(store)) == [(1, 8), (2, 9), (2, 9), (4, 10)]


async def test_ranks_hold_across_pages(store: SqliteStore) -> None:
    times = [5, 5, 5, 6, 7, 7, 9]
    await put(store, *(result(letter, ms) for letter, ms in zip("abcdefg", times, strict=True)))
    whole = await ranks(Boards(store))
    assert whole == [(1, 5), (1, 5), (1, 5), (4, 6), (5, 7), (5, 7), (7, 9)]
    for limit in (1, 2, 3):
        paged = [line for start in range(0, 7, limit) for line in await ranks(Boards(store), start, limit)]
        assert paged == whole
    assert await Boards(store).page(day_table(DAILY, By.TIME), 7) == Page(7, (), 0, more=False)


async def test_a_second_result_of_a_player_changes_nothing(store: SqliteStore) -> None:
    await put(store, result("a", 10))
    await put(store, result("a", 10), result("a", 5), result("a", 20))
    assert await ranks(Boards(store)) == [(1, 10)]
    own = await Boards(store).own_result(DAILY, ANN)
    assert own is not None
    assert own.ms == 10


async def test_a_place_tells_how_many_are_behind(store: SqliteStore) -> None:
    times = [10, 20, 20, 30, 40]
    await put(store, *(result(letter, ms) for letter, ms in zip("abcde", times, strict=True)))
    table = day_table(DAILY, By.TIME)
    assert await Boards(store).place_of(table, 10) == Place(1, 5, 4)
    assert await Boards(store).place_of(table, 20) == Place(2, 5, 2)
    assert await Boards(store).place_of(table, 40) == Place(5, 5, 0)
    assert [(await Boards(store).place_of(table, ms)).percentile for ms in (10, 20, 30, 40)] == [
        100,
        50,
        25,
        0,
    ]
    assert Place(1, 1, 0).percentile is None


async def test_ones_own_line_and_days(store: SqliteStore) -> None:
    await put(store, result("b", 5), result("a", 10), result("a", 99, shifted(DAILY.day, -40), won=False))
    line = await Boards(store).own_line(DAILY, By.TIME, ANN)
    assert line is not None
    assert (line.rank, line.score, line.result.name) == (2, 10, "a")
    assert await Boards(store).own_line(DAILY, By.TIME, PlayerId("z" * 16)) is None
    assert [one.daily.day for one in await Boards(store).results_of(ANN, 4)] == [
        shifted(DAILY.day, -40),
        DAILY.day,
    ]
    assert await Boards(store).results_of(ANN, 2) == []


NEWER = b'[2,{"player":"of a program to come"}]'


async def test_what_a_newer_program_wrote_is_passed_over_and_said_once(
    store: SqliteStore, caplog: pytest.LogCaptureFixture
) -> None:
    await put(store, result("b", 5), result("c", 8), result("d", 9))
    boards, table = Boards(store), day_table(DAILY, By.TIME)
    await store.results.put_if_absent(table, ANN, 8, NEWER)
    await store.results.put_if_absent(table, "e" * 16, 6, b"broken")
    assert await ranks(boards) == [(1, 5), (3, 8), (5, 9)], "they count, as they are there"
    assert await boards.place_of(table, 8) == Place(3, 5, 1)
    assert await boards.own_line(DAILY, By.TIME, ANN) is None
    await ranks(boards)
    assert [record.message.partition(":")[2][:9] for record in caplog.records] == [" eeeeeeee", " results "]


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
async def test_pages_repeat_and_hide_nothing_where_some_cannot_be_read(
    store: SqliteStore, limit: int
) -> None:
    await put(store, *(result(letter, ms) for letter, ms in zip("abcd", (1, 4, 5, 9), strict=True)))
    table = day_table(DAILY, By.TIME)
    for key, ms in zip("mnopq", (2, 3, 6, 7, 10), strict=True):
        await store.results.put_if_absent(table, key * 16, ms, NEWER)
    told: list[Page] = []
    start = 0
    while not told or told[-1].more:
        told.append(await Boards(store).page(table, start, limit))
        start += len(told[-1].lines) + told[-1].unreadable
    assert [(line.rank, line.score) for page in told for line in page.lines] == [
        (1, 1),
        (4, 4),
        (5, 5),
        (8, 9),
    ]
    assert start == sum(page.unreadable for page in told) + 4 == 9


async def test_a_day_that_a_newer_program_wrote_is_passed_over(store: SqliteStore) -> None:
    await put(store, result("a", 10, shifted(DAILY.day, -1)), result("a", 10, shifted(DAILY.day, 1)))
    await store.results.put_if_absent(days_table(ANN, 4), DAILY.day, 20_786, NEWER)
    assert await Boards(store).own_result(DAILY, ANN) is None
    assert len(await Boards(store).results_of(ANN, 4)) == 2
