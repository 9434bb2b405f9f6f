"""The races one was in lately: what is kept of them, and a line for each. Pure."""

from client_cli.daily_words import race_text
from client_cli.language import tr
from client_cli.screens.panel_view import ordinal_text
from client_cli.screens.preferences import Recent
from client_cli.session import Session
from protocol.commands import Watch


def recent_of(session: Session, server: str) -> Recent:
    """A race as it is to be remembered."""
    life = session.picture.life if session.picture else None
    return Recent(
        session.race,
        server,
        watched=isinstance(session.entrance, Watch) and session.me is None,
        is_over=session.phase == "over",
        deal=life.deal or 0 if life else 0,
        racers=len(session.racers),
        rank=(session.me.rank or 0) if session.me else 0,
    )


def recent_text(recent: Recent) -> str:
    """Which race, how it ended as far as that is known, and where it is."""
    deal = tr("deal {deal}").format(deal=recent.deal) if recent.deal else ""
    if recent.watched:
        ending = tr("watched")
    elif recent.rank and recent.race.startswith("daily:"):
        ending = tr("won")  # its place is on the leaderboard
    elif recent.rank:
        ending = tr("{place} of {racers}").format(place=ordinal_text(recent.rank), racers=recent.racers)
    else:
        ending = tr("over") if recent.is_over else ""
    parts = (race_text(recent.race), recent.server or tr("this machine"), deal, ending)
    return "  ".join(part for part in parts if part)
