"""The races one was in lately: what is kept of them, and a line for each. Pure."""

from client_cli.daily_words import race_text
from client_cli.language import tr
from client_cli.screens.panel_view import ordinal_text
from client_cli.screens.preferences import Recent
from client_cli.session import Session
from client_cli.text_width import cut
from protocol.commands import Watch

_NAMED = 2
"""So many of the others are remembered by name."""

_LONGEST_NAME = 24
"""In cells; a server may let names be longer."""


def recent_of(session: Session, server: str, day: str) -> Recent:
    """A race as it is to be remembered, seen on this day."""
    life = session.picture.life if session.picture else None
    others = [racer for racer in session.racers if racer.player != session.player]
    return Recent(
        session.race,
        server,
        watched=isinstance(session.entrance, Watch) and session.me is None,
        is_over=session.phase == "over",
        deal=life.deal or 0 if life else 0,
        racers=len(session.racers),
        rank=(session.me.rank or 0) if session.me else 0,
        day=day,
        others=tuple(cut(racer.name, _LONGEST_NAME).text for racer in others[:_NAMED]),
    )


def recent_text(recent: Recent) -> str:
    """Which race, when, with whom, how it ended as far as that is known, and where it is."""
    deal = tr("deal {deal}").format(deal=recent.deal) if recent.deal else ""
    server = recent.server or tr("this machine")
    parts = (recent.day, race_text(recent.race), _others_text(recent), deal, _ending(recent), server)
    return "  ".join(part for part in parts if part)


def _others_text(recent: Recent) -> str:
    if not recent.others:
        return ""
    unnamed = recent.racers - len(recent.others) - (not recent.watched)
    more = f" +{unnamed}" if unnamed > 0 else ""
    return tr("with {names}").format(names=", ".join(recent.others) + more)


def _ending(recent: Recent) -> str:
    if recent.watched:
        return tr("watched")
    if recent.rank and recent.racers == 1:
        return tr("won")  # the place of a ranked attempt is on the leaderboard
    if recent.rank:
        return tr("{place} of {racers}").format(place=ordinal_text(recent.rank), racers=recent.racers)
    return tr("over") if recent.is_over else tr("not over when last seen")
