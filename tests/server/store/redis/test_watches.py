import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from server.store.base import START, Stored, Tip, Unavailable
from server.store.redis.watches import Followed, Watches
from tests.server.store.redis.helpers import Watcher

LOG = "race:A"


def event(seq: int, life: int = 0) -> Stored:
    return Stored(seq, 5, b"tag%02d%03d" % (life, seq), b"x")


class FakeLog:
    """A log that grows when told, its messages delivered when told; and those who watch it."""

    def __init__(self) -> None:
        self.events: list[Stored] = []
        self.page = 500
        self.asked = 0
        self.away = False
        self.gate = asyncio.Event()
        self.gate.set()
        self.subscribed: list[str] = []
        self.now_ms = 0
        self.watches = Watches(
            self._follow,
            self.subscribed.append,
            self.subscribed.remove,
            lambda: self.now_ms,
        )

    def tip(self, back: int = 0) -> Tip:
        kept = self.events[: len(self.events) - back]
        return Tip(kept[-1].seq, kept[-1].tag) if kept else START

    def grow(self, many: int = 1, life: int = 0) -> tuple[Tip, list[Stored]]:
        """Append, and return the message that tells of it."""
        after = self.tip()
        new = [event(after.seq + 1 + i, life) for i in range(many)]
        self.events += new
        return after, new

    def tell(self, message: tuple[Tip, Sequence[Stored]]) -> None:
        self.watches.on_message(LOG, *message)

    def watch(self, known: Tip = START) -> Watcher:
        watcher = Watcher()
        self.watches.add(LOG, known, watcher)
        return watcher

    async def _follow(self, log_id: str, tip: Tip) -> Followed:
        self.asked += 1
        await self.gate.wait()
        if self.away:
            raise Unavailable("away")
        if tip != START and (len(self.events) < tip.seq or self.events[tip.seq - 1].tag != tip.tag):
            return Followed((), rewound_to=self.tip())
        rows = self.events[tip.seq : tip.seq + self.page]
        await asyncio.sleep(0)
        return Followed(rows, more=len(rows) == self.page)


async def settle() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


async def test_messages_in_order_are_told_without_asking() -> None:
    log = FakeLog()
    watcher = log.watch()
    for _ in range(5):
        log.tell(log.grow(2))
    assert watcher.seqs == [*range(1, 11)]
    assert [len(call) for call in watcher.calls] == [1] * 10  # the fake's events have a tag each
    assert log.asked == 0


async def test_a_gap_is_filled_by_asking() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow())
    log.grow(3)
    log.tell(log.grow())
    await settle()
    assert watcher.seqs == [1, 2, 3, 4, 5]
    assert log.asked == 1


async def test_a_message_that_comes_twice_is_told_once() -> None:
    log = FakeLog()
    watcher = log.watch()
    first, second = log.grow(), log.grow()
    for message in (first, second, second, first):
        log.tell(message)
    await settle()
    assert watcher.seqs == [1, 2]


async def test_messages_that_come_while_the_log_is_asked_are_told_once_and_in_order() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.gate.clear()
    missed, heard = log.grow(2), log.grow()
    log.tell(heard)  # a gap: the log is asked
    await settle()
    log.tell(missed)  # and now what was missing comes after all
    log.tell(heard)
    assert watcher.seqs == [1, 2, 3]
    log.grow()
    log.gate.set()
    await settle()
    assert watcher.seqs == [1, 2, 3, 4]


async def test_a_long_gap_is_filled_page_by_page() -> None:
    log = FakeLog()
    log.page = 10
    watcher = log.watch()
    log.grow(34)
    log.watches.on_hearing([LOG])
    await settle()
    assert watcher.seqs == [*range(1, 35)]
    assert log.asked == 4


async def test_a_watch_begins_after_what_is_known() -> None:
    log = FakeLog()
    log.grow(5)
    known = log.tip()
    log.grow(2)
    watcher = log.watch(known)
    log.watches.on_hearing([LOG, "race:nobody watches"])
    await settle()
    assert watcher.seqs == [6, 7]


async def test_nothing_is_asked_about_a_log_that_nobody_watches() -> None:
    log = FakeLog()
    log.tell(log.grow())
    log.watches.on_hearing([LOG])
    log.watches.ask_silent(10**9)
    await settle()
    assert log.asked == 0


async def test_that_a_log_lost_its_tail_is_told_by_no_events_and_then_what_follows_the_rest() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow(5))
    del log.events[2:]
    log.watches.on_hearing([LOG])
    await settle()
    assert watcher.seqs == [1, 2, 3, 4, 5]
    assert watcher.calls[5:] == [[]]
    log.tell(log.grow(2, life=1))
    assert watcher.seqs == [1, 2, 3, 4, 5, 3, 4]
    assert log.asked == 1


async def test_a_log_that_was_lost_and_begun_anew_is_told_of() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow(5))
    log.events.clear()
    log.watches.on_hearing([LOG])
    await settle()
    assert watcher.calls[5:] == [[]]
    log.tell(log.grow(1, life=1))
    assert watcher.calls[5:] == [[], [event(1, life=1)]]


async def test_an_append_to_a_log_that_lost_its_tail_is_noticed_though_its_number_is_known() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow(5))
    del log.events[2:]
    log.tell(log.grow(1, life=1))
    await settle()
    assert watcher.calls[5:] == [[]]
    log.tell(log.grow(1, life=1))
    assert watcher.events[5:] == [event(4, life=1)]


async def test_a_message_that_comes_while_a_lost_tail_is_found_out_is_not_lost() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow(3))
    log.gate.clear()
    log.watches.on_hearing([LOG])
    await settle()
    log.tell(log.grow())  # just before the tail is lost
    del log.events[1:]
    log.gate.set()
    await settle()
    assert watcher.seqs == [1, 2, 3, 4]
    assert watcher.calls[-1] == []


async def test_silence_makes_the_log_be_asked_and_a_word_ends_it() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.tell(log.grow())
    log.grow()
    log.now_ms = 20_000
    log.watches.ask_silent(-1)
    await settle()
    assert log.asked == 0
    log.watches.ask_silent(0)
    await settle()
    assert watcher.seqs == [1, 2]
    log.watches.ask_silent(19_999)
    await settle()
    assert log.asked == 1
    log.now_ms = 30_000
    log.tell(log.grow())
    log.watches.ask_silent(29_999)
    await settle()
    assert log.asked == 1


async def test_a_log_that_cannot_be_asked_is_asked_again_after_silence() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.grow()
    log.away = True
    log.watches.on_hearing([LOG])
    await settle()
    assert watcher.seqs == []
    log.away = False
    log.watches.ask_silent(0)
    await settle()
    assert watcher.seqs == [1]


async def test_a_log_that_did_not_answer_is_asked_again_before_it_has_been_silent_for_long() -> None:
    log = FakeLog()
    log.now_ms = 5
    watcher = log.watch()
    log.away = True
    log.tell(log.grow())
    log.tell(log.grow(2))
    log.grow()
    log.watches.on_hearing([LOG])
    await settle()
    log.away = False
    log.watches.ask_silent(0)
    await settle()
    assert watcher.seqs == [1, 2, 3, 4]
    asked = log.asked
    log.watches.ask_silent(0)
    await settle()
    assert log.asked == asked, "it has answered"


async def test_very_many_logs_are_asked_a_few_at_a_time() -> None:
    log = FakeLog()
    names = [f"race:{number}" for number in range(1000)]
    watchers = []
    for name in names:
        watchers.append(Watcher())
        log.watches.add(name, START, watchers[-1])
    log.grow()
    log.gate.clear()
    log.watches.on_hearing(names)
    await settle()
    assert 0 < log.asked < 100
    log.gate.set()
    await asyncio.gather(*(watcher.hear(1) for watcher in watchers))


async def test_the_first_watcher_subscribes_and_the_last_one_unsubscribes() -> None:
    log = FakeLog()
    ends = [log.watches.add(LOG, START, Watcher()) for _ in range(2)]
    assert log.subscribed == [LOG]
    ends[0]()
    ends[0]()
    await settle()
    assert log.subscribed == [LOG]
    ends[1]()
    await settle()
    assert log.subscribed == []


async def test_a_watch_that_ends_and_begins_in_one_moment_goes_on() -> None:
    log = FakeLog()
    end = log.watches.add(LOG, START, Watcher())
    log.tell(log.grow())
    end()
    watcher = log.watch()
    await settle()
    assert log.subscribed == [LOG]
    log.tell(log.grow())
    assert watcher.seqs == [2]


async def test_a_watch_that_ends_while_its_log_is_asked_is_told_nothing() -> None:
    log = FakeLog()
    watcher = Watcher()
    end = log.watches.add(LOG, START, watcher)
    log.gate.clear()
    log.grow()
    log.watches.on_hearing([LOG])
    await settle()
    end()
    log.gate.set()
    await settle()
    assert watcher.seqs == []


async def test_after_closing_nobody_is_told_anything() -> None:
    log = FakeLog()
    watcher = log.watch()
    log.gate.clear()
    log.watches.on_hearing([LOG])
    await settle()
    await log.watches.close()
    log.tell(log.grow())
    assert watcher.seqs == []


async def test_a_watcher_that_fails_is_reported_and_harms_no_other() -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: reported.append(context))
    log = FakeLog()

    def fail(events: Sequence[Stored]) -> None:
        raise RuntimeError("its own fault")

    log.watches.add(LOG, START, fail)
    watcher = log.watch()
    log.tell(log.grow())
    assert watcher.seqs == [1]
    assert LOG in reported[0]["message"]


@settings(max_examples=200)
@given(st.lists(st.sampled_from(["tell", "lose", "late", "again", "hear", "turn"]), max_size=40))
async def test_whatever_is_lost_late_or_doubled_a_watcher_is_told_all_once_and_in_order(
    steps: list[str],
) -> None:
    log = FakeLog()
    watcher = log.watch()
    late: list[tuple[Tip, list[Stored]]] = []
    last: tuple[Tip, list[Stored]] | None = None
    for step in steps:
        match step:
            case "tell":
                last = log.grow()
                log.tell(last)
            case "lose":
                log.grow(2)
            case "late":
                late.append(log.grow())
            case "again":
                for message in [*late, *([last] if last else [])]:
                    log.tell(message)
            case "hear":
                log.watches.on_hearing([LOG])
            case _:
                await asyncio.sleep(0)
    log.watches.on_hearing([LOG])
    await settle()
    assert watcher.events == log.events
