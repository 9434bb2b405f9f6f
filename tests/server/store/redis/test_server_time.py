from hypothesis import given
from hypothesis import strategies as st

from server.store.redis.server_time import ServerTime
from tests.clock import FakeClock

START_MS = 1_700_000_000_000


def test_before_anything_is_known_it_is_the_clocks_time() -> None:
    assert ServerTime(FakeClock(START_MS)).now_ms() == START_MS


async def test_it_goes_on_with_the_clock() -> None:
    clock = FakeClock(START_MS)
    time = ServerTime(clock)
    time.note(START_MS, (START_MS + 5000) * 1000)
    await clock.advance(1234)
    assert abs(time.now_ms() - (START_MS + 6234)) <= 1


async def test_a_quick_answer_after_slow_ones_makes_it_exact() -> None:
    clock = FakeClock(START_MS)
    time = ServerTime(clock)
    for round_trip_ms, delay_ms in ((400, 390), (200, 10), (2, 1)):
        sent_ms = clock.now_ms()
        await clock.advance(delay_ms)
        now_us = (clock.now_ms() + 60_000) * 1000
        await clock.advance(round_trip_ms - delay_ms)
        time.note(sent_ms, now_us)
    assert abs(time.now_ms() - clock.now_ms() - 60_000) <= 2
    # And slow ones after it do not spoil it.
    sent_ms, now_us = clock.now_ms(), (clock.now_ms() + 60_000) * 1000
    await clock.advance(500)
    time.note(sent_ms, now_us)
    assert abs(time.now_ms() - clock.now_ms() - 60_000) <= 2


async def test_a_clock_that_was_set_is_believed_at_once() -> None:
    clock = FakeClock(START_MS)
    time = ServerTime(clock)
    time.note(START_MS, START_MS * 1000)
    for step_ms in (-3_600_000, 7_200_000):
        await clock.advance(10)
        time.note(clock.now_ms(), (clock.now_ms() + step_ms) * 1000)
        assert abs(time.now_ms() - clock.now_ms() - step_ms) <= 1


async def test_clocks_that_run_apart_are_followed() -> None:
    clock = FakeClock(START_MS)
    time = ServerTime(clock)
    for _ in range(500):  # 50 parts in a million, for a good eight minutes
        await clock.advance(1000)
        truth_us = round(START_MS * 1000 + (clock.now_ms() - START_MS) * 1000 * 1.00005)
        time.note(clock.now_ms(), truth_us)
        assert abs(time.now_ms() - truth_us / 1000) <= 2


@given(
    offset_ms=st.integers(-(10**7), 10**7),
    trips=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=10),
)
async def test_it_is_never_further_off_than_half_the_quickest_round_trip(
    offset_ms: int, trips: list[tuple[int, int]]
) -> None:
    clock = FakeClock(START_MS)
    time = ServerTime(clock)
    for there_ms, back_ms in trips:
        sent_ms = clock.now_ms()
        await clock.advance(there_ms)
        now_us = (clock.now_ms() + offset_ms) * 1000
        await clock.advance(back_ms)
        time.note(sent_ms, now_us)
    quickest_ms = min(there + back for there, back in trips)
    assert abs(time.now_ms() - clock.now_ms() - offset_ms) <= quickest_ms / 2 + 2
