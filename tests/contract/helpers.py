"""Short ways to say what the contract tests say often."""

from server.store.base import KEEP, START, Appended, Store, Stored, Tip, Wake, new_tag

HOUR_MS = 3_600_000


async def put(store: Store, log_id: str, after: Tip, *events: bytes, wake: Wake = KEEP) -> Tip:
    """Append what must be taken, and return where the log ends now."""
    tag = new_tag()
    outcome = await store.append(log_id, after, events, tag=tag, wake=wake)
    assert isinstance(outcome, Appended), outcome
    assert outcome.first_seq == after.seq + 1
    return Tip(after.seq + len(events), tag)


async def fill(store: Store, log_id: str, many: int) -> Tip:
    """Make a log of so many events, a hundred in an append; event 7 is `b"7"`."""
    tip = START
    for start in range(0, many, 100):
        tip = await put(store, log_id, tip, *(b"%d" % (i + 1) for i in range(start, min(start + 100, many))))
    return tip


async def read_all(store: Store, log_id: str) -> list[Stored]:
    """The whole log, page by page."""
    events: list[Stored] = []
    while page := await store.read(log_id, len(events)):
        events += page
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    return events


async def data_of(store: Store, log_id: str) -> list[bytes]:
    return [event.data for event in await read_all(store, log_id)]
