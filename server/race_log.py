"""A race's events as the bytes the store keeps, and back.

One event is a JSON array: its kind, its fields by name, and for `created` the version of this format and that
of the rules the log was folded by. A node that meets a newer version must leave the race alone rather than
guess. Golden logs of every version are kept in the tests.
"""

from collections.abc import Iterable
from typing import Any, Final

import msgspec
import orjson

from server.race.events import (
    Attached,
    AutoFinished,
    Configured,
    CountdownBegun,
    Created,
    Ended,
    Event,
    Finished,
    HintTaken,
    HostPassed,
    Joined,
    Kicked,
    Left,
    Moved,
    Readied,
    Redone,
    RematchAsked,
    Rematched,
    RematchMade,
    Resigned,
    Restarted,
    RobotJoined,
    RobotPlanned,
    Said,
    Stamped,
    Started,
    TailLost,
    TimeUp,
    Undone,
)
from server.store.base import Stored

FORMAT: Final = 1
"""The version of this module's bytes."""

RULES: Final = 1
"""The version of the rules: of all that makes the same log fold to the same race."""

_KINDS: Final[dict[str, type[Event]]] = {
    "created": Created,
    "joined": Joined,
    "attached": Attached,
    "readied": Readied,
    "configured": Configured,
    "kicked": Kicked,
    "robot_joined": RobotJoined,
    "robot_planned": RobotPlanned,
    "left": Left,
    "host_passed": HostPassed,
    "countdown": CountdownBegun,
    "started": Started,
    "moved": Moved,
    "undone": Undone,
    "redone": Redone,
    "restarted": Restarted,
    "auto_finished": AutoFinished,
    "hint_taken": HintTaken,
    "finished": Finished,
    "resigned": Resigned,
    "time_up": TimeUp,
    "ended": Ended,
    "said": Said,
    "rematched": Rematched,
    "rematch_asked": RematchAsked,
    "rematch_made": RematchMade,
    "tail_lost": TailLost,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


_LATER: Final = {"daily": "", "ranked": False, "lost": ""}
"""Fields of a setup that came later. At their default they are left out, so that old bytes stay the same."""


class NewerLog(Exception):
    """The log was written by a newer version of the program, which alone can go on with it."""


class BrokenLog(Exception):
    """Bytes that are no event of any version."""


def write(event: Event) -> bytes:
    """The bytes of an event."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if "setup" in fields:
        setup = fields["setup"].items()
        fields["setup"] = {name: value for name, value in setup if _LATER.get(name, ...) != value}
    parts: list[Any] = [_NAMES[type(event)], fields]
    if isinstance(event, Created):
        parts += [FORMAT, RULES]
    return orjson.dumps(parts)


def read(stored: Stored) -> Stamped:
    """The event of a stored row.

    Raises:
        NewerLog: the log's format or rules are newer than this program's.
        BrokenLog: the bytes are no event.
    """
    try:
        kind, fields, *versions = orjson.loads(stored.data)
        if any(found > known for found, known in zip(versions, (FORMAT, RULES), strict=False)):
            raise NewerLog(f"log format and rules {versions}; this program knows {[FORMAT, RULES]}")
        if kind == "created" and len(versions) < 2:
            raise ValueError("created without the versions of format and rules")
        return Stamped(stored.seq, stored.at_ms, msgspec.convert(fields, _KINDS[kind]))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise BrokenLog(f"event {stored.seq}: {error}") from error


def read_all(rows: Iterable[Stored]) -> list[Stamped]:
    """The events of stored rows, in the same order."""
    return [read(row) for row in rows]
