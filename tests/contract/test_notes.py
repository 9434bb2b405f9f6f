"""What is announced about a log and not kept."""

import asyncio

from server.store.base import Store
from tests.contract.conftest import OpenStore


class Hearer:
    """Remembers what it heard."""

    def __init__(self) -> None:
        self.notes: list[bytes] = []
        self._news = asyncio.Event()

    def __call__(self, note: bytes) -> None:
        self.notes.append(note)
        self._news.set()

    async def hear(self, note: bytes, store: Store, log_id: str) -> None:
        """Announce something until it is heard: when a hearing begins is not promised."""
        async with asyncio.timeout(10):
            while note not in self.notes:
                self._news.clear()
                await store.announce(log_id, note)
                try:
                    async with asyncio.timeout(0.05):
                        await self._news.wait()
                except TimeoutError:
                    continue


async def test_a_note_is_heard_by_every_client_that_listens(open_store: OpenStore, log_id: str) -> None:
    here, there = await open_store(), await open_store()
    one, other = Hearer(), Hearer()
    here.hear(log_id, one)
    there.hear(log_id, other)
    await one.hear(b"\x00 from there", there, log_id)
    await other.hear(b"\xff from here", here, log_id)


async def test_a_note_leaves_no_trace_in_the_log(store: Store, log_id: str) -> None:
    hearer = Hearer()
    store.hear(log_id, hearer)
    await hearer.hear(b"note", store, log_id)
    assert await store.read(log_id) == []
    assert log_id not in await store.list_logs("")


async def test_one_who_has_ended_his_hearing_hears_nothing(store: Store, log_id: str) -> None:
    gone, stays = Hearer(), Hearer()
    end = store.hear(log_id, gone)
    store.hear(log_id, stays)
    await stays.hear(b"first", store, log_id)
    end()
    end()
    heard = list(gone.notes)
    await stays.hear(b"second", store, log_id)
    assert gone.notes == heard


async def test_notes_about_another_log_are_not_heard(store: Store, log_id: str) -> None:
    mine, others = Hearer(), Hearer()
    store.hear(log_id, mine)
    store.hear(f"{log_id}-other", others)
    await others.hear(b"to the other", store, f"{log_id}-other")
    await mine.hear(b"to me", store, log_id)
    assert set(mine.notes) == {b"to me"}


async def test_a_hearer_that_fails_does_not_keep_the_others_from_hearing(store: Store, log_id: str) -> None:
    failures: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context["message"]))

    def fail(_: bytes) -> None:
        raise RuntimeError("cannot listen")

    hearer = Hearer()
    store.hear(log_id, fail)
    store.hear(log_id, hearer)
    await hearer.hear(b"note", store, log_id)
    assert failures
