"""The tables of results, and which rows an attempt comes to.

    day:2026-11-30:4:time              the board of a daily: a row for each player, by player id
    month:2026-11:4:time               the board of a month: a row for each attempt, by day and player id
    days:4:mfrggzdfmztwq2lk            all that a player has played, by day

Boards hold attempts that were won. Rows are never changed, so whoever writes them a second time changes
nothing.
"""

from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
import orjson

from server.daily.calendar import DAY_MS, starts_ms
from server.daily.naming import Daily
from server.daily.referee import Result
from server.race.state import PlayerId
from server.store.results import Row


class By(StrEnum):
    """What the boards go by."""

    TIME = "time"
    ACTIONS = "actions"
    NO_UNDO = "no-undo"
    """By time, of those who took nothing back."""
    NO_HINTS = "no-hints"
    """By time, of those who asked for no hint."""


class UnreadableRow(ValueError):
    """A row that this program can make nothing of; says why."""


class Put(NamedTuple):
    """A row and the table it goes into."""

    table: str
    row: Row


_FORMAT: Final = 1


def day_table(daily: Daily, by: By) -> str:
    """The board of a daily."""
    return f"day:{daily}:{by}"


def month_table(month: str, cells: int, by: By) -> str:
    """The board of a month."""
    return f"month:{month}:{cells}:{by}"


def days_table(player: PlayerId, cells: int) -> str:
    """What a player has played."""
    return f"days:{cells}:{player}"


def puts(result: Result) -> list[Put]:
    """The rows of a result. The last one is put last: when it is there, so are the others."""
    found: list[Put] = []
    day, cells = result.daily
    data = write(replace(result, curve=()))
    for by in By if result.won else ():
        score = _score(result, by)
        if score is not None:
            found += (
                Put(day_table(result.daily, by), Row(result.player, score, data)),
                Put(month_table(day[:7], cells, by), Row(f"{day}:{result.player}", score, data)),
            )
    found.append(Put(days_table(result.player, cells), Row(day, starts_ms(day) // DAY_MS, write(result))))
    return found


def _score(result: Result, by: By) -> int | None:
    """What a board goes by, the lower the better; None if it is not for this result."""
    match by:
        case By.TIME:
            return result.ms
        case By.ACTIONS:
            return result.actions
        case By.NO_UNDO:
            return None if result.taken_back else result.ms
        case By.NO_HINTS:
            return None if result.hinted else result.ms


def write(result: Result) -> bytes:
    """The bytes of a row."""
    return orjson.dumps([_FORMAT, msgspec.to_builtins(result)])


def read(row: Row) -> Result:
    """The result in a row.

    Raises:
        UnreadableRow: a newer program wrote it, or none did.
    """
    try:
        version, fields = orjson.loads(row.data)
        if version == _FORMAT:
            return msgspec.convert(fields, Result)
    except (ValueError, TypeError) as error:
        raise UnreadableRow(f"{row.key} is no result: {error}") from error
    raise UnreadableRow(f"results of format {ascii(version)[:20]} are a newer cellrace's")
