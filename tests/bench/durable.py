"""The embedded store: durable appends, against SQLite itself with one row a commit on the same disk."""

import asyncio
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from server.clock import SystemClock
from server.store.base import START, Appended, Store, Tip, new_tag
from server.store.sqlite import open_sqlite
from tests.bench.measure import Figure, against_floor

WRITERS = 200
SECONDS = 1.0
ROW = b'["moved",{"player":"aaaaaaaaaaaaaaaa","c":17,"move":[0,8,1],"sent":false}]'


def figures() -> list[Figure]:
    """Appends a second, each acknowledged after its commit, from many races at once."""
    with tempfile.TemporaryDirectory() as folder:
        appends = asyncio.run(_appends_per_s(Path(folder)))
        commits = _commits_per_s(Path(folder))
    return against_floor("durable_appends", appends, "1/s", "sqlite_commits_of_one_row", commits)


async def _appends_per_s(folder: Path) -> float:
    store = await open_sqlite(str(folder / "races.sqlite"), SystemClock())
    appends = (await flood(store)).per_s
    await store.close()
    return appends


class Flood(NamedTuple):
    """What a store did in a second of many appends: how many, and what each cost this process."""

    per_s: float
    cpu_us: float


async def flood(store: Store) -> Flood:
    """Append one row after another to each of many logs."""
    done = 0
    begin, cpu_begin = time.perf_counter(), time.process_time()

    async def write(log_id: str) -> None:
        nonlocal done
        tip = START
        while time.perf_counter() - begin < SECONDS:
            tag = new_tag()
            outcome = await store.append(log_id, tip, [ROW], tag=tag)
            assert isinstance(outcome, Appended), outcome
            tip = Tip(outcome.first_seq, tag)
            done += 1

    await asyncio.gather(*(write(f"race:{writer}") for writer in range(WRITERS)))
    return Flood(done / (time.perf_counter() - begin), (time.process_time() - cpu_begin) / done * 1e6)


def _commits_per_s(folder: Path) -> float:
    with closing(sqlite3.connect(folder / "floor.sqlite", isolation_level=None)) as floor:
        floor.execute("PRAGMA journal_mode=WAL")
        floor.execute("PRAGMA synchronous=FULL")
        floor.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, data BLOB)")
        done = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < SECONDS:
            floor.execute("INSERT INTO rows (data) VALUES (?)", (ROW,))
            done += 1
        return done / (time.perf_counter() - begin)
