"""The race's clock as a person reads it."""

from typing import Final

from client_cli.language import tr
from client_cli.session import Session
from client_cli.standings import clock_text

SECOND_MS: Final = 1000


def until_turn_s(clock_ms: int) -> float:
    """Seconds until a clock shows another second: more than 0, at most 1; before a start it counts down."""
    return (SECOND_MS - clock_ms % SECOND_MS) / SECOND_MS


def clock_line(session: Session, race_ms: int | None) -> str:
    """How long the race has run, and how much of it is left."""
    if race_ms is None or session.picture is None or session.phase == "over":
        return ""
    if race_ms < 0:
        return tr("starts in {seconds} s").format(seconds=-(race_ms // 1000))
    limit_ms = session.picture.life.settings.time_limit_s * 1000
    left = clock_text(max(0, limit_ms - race_ms))
    return tr("{clock}, {left} left").format(clock=clock_text(race_ms), left=left)
