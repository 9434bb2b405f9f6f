"""Who is in a race besides oneself: what a server of one's own is kept up for. Pure."""

from typing import Final

from client_cli.session import Session

_OPEN: Final = frozenset({"waiting", "racing"})


def is_alone(session: Session) -> bool:
    """Whether one has a seat, and nobody but robots has another."""
    others = (racer for racer in session.racers if racer.player != session.player)
    return session.me is not None and all(racer.robot is not None for racer in others)


def goes_on(session: Session) -> bool:
    """Whether a race goes on without oneself: the clock runs, if only for robots or for one's own seat."""
    return session.phase in {"countdown", "running"} and any(racer.state in _OPEN for racer in session.racers)


def has_others(session: Session, own_watches: int = 0) -> bool:
    """Whether other people are in a race: they race, have a connection, or look on.

    For who races the clock runs, connected or not. Who waits in the lobby, or stays after the race, counts as
    long as he is connected; by his seat, where that was not told.

    Args:
        session: the race, and how one is in it oneself.
        own_watches: how many of those who look on are oneself.
    """
    others = [racer for racer in session.racers if racer.robot is None and racer.player != session.player]
    if session.here is None or session.phase in {"countdown", "running"}:
        are_seated = any(racer.state in _OPEN for racer in others)
    else:
        are_seated = False
    are_here = any(racer.player in (session.here or ()) for racer in others)
    return are_seated or are_here or session.watchers > own_watches
