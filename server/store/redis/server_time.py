"""The time of Redis, told from the time of this process and from what replies say.

A reply that says `t` was made between the sending of its call and its coming. So the difference between the
two clocks is known to lie between two bounds, and every further reply may narrow them. The bounds widen
again as time passes, since no two clocks run alike; and a reply that contradicts them shows that a clock was
set, and counts for more than all before it.
"""

from typing import Final

from server.clock import Clock

# Clocks of machines run apart by some 50 parts in a million; twice that is allowed for.
_DRIFT: Final = 0.0001


class ServerTime:
    """An estimate of Redis TIME."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._least_ms = 0.0  # Redis's time minus the clock's is no less than this,
        self._most_ms = 0.0  # and no more than this,
        self._known_at_ms: int | None = None  # as of then by the clock.

    def note(self, sent_ms: int, now_us: int) -> None:
        """Learn from a reply that came now: sent at `sent_ms` by the clock, `now_us` by Redis TIME."""
        got_ms = self._clock.now_ms()
        # The clock tells whole milliseconds, so it may really have been one later.
        least, most = now_us / 1000 - (got_ms + 1), now_us / 1000 - sent_ms
        if self._known_at_ms is not None:
            drift = _DRIFT * max(0, got_ms - self._known_at_ms)
            old_least, old_most = self._least_ms - drift, self._most_ms + drift
            if old_least <= most and least <= old_most:
                least, most = max(least, old_least), min(most, old_most)
        self._least_ms, self._most_ms, self._known_at_ms = least, most, got_ms

    def now_ms(self) -> int:
        """Redis's time in milliseconds since 1970; the clock's, as long as nothing is known."""
        return self._clock.now_ms() + round((self._least_ms + self._most_ms) / 2)
