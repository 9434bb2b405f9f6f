"""What outlives the process, and who may open the file."""

from pathlib import Path

import pytest

from server.clock import SystemClock
from server.store.base import StoreInUse
from server.store.sqlite import SqliteStore, open_sqlite
from server.store.sqlite_logs import SqliteLogs
from tests.clock import FakeClock
from tests.server.store.child import WRITERS
from tests.server.store.helpers import append, child


@pytest.mark.parametrize("acknowledged", [1, 40, 300])
async def test_everything_acknowledged_survives_kill_9(path: Path, acknowledged: int) -> None:
    async with child("write", path) as writer:
        lines: list[str] = []
        while sum(line.startswith("done") for line in lines) < acknowledged:
            lines.append(await writer.line())
        with pytest.raises(StoreInUse):
            await open_sqlite(path, SystemClock())
        lines += await writer.kill()

    store = await open_sqlite(path, SystemClock())
    for number in range(WRITERS):
        log_id = f"race:{number}"
        sent = [line.split()[2] for line in lines if line.startswith(f"sent {log_id} ")]
        done = [line.split()[2] for line in lines if line.startswith(f"done {log_id} ")]
        log = [event for after in range(0, 2 * len(sent), 500) for event in await store.read(log_id, after)]
        # Both events of each append or neither; all that were acknowledged, and at most the one under way
        # besides.
        assert [event.seq for event in log] == [*range(1, len(log) + 1)]
        assert [event.tag.hex() for event in log] == [tag for tag in sent[: len(log) // 2] for _ in range(2)]
        assert sent[: len(done)] == done
        assert len(done) <= len(log) // 2 <= len(sent)
    await store.close()


async def test_a_commit_waits_for_the_disk(store: SqliteStore) -> None:
    # What a loss of power would show cannot be shown here; these settings are what stands against it.
    def settings(logs: SqliteLogs) -> dict[str, object]:
        names = ("journal_mode", "synchronous", "fullfsync", "checkpoint_fullfsync", "locking_mode")
        return {name: logs.connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    assert await store._ask(settings) == {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "locking_mode": "exclusive",
    }


async def test_a_store_whose_process_was_killed_opens_at_once_again_and_again(path: Path) -> None:
    for _ in range(3):
        async with child("write", path) as writer:
            # It starts anew in logs that are there already, and ends by its own assertion; or is killed
            # before.
            assert (await writer.line()).startswith("sent")
            await writer.kill()
        store = await open_sqlite(path, SystemClock())
        await store.check()
        await store.close()


async def test_a_second_process_is_refused_in_one_line_while_the_first_lives(
    path: Path, store: SqliteStore
) -> None:
    await append(store, "race:A")
    async with child("open", path) as second:
        line = await second.line()
        assert line == f"refused: the store {path} is in use by another process; only one may have it open"
        assert await second.end() == 0
    await store.close()
    async with child("open", path) as third:
        assert await third.line() == "opened"


async def test_a_second_store_in_one_process_is_refused_and_costs_the_first_nothing(
    path: Path, store: SqliteStore, clock: FakeClock
) -> None:
    with pytest.raises(StoreInUse):
        await open_sqlite(path, clock)
    with pytest.raises(StoreInUse):
        await open_sqlite(path.parent / ".." / path.parent.name / path.name, clock)
    await append(store, "race:A")
    # The trap of POSIX locks: closing the second one might have dropped those of the first.
    async with child("open", path) as second:
        assert (await second.line()).startswith("refused")


async def test_a_full_disk_is_unavailable_and_nothing_else(path: Path, clock: FakeClock) -> None:
    async with child("full", path) as process:
        full = await process.line()
        assert full.startswith("full after ")
        assert await process.line() == "went on"
        assert await process.end() == 0
    held = int(full.rsplit(" ", 1)[1])
    assert held > 3
    store = await open_sqlite(path, clock)
    log = await store.read("race:full")
    assert [event.data for event in log] == [b"x" * 5000] * held + [b"room again"]
    assert await store.list_logs("") == ["race:full"]
    await store.close()
