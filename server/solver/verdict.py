"""What can be said of a position."""

from dataclasses import dataclass
from typing import TypeAlias

from server.deals.certified import Known
from server.freecell.movement import Move


@dataclass(frozen=True, slots=True)
class Winnable:
    """A line that wins was found, and played through by our own rules.

    Attributes:
        move: its first move; None when the position is won.
        left: how many moves it has. It takes nothing off a foundation, so it wins by every ruleset.
    """

    move: Move | None
    left: int


@dataclass(frozen=True, slots=True)
class Lost:
    """An exhaustive search that takes nothing off a foundation found no line."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The search was bounded, put aside, or not possible here."""


Verdict: TypeAlias = Winnable | Lost | Unknown


def known_of(verdict: Verdict, *, returns: bool) -> Known:
    """The honest word for a verdict, where cards may (`returns`) or may not come back off the foundations."""
    match verdict:
        case Winnable():
            return Known.WINNABLE
        case Lost():
            return Known.LOST_WITHOUT_RETURN if returns else Known.UNWINNABLE
        case Unknown():
            return Known.UNKNOWN
