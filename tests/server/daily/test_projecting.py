"""Results are written once, whatever dies in between, on every store."""

import asyncio
import gc
import multiprocessing
import signal
from collections.abc import Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

import pytest

from server import race_log
from server.clock import SystemClock
from server.daily import projecting
from server.daily.boards import Boards
from server.daily.projecting import FRESH_MS, Projector
from server.daily.referee import Referee
from server.daily.rows import By, day_table, days_table, month_table, puts
from server.race.events import Kicked
from server.race.events import Stamped as StampedEvent
from server.store.base import KEEP, PAGE, START, Store, Stored, Unavailable, new_tag
from tests.clock import FakeClock
from tests.contract.conftest import OpenStore, open_store, store
from tests.contract.helpers import put
from tests.redis_server import RedisServer
from tests.server.daily import steps
from tests.server.daily.attempts import ANN, BEN, CEC, DAILY, Attempt
from tests.server.gateway.house import eventually
from tests.server.gateway.scripted import ScriptedStore

__all__ = ["open_store", "store"]

CALLS = 14
"""The append, the look for marks, the look for the result, a read of the log, nine rows, the mark's end."""


async def all_rows(store: Store) -> dict[str, list[object]]:
    """All that is in all tables."""
    return {table: [*await store.results.range(table)] for table in await store.results.tables()}


def expected(attempt: Attempt) -> dict[str, list[object]]:
    """The tables that an attempt comes to, alone in a store."""
    return rows_of(attempt.code, attempt.log)


def rows_of(code: str, log: Sequence[StampedEvent]) -> dict[str, list[object]]:
    """The tables that a log comes to."""
    referee = Referee(code)
    for stamped in log:
        referee.take(stamped)
    result = referee.result()
    assert result is not None
    return {table: [row] for table, row in puts(result)}


async def test_a_finished_attempt_is_on_all_boards_and_its_mark_is_gone(store: Store) -> None:
    attempt = Attempt().win()
    await attempt.store_in(store)
    await Projector(store, SystemClock()).sweep()
    assert await all_rows(store) == expected(attempt)
    assert await store.unprojected(9) == []


async def test_ten_times_on_two_nodes_makes_one_row(open_store: OpenStore) -> None:
    one, other = await open_store(), await open_store()
    attempt = Attempt().win()
    await attempt.store_in(one)
    projectors = [Projector(client, SystemClock()) for client in (one, other)]
    await asyncio.gather(*(projector.project(attempt.code) for projector in projectors for _ in range(10)))
    assert await all_rows(one) == expected(attempt)
    assert await other.results.size(day_table(DAILY, By.TIME)) == 1


async def test_one_that_is_not_over_waits_with_its_mark(store: Store) -> None:
    """As after an import: the mark says only that it is to be looked at."""
    running, over = Attempt(ANN).play("3a"), Attempt(BEN).win()
    await running.store_in(store)
    await over.store_in(store)
    projector = Projector(store, SystemClock())
    await projector.sweep()
    assert await store.unprojected(9) == [running.code]
    assert await store.results.size(day_table(DAILY, By.TIME)) == 1


async def test_what_cannot_be_played_again_is_left_and_holds_up_nobody(store: Store) -> None:
    forged = Attempt(ANN).win()
    wrong = [*forged.log[:-3], forged.log[-2], forged.log[-1]]
    forged.log = [one._replace(seq=seq) for seq, one in enumerate(wrong, 1)]
    await forged.store_in(store)
    await put(store, "daily:nonsense", START, b"x")
    await store.restore(
        "daily:2026-11-30:4:" + "d" * 16, [Stored(1, 1, new_tag(), b"{}")], KEEP, unprojected=True
    )
    await Attempt(BEN).win().store_in(store)
    projector = Projector(store, SystemClock())
    for _ in range(2):
        await projector.sweep()
    assert {row.key for row in await store.results.range(day_table(DAILY, By.TIME))} == {BEN}
    assert await Boards(store).own_result(DAILY, ANN) is None
    assert set(await store.unprojected(9)) == {forged.code, "daily:2026-11-30:4:" + "d" * 16}


async def test_a_lost_attempt_counts_as_a_day_and_stands_on_no_board(store: Store) -> None:
    await Attempt().play("3a").resign().store_in(store)
    await Projector(store, SystemClock()).sweep()
    assert await store.results.tables() == [days_table(ANN, 4)]


async def test_what_the_store_cannot_make_sense_of_holds_up_nobody(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    lost = Attempt(ANN).win()
    await lost.store_in(store)
    await Attempt(BEN).win().store_in(store)
    shaky = ScriptedStore(store, damaged={lost.code})
    projector = Projector(shaky, SystemClock())
    for _ in range(2):
        await projector.sweep()
    assert {row.key for row in await store.results.range(day_table(DAILY, By.TIME))} == {BEN}
    [told] = [record for record in caplog.records if lost.code in record.message]
    assert not told.exc_info


async def test_what_ended_here_is_written_at_once(store: Store) -> None:
    attempt = Attempt().win()
    await attempt.store_in(store)
    projector = Projector(store, SystemClock())
    for _ in range(3):
        projector.soon(attempt.code)
    await projector.settled()
    assert await Boards(store).own_result(DAILY, ANN) is not None
    await projector.close()


async def test_a_store_that_is_away_gets_it_in_a_later_round(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt, clock = Attempt().win(), FakeClock()
    await attempt.store_in(store)
    shaky = ScriptedStore(store, down=True)
    projector = Projector(shaky, clock)
    with pytest.raises(Unavailable):
        await projector.sweep()
    projector.soon(attempt.code)
    await projector.settled()
    assert await all_rows(store) == {}
    project, written = projector.project, asyncio.Event()

    async def project_and_tell(log_id: str) -> None:
        await project(log_id)
        written.set()

    monkeypatch.setattr(projector, "project", project_and_tell)
    running = asyncio.create_task(projector.run())
    await clock.advance(0)
    shaky.down = False
    await clock.advance(60_000)
    async with asyncio.timeout(20):
        await written.wait()
    running.cancel()
    await asyncio.wait([running])
    assert await all_rows(store) == expected(attempt)


async def test_a_month_has_all_its_days(store: Store) -> None:
    later = DAILY._replace(day="2026-11-01")
    for attempt in (Attempt(ANN).win(), Attempt(ANN, later).win(after_ms=500_000), Attempt(BEN).resign()):
        await attempt.store_in(store)
    await Projector(store, SystemClock()).sweep()
    keys = [row.key for row in await store.results.range(month_table("2026-11", 4, By.TIME))]
    assert keys == [f"2026-11-30:{ANN}", f"2026-11-01:{ANN}"]


async def test_what_a_newer_program_wrote_stays_and_is_told_from_the_log(store: Store) -> None:
    attempt = Attempt().win()
    await attempt.store_in(store)
    table = days_table(ANN, 4)
    await store.results.put_if_absent(table, DAILY.day, 20_787, b"[2,{}]")
    projector = Projector(store, SystemClock())
    told = await projector.result_of(DAILY, ANN)
    assert told is not None
    assert puts(told)[-1] == (table, *expected(attempt)[table])
    assert await store.results.tables() == [table], "what was written was written by that program"
    assert await store.unprojected(9) == []


async def test_of_what_cannot_be_played_again_nothing_is_told(store: Store) -> None:
    forged = Attempt(ANN).win()
    wrong = [*forged.log[:-3], forged.log[-2], forged.log[-1]]
    forged.log = [one._replace(seq=seq) for seq, one in enumerate(wrong, 1)]
    await forged.store_in(store)
    projector = Projector(store, SystemClock())
    assert await projector.result_of(DAILY, ANN) is None
    assert await projector.result_of(DAILY, BEN) is None
    await store.results.put_if_absent(days_table(ANN, 4), DAILY.day, 20_787, b"[2,{}]")
    assert await Projector(store, SystemClock()).result_of(DAILY, ANN) is None


async def test_what_ended_elsewhere_is_written_for_whoever_asks(store: Store) -> None:
    clock = FakeClock()
    projector = Projector(store, clock)
    await Attempt(ANN).win().store_in(store)
    await asyncio.gather(*(projector.caught_up() for _ in range(5)))
    assert await Boards(store).own_result(DAILY, ANN) is not None
    await Attempt(BEN).win().store_in(store)
    await projector.caught_up()
    assert await Boards(store).own_result(DAILY, BEN) is None, "not looked for twice in a second"
    await clock.advance(FRESH_MS)
    await projector.caught_up()
    assert await Boards(store).own_result(DAILY, BEN) is not None
    await projector.close()


async def test_one_who_asks_waits_neither_for_long_nor_for_what_was_given_up(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(projecting, "PATIENCE_S", 0.01)
    odd = Attempt(ANN)
    odd.log.append(StampedEvent(len(odd.log) + 1, odd.now_ms, Kicked(ANN, 9, CEC)))
    await odd.store_in(store)
    held, go, clock = ScriptedStore(store), asyncio.Event(), FakeClock()

    async def wait() -> None:
        await go.wait()

    held.before_read = wait
    projector = Projector(held, clock)
    await projector.caught_up()
    go.set()
    await eventually(lambda: odd.code in caplog.text, "the log that cannot be read is told of")
    reads = held.reads
    await clock.advance(FRESH_MS)
    await projector.caught_up()
    assert held.reads == reads
    held.down = True
    await clock.advance(FRESH_MS)
    await projector.caught_up()
    await projector.close()


async def test_those_who_ask_while_one_look_takes_long_wait_for_it_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projecting, "PATIENCE_S", 0.01)
    await Attempt(ANN).win().store_in(store)
    held = ScriptedStore(store)

    async def never() -> None:
        await asyncio.Event().wait()

    held.before_read = never
    projector = Projector(held, FakeClock())
    await projector.caught_up()
    monkeypatch.setattr(projecting, "PATIENCE_S", 3600.0)
    async with asyncio.timeout(20):
        await projector.caught_up()
    await projector.close()


async def test_one_who_has_only_begun_to_look_can_be_closed(store: Store) -> None:
    projector = Projector(store, FakeClock())
    asking = asyncio.create_task(projector.caught_up())
    while projector._catching_up is None:  # noqa: ASYNC110 - nobody tells, and no later step is early enough
        await asyncio.sleep(0)
    await projector.close()
    await asking
    gc.collect()


# Killed at every step.


PATIENCE_S: Final = 60.0


@cache
def processes() -> ForkServerContext:
    """Processes of their own, but that do not read all modules anew each time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([steps.__name__])
    return context


def run_to_death(url: str, last: int, how: str) -> bool:
    """Let another process win an attempt and write it, and kill itself at a step; whether it came to that."""
    process = processes().Process(target=steps.win_and_die, args=(url, last, how))
    process.start()
    process.join(PATIENCE_S)
    if process.exitcode is None:
        process.kill()
        raise AssertionError("it neither dies nor comes to its end")
    assert process.exitcode in {0, -signal.SIGKILL}
    return process.exitcode != 0


@pytest.fixture(params=["sqlite", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.mark.timeout(300)
@pytest.mark.parametrize("how", ["before", "during"])
async def test_no_row_is_lost_or_doubled_by_kill_9_at_any_step(
    kind: str, how: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    code = Attempt().code
    last, died = 0, True
    while died:
        last += 1
        if kind == "sqlite":
            url = f"sqlite:{tmp_path / f'{last}.db'}"
        else:
            server: RedisServer = request.getfixturevalue("redis_server")
            server.tell("FLUSHALL")
            url = server.url
        died = run_to_death(url, last, how)
        opened = await steps.opened(url)
        try:
            log = race_log.read_all(await opened.read(code))
            assert log or last == 1, "an attempt that was acknowledged is there"
            await Projector(opened, SystemClock()).sweep()
            assert await all_rows(opened) == (rows_of(code, log) if log else {})
            assert await opened.unprojected(9) == []
        finally:
            await opened.close()
    assert last == CALLS + 1


async def test_a_round_that_goes_wrong_is_not_the_last(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempt, clock = Attempt().win(), FakeClock()
    await attempt.store_in(store)
    projector = Projector(store, clock)
    rounds: list[Exception | None] = [RuntimeError("what nobody thought of"), None]
    swept = asyncio.Event()
    sweep = projector.sweep

    async def shaky(*, again: bool) -> None:
        assert again
        trouble = rounds.pop(0)
        if trouble:
            raise trouble
        await sweep()
        swept.set()

    monkeypatch.setattr(projector, "sweep", shaky)
    running = asyncio.create_task(projector.run())
    await clock.advance(60_000)
    async with asyncio.timeout(20):
        await swept.wait()
    running.cancel()
    await asyncio.wait([running])
    assert "a round of writing results was cut short" in caplog.text
    assert await all_rows(store) == expected(attempt)


async def test_what_nobody_thought_of_is_told_once_and_holds_up_nobody(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    odd = Attempt(ANN)
    odd.log.append(StampedEvent(len(odd.log) + 1, odd.now_ms, Kicked(ANN, 9, CEC)))
    await odd.store_in(store)
    await Attempt(BEN).win().store_in(store)
    projector = Projector(store, SystemClock())
    projector.soon(odd.code)
    await projector.settled()
    for _ in range(2):
        await projector.sweep()
    assert {row.key for row in await store.results.range(day_table(DAILY, By.TIME))} == {BEN}
    assert await store.unprojected(9) == [odd.code]
    (told,) = [record for record in caplog.records if odd.code in record.message]
    assert told.exc_info is not None


async def test_one_who_stops_waiting_stops_neither_the_writing_nor_the_others(store: Store) -> None:
    attempt = Attempt().win()
    await attempt.store_in(store)
    held, go = ScriptedStore(store), asyncio.Event()

    async def wait() -> None:
        await go.wait()

    held.before_read = wait
    projector = Projector(held, SystemClock())
    projector.soon(attempt.code)
    one, other = (asyncio.create_task(projector.settled()) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    await asyncio.wait([one])
    go.set()
    await other
    assert await Boards(store).own_result(DAILY, ANN) is not None
    await projector.close()


async def test_what_is_under_way_at_the_end_is_left_to_others(store: Store) -> None:
    attempt = Attempt().win()
    await attempt.store_in(store)
    held = ScriptedStore(store)

    async def never() -> None:
        await asyncio.Event().wait()

    held.before_read = never
    projector = Projector(held, SystemClock())
    projector.soon(attempt.code)
    await asyncio.sleep(0)
    await projector.close()
    await projector.settled()
    assert await store.unprojected(9) == [attempt.code]
    await Projector(store, SystemClock()).sweep()
    assert await all_rows(store) == expected(attempt)


async def test_an_attempt_of_a_whole_page_of_events_is_read_to_its_end(store: Store) -> None:
    attempt = Attempt().play("3a")
    while len(attempt.log) < PAGE - 2:
        attempt.play("ab" if attempt.race.members[ANN].n % 2 else "ba")
    attempt.resign()
    assert len(attempt.log) == PAGE
    await attempt.store_in(store)
    await Projector(store, SystemClock()).sweep()
    assert await Boards(store).own_result(DAILY, ANN) is not None
