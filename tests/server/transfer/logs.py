"""Stores with something in them, and exports of them."""

import io
from collections.abc import Sequence

from server.store.base import CLEAR, START, Store, Tip
from server.transfer.exporting import export_logs
from server.transfer.importing import Imported, import_logs
from server.transfer.progress import Progress
from tests.clock import FakeClock
from tests.contract.helpers import put, read_all

EVER = 2**53


async def fill_store(store: Store, clock: FakeClock | None = None) -> None:
    """A race that is over, one that goes on, a player, bytes that are no text; a minute old by the clock."""
    over = await put(store, "race:AAAAAAAA", START, b'["created",{}]', wake=60_000)
    if clock is not None:
        await clock.advance(1000)
    over = await put(store, "race:AAAAAAAA", over, b'["ended",{}]', b'["said","\xc3\xa9"]', wake=CLEAR)
    await put(store, "race:BBBBBBBB", START, b'["created",{}]', b'["joined",{}]', wake=90_000)
    await put(store, "player:ann", START, b'["registered",{}]')
    await put(store, "server", START, b"\xff\x00 no text")
    if clock is not None:
        await clock.advance(60_000)
    assert over == Tip(3, over.tag)


async def exported(store: Store, names: Sequence[str] | None = None) -> list[bytes]:
    """The lines of an export."""
    lines: list[bytes] = []
    await export_logs(store, lines.append, quiet("exported"), names)
    return lines


async def imported(store: Store, lines: Sequence[bytes], progress: Progress | None = None) -> Imported:
    """Bring these lines into a store."""
    return await import_logs(store, io.BytesIO(b"".join(lines)), progress or quiet("imported"))


async def contents(store: Store) -> object:
    """All that is in a store: the logs, what is due when, and the results."""
    logs = {name: await read_all(store, name) for name in await store.list_logs("")}
    results = {table: await store.results.range(table) for table in await store.results.tables()}
    return logs, sorted(await store.due(EVER, 1000)), results


def quiet(doing: str) -> Progress:
    return Progress(doing, lambda _: None, lambda: 0.0)
