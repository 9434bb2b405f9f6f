"""The store: logs of bytes with one rule, compare-and-append, an index of deadlines, and tables of results.

A log is a list of events numbered `seq` = 1, 2, 3, ... Every event bears the store's time (`at_ms`) and the
`tag` of the append that wrote it. A log exists from its first event on; nothing is ever changed or taken out.

An append names the end of the log it was decided on, a `Tip`. It takes effect only if the log still ends
there, and the pair (seq, tag) is compared, not seq alone, so that a log that lost its tail is never taken for
the old one. An append that took effect is thereby a proof that the state it was decided on was the newest.

Unknown outcomes. After `Unavailable`, a cancellation or a crash the caller cannot know whether his append
took effect. The log can: read it from `after`, and the tag is there or it is not. The same holds for a
`Conflict` of an append that was sent twice: the missed events bear its own tag.

Results. What a log comes to may have to be written elsewhere, too, as a row of a table of results
(`server.store.results`). The append that brings a log there marks it, in the same step, as unprojected, and
it stays so until somebody says that all of it is written. So whatever dies in between, it is written once.

The store knows nothing of what the bytes mean, and no rule of the game lives in it.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Protocol, TypeAlias

from server.store.results import Results

PAGE: Final = 500
"""Events in one read, and in the `missed` of one `Conflict`, at most."""

TAG_BYTES: Final = 8
MAX_LOG_ID: Final = 200
"""Characters in the name of a log, at most."""


# Positions in a log, and what is stored there.


@dataclass(frozen=True, slots=True)
class Tip:
    """The end of a log: the number and the tag of its last event."""

    seq: int
    tag: bytes


START: Final = Tip(0, b"")
"""The end of a log that has no events, which is to say: that does not exist."""


class Stored(NamedTuple):
    """One event as the store keeps it; `at_ms` is milliseconds since 1970 by the store's clock."""

    seq: int
    at_ms: int
    tag: bytes
    data: bytes


class Due(NamedTuple):
    """A deadline: when the log wants to be looked at again."""

    log_id: str
    at_ms: int


# What an append can come to.


@dataclass(frozen=True, slots=True)
class Appended:
    """It took effect and is durable: events `first_seq`, `first_seq` + 1, ..., all stamped `at_ms`."""

    first_seq: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """No effect: the log has gone on. `missed` follows `after`, oldest first, the first `PAGE` of it."""

    missed: tuple[Stored, ...]


@dataclass(frozen=True, slots=True)
class Diverged:
    """No effect: the log does not hold `after` at all. Its tail was lost; read it from the start."""


@dataclass(frozen=True, slots=True)
class TooEarly:
    """No effect: the stamp would have been `now_ms`, which is before `not_before`."""

    now_ms: int


@dataclass(frozen=True, slots=True)
class TooLate:
    """No effect: the stamp would have been `now_ms`, which is after `not_after`."""

    now_ms: int


Outcome: TypeAlias = Appended | Conflict | Diverged | TooEarly | TooLate


# What an append does to the deadline of its log.


class WakeMark(Enum):
    """The two values of `Wake` that are no number."""

    KEEP = "keep"
    CLEAR = "clear"


KEEP: Final = WakeMark.KEEP
CLEAR: Final = WakeMark.CLEAR

Wake: TypeAlias = WakeMark | int
"""`KEEP` the deadline, `CLEAR` it, or set it to the stamp of this append + so many ms, 0 or more."""


# Failures.


class Unavailable(Exception):
    """The store cannot serve now: disk full, store away, too much waiting, closed. The process lives.

    Attributes:
        retry_ms: how long to wait before that, in milliseconds.
        detail: why, for the operator; never for a player.
    """

    def __init__(self, detail: str, *, retry_ms: int = 1000) -> None:
        super().__init__(detail)
        self.detail = detail
        self.retry_ms = retry_ms


class Damaged(Unavailable):
    """What the store holds of one log or table makes no sense. Waiting does not help; the others are well."""


class CannotOpen(Exception):
    """The store cannot be opened at all. `str` is one line for whoever started the program."""


class StoreInUse(CannotOpen):
    """Another process, or another part of this one, has the store open, and it takes only one."""


def new_tag() -> bytes:
    """A fresh random tag for one append."""
    return os.urandom(TAG_BYTES)


class Store(Protocol):
    """Logs and their deadlines. All methods belong to the event loop on which the store was opened.

    Every method that waits may raise `Unavailable`. Names of logs are 1-200 printable ASCII characters
    without spaces.
    """

    @property
    def results(self) -> Results:
        """The tables of results."""
        ...

    async def append(
        self,
        log_id: str,
        after: Tip,
        events: Sequence[bytes],
        *,
        tag: bytes,
        not_before: int | None = None,
        not_after: int | None = None,
        wake: Wake = KEEP,
        unprojected: bool = False,
    ) -> Outcome:
        """Append `events` if the log ends exactly at `after`, and return only once that is durable.

        The stamp is the store's time, or the stamp of the log's last event if that is later: time never runs
        backwards within a log. First the end of the log is judged, then the window, which takes in both its
        ends. Cancelling the caller does not take back an append that was handed over.

        Args:
            log_id: the name of the log; it need not exist yet (`after` is then `START`).
            after: where the log ended when the events were decided.
            events: one or more; they share stamp and tag.
            tag: from `new_tag`, a new one for every append that is not a repetition of the same.
            not_before: the earliest stamp allowed, milliseconds since 1970.
            not_after: the latest stamp allowed, milliseconds since 1970.
            wake: what happens to the log's deadline, if the append takes effect.
            unprojected: whether the log is marked as unprojected, if the append takes effect.

        Raises:
            Unavailable: the store cannot tell; see "Unknown outcomes" above.
            ValueError: no events, a bad name, a tag of the wrong length, a negative number.
        """
        ...

    async def restore(
        self, log_id: str, rows: Sequence[Stored], due_ms: Wake, *, unprojected: bool = False
    ) -> bool:
        """Make a log of what was read from another store, as it was there, stamps and tags included.

        All of it or nothing takes effect, and only if there is no such log.

        Args:
            log_id: the name of the log.
            rows: the whole log, from number 1 on.
            due_ms: the log's deadline, milliseconds since 1970; `CLEAR` if it had one and is done with,
                `KEEP` if it is of those that never have any.
            unprojected: whether it is marked as unprojected.

        Returns:
            Whether that was done. If not, there is such a log; perhaps this one, if its answer was lost.

        Raises:
            ValueError: the rows are no log: there are none, there is a gap, stamps run backwards, a tag has
                the wrong length.
        """
        ...

    async def read(self, log_id: str, after: int = 0, limit: int = PAGE) -> list[Stored]:
        """The events that follow number `after`, oldest first, `limit` at most; none if no such log."""
        ...

    async def is_newest(self, log_id: str, tip: Tip) -> bool:
        """Whether the log ends at `tip`, as shown by a read begun after this call."""
        ...

    def watch(self, log_id: str, on_events: Callable[[Sequence[Stored]], None]) -> Callable[[], None]:
        """Call `on_events` on the event loop after every commit to the log, the watcher's own included.

        A wake-up that happens to carry the events: a store may lose some, so a gap in `seq` is to be filled
        by `read`. No events at all mean that the log may have lost its tail. `on_events` must not block; what
        it raises goes to the loop's exception handler.

        Returns:
            What ends the watch. After it returned, `on_events` is not called again; calling it twice does no
            harm.
        """
        ...

    async def announce(self, log_id: str, note: bytes) -> None:
        """Tell whoever hears, on any node, something about a log that is not kept. It may get lost.

        Raises:
            Unavailable: it was not sent.
        """
        ...

    def hear(self, log_id: str, on_note: Callable[[bytes], None]) -> Callable[[], None]:
        """Call `on_note` on the event loop with what is announced about a log, by this node as well.

        Returns:
            What ends the hearing; calling it twice does no harm.
        """
        ...

    async def due(self, until_ms: int, limit: int) -> list[Due]:
        """The deadlines at `until_ms` or before, in order of time, `limit` at most. Only appends end them."""
        ...

    async def next_due(self) -> int | None:
        """The earliest deadline there is, milliseconds since 1970."""
        ...

    async def unprojected(self, limit: int) -> list[str]:
        """The names of logs marked as unprojected, those marked first at the front, `limit` at most."""
        ...

    async def projected(self, log_id: str) -> None:
        """Take the mark from a log: all that it comes to is in the tables. Twice does no harm."""
        ...

    async def list_logs(self, prefix: str, after: str = "", limit: int = PAGE) -> list[str]:
        """The names of logs that begin with `prefix` and sort after `after`, in order, `limit` at most."""
        ...

    def now_ms(self) -> int:
        """The store's time, as well as it can be told without asking; milliseconds since 1970."""
        ...

    async def check(self) -> None:
        """Return if the store takes writes now; raise `Unavailable` if not."""
        ...

    async def close(self) -> None:
        """Finish what was handed over, then let go of all. Later calls raise `Unavailable`; twice is fine."""
        ...
