"""What `decide` can answer."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from server.race.events import Event
from server.race.state import Answer


class Wake(Enum):
    """What a decision does to the race's deadline when it is no new one."""

    KEEP = "keep"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Decision:
    """Events to append, if the store's time is then from `not_before` to `not_after`, both included.

    `wake`: keep the race's deadline, clear it, or make it so many milliseconds after the time of the append.
    """

    events: tuple[Event, ...]
    not_before: int | None = None
    not_after: int | None = None
    wake: Wake | int = Wake.KEEP


@dataclass(frozen=True, slots=True)
class Refusal:
    """No effect. `code` is one of the protocol's error codes, `detail` a sentence to act on."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """The command took effect before; this is its old answer."""

    answer: Answer


NOT_DUE: Final = Refusal("not_due", "nothing is due")
"""The answer to a tick that comes too soon. It never leaves the server."""

Verdict = Decision | Refusal | Repeated
