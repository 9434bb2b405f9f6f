import asyncio
import gc

import pytest

from server.gateway.tasks import Tasks


async def test_a_task_nobody_awaits_is_kept_alive() -> None:
    tasks, done = Tasks(), asyncio.Event()

    async def work() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
            gc.collect()
        done.set()

    tasks.spawn(work())
    await asyncio.wait_for(done.wait(), 10)
    await asyncio.sleep(0)
    assert not tasks._running


async def test_a_failure_is_logged_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    tasks = Tasks()

    async def fail() -> None:
        raise RuntimeError("as it happens")

    await asyncio.wait([tasks.start(fail())])
    await asyncio.sleep(0)
    assert "as it happens" in caplog.text
    assert not tasks._running


async def test_all_are_ended_together_even_those_that_fail_at_it(caplog: pytest.LogCaptureFixture) -> None:
    tasks = Tasks()

    async def wait_for_ever(*, badly: bool) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if badly:
                raise RuntimeError("could not even be cancelled") from None
            raise

    for badly in (True, False, True):
        tasks.spawn(wait_for_ever(badly=badly))
    await asyncio.sleep(0)
    await tasks.close()
    assert not tasks._running
