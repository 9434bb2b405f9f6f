"""Who a live race asks about its deal and its boards."""

from dataclasses import dataclass, field

from server.gateway.coach import Coach
from server.gateway.verdicts import Assessor


@dataclass(frozen=True, slots=True)
class Advisers:
    """Who finds games for robots, and who knows what can still be won; without the latter nobody is told."""

    coach: Coach = field(default_factory=Coach)
    assessor: Assessor | None = None
