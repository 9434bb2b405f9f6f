import asyncio
import time

import pytest

from server.clock import SystemClock
from tests.clock import FakeClock


def test_the_system_clock_tells_milliseconds_since_1970() -> None:
    before = time.time_ns() // 1_000_000
    now = SystemClock().now_ms()
    after = time.time_ns() // 1_000_000
    assert before - 1 <= now <= after + 1


def test_the_system_clock_does_not_follow_a_wall_clock_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    first = clock.now_ms()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert first <= clock.now_ms() < first + 60_000


async def test_the_system_clock_sleeps_until_a_time_and_never_less() -> None:
    clock = SystemClock()
    at_ms = clock.now_ms() + 20
    await clock.sleep_until(at_ms)
    assert clock.now_ms() >= at_ms


async def test_sleeping_until_the_past_returns_at_once() -> None:
    await asyncio.wait_for(SystemClock().sleep_until(0), timeout=1)
    await asyncio.wait_for(FakeClock(5).sleep_until(5), timeout=1)


async def test_the_fake_clock_wakes_sleepers_in_order_of_time_each_at_his_time() -> None:
    clock = FakeClock(1000)
    woken: list[tuple[str, int]] = []

    async def sleeper(name: str, at_ms: int) -> None:
        await clock.sleep_until(at_ms)
        woken.append((name, clock.now_ms()))

    async with asyncio.TaskGroup() as group:
        for name, at_ms in (("late", 1300), ("early", 1100), ("same", 1100), ("never", 1401)):
            group.create_task(sleeper(name, at_ms))
        await clock.advance(400)
        assert woken == [("early", 1100), ("same", 1100), ("late", 1300)]
        assert clock.now_ms() == 1400
        await clock.advance_to(1401)
    assert woken[-1] == ("never", 1401)


async def test_the_fake_clock_wakes_one_who_sleeps_again_and_again() -> None:
    clock = FakeClock(0)
    ticks: list[int] = []

    async def ticker() -> None:
        while True:
            await clock.sleep_until(clock.now_ms() + 10)
            ticks.append(clock.now_ms())

    task = asyncio.create_task(ticker())
    await clock.advance(35)
    task.cancel()
    await asyncio.wait([task])
    await clock.advance(100)
    assert ticks == [10, 20, 30]


async def test_the_fake_clock_refuses_to_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        await FakeClock(10).advance_to(9)
