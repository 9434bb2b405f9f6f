"""How far everybody was at every time, as far as it is known: traced, and heard since. Pure."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from client_cli.connection import Heard
from protocol.events import Snapshot, Traced, Update
from protocol.views import Racer

Points = tuple[tuple[int, int], ...]
"""In order of time: from so many milliseconds after the start on, so many cards home."""


@dataclass(frozen=True, slots=True)
class Curves:
    """The points of every racer, by player id."""

    of: Mapping[str, Points] = field(default_factory=dict)

    @property
    def until_ms(self) -> int:
        """The last time that is known of."""
        return max((points[-1][0] for points in self.of.values()), default=0)

    def with_traced(self, page: Traced) -> "Curves":
        """With a page of what the server has traced; what was heard since then stays."""
        until_ms = -1 if page.clock is None else page.clock
        of = dict(self.of)
        for curve in page.curves:
            later = tuple(point for point in of.get(curve.player, ()) if point[0] > until_ms)
            of[curve.player] = (*curve.points, *later)
        return Curves(of)

    def with_told(self, racers: Iterable[Racer], ms: int) -> "Curves":
        """With how far the racers are at this time."""
        of = dict(self.of)
        for racer in racers:
            points = of.get(racer.player, ())
            is_news = not points or points[-1][1] != racer.home
            if racer.state != "waiting" and is_news and (not points or ms >= points[-1][0]):
                of[racer.player] = (*points, (ms, racer.home))
        return self if of == self.of else Curves(of)


def home_at(points: Points, ms: int) -> int:
    """How many cards were home at that time."""
    place = bisect_right(points, ms, key=lambda point: point[0])
    return points[place - 1][1] if place else 0


class Decided(NamedTuple):
    """From when on one racer was ahead of all others for good, and with how many cards home."""

    player: str
    ms: int
    home: int


def decided(curves: Curves, winner: str) -> Decided | None:
    """Where a race was decided: where who is first in the end took the lead for good.

    Args:
        curves: all of them.
        winner: who is first in the standings.

    Returns:
        None where there was nobody to be ahead of, or where the first and another ended level.
    """
    mine = curves.of.get(winner, ())
    others = [points for player, points in curves.of.items() if player != winner]
    if not mine or not others:
        return None
    end_ms = mine[-1][0]
    times = sorted({ms for points in (mine, *others) for ms, _ in points if ms <= end_ms})
    since: int | None = None
    for ms in times:
        if home_at(mine, ms) <= max(home_at(points, ms) for points in others):
            since = None
        elif since is None:
            since = ms
    return None if since is None else Decided(winner, since, home_at(mine, since))


def told(curves: Curves, heard: Heard) -> Curves:
    """What is known after something was heard of the race."""
    event, session = heard.event, heard.step.session
    match event:
        case Traced() if event.race == session.race:
            return curves.with_traced(event)
        case Snapshot() | Update() if event.race == session.race and event.feed == session.feed:
            return curves.with_told(session.racers, event.clock or 0)
        case _:
            return curves
