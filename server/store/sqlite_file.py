"""The SQLite file: how it is opened, what it holds, and why it may be refused.

One connection owns the file. Locking mode EXCLUSIVE keeps everyone else out for as long as it lives, other
processes and this one alike; the lock is the kernel's and goes with the process, so a `kill -9` leaves none
behind. Deals that nobody may know yet, and the key of those of days to come, are in it; so only its owner may
read it, or what SQLite keeps beside it.
"""

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.store.base import CannotOpen, StoreInUse

APPLICATION_ID: Final = int.from_bytes(b"cell")
"""Marks the file as ours, in the place SQLite has for it."""

SCHEMA_VERSION: Final = 2

# Waits out a process that was killed a moment ago, and no longer: a person is waiting for the answer.
_LOCK_WAIT_S: Final = 1.0

# An event is found by its log and number, so that is what the table is sorted by, and the end of a log is its
# last row. Logs have names of a dozen characters; numbering them instead was measured and gains 5 %.
_LOGS: Final = (
    """CREATE TABLE events (
        log_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        tag BLOB NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (log_id, seq)
    ) WITHOUT ROWID""",
    "CREATE TABLE deadlines (log_id TEXT NOT NULL PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE probe (id INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE INDEX deadlines_by_time ON deadlines (at_ms, log_id)",
    f"PRAGMA application_id = {APPLICATION_ID}",
)
_RESULTS: Final = (
    """CREATE TABLE results (
        in_table TEXT NOT NULL,
        key TEXT NOT NULL,
        score INTEGER NOT NULL,
        data BLOB NOT NULL,
        PRIMARY KEY (in_table, key)
    ) WITHOUT ROWID""",
    "CREATE INDEX results_by_score ON results (in_table, score, key)",
    "CREATE TABLE unprojected (log_id TEXT NOT NULL PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID",
)
_STEPS: Final = (_LOGS, _RESULTS)
"""What leads from each version of the schema, the empty file being 0, to the next."""


def open_file(path: Path) -> sqlite3.Connection:
    """Open the file at `path`, made if there is none, in autocommit mode and locked against all others.

    Raises:
        StoreInUse: someone has it open.
        CannotOpen: it cannot be made, read or written, or is not a store of this version.
    """
    _check_place(path)
    _make_private(path)
    try:
        # The absolute path, for SQLite gives names such as ":memory:" a meaning of its own.
        connection = sqlite3.connect(
            path.absolute(), timeout=_LOCK_WAIT_S, isolation_level=None, cached_statements=300
        )
        try:
            _take(connection, path)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise _refusal(path, error) from error
    return connection


def _check_place(path: Path) -> None:
    # Never open the file here: closing it would drop the locks that this process holds on it (POSIX).
    folder = path.absolute().parent
    if not folder.is_dir():
        raise CannotOpen(f"cannot open the store {path}: there is no folder {folder}")
    if path.is_dir():
        raise CannotOpen(f"cannot open the store {path}: it is a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CannotOpen(f"cannot open the store {path}: no permission to write in the folder {folder}")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise CannotOpen(f"cannot open the store {path}: no permission to read and write it")


def _make_private(path: Path) -> None:
    """Make the file, if it is not there, for its owner only; SQLite gives what it adds the same mode."""
    # A file that is there stays closed, see above.
    with suppress(OSError):  # whatever is in the way, SQLite says so
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _keep_private(path: Path) -> None:
    """Take from others what an earlier version, or a copy, has let them read."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        file = path.with_name(name)
        with suppress(OSError):  # it is not there, or another's, who knows what he does
            mode = file.stat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                file.chmod(stat.S_IMODE(mode) & 0o700)


def _take(connection: sqlite3.Connection, path: Path) -> None:
    # Before the first access: then the file stays locked from here on, and the index of the WAL needs no
    # shared memory.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    version = _version_of(connection, path)
    connection.execute("COMMIT")
    _keep_private(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: without it nothing outlives a loss of power
    connection.execute("PRAGMA checkpoint_fullfsync = ON")
    if version < SCHEMA_VERSION:
        connection.execute("BEGIN IMMEDIATE")
        for step in _STEPS[version:]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")


def _version_of(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the file's schema, 0 if it is empty; raises unless this program can use it."""
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    version: int
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if (application_id, version, objects) == (0, 0, 0):
        return 0
    if application_id != APPLICATION_ID:
        raise CannotOpen(f"cannot open the store {path}: it is a database of another program")
    if version > SCHEMA_VERSION:
        raise CannotOpen(
            f"cannot open the store {path}: it was written by a newer cellrace "
            f"(format {version}; this one knows {SCHEMA_VERSION})"
        )
    return version


def _refusal(path: Path, error: sqlite3.Error) -> CannotOpen:
    # The primary code is the low byte; the rest says more than anyone here needs.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreInUse(f"the store {path} is in use by another process; only one may have it open")
    if code == sqlite3.SQLITE_NOTADB:
        return CannotOpen(f"cannot open the store {path}: it is not a database")
    return CannotOpen(f"cannot open the store {path}: {error}")
