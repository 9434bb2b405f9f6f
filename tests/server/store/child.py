"""Run by the tests in a process of its own: one that is killed, one that is refused, one without room."""

import asyncio
import resource
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from server.clock import SystemClock
from server.store.base import START, Appended, StoreInUse, Tip, Unavailable, new_tag
from server.store.sqlite import SqliteStore, open_sqlite

WRITERS = 8


def say(line: str) -> None:
    print(line, flush=True)


async def write(path: Path) -> None:
    """Append to eight logs at once until killed; tell of each append when it is sent and when it is done."""
    store = await open_sqlite(path, SystemClock())

    async def writer(log_id: str) -> None:
        tip = START
        while True:
            tag = new_tag()
            say(f"sent {log_id} {tag.hex()}")
            outcome = await store.append(log_id, tip, [b"one", b"two"], tag=tag)
            assert isinstance(outcome, Appended)
            tip = Tip(tip.seq + 2, tag)
            say(f"done {log_id} {tag.hex()}")

    async with asyncio.TaskGroup() as group:
        for number in range(WRITERS):
            group.create_task(writer(f"race:{number}"))


async def try_to_open(path: Path) -> None:
    """Tell whether the store could be opened."""
    try:
        store = await open_sqlite(path, SystemClock())
    except StoreInUse as refusal:
        say(f"refused: {refusal}")
    else:
        await store.close()
        say("opened")


async def fill_the_disk(path: Path) -> None:
    """Append until no file may grow any more, see what holds then, and go on when there is room again."""
    store = await open_sqlite(path, SystemClock())
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    tip = await append_until_unavailable(store)
    say(f"full after {tip.seq}")
    for _ in range(3):
        outcomes = await asyncio.gather(
            *(store.append(f"race:{i}", START, [b"x" * 5000], tag=new_tag()) for i in range(20)),
            store.append("race:full", tip, [b"x" * 5000], tag=new_tag()),
            store.check(),
            return_exceptions=True,
        )
        assert all(isinstance(outcome, Unavailable) for outcome in outcomes), outcomes
        assert await store.is_newest("race:full", tip)
        assert len(await store.read("race:full")) == tip.seq
        assert await store.list_logs("race:") == ["race:full"]

    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await store.check()
    tag = new_tag()
    outcome = await store.append("race:full", tip, [b"room again"], tag=tag)
    assert isinstance(outcome, Appended), outcome
    assert outcome.first_seq == tip.seq + 1
    await store.close()
    say("went on")


async def append_until_unavailable(store: SqliteStore) -> Tip:
    tip = START
    while True:
        tag = new_tag()
        try:
            outcome = await store.append("race:full", tip, [b"x" * 5000], tag=tag)
        except Unavailable:
            return tip
        assert isinstance(outcome, Appended)
        tip = Tip(tip.seq + 1, tag)


COMMANDS: dict[str, Callable[[Path], Coroutine[Any, Any, None]]] = {
    "write": write,
    "open": try_to_open,
    "full": fill_the_disk,
}

if __name__ == "__main__":
    asyncio.run(COMMANDS[sys.argv[1]](Path(sys.argv[2])))
