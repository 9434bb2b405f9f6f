"""Tables of results on Redis; see `server.store.results`. A table lives in the partition of its name."""

from collections.abc import Sequence

from server.store.checks import check_name, check_number, check_row
from server.store.redis.calls import Calls
from server.store.redis.keys import table_keys, tables_key
from server.store.redis.listing import list_names
from server.store.redis.replies import Reply, read_number, read_result_rows
from server.store.redis.scripts import GET_ROW, PUT_ROW, RANGE_ROWS, RANK, SIZE, Script
from server.store.results import ROWS, Row


class RedisResults:
    """The `Results` of a `RedisStore`."""

    __slots__ = ("_calls",)

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def put_if_absent(self, table: str, key: str, score: int, data: bytes) -> bool:
        """See `Results.put_if_absent`."""
        check_row(table, key, score)
        reply = await self._ask(PUT_ROW, table, (key.encode("ascii"), b"%d" % score, data))
        return reply.kind == "N"

    async def range(self, table: str, start: int = 0, limit: int = ROWS) -> list[Row]:
        """See `Results.range`."""
        check_name(table)
        check_number("a place in a table", start)
        check_number("a limit", limit, least=1)
        reply = await self._ask(RANGE_ROWS, table, (b"%d" % start, b"%d" % (start + limit - 1)))
        return read_result_rows(reply.body)

    async def rank(self, table: str, score: int) -> int:
        """See `Results.rank`."""
        check_name(table)
        check_number("a score", score)
        return 1 + read_number((await self._ask(RANK, table, (b"(%d" % score,))).body)

    async def get(self, table: str, key: str) -> Row | None:
        """See `Results.get`."""
        check_row(table, key, 0)
        rows = read_result_rows((await self._ask(GET_ROW, table, (key.encode("ascii"),))).body)
        return rows[0] if rows else None

    async def size(self, table: str) -> int:
        """See `Results.size`."""
        check_name(table)
        return read_number((await self._ask(SIZE, table, ())).body)

    async def tables(self, after: str = "", limit: int = ROWS) -> list[str]:
        """See `Results.tables`. Every partition is asked; this is for tools, not for players."""
        check_number("a limit", limit, least=1)
        return await self._calls.within_time(
            list_names(self._calls, tables_key, b"", after.encode("ascii"), limit)
        )

    async def _ask(self, script: Script, table: str, args: Sequence[bytes]) -> Reply:
        name = table.encode("ascii")
        return await self._calls.within_time(self._calls.ask(script, table_keys(name), (name, *args)))
