import json

import pytest

from server.store.base import KEEP, START, Due, Stored
from server.store.sqlite import SqliteStore
from server.transfer.exporting import NoSuchLog, export_logs
from server.transfer.progress import Progress
from tests.clock import FakeClock
from tests.contract.helpers import fill, put, read_all
from tests.server.gateway.scripted import ScriptedStore
from tests.server.transfer.logs import contents, exported, fill_store, imported


async def test_everything_is_in_it(store: SqliteStore, other: SqliteStore, clock: FakeClock) -> None:
    await fill_store(store, clock)
    lines = await exported(store)
    assert json.loads(lines[0]) == {"export": "cellrace", "form": 1}
    assert json.loads(lines[-1]) == {"logs": 4, "events": 7}
    await imported(other, lines)
    assert await contents(other) == await contents(store)
    assert await exported(other) == lines


async def test_an_empty_store_is_two_lines(store: SqliteStore) -> None:
    assert len(await exported(store)) == 2


async def test_a_log_of_many_pages_is_whole(store: SqliteStore, other: SqliteStore) -> None:
    await fill(store, "race:AAAAAAAA", 1001)
    await imported(other, await exported(store))
    assert len(await read_all(other, "race:AAAAAAAA")) == 1001


async def test_more_logs_than_one_page_of_names_are_all_there(store: SqliteStore) -> None:
    for number in range(501):
        await store.restore(f"player:{number}", [Stored(1, 1, b"8 bytes.", b"x")], KEEP)
    assert json.loads((await exported(store))[-1]) == {"logs": 501, "events": 501}


async def test_logs_may_be_asked_for_by_name(store: SqliteStore, clock: FakeClock) -> None:
    await fill_store(store, clock)
    lines = await exported(store, ["race:BBBBBBBB"])
    assert {json.loads(line).get("log") for line in lines} == {None, "race:BBBBBBBB"}
    with pytest.raises(NoSuchLog, match="race:CCCCCCCC"):
        await exported(store, ["race:BBBBBBBB", "race:CCCCCCCC"])


@pytest.mark.parametrize("wake", [5_000, 500_000])
async def test_a_log_that_goes_on_meanwhile_has_the_deadline_that_it_ends_with(
    store: SqliteStore, other: SqliteStore, wake: int
) -> None:
    busy = ScriptedStore(store)
    tip = await put(store, "race:AAAAAAAA", START, b"one", wake=60_000)

    async def go_on() -> None:
        await put(store, "race:AAAAAAAA", tip, b"two", wake=wake)

    busy.before_read = go_on
    await imported(other, await exported(busy))
    assert await contents(other) == await contents(store)
    assert [row.data for row in await read_all(other, "race:AAAAAAAA")] == [b"one", b"two"]


async def test_a_log_that_goes_on_while_it_is_asked_for_its_deadline(
    store: SqliteStore, other: SqliteStore
) -> None:
    tip = await put(store, "race:AAAAAAAA", START, b"0", wake=60_000)

    class Busy(ScriptedStore):
        """Goes on a few times, whenever deadlines are asked for."""

        async def due(self, until_ms: int, limit: int) -> list[Due]:
            nonlocal tip
            if tip.seq < 4:
                tip = await put(store, "race:AAAAAAAA", tip, b"%d" % tip.seq, wake=1000 * tip.seq)
            return await store.due(until_ms, limit)

    await imported(other, await exported(Busy(store)))
    assert await contents(other) == await contents(store)
    assert (await read_all(other, "race:AAAAAAAA"))[-1].seq == 4


async def test_a_log_that_is_gone_when_its_turn_comes_is_left_out(store: SqliteStore) -> None:
    class Forgetful(ScriptedStore):
        async def list_logs(self, prefix: str, after: str = "", limit: int = 500) -> list[str]:
            return [] if after else ["race:AAAAAAAA"]

    assert len(await exported(Forgetful(store))) == 2


async def test_progress_is_told_every_two_seconds(store: SqliteStore) -> None:
    said: list[str] = []
    time_s = 0.0

    def now_s() -> float:
        nonlocal time_s
        time_s += 0.5
        return time_s

    for number in range(9):
        await store.restore(f"player:{number}", [Stored(1, 1, b"8 bytes.", b"x")], KEEP)
    progress = Progress("exported", said.append, now_s)
    await export_logs(store, lambda _: None, progress)
    assert said[0] == "exported 4 logs, 4 events so far"
    assert len(said) == 2
    assert str(progress) == "exported 9 logs, 9 events"


async def test_an_old_log_costs_no_second_look_at_deadlines(store: SqliteStore, clock: FakeClock) -> None:
    await fill_store(store, clock)
    asked = 0

    class Counting(ScriptedStore):
        async def due(self, until_ms: int, limit: int) -> list[Due]:
            nonlocal asked
            asked += 1
            return await store.due(until_ms, limit)

    await exported(Counting(store))
    assert asked == 1
