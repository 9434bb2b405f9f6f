"""Whether a race one has left is gone on with, or a new one begun. Pure.

`play` goes on with a race that runs and in which nobody else has a seat, robots aside; `host` with one that
others can join or have joined, and of which one is the host. Neither takes up what the other left. A race
that differs from what is asked for is kept, and another one begun; that is said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from client_cli.language import tr
from client_cli.settings import CHOICES
from protocol.commands import RobotLevel, Settings
from protocol.views import HeldSeat

ROBOTS: Final = "robot"
"""What robots are called among the options that differ."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What sort of race is wanted.

    Attributes:
        kind: raced alone, or with others.
        named: the fields of the settings that were asked for; the others are not minded.
        robots: how fast the robots are to play that were asked for.
    """

    kind: Literal["alone", "host"]
    named: frozenset[str] = frozenset()
    robots: tuple[RobotLevel, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A race of that sort that one has left.

    Attributes:
        race: its code.
        differs: what it has otherwise than was asked for, by the names of the options; if there is nothing,
            it is gone on with.
        why_not: why it cannot be gone on with all the same, as where its log cannot be read; in words.
    """

    race: str
    differs: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def is_left(self) -> bool:
        """Whether it stays as it is, and another one is made."""
        return bool(self.differs or self.why_not)


def find(intent: Intent, wanted: Settings, seats: Iterable[HeldSeat]) -> Found | None:
    """The newest race that is as asked for; else the newest of that sort, with what differs.

    Args:
        intent: what sort of race is wanted.
        wanted: its settings.
        seats: the seats one has, in the order in which they were taken.
    """
    found = [
        Found(seat.race, _differing(intent, wanted, seat))
        for seat in reversed(tuple(seats))
        if _is_meant(intent, seat)
    ]
    return next((race for race in found if not race.differs), found[0] if found else None)


def found_text(found: Found, *, has_options: bool = True) -> str:
    """What to say of it; where it was not found for a command, there are no options to speak of."""
    if found.why_not:
        text = tr("Race {race}, which you left, cannot be gone on with ({why}); this is a new one.")
        return text.format(race=found.race, why=found.why_not)
    if not found.differs and not has_options:
        return tr("You have a seat in a race already; going on with it.")
    if not found.differs:
        return tr("You have a seat in a race already; going on with it (--new begins another).")
    options = ", ".join(f"--{name}" for name in found.differs)
    text = tr(
        "Race {race}, which you left, is not as you ask for ({options}): it is kept; this is a new one."
    )
    return text.format(race=found.race, options=options)


def _is_meant(intent: Intent, seat: HeldSeat) -> bool:
    if seat.race.startswith("daily:") or seat.done:
        return False  # a ranked attempt is gone on with as such
    is_alone = seat.phase != "lobby" and seat.people == 1
    return is_alone if intent.kind == "alone" else seat.host and not is_alone


def _differing(intent: Intent, wanted: Settings, seat: HeldSeat) -> tuple[str, ...]:
    names = [
        CHOICES[field].name
        for field in CHOICES
        if field in intent.named and not _is_same(field, wanted, seat)
    ]
    if intent.robots and sorted(intent.robots) != sorted(seat.robots):
        names.append(ROBOTS)
    return tuple(names)


def _is_same(field: str, wanted: Settings, seat: HeldSeat) -> bool:
    if field == "deal":
        asked = wanted.deal
        return asked == seat.deal if isinstance(asked, int) else asked.strip().upper() == seat.deal_code
    value = getattr(wanted, field)
    return value is None or value == getattr(seat.settings, field)  # None leaves it to the ruleset
