"""Ghosts: races that are over, raced against by how far they were at every time, and nothing else. Pure."""

from dataclasses import dataclass

from client_cli.curves import Points, home_at
from client_cli.language import tr
from client_cli.standings import CARDS, time_text
from protocol.events import Curve, Traced


@dataclass(frozen=True, slots=True)
class Haunt:
    """What to race against: a race that is over, and whose part in it; "" for who did best."""

    race: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Ghost:
    """Somebody's race as a progress bar.

    Attributes:
        name: whose.
        points: how far it was, and from when on; the last is its end.
    """

    name: str
    points: Points

    @property
    def end_ms(self) -> int:
        """The time at which it was over."""
        return self.points[-1][0]

    def home(self, ms: int) -> int:
        """How many cards it had home at that time."""
        return home_at(self.points, ms)

    def is_over(self, ms: int) -> bool:
        """Whether it had come to its end by then."""
        return ms >= self.end_ms


def ghost_of(page: Traced, haunt: Haunt) -> Ghost | None:
    """The ghost in a page of curves; None if it is not of that race, or has nobody who is meant."""
    curves = [curve for curve in page.curves if curve.points and haunt.player in {"", curve.player}]
    if page.race != haunt.race or not curves:
        return None
    best = max(curves, key=_success)
    return Ghost(best.name, best.points)


def ghost_name(ghost: Ghost) -> str:
    """What it is called beside those who race."""
    return tr("ghost of {name}").format(name=ghost.name)


def ghost_state(ghost: Ghost, ms: int) -> str:
    """What it is doing at that time: racing, or how it ended."""
    if not ghost.is_over(ms):
        return tr("racing")
    if ghost.home(ms) == CARDS:
        return tr("won in {time}").format(time=time_text(ghost.end_ms))
    return tr("gave up, or ran out of time")


def ghost_line(ghost: Ghost, ms: int) -> str:
    """How far it is at that time, in one line."""
    if ghost.is_over(ms):
        return f"{ghost_name(ghost)}: {ghost_state(ghost, ms)}"
    home = tr("{home} of 52 home").format(home=ghost.home(ms))
    return f"{ghost_name(ghost)}: {home}"


def margin_line(ghost: Ghost, ended_ms: int) -> str:
    """How much sooner than the ghost one has won, or later; "" where it has not."""
    if ghost.home(ghost.end_ms) != CARDS:
        return ""
    text = tr("{time} ahead of {name}") if ended_ms <= ghost.end_ms else tr("{time} behind {name}")
    return text.format(time=time_text(abs(ghost.end_ms - ended_ms)), name=ghost_name(ghost))


def _success(curve: Curve) -> tuple[int, int]:
    """The more cards home the better, then the sooner."""
    ms, home = curve.points[-1]
    return home, -ms
