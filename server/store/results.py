"""Tables of results, beside the logs: rows with a score, put once and never changed.

A table exists from its first row on. A row has a key, which no other row of its table has, a score and bytes
that the store does not look into. Rows are in order of (score, key), lowest first. What is in a table can be
made anew from the logs it was made from; so a row that was put twice is one row, and the first stays.
"""

from typing import Final, NamedTuple, Protocol

ROWS: Final = 500
"""Rows, or names of tables, in one read, unless another limit is asked for."""


class Row(NamedTuple):
    """A row of a table of results; `score` is a whole number from 0 to 2^53."""

    key: str
    score: int
    data: bytes


class Results(Protocol):
    """The tables of a store.

    Every method may raise `Unavailable`. Names of tables and keys are 1-200 printable ASCII characters
    without spaces; else `ValueError`.
    """

    async def put_if_absent(self, table: str, key: str, score: int, data: bytes) -> bool:
        """Put a row, unless there is one with its key; return only once it is durable.

        Returns:
            Whether the table has this very row now. If not, there was another, and it stays as it is.
        """
        ...

    async def range(self, table: str, start: int = 0, limit: int = ROWS) -> list[Row]:
        """The rows from place `start` on, counted from 0 in order of (score, key), `limit` at most."""
        ...

    async def rank(self, table: str, score: int) -> int:
        """The rank of this score: 1 + the number of rows with a lower one. Equal scores share a rank."""
        ...

    async def get(self, table: str, key: str) -> Row | None:
        """The row with this key; None if there is none."""
        ...

    async def size(self, table: str) -> int:
        """How many rows the table has; 0 if there is no such table."""
        ...

    async def tables(self, after: str = "", limit: int = ROWS) -> list[str]:
        """The names of tables that sort after `after`, in order, `limit` at most."""
        ...
