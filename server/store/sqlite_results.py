"""Tables of results in the SQLite file; see `server.store.results`."""

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from server.store.checks import check_name, check_number, check_row
from server.store.results import ROWS, Row
from server.store.sqlite_logs import SqliteLogs

_T = TypeVar("_T")

# A leap from each name to the next, instead of a look at every row.
_TABLES: Final = """
    WITH RECURSIVE names(name) AS (
        SELECT min(in_table) FROM results WHERE in_table > :after
        UNION ALL
        SELECT (SELECT min(in_table) FROM results WHERE in_table > names.name)
        FROM names WHERE names.name IS NOT NULL
    )
    SELECT name FROM names WHERE name IS NOT NULL LIMIT :limit
"""


class Ask(Protocol):
    """Has something done on the thread that owns the file, and brings the answer."""

    def __call__(self, ask: Callable[[SqliteLogs], _T], /) -> Awaitable[_T]:
        """Do it."""
        ...


class SqliteResults:
    """The `Results` of a `SqliteStore`."""

    __slots__ = ("_ask",)

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def put_if_absent(self, table: str, key: str, score: int, data: bytes) -> bool:
        """See `Results.put_if_absent`."""
        check_row(table, key, score)
        return await self._ask(lambda logs: _put(logs.connection, table, key, score, data))

    async def range(self, table: str, start: int = 0, limit: int = ROWS) -> list[Row]:
        """See `Results.range`."""
        check_name(table)
        check_number("a place in a table", start)
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: _range(logs.connection, table, start, limit))

    async def rank(self, table: str, score: int) -> int:
        """See `Results.rank`."""
        check_name(table)
        check_number("a score", score)
        sql = "SELECT 1 + count(*) FROM results WHERE in_table = ? AND score < ?"
        return await self._ask(lambda logs: _number(logs.connection, sql, (table, score)))

    async def get(self, table: str, key: str) -> Row | None:
        """See `Results.get`."""
        check_row(table, key, 0)
        return await self._ask(lambda logs: _get(logs.connection, table, key))

    async def size(self, table: str) -> int:
        """See `Results.size`."""
        check_name(table)
        sql = "SELECT count(*) FROM results WHERE in_table = ?"
        return await self._ask(lambda logs: _number(logs.connection, sql, (table,)))

    async def tables(self, after: str = "", limit: int = ROWS) -> list[str]:
        """See `Results.tables`."""
        check_number("a limit", limit, least=1)
        return await self._ask(lambda logs: _tables(logs.connection, after, limit))


def _put(connection: sqlite3.Connection, table: str, key: str, score: int, data: bytes) -> bool:
    connection.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", (table, key, score, data))
    return _get(connection, table, key) == Row(key, score, data)


def _get(connection: sqlite3.Connection, table: str, key: str) -> Row | None:
    row = connection.execute(
        "SELECT key, score, data FROM results WHERE in_table = ? AND key = ?", (table, key)
    ).fetchone()
    return None if row is None else Row._make(row)


def _range(connection: sqlite3.Connection, table: str, start: int, limit: int) -> list[Row]:
    rows = connection.execute(
        "SELECT key, score, data FROM results WHERE in_table = ? ORDER BY score, key LIMIT ? OFFSET ?",
        (table, limit, start),
    )
    return [Row._make(row) for row in rows]


def _number(connection: sqlite3.Connection, sql: str, values: tuple[str | int, ...]) -> int:
    number: int = connection.execute(sql, values).fetchone()[0]
    return number


def _tables(connection: sqlite3.Connection, after: str, limit: int) -> list[str]:
    return [name for (name,) in connection.execute(_TABLES, {"after": after, "limit": limit})]
