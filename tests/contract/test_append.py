import asyncio

import pytest

from server.store.base import (
    PAGE,
    START,
    TAG_BYTES,
    Appended,
    Conflict,
    Diverged,
    Store,
    Tip,
    TooEarly,
    TooLate,
    new_tag,
)
from tests.contract.conftest import OpenStore
from tests.contract.helpers import HOUR_MS, data_of, fill, put, read_all

# The rule: compare and append.


async def test_the_first_append_makes_the_log(store: Store, log_id: str) -> None:
    before_ms = store.now_ms()
    tag = new_tag()
    outcome = await store.append(log_id, START, [b"a", b"b"], tag=tag)
    assert isinstance(outcome, Appended)
    assert outcome.first_seq == 1
    assert abs(outcome.at_ms - before_ms) < HOUR_MS
    assert await store.read(log_id) == [(1, outcome.at_ms, tag, b"a"), (2, outcome.at_ms, tag, b"b")]


async def test_events_are_numbered_on_across_appends(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a", b"b")
    tip = await put(store, log_id, tip, b"c")
    assert tip.seq == 3
    assert await data_of(store, log_id) == [b"a", b"b", b"c"]


@pytest.mark.parametrize("data", [b"", b"\x00", bytes(range(256)), b"x" * 100_000])
async def test_bytes_come_back_as_they_were(store: Store, log_id: str, data: bytes) -> None:
    await put(store, log_id, START, data)
    assert await data_of(store, log_id) == [data]


async def test_events_of_one_append_share_stamp_and_tag(store: Store, log_id: str) -> None:
    await put(store, log_id, START, *[b"x"] * 50)
    assert len({(event.at_ms, event.tag) for event in await read_all(store, log_id)}) == 1


async def test_an_append_after_an_older_end_has_no_effect_and_brings_what_was_missed(
    store: Store, log_id: str
) -> None:
    first = await put(store, log_id, START, b"a")
    await put(store, log_id, first, b"b")
    await put(store, log_id, Tip(2, (await store.read(log_id))[-1].tag), b"c", b"d")
    outcome = await store.append(log_id, first, [b"late"], tag=new_tag())
    assert outcome == Conflict(tuple(await store.read(log_id, 1)))
    assert await data_of(store, log_id) == [b"a", b"b", b"c", b"d"]


async def test_an_append_in_the_middle_of_another_append_misses_its_rest(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a", b"b", b"c")
    outcome = await store.append(log_id, Tip(2, tip.tag), [b"late"], tag=new_tag())
    assert outcome == Conflict(tuple(await store.read(log_id, 2)))


async def test_a_second_beginning_of_a_log_is_a_conflict(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a")
    outcome = await store.append(log_id, START, [b"again"], tag=new_tag())
    assert outcome == Conflict(tuple(await store.read(log_id)))


@pytest.mark.parametrize(("held", "after"), [(PAGE + 1, 1), (PAGE + 2, 1), (PAGE + 150, 0), (PAGE + 150, 3)])
async def test_a_conflict_brings_a_page_at_most(store: Store, log_id: str, held: int, after: int) -> None:
    await fill(store, log_id, held)
    tip = Tip(after, (await store.read(log_id, after - 1, 1))[0].tag) if after else START
    outcome = await store.append(log_id, tip, [b"late"], tag=new_tag())
    assert isinstance(outcome, Conflict)
    assert list(outcome.missed) == await store.read(log_id, after, PAGE)
    assert len(outcome.missed) == min(PAGE, held - after)


async def test_a_conflict_after_a_repeated_append_bears_its_own_tag(store: Store, log_id: str) -> None:
    tag = new_tag()
    await store.append(log_id, START, [b"once"], tag=tag)
    outcome = await store.append(log_id, START, [b"once"], tag=tag)
    assert isinstance(outcome, Conflict)
    assert outcome.missed[0].tag == tag
    assert await data_of(store, log_id) == [b"once"]


# A lost tail: (seq, tag) is compared, not seq alone.


@pytest.mark.parametrize("seq", [1, 2, 3, 4, 900])
async def test_a_log_that_does_not_hold_the_tip_has_diverged(store: Store, log_id: str, seq: int) -> None:
    await fill(store, log_id, 3)
    assert await store.append(log_id, Tip(seq, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    assert len(await read_all(store, log_id)) == 3


async def test_a_log_that_is_not_there_has_diverged_from_every_tip_but_the_start(
    store: Store, log_id: str
) -> None:
    assert await store.append(log_id, Tip(1, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    assert await store.read(log_id) == []


async def test_the_start_has_no_tag(store: Store, log_id: str) -> None:
    assert await store.append(log_id, Tip(0, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    tip = await put(store, log_id, START, b"a")
    assert await store.append(log_id, Tip(0, new_tag()), [b"x"], tag=new_tag()) == Diverged()
    assert await store.append(log_id, Tip(0, tip.tag), [b"x"], tag=new_tag()) == Diverged()


async def test_the_right_tag_at_the_wrong_number_has_diverged(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a")
    await put(store, log_id, tip, b"b")
    assert await store.append(log_id, Tip(2, tip.tag), [b"x"], tag=new_tag()) == Diverged()


# Time.


async def test_an_append_within_its_window_is_taken(store: Store, log_id: str) -> None:
    now_ms = store.now_ms()
    outcome = await store.append(
        log_id, START, [b"a"], tag=new_tag(), not_before=now_ms - HOUR_MS, not_after=now_ms + HOUR_MS
    )
    assert isinstance(outcome, Appended)
    assert now_ms - HOUR_MS <= outcome.at_ms <= now_ms + HOUR_MS


async def test_too_early_brings_the_stores_time_and_has_no_effect(store: Store, log_id: str) -> None:
    not_before = store.now_ms() + HOUR_MS
    outcome = await store.append(log_id, START, [b"a"], tag=new_tag(), not_before=not_before, wake=1)
    assert isinstance(outcome, TooEarly)
    assert 0 < not_before - outcome.now_ms <= 2 * HOUR_MS
    assert await store.read(log_id) == []
    assert await store.next_due() is None


async def test_too_late_brings_the_stores_time_and_has_no_effect(store: Store, log_id: str) -> None:
    not_after = store.now_ms() - HOUR_MS
    outcome = await store.append(log_id, START, [b"a"], tag=new_tag(), not_after=not_after, wake=1)
    assert isinstance(outcome, TooLate)
    assert 0 < outcome.now_ms - not_after <= 2 * HOUR_MS
    assert await store.read(log_id) == []
    assert await store.next_due() is None


async def test_the_time_of_a_refusal_is_one_that_a_new_window_may_rely_on(store: Store, log_id: str) -> None:
    tip = await put(store, log_id, START, b"a")
    late = await store.append(log_id, tip, [b"b"], tag=new_tag(), not_after=0)
    assert isinstance(late, TooLate)
    assert isinstance(
        await store.append(log_id, tip, [b"b"], tag=new_tag(), not_before=late.now_ms), Appended
    )


async def test_the_end_of_the_log_is_judged_before_the_window(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"a")
    for start, end in ((store.now_ms() + HOUR_MS, None), (None, 0)):
        for after, outcome in ((START, Conflict), (Tip(5, new_tag()), Diverged)):
            came_to = await store.append(
                log_id, after, [b"x"], tag=new_tag(), not_before=start, not_after=end
            )
            assert isinstance(came_to, outcome)


async def test_time_never_runs_backwards_within_a_log(store: Store, log_id: str) -> None:
    tip = START
    for _ in range(20):
        tip = await put(store, log_id, tip, b"x")
    stamps = [event.at_ms for event in await read_all(store, log_id)]
    assert stamps == sorted(stamps)


async def test_the_stores_time_is_about_that_of_its_stamps(store: Store, log_id: str) -> None:
    await put(store, log_id, START, b"x")
    (event,) = await store.read(log_id)
    assert abs(store.now_ms() - event.at_ms) < HOUR_MS


# At the same time.


async def test_of_many_appends_after_the_same_end_one_takes_effect(
    open_store: OpenStore, log_id: str
) -> None:
    clients = [await open_store() for _ in range(3)]
    outcomes = await asyncio.gather(
        *(clients[i % 3].append(log_id, START, [b"%d" % i], tag=new_tag()) for i in range(50))
    )
    (won,) = [i for i, outcome in enumerate(outcomes) if isinstance(outcome, Appended)]
    log = await read_all(clients[0], log_id)
    assert [event.data for event in log] == [b"%d" % won]
    assert [outcome for i, outcome in enumerate(outcomes) if i != won] == [Conflict(tuple(log))] * 49


async def test_appends_to_many_logs_at_once_do_not_touch_one_another(
    open_store: OpenStore, log_id: str
) -> None:
    clients = [await open_store() for _ in range(2)]

    async def play(number: int) -> None:
        tip = START
        for move in range(10):
            tip = await put(clients[number % 2], f"{log_id}/{number}", tip, b"%d %d" % (number, move))

    await asyncio.gather(*(play(number) for number in range(40)))
    for number in range(40):
        expected = [b"%d %d" % (number, move) for move in range(10)]
        assert await data_of(clients[1], f"{log_id}/{number}") == expected


async def test_writers_who_fold_what_they_missed_and_try_again_all_get_through(
    open_store: OpenStore, log_id: str
) -> None:
    clients = [await open_store() for _ in range(3)]

    async def insist(number: int) -> None:
        tip, tag = START, new_tag()
        while True:
            outcome = await clients[number % 3].append(log_id, tip, [b"%d" % number], tag=tag)
            if isinstance(outcome, Appended):
                return
            assert isinstance(outcome, Conflict)
            tip = Tip(outcome.missed[-1].seq, outcome.missed[-1].tag)

    await asyncio.gather(*(insist(number) for number in range(30)))
    assert sorted(await data_of(clients[0], log_id)) == sorted(b"%d" % number for number in range(30))


async def test_cancelling_the_caller_does_not_cancel_the_append(store: Store, log_id: str) -> None:
    tag = new_tag()
    caller = asyncio.create_task(store.append(log_id, START, [b"a"], tag=tag))
    await asyncio.sleep(0)  # let it be handed over
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    # Whatever comes after it finds it done; the tag tells whose it is.
    outcome = await store.append(log_id, START, [b"b"], tag=new_tag())
    assert isinstance(outcome, Conflict)
    assert [(event.data, event.tag) for event in outcome.missed] == [(b"a", tag)]


# What no correct program asks for.


def test_tags_are_random_and_of_one_length() -> None:
    tags = {new_tag() for _ in range(1000)}
    assert len(tags) == 1000
    assert {len(tag) for tag in tags} == {TAG_BYTES}


async def test_an_append_without_events_is_refused(store: Store, log_id: str) -> None:
    with pytest.raises(ValueError, match="one event or more"):
        await store.append(log_id, START, [], tag=new_tag())


@pytest.mark.parametrize("tag", [b"", b"short", b"much too long"])
async def test_a_tag_of_another_length_is_refused(store: Store, log_id: str, tag: bytes) -> None:
    with pytest.raises(ValueError, match="a tag has 8 bytes"):
        await store.append(log_id, START, [b"a"], tag=tag)


@pytest.mark.parametrize("name", ["", "x" * 201, "race:\u00e9", "race: A", "race:\n", "race:\x7f", "\ud800"])
async def test_a_name_that_is_not_short_printable_ascii_is_refused(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="the name of a log"):
        await store.append(name, START, [b"a"], tag=new_tag())
    with pytest.raises(ValueError, match="the name of a log"):
        await store.read(name)
    with pytest.raises(ValueError, match="the name of a log"):
        await store.is_newest(name, START)
    with pytest.raises(ValueError, match="the name of a log"):
        store.watch(name, print)


@pytest.mark.parametrize("seq", [-1, 2**53 + 1, 2**70])
async def test_a_number_that_cannot_be_kept_is_refused(store: Store, log_id: str, seq: int) -> None:
    with pytest.raises(ValueError, match="a number from 0 to"):
        await store.append(log_id, Tip(seq, new_tag()), [b"a"], tag=new_tag())
    with pytest.raises(ValueError, match="a number from 0 to"):
        await store.append(log_id, START, [b"a"], tag=new_tag(), wake=seq)
    with pytest.raises(ValueError, match="a number from 0 to"):
        await store.read(log_id, seq)
    with pytest.raises(ValueError, match="a number from 1 to"):
        await store.read(log_id, 0, seq)
