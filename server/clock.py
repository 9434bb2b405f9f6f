"""The process's clock, as something that is passed in, so that tests can own the time."""

import asyncio
import time
from typing import Final, Protocol

_LONGEST_NAP_S: Final = 60.0

# Linux stops CLOCK_MONOTONIC while the machine is suspended; a laptop that slept would then stay behind for
# good.
_STEADY: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", None)


def _steady_ns() -> int:
    return time.monotonic_ns() if _STEADY is None else time.clock_gettime_ns(_STEADY)


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now_ms(self) -> int:
        """Milliseconds since 1970. Never runs backwards within the process."""
        ...

    async def sleep_until(self, at_ms: int) -> None:
        """Return once `now_ms` is `at_ms` or later; at once if it is already."""
        ...


class SystemClock:
    """The wall clock as it was when this object was made, carried on by a clock that is never set."""

    __slots__ = ("_origin_ns",)

    def __init__(self) -> None:
        self._origin_ns = time.time_ns() - _steady_ns()

    def now_ms(self) -> int:
        """Milliseconds since 1970; never runs backwards, even when the machine's clock is set back."""
        return (self._origin_ns + _steady_ns()) // 1_000_000

    async def sleep_until(self, at_ms: int) -> None:
        """Return once `now_ms` is `at_ms` or later; at once if it is already."""
        # In naps: the loop's own clock may stand still while the machine is suspended.
        while (left_ms := at_ms - self.now_ms()) > 0:  # noqa: ASYNC110 - nothing signals the passing of time
            await asyncio.sleep(min(left_ms / 1000, _LONGEST_NAP_S))
