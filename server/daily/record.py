"""What a player's days come to: streaks, and the time he takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from server.daily.calendar import closes_ms, shifted
from server.daily.referee import Result


@dataclass(frozen=True, slots=True)
class Record:
    """All that a player has done with one number of cells.

    Attributes:
        played: days on which his ranked attempt is over.
        won: those of them that he won.
        streak: days won one after the other up to today; today counts once it is over for him.
        best_streak: the longest there ever was.
        median_ms: the time that half of his wins took no longer than; None without a win.
    """

    played: int
    won: int
    streak: int
    best_streak: int
    median_ms: int | None


def record_of(results: Sequence[Result], now_ms: int, today: str) -> Record:
    """The record of a player.

    Args:
        results: his attempts that are over, in order of days.
        now_ms: the store's time.
        today: the day it is.
    """
    won = {result.daily.day for result in results if result.won}
    lost = {result.daily.day for result in results if not result.won}
    times = sorted(result.ms for result in results if result.won)
    return Record(
        len(results),
        len(won),
        _streak(won, lost, now_ms, today),
        _best_streak(sorted(won)),
        times[(len(times) - 1) // 2] if times else None,
    )


def _streak(won: set[str], lost: set[str], now_ms: int, today: str) -> int:
    day = today
    # A day that he can still win, or may be winning just now, breaks nothing.
    while day not in won and day not in lost and now_ms < closes_ms(day):
        day = shifted(day, -1)
    streak = 0
    while day in won:
        streak += 1
        day = shifted(day, -1)
    return streak


def _best_streak(days: Iterable[str]) -> int:
    best = streak = 0
    before = ""
    for day in days:
        streak = streak + 1 if before and shifted(before, 1) == day else 1
        best = max(best, streak)
        before = day
    return best
