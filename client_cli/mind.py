"""The client's mind: what it makes of what it hears and wants. Start reading here.

Pure functions: a session and an event in, the next session and the commands to send out. The clock comes in
as an argument. What the server answers is in `answering`, what it tells of the race in `following`, how one
gets into it in `entering`.
"""

from dataclasses import replace

from client_cli.answering import acknowledged, refused
from client_cli.entering import ENTRANCE_Q, begin, enter, lets_in, looked_back, made, made_here, seated
from client_cli.following import followed, judged, told_what_is_shown, told_who_is_here
from client_cli.session import Session, Visit
from client_cli.speech import Draft
from client_cli.step import Step, say_again, sent
from protocol.events import (
    Ack,
    Attempted,
    Bye,
    Calculated,
    Committed,
    Created,
    DayTold,
    Event,
    Hinted,
    Presence,
    RaceEvent,
    RaceLost,
    Ranks,
    Recorded,
    Refused,
    Replayed,
    Reported,
    Seat,
    Snapshot,
    Traced,
    Update,
    Verdict,
    Watching,
    Welcome,
)


def ask(session: Session, *drafts: Draft) -> Step:
    """Say something: it goes out now, or once what stands before it was answered."""
    asked_before = session.speech.questions
    session = replace(session, speech=session.speech.with_drafts(session.race, drafts))
    if not session.inside:
        return Step(session)
    at_once = session.speech.questions[len(asked_before) :]
    session, commands = sent(session)
    return Step(session, (*commands, *at_once))


def resume(session: Session) -> Step:
    """Say again what was postponed, after the time the server asked for."""
    speech = session.speech.resumed()
    if not session.inside:
        return Step(replace(session, speech=speech), enter(session))
    return say_again(session, speech)


def disconnected(session: Session) -> Session:
    """The connection is gone: what was sent and not answered may or may not have taken effect."""
    return replace(session, inside=False, broken=False, here=None, speech=session.speech.resumed())


def concerns(session: Session, event: Event) -> bool:
    """Whether an event is for this session: of no race, of its own, or of one it asks about or enters."""
    match event:
        case Created() | Attempted():
            return made_here(session, event)
        case Refused():
            is_of_ours = event.race in {None, session.race} or (event.q == ENTRANCE_Q and not session.inside)
            return is_of_ours or session.speech.has_asked(event.race, event.q)
        case Traced() | Replayed():
            # Of another race, too, as of a ghost's; but no other page, or there might be no end of them.
            return session.speech.has_asked(event.race, event.q, event.after)
        case _ if isinstance(event, RaceEvent):
            return event.race == session.race or lets_in(session, event)
        case _:
            return True


def receive(session: Session, event: Event, now_ms: int) -> Step:
    """What an event leads to. Events of other races, or of the race's other feed, change nothing."""
    if not concerns(session, event):
        return Step(session)
    match event:
        case Welcome():
            session = replace(session, player=event.player, has_robots=event.robots)
            if isinstance(session.entrance, Visit):
                return say_again(replace(session, inside=True), session.speech.repeated())
            return begin(looked_back(session, event))
        case Created() | Attempted():
            return Step(made(session, event.race))
        case DayTold() | Ranks() | Recorded() | Committed():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Traced() | Replayed():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Refused():
            return refused(session, event)
        case Bye():
            return Step(session)
        case _:
            return _told(session, event, now_ms)


def _told(session: Session, event: RaceEvent, now_ms: int) -> Step:
    """What an event of this race leads to."""
    match event:
        case Seat():
            return seated(session, event)
        case Watching() if session.inside:
            return Step(told_what_is_shown(session, event))
        case Watching():
            session = replace(session, race=event.race, inside=True, watching=event)
            return say_again(session, session.speech.about(event.race).repeated(event.last_c))
        case Snapshot() | Update() if event.feed == session.feed:
            return followed(session, event, now_ms)
        case Ack():
            return acknowledged(session, event)
        case Hinted() | Calculated() | Reported():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Verdict() if event.feed == session.feed:
            return Step(judged(session, event))
        case Presence():
            return Step(told_who_is_here(session, event))
        case RaceLost():
            return Step(replace(session, lost=True))
        case _:
            return Step(session)
