"""What a server has told of dailies: days, boards and records. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from msgspec.structs import replace as with_fields

from protocol.commands import BoardBy, DailyCells
from protocol.events import DayTold, Event, Ranks, Recorded

BOTH: Final[tuple[DailyCells, ...]] = (4, 2)
"""The two deals of a day, by their free cells; the second is the hard one."""

ATTEMPT_MS: Final = 3_600_000
"""How long a ranked attempt lasts (docs/protocol.md, the deal of the day)."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day and one of its deals as told, and when that was heard, by our clock."""

    told: DayTold
    heard_ms: int

    def left_ms(self, now_ms: int) -> int | None:
        """For how long an attempt can still be begun; None when the day is over."""
        return None if self.told.left_ms is None else max(0, self.told.left_ms - (now_ms - self.heard_ms))

    def run_ms(self, now_ms: int) -> int | None:
        """How long one's attempt has run; None if none runs."""
        mine = self.told.mine
        if mine is None or mine.state != "racing":
            return None
        return min(ATTEMPT_MS, (mine.ms or 0) + now_ms - self.heard_ms)

    @property
    def is_mine_over(self) -> bool:
        """Whether one has played it."""
        return self.told.mine is not None and self.told.mine.state != "racing"

    @property
    def is_open(self) -> bool:
        """Whether one may see its cards, and what others did."""
        return self.told.closed or self.is_mine_over

    @property
    def is_to_play(self) -> bool:
        """Whether a ranked attempt can be begun, or gone on with."""
        return not self.is_mine_over and (self.told.left_ms is not None or self.told.mine is not None)


@dataclass(frozen=True, slots=True)
class Answers:
    """All that was told, the newest of each.

    Attributes:
        today: the day it is, by the server; "" before it said so.
        days: by day and free cells.
        boards: by period, free cells and what they go by; their pages put together.
        records: one's own, by free cells.
    """

    today: str = ""
    days: Mapping[tuple[str, int], Day] = field(default_factory=dict)
    boards: Mapping[tuple[str, int, BoardBy], Ranks] = field(default_factory=dict)
    records: Mapping[int, Recorded] = field(default_factory=dict)

    def running(self, cells: int, now_ms: int) -> Day | None:
        """The day whose attempt with so many cells runs, as far as that is known."""
        days = (day for (_, played), day in self.days.items() if played == cells)
        return next((day for day in days if day.run_ms(now_ms) not in {None, ATTEMPT_MS}), None)

    def with_told(self, event: Event, now_ms: int) -> "Answers":
        """With an answer that was just heard; others change nothing."""
        match event:
            case DayTold():
                days = {**self.days, (event.day, event.cells): Day(event, now_ms)}
                return replace(self, days=days, today=event.today)
            case Ranks():
                key = (event.period, event.cells, event.by)
                return replace(self, boards={**self.boards, key: _joined(self.boards.get(key), event)})
            case Recorded():
                return replace(self, records={**self.records, event.cells: event})
            case _:
                return self


def shifted(period: str, by: int) -> str:
    """The day so many days later; of a month (2026-11) the month."""
    if len(period) == len("2026-11"):
        years, place = divmod(int(period[:4]) * 12 + int(period[5:]) - 1 + by, 12)
        return f"{years:04}-{place + 1:02}"
    return (date.fromisoformat(period) + timedelta(days=by)).isoformat()


def _joined(before: Ranks | None, page: Ranks) -> Ranks:
    """A board with one more page of it; its first page begins it anew."""
    if before is None or page.start != before.next:
        return page
    unreadable = before.unreadable + page.unreadable
    return with_fields(page, start=0, lines=(*before.lines, *page.lines), unreadable=unreadable)
