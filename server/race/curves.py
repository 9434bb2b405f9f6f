"""How far each racer was at every time: cards home over the race's clock, as read from its log.

It is progress and nothing else, so whoever may see progress may see it: no move can be told from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from server.race.events import (
    AutoFinished,
    Moved,
    Redone,
    Resigned,
    Restarted,
    Stamped,
    Started,
    TimeUp,
    Undone,
)
from server.race.state import Member, Phase, PlayerId, Race, Standing
from server.race.views import watch_access

MAX_POINTS: Final = 200
"""Points of one curve that are told; a longer one is thinned."""


class Point(NamedTuple):
    """From `ms` after the start on, `home` cards were home."""

    ms: int
    home: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A racer's points in order of time: from the start, one wherever his cards home change, and his end."""

    player: PlayerId
    name: str
    points: tuple[Point, ...]


def new_points(before: Race, stamped: Stamped, after: Race) -> list[tuple[PlayerId, Point]]:
    """The points that an event adds to the curves of its race."""
    event = stamped.event
    match event:
        case Started():
            changed = after.racers
        case TimeUp():
            changed = tuple(racer for racer in after.racers if racer.standing is Standing.OUT_OF_TIME)
        case Resigned(player):
            changed = (after.members[player],)
        case Moved(player) | Undone(player) | Redone(player) | Restarted(player) | AutoFinished(player):
            racer = after.members[player]
            changed = (racer,) if _home(racer) != _home(before.members[player]) else ()
        case _:
            changed = ()
    ms = stamped.at_ms - after.life.started_at
    return [(racer.player, Point(ms, _home(racer))) for racer in changed]


def curves(race: Race, points: Mapping[PlayerId, Sequence[Point]], until_ms: int) -> list[Curve]:
    """The curves up to and with `until_ms` after the start, thinned, in the order of the seats.

    Args:
        race: the race, for who has a seat in it.
        points: all `new_points` of its log.
        until_ms: what is later is left out.
    """
    found = []
    for racer in race.racers:
        seen = [point for point in points.get(racer.player, ()) if point.ms <= until_ms]
        if seen:
            found.append(Curve(racer.player, racer.name, tuple(thinned(seen, MAX_POINTS))))
    return found


def thinned(points: Sequence[Point], most: int) -> Sequence[Point]:
    """At most so many of the points (two or more), evenly chosen; the first and the last always."""
    if len(points) <= most:
        return points
    last = len(points) - 1
    return [points[place * last // (most - 1)] for place in range(most)]


def lateness_ms(race: Race, player: PlayerId, *, seated: bool) -> int | None:
    """How late a player is told of the curves; None if he is not told at all.

    Args:
        race: as it is now.
        player: who asks.
        seated: whether he does so at his seat, where progress is told at once.
    """
    if seated:
        return 0
    access = watch_access(race, player)
    return None if access is None else access.delay_ms


def told_until_ms(race: Race, now_ms: int) -> int | None:
    """The time after the start up to which curves are told at `now_ms`; None before the start.

    Args:
        race: as it is now.
        now_ms: the store's time, or for one who is told late, what it was then.
    """
    life = race.life
    if not life.has_started:
        return None
    ms = (min(now_ms, life.over_at) if life.phase is Phase.OVER else now_ms) - life.started_at
    return None if ms < 0 else ms


def _home(member: Member) -> int:
    return 0 if member.game is None else member.game.position.home
