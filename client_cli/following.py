"""What the server tells of the race, joined to what is known of it. Pure."""

from dataclasses import replace

from client_cli.entering import enter
from client_cli.own_settings import with_deal_drawn
from client_cli.promise import seen
from client_cli.session import Clock, Options, Session
from client_cli.step import Step
from protocol import picture
from protocol.events import Presence, Snapshot, Update, Verdict, Watching
from protocol.picture import Hole
from protocol.views import Dealt, LifeChanged, RacerChanged


def followed(session: Session, event: Snapshot | Update, now_ms: int) -> Step:
    """The race as it is after that; where it does not join what is known, the whole picture is asked for."""
    if session.broken and isinstance(event, Update):
        return Step(session)
    try:
        if isinstance(event, Snapshot):
            following = picture.start(event, session.following)
        elif session.following is None:
            raise Hole("an update before any snapshot")
        else:
            following = picture.follow(session.following, event)
    except Hole:
        return mend(session)
    if isinstance(event, Update):
        session = _with_arrivals(session, event)
    session = replace(session, following=following, broken=False, promise=_promise(session, event))
    session = with_deal_drawn(session)
    if isinstance(event, Snapshot) and event.rewound:
        # Answers told of events that are lost: the log may not be so long again for a while.
        session = replace(session, verdicts={}, last_words={}, acknowledged_to=0)
    if isinstance(event, Snapshot) and event.rewound and session.feed == "seat":
        # Commands that were acknowledged may be lost: a new seat tells which.
        session = replace(session, inside=False)
        return Step(session, enter(session))
    if event.clock is not None:
        session = replace(session, clock=Clock(event.clock, now_ms))
    if session.feed == "seat":
        session = _changed(session, event) if isinstance(event, Update) else session
        if session.board is None and session.picture is not None:
            # A race may start between one's seat and one's first picture; no `dealt` tells of it then.
            session = replace(session, board=session.picture.layout)
    if session.phase == "over":
        session = replace(session, speech=session.speech.at_the_end())
    return Step(session)


def mend(session: Session) -> Step:
    """Ask for the whole picture, having lost the thread."""
    session = replace(session, following=None, inside=False, broken=True)
    return Step(session, enter(session))


def judged(session: Session, event: Verdict) -> Session:
    """What is known of whether a racer can still win."""
    words = (
        session.last_words if event.what == "unknown" else {**session.last_words, event.player: event.what}
    )
    return replace(session, verdicts={**session.verdicts, event.player: event}, last_words=words)


def told_who_is_here(session: Session, event: Presence) -> Session:
    """Once, somebody who arrived meanwhile may be missing in it."""
    here = session.arrived | frozenset(event.here)
    away = (session.away | (session.here or frozenset())) - here
    return replace(session, here=here, away=away, arrived=frozenset(), watchers=event.watchers)


def told_what_is_shown(session: Session, event: Watching) -> Session:
    """To one who watches, and now sees another thing than before; of who is here nobody is told late.

    What is shown late begins in the past, perhaps before the start: its clock comes with it.
    """
    session = replace(session, watching=event)
    if not event.delay_ms:
        return session
    return replace(session, here=None, away=frozenset(), watchers=0, clock=None)


def _promise(session: Session, event: Snapshot | Update) -> str:
    """The commitment that was seen before the start."""
    promise, phase = session.promise, session.phase
    if isinstance(event, Snapshot):
        # The earlier pages of a picture are not told, and so are not seen.
        return seen(promise, phase, event.life, whole=True) if event.page == event.pages else promise
    for change in event.changes:
        if isinstance(change, LifeChanged):
            promise = seen(promise, phase, change.life, whole=False)
            phase = change.life.phase
    return promise


def _with_arrivals(session: Session, event: Update) -> Session:
    """Who has just taken a seat is here, though the server says so only a moment later."""
    known = {racer.player for racer in session.racers}
    new = {change.racer.player for change in event.changes if isinstance(change, RacerChanged)} - known
    if session.here is None or not new:
        return session
    return replace(session, here=session.here | new, arrived=session.arrived | new)


def _changed(session: Session, event: Update) -> Session:
    """What changes for one's own seat by what happened to the race."""
    for change in event.changes:
        match change:
            case Dealt(board):
                session = replace(session, board=board, options=Options())
            case _:
                pass
    return session
