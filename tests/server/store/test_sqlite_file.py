"""Opening: what is made, what is taken, what is refused and how it is said."""

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest

from server.store.base import CannotOpen, Due, Stored, StoreInUse
from server.store.sqlite import open_sqlite
from server.store.sqlite_file import _STEPS, APPLICATION_ID, SCHEMA_VERSION
from tests.clock import FakeClock


def open_and_close(path: Path | str) -> None:
    async def run() -> None:
        await (await open_sqlite(path, FakeClock())).close()

    asyncio.run(run())


def refusal(path: Path) -> str:
    with pytest.raises(CannotOpen) as raised:
        asyncio.run(open_sqlite(path, FakeClock()))
    assert not isinstance(raised.value, StoreInUse)
    message = str(raised.value)
    assert message.startswith(f"cannot open the store {path}: ")
    assert "\n" not in message
    return message.removeprefix(f"cannot open the store {path}: ")


def test_a_file_is_made_where_there_is_none(path: Path) -> None:
    open_and_close(path)
    assert path.read_bytes().startswith(b"SQLite format 3\x00")
    assert [*path.parent.iterdir()] == [path]


def others_may(path: Path) -> int:
    return path.stat().st_mode & 0o077


def let_others_read(path: Path) -> None:
    path.touch()
    path.chmod(0o644)


async def test_nobody_else_may_read_it(path: Path) -> None:
    store = await open_sqlite(path, FakeClock())
    files = sorted(file.name for file in path.parent.iterdir())
    assert files == [path.name, f"{path.name}-wal"]
    assert [others_may(path.with_name(name)) for name in files] == [0, 0]
    await store.close()


async def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    await (await open_sqlite(path, FakeClock())).close()
    wal = path.with_name(f"{path.name}-wal")
    for file in (path, wal):
        let_others_read(file)
    store = await open_sqlite(path, FakeClock())
    assert (others_may(path), others_may(wal)) == (0, 0)
    await store.close()


def test_what_is_no_store_of_ours_stays_as_it_is(path: Path) -> None:
    path.write_text("Dear Ben, " * 100)
    let_others_read(path)
    assert refusal(path) == "it is not a database"
    assert others_may(path) == 0o044


def test_an_empty_file_is_taken(path: Path) -> None:
    path.touch()
    open_and_close(path)
    open_and_close(path)


def test_a_path_may_be_relative_and_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("store.db", ":memory:"):
        open_and_close(name)
        assert (tmp_path / name).stat().st_size > 0


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "store.db"
    assert refusal(path) == f"there is no folder {tmp_path / 'nowhere'}"


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "it is a folder"


def test_a_file_in_the_place_of_the_folder_is_named(path: Path) -> None:
    path.touch()
    assert refusal(path / "store.db") == f"there is no folder {path}"


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.write_text("to do: buy milk\n" * 100)
    before = path.read_bytes()
    assert refusal(path) == "it is not a database"
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


def test_a_refusal_leaves_the_file_free(path: Path) -> None:
    path.write_text("not a database, and long enough to be taken for one " * 20)
    refusal(path)
    path.unlink()
    open_and_close(path)


def test_the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = path.read_bytes()
    assert refusal(path) == "it is a database of another program"
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


def test_a_newer_format_is_refused_in_words(path: Path) -> None:
    open_and_close(path)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    assert refusal(path) == "it was written by a newer cellrace (format 3; this one knows 2)"


@pytest.mark.parametrize(
    ("forbidden", "said"),
    [
        ("folder", "no permission to write in the folder {path.parent}"),
        ("file", "no permission to read and write it"),
    ],
)
def test_a_lack_of_permission_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch, forbidden: str, said: str
) -> None:
    # By the answer of the system, not by real modes: whoever runs the tests as root may do everything.
    path.touch()
    place = path if forbidden == "file" else path.parent
    monkeypatch.setattr(os, "access", lambda asked, mode: asked != place)
    assert refusal(path) == said.format(path=path)


def test_what_only_sqlite_knows_is_passed_on(path: Path) -> None:
    path.symlink_to(path.parent / "gone" / "store.db")
    assert refusal(path) == "unable to open database file"


def test_the_schema_is_that_of_its_version(path: Path) -> None:
    # Whoever changes this gives SCHEMA_VERSION the next number, and old files a way to become new ones.
    open_and_close(path)
    connection = sqlite3.connect(path)
    schema = {
        name: " ".join(sql.split()) for name, sql in connection.execute("SELECT name, sql FROM sqlite_master")
    }
    numbers = [
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
    ]
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    connection.close()
    assert schema == {
        "events": "CREATE TABLE events ( log_id TEXT NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, "
        "tag BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (log_id, seq) ) WITHOUT ROWID",
        "deadlines": "CREATE TABLE deadlines (log_id TEXT NOT NULL PRIMARY KEY, at_ms INTEGER NOT NULL) "
        "WITHOUT ROWID",
        "probe": "CREATE TABLE probe (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
        "deadlines_by_time": "CREATE INDEX deadlines_by_time ON deadlines (at_ms, log_id)",
        "results": "CREATE TABLE results ( in_table TEXT NOT NULL, key TEXT NOT NULL, "
        "score INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (in_table, key) ) WITHOUT ROWID",
        "results_by_score": "CREATE INDEX results_by_score ON results (in_table, score, key)",
        "unprojected": "CREATE TABLE unprojected (log_id TEXT NOT NULL PRIMARY KEY, at_ms INTEGER NOT NULL) "
        "WITHOUT ROWID",
    }
    assert numbers == [APPLICATION_ID, 2]
    assert mode == "wal"


async def test_a_file_of_the_first_version_becomes_one_of_this(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in _STEPS[0]:
        connection.execute(statement)
    connection.execute("PRAGMA user_version = 1")
    connection.execute("INSERT INTO events VALUES ('race:A', 1, 5, x'0001020304050607', x'61')")
    connection.execute("INSERT INTO deadlines VALUES ('race:A', 7)")
    connection.close()
    for _ in range(2):
        store = await open_sqlite(path, FakeClock())
        assert await store.read("race:A") == [Stored(1, 5, bytes(range(8)), b"a")]
        assert await store.due(9, 9) == [Due("race:A", 7)]
        assert await store.results.put_if_absent("table", "key", 3, b"row")
        assert await store.unprojected(9) == []
        await store.close()
