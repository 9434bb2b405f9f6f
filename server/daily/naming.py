"""What things of the daily are called: the dailies themselves, ranked attempts, tables.

A ranked attempt is a race whose log bears the name of what there can be only one of: day, cells and player.
That name takes the place of a race's code everywhere.
"""

import re
from typing import Final, NamedTuple

from server.daily.calendar import BadDate, starts_ms
from server.race.state import PlayerId, RaceCode

CELLS: Final = (4, 2)
"""The numbers of free cells that there is a daily for; two are for those who like it hard."""

_ATTEMPT: Final = re.compile(r"daily:(\d{4}-\d{2}-\d{2}):([1-4]):([a-z2-7]{16})")


class Daily(NamedTuple):
    """The deal of a day for a number of free cells."""

    day: str
    cells: int

    def __str__(self) -> str:
        return f"{self.day}:{self.cells}"


def daily_of(text: str) -> Daily:
    """The daily that `str` wrote so."""
    day, _, cells = text.partition(":")
    return Daily(day, int(cells))


def attempt_of(daily: Daily, player: PlayerId) -> RaceCode:
    """The name of a player's ranked attempt, in the place of a race's code."""
    return RaceCode(f"daily:{daily}:{player}")


def read_attempt(code: str) -> tuple[Daily, PlayerId] | None:
    """The daily and the player of an attempt's name; None for anything else."""
    found = _ATTEMPT.fullmatch(code)
    if found is None:
        return None
    day, cells, player = found.groups()
    try:
        starts_ms(day)
    except BadDate:
        return None
    return Daily(day, int(cells)), PlayerId(player)
