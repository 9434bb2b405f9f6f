"""How long the store waits for what. Tests wait less."""

from dataclasses import dataclass

_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Timing:
    """The store's times; `_s` is seconds on the event loop, `_ms` is milliseconds by the process's clock.

    Attributes:
        call_s: a call of the store has its answer, or fails, within this.
        answer_s: a connection that owes an answer for this long is given up.
        connect_s: a connection that is not ready within this has failed.
        pause_s: after a connection has failed, the next is tried no sooner than this.
        heartbeat_s: how often a node calls to itself, to see whether it still hears.
        deaf_s: a call that is not heard within this means that nothing is heard.
        silence_ms: after this long without a word about a watched log its end is looked at.
        retire_ms: a log without a deadline that nobody appends to for this long is packed.
        sweep_ms: how often a node looks for logs to pack.
        keep_ms: how long a finished log stays after its last event; for ever if this is None.
    """

    call_s: float = 2.0
    answer_s: float = 1.0
    connect_s: float = 0.8
    pause_s: float = 0.05
    heartbeat_s: float = 5.0
    deaf_s: float = 2.0
    silence_ms: int = 20_000
    retire_ms: int = 10 * _MINUTE_MS
    sweep_ms: int = _MINUTE_MS
    keep_ms: int | None = None
