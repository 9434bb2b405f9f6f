"""Days: one for the whole world, from 0:00 to 24:00 UTC by the store's clock.

A day is written as ISO 8601 has it, `2026-11-30`. No time zone and no daylight saving is ever looked at: all
days have 86 400 seconds since 1970, as POSIX counts them.
"""

import re
from datetime import date
from typing import Final

DAY_MS: Final = 86_400_000

LIMIT_MS: Final = 3_600_000
"""How long a ranked attempt lasts at most, from when its deal is shown."""

_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MONTH: Final = re.compile(r"\d{4}-\d{2}")
_EPOCH: Final = date(1970, 1, 1).toordinal()


class BadDate(ValueError):
    """A text that is no day."""


def day_at(ms: int) -> str:
    """The day at so many milliseconds since 1970."""
    return date.fromordinal(_EPOCH + ms // DAY_MS).isoformat()


def starts_ms(day: str) -> int:
    """The first millisecond of a day.

    Raises:
        BadDate: there is no such day.
    """
    return _number(day) * DAY_MS


def ends_ms(day: str) -> int:
    """The first millisecond after a day, from which on nobody can start its ranked attempt."""
    return starts_ms(day) + DAY_MS


def closes_ms(day: str) -> int:
    """When a day is closed: nobody can be at its ranked attempt any more, and its secrets are told."""
    return ends_ms(day) + LIMIT_MS


def shifted(day: str, days: int) -> str:
    """The day so many days later; earlier if negative.

    Raises:
        BadDate: there is no such day.
    """
    return day_at((_number(day) + days) * DAY_MS)


def is_month(text: str) -> bool:
    """Whether a text is a month, such as `2026-11`."""
    if not _MONTH.fullmatch(text):
        return False
    try:
        starts_ms(f"{text}-01")
    except BadDate:
        return False
    return True


def _number(day: str) -> int:
    """The number of days since 1970."""
    try:
        if not (day.isascii() and _DATE.fullmatch(day)):
            raise ValueError(day)
        return date.fromisoformat(day).toordinal() - _EPOCH
    except ValueError:
        raise BadDate(f"a day looks like 2026-11-30, not {day[:20]!a}") from None
