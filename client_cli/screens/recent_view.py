"""The races one was in lately: what is kept of them, and a line for each. Pure."""

from client_cli.daily_words import cells_text, race_text
from client_cli.ghosts import Haunt
from client_cli.language import tr
from client_cli.screens.preferences import LEFT, MAX_NAMED, SENT_OUT, Recent
from client_cli.screens.racer_rows import ordinal_text
from client_cli.session import Session
from protocol.commands import Watch
from protocol.errors import ErrorCode


def recent_of(session: Session, server: str, day: str, against: Haunt | None = None) -> Recent:
    """A race as it is to be remembered, seen on this day, with what it is raced against as a ghost."""
    life, me = session.picture.life if session.picture else None, session.me
    others = [racer for racer in session.racers if racer.player != session.player]
    return Recent(
        session.race,
        server,
        watched=isinstance(session.entrance, Watch) and me is None,
        is_over=session.phase == "over",
        deal=life.deal or 0 if life else 0,
        racers=len(session.racers),
        rank=(me.rank or 0) if me else 0,
        day=day,
        others=tuple(racer.name for racer in others[:MAX_NAMED]),
        end=_end_of(session),
        daily=life.daily or "" if life else "",
        cells=life.settings.cells or 0 if life else 0,
        against=against,
    )


def recent_text(recent: Recent) -> str:
    """Which race, when, with whom, how it ended as far as that is known, and where it is."""
    server = recent.server or tr("this machine")
    race = race_text(recent.race)
    parts = (recent.day, race, _others_text(recent), _deal_text(recent), _ending(recent), server)
    return "  ".join(part for part in parts if part)


def _end_of(session: Session) -> str:
    if session.refusal is not None and session.refusal.code is ErrorCode.KICKED:
        return SENT_OUT
    if session.has_left:
        return LEFT
    state = session.me.state if session.me is not None else ""
    return state if state in {"resigned", "out_of_time"} else ""


def _deal_text(recent: Recent) -> str:
    if recent.race.startswith("daily:"):
        return ""  # its name says it
    if recent.daily:
        text = tr("daily {day}, {cells}, unranked")
        return text.format(day=recent.daily, cells=cells_text(recent.cells))
    return tr("deal {deal}").format(deal=recent.deal) if recent.deal else ""


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
    ends = {
        "resigned": tr("resigned"),
        "out_of_time": tr("out of time"),
        LEFT: tr("left before the start"),
        SENT_OUT: tr("sent out before the start"),
    }
    return ends.get(recent.end) or (tr("over") if recent.is_over else tr("not over when last seen"))
