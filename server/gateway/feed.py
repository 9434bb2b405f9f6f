"""What viewers of a race are sent: updates that join without a hole, or a snapshot.

A feed is a race at some delay, with the last events of its log. A viewer is a cursor on it, not a queue:
whoever falls behind has an older cursor, and past the ring gets a snapshot. All who stand at the same place
and have the same view get the same bytes, encoded once.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from protocol import codec, events, views
from server.gateway import wire
from server.race import views as core
from server.race.events import Stamped
from server.race.state import Race
from server.store.base import Tip

RING: Final = 1024
"""How many events back a viewer may resume without a snapshot."""

CLOCK_SLACK_MS: Final = 5
"""How old the race's clock in a frame may be when it is sent."""


class Entry(NamedTuple):
    """An event of the log with the states on both sides of it."""

    before: Race
    stamped: Stamped
    after: Race
    tag: bytes


@dataclass(slots=True)
class Cursor:
    """Where a viewer is.

    `view` is None until his first snapshot, or while it is to be resumed at `to`; `rewound` says that the log
    does not hold what he has seen, until he has been told.
    """

    name: views.Feed
    to: int = 0
    tag: bytes = b""
    view: core.View | None = None
    rewound: bool = False


class Feed:
    """A race up to `tip`, for viewers at one delay."""

    def __init__(self, race: Race, tag: bytes) -> None:
        self.race = race
        self.tag = tag
        self._base = (race, tag)
        self._ring: deque[Entry] = deque()
        self._encoded: dict[tuple[views.Feed, core.View, int, bool], tuple[int, list[bytes]]] = {}

    @property
    def tip(self) -> Tip:
        """The end of the log as this feed shows it."""
        return Tip(self.race.seq, self.tag)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Show more of the log."""
        for entry in entries:
            if len(self._ring) == RING:
                oldest = self._ring.popleft()
                self._base = (oldest.after, oldest.tag)
            self._ring.append(entry)
            self.race, self.tag = entry.after, entry.tag
        self._encoded.clear()

    def state_at(self, to: int, tag: bytes) -> Race | None:
        """The race as of event `to`, if that is still in the ring and bears this tag."""
        place = to - self._base[0].seq
        if not 0 <= place <= len(self._ring):
            return None
        race, found = self._base if place == 0 else (self._ring[place - 1].after, self._ring[place - 1].tag)
        return race if found == tag else None

    def pull(self, cursor: Cursor, view: core.View, now_ms: int) -> list[bytes]:
        """The frames that bring a viewer up to date, at the feed's time `now_ms`; his cursor moves on."""
        if cursor.view is view and cursor.to == self.race.seq:
            return []
        known = cursor.to if cursor.view is view and self.state_at(cursor.to, cursor.tag) else -1
        key = (cursor.name, view, known, cursor.rewound)
        encoded_ms, frames = self._encoded.get(key, (0, None))
        if frames is None or now_ms - encoded_ms > CLOCK_SLACK_MS:
            clock = wire.clock_of(self.race, now_ms)
            make = self._update if known >= 0 else self._snapshot
            frames = make(cursor, view, clock)
            self._encoded[key] = (now_ms, frames)
        cursor.to, cursor.tag, cursor.view, cursor.rewound = self.race.seq, self.tag, view, False
        return frames

    def _update(self, cursor: Cursor, view: core.View, clock: int | None) -> list[bytes]:
        missing = islice(self._ring, cursor.to - self._base[0].seq, None)
        changes = core.merge(
            change
            for entry in missing
            for change in core.update(entry.before, entry.stamped, entry.after, view)
        )
        update = events.Update(
            self.race.life.code,
            cursor.name,
            view.value,
            cursor.to,
            self.race.seq,
            self.tag.hex(),
            tuple(wire.change(change) for change in changes),
            clock,
        )
        return [codec.encode(update)]

    def _snapshot(self, cursor: Cursor, view: core.View, clock: int | None) -> list[bytes]:
        pages = wire.snapshot(self.race, cursor.name, view, self.tag.hex(), clock, rewound=cursor.rewound)
        return [codec.encode(page) for page in pages]
