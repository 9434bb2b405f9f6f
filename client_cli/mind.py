"""The client's mind: what it makes of what it hears and wants.

Pure functions: a session and an event in, the next session and the commands to send out. The clock comes in
as an argument.
"""

from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from client_cli.going_on import find
from client_cli.lines import BoardDraft
from client_cli.promise import seen
from client_cli.session import Clock, Options, Session, Visit
from client_cli.speech import FIRST_Q, Draft, Numbered, Speech
from protocol import picture
from protocol.commands import Attempt, Command, Create, Join, Leave, Watch
from protocol.errors import ErrorCode
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
    RaceLost,
    Ranks,
    Recorded,
    Refused,
    RematchReady,
    Replayed,
    Reported,
    Seat,
    Snapshot,
    Traced,
    Unwatched,
    Update,
    Verdict,
    Watching,
    Welcome,
)
from protocol.picture import Hole
from protocol.views import Board, Dealt, LifeChanged, RacerChanged, RacerLeft

ENTRANCE_Q: Final = FIRST_Q - 1
"""The `q` of the command by which a race is entered."""

LONGEST_WAIT_MS: Final = 15_000
"""What would have to wait for longer is given up: it would hold up all that is said after it."""

RaceEvent = (
    Seat
    | Watching
    | Unwatched
    | Snapshot
    | Update
    | Ack
    | Presence
    | Hinted
    | Calculated
    | Replayed
    | Traced
    | Verdict
    | Reported
    | RematchReady
    | RaceLost
)
"""The events that name the race they are about."""

_PASSING: Final = frozenset({ErrorCode.TOO_FAST, ErrorCode.UNAVAILABLE, ErrorCode.RESTARTING})


class Step(NamedTuple):
    """What an event or a wish leads to: the session after it, and what to send.

    `dropped` are moves typed after a refused one, never sent. With `retry_ms`, `resume` is to be called that
    much later.
    """

    session: Session
    send: tuple[Command, ...] = ()
    dropped: tuple[BoardDraft, ...] = ()
    retry_ms: int | None = None


def ask(session: Session, *drafts: Draft) -> Step:
    """Say something: it goes out now, or once what stands before it was answered."""
    asked_before = session.speech.questions
    session = replace(session, speech=session.speech.with_drafts(session.race, drafts))
    if not session.inside:
        return Step(session)
    at_once = session.speech.questions[len(asked_before) :]
    session, commands = _sent(session)
    return Step(session, (*commands, *at_once))


def resume(session: Session) -> Step:
    """Say again what was postponed, after the time the server asked for."""
    speech = session.speech.resumed()
    if not session.inside:
        return Step(replace(session, speech=speech), _enter(session))
    return _say_again(session, speech)


def disconnected(session: Session) -> Session:
    """The connection is gone: what was sent and not answered may or may not have taken effect."""
    return replace(session, inside=False, broken=False, here=None, speech=session.speech.resumed())


def concerns(session: Session, event: Event) -> bool:
    """Whether an event is for this session: of no race, of its own, or of one it asks about or enters."""
    match event:
        case Created() | Attempted():
            return _made_here(session, event)
        case Refused():
            is_of_ours = event.race in {None, session.race} or (event.q == ENTRANCE_Q and not session.inside)
            return is_of_ours or session.speech.has_asked(event.race, event.q)
        case Traced() | Replayed():
            # Of another race, too, as of a ghost's; but no other page, or there might be no end of them.
            return session.speech.has_asked(event.race, event.q, event.after)
        case _ if isinstance(event, RaceEvent):
            return event.race == session.race or _lets_in(session, event)
        case _:
            return True


def receive(session: Session, event: Event, now_ms: int) -> Step:
    """What an event leads to. Events of other races, or of the race's other feed, change nothing."""
    if not concerns(session, event):
        return Step(session)
    match event:
        case Welcome():
            session = _looked_back(replace(session, player=event.player), event)
            if session.if_no_robots and not event.robots and _makes_one(session):
                refusal = Refused(ErrorCode.NO_ROBOT, session.if_no_robots)
                return Step(replace(session, found=None, refusal=refusal))
            if isinstance(session.entrance, Visit):
                return _say_again(replace(session, inside=True), session.speech.repeated())
            return Step(session, _enter(session))
        case Created() | Attempted():
            return Step(replace(session, race=event.race))
        case DayTold() | Ranks() | Recorded() | Committed():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Traced() | Replayed():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Refused():
            return _refused(session, event)
        case Bye():
            return Step(session)
        case _:
            return _told(session, event, now_ms)


def _told(session: Session, event: RaceEvent, now_ms: int) -> Step:
    """What an event of this race leads to."""
    match event:
        case Seat():
            return _seated(session, event)
        case Watching():
            session = replace(session, race=event.race, inside=True, watching=event)
            return _say_again(session, session.speech.repeated(event.last_c))
        case Snapshot() | Update() if event.feed == session.feed:
            return _followed(session, event, now_ms)
        case Ack():
            return _acknowledged(session, event)
        case Hinted() | Calculated() | Reported():
            return Step(replace(session, speech=session.speech.with_answered(event.q)))
        case Verdict() if event.feed == session.feed:
            return Step(_judged(session, event))
        case Presence():
            return Step(_told_who_is_here(session, event))
        case RaceLost():
            return Step(replace(session, lost=True))
        case _:
            return Step(session)


# Entering a race, and entering it again.


def _looked_back(session: Session, event: Welcome) -> Session:
    """A race that was left is entered in place of a new one, if it is what is wanted."""
    entrance = session.entrance
    if session.intent is None or not isinstance(entrance, Create):
        return session
    found = find(session.intent, entrance.settings, event.seats)
    session = replace(session, intent=None, found=found)
    if found is None or found.differs:
        return session
    return replace(session, entrance=Join(found.race), instead=entrance)


def _made_instead(session: Session, instead: Create, why_not: str) -> Step:
    """A race that was left is none to enter any more: a new one is made."""
    found = replace(session.found, why_not=why_not) if session.found else None
    session = replace(session, found=found, entrance=instead, instead=None)
    return Step(session, _enter(session))


def _enter(session: Session) -> tuple[Command, ...]:
    if session.has_left:
        return ()
    following = session.following
    to, tag = (following.to, following.tag) if following and not following.pages_left else (0, "")
    match session.entrance:
        case Create() if not session.race:
            return (msgspec.structs.replace(session.entrance, q=ENTRANCE_Q),)
        case Attempt() if not session.race:
            return (msgspec.structs.replace(session.entrance, q=ENTRANCE_Q),)
        case Create() | Attempt():
            return (Join(session.race, ENTRANCE_Q, to, tag),)
        case Visit():
            return ()
        case Join() | Watch():
            return (msgspec.structs.replace(session.entrance, q=ENTRANCE_Q, to=to, tag=tag),)


def _makes_one(session: Session) -> bool:
    """Whether the race is still to be made."""
    return isinstance(session.entrance, Create) and not session.race


def _made_here(session: Session, event: Created | Attempted) -> bool:
    match session.entrance:
        case Create(id=own):
            return isinstance(event, Created) and own == event.id
        case Attempt():
            return isinstance(event, Attempted) and event.q == ENTRANCE_Q
        case _:
            return False


def _lets_in(session: Session, event: Event) -> bool:
    """Whether it is the first word of the race that one asked to enter."""
    return (
        not session.race
        and isinstance(event, Seat | Watching)
        and isinstance(session.entrance, Join | Watch)
        and session.entrance.race == event.race
    )


def _seated(session: Session, event: Seat) -> Step:
    session = replace(
        session,
        race=event.race,
        inside=True,
        board=event.board,
        options=Options(event.undo, event.redo, event.finish, event.blocked, event.stuck),
    )
    return _say_again(session, session.speech.repeated(event.last_c))


def _say_again(session: Session, speech: Speech) -> Step:
    asked_before = speech.questions
    session, commands = _sent(replace(session, speech=speech))
    return Step(session, (*commands, *asked_before))


def _sent(session: Session) -> tuple[Session, tuple[Command, ...]]:
    """What may be said now is said, if there is a connection to say it on."""
    if not session.inside:
        return session, ()
    speech, commands = session.speech.sent(session.race, session.board.n if session.board else 0)
    speech, questions = speech.asked()
    return replace(session, speech=speech), (*commands, *questions)


# What the server tells of the race.


def _followed(session: Session, event: Snapshot | Update, now_ms: int) -> Step:
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
        return _mend(session)
    if isinstance(event, Update):
        session = _with_arrivals(session, event)
    session = replace(session, following=following, broken=False, promise=_promise(session, event))
    if isinstance(event, Snapshot) and event.rewound:
        # Answers told of events that are lost: the log may not be so long again for a while.
        session = replace(session, verdicts={}, last_words={}, acknowledged_to=0)
    if isinstance(event, Snapshot) and event.rewound and session.feed == "seat":
        # Commands that were acknowledged may be lost: a new seat tells which.
        session = replace(session, inside=False)
        return Step(session, _enter(session))
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


def _judged(session: Session, event: Verdict) -> Session:
    words = (
        session.last_words if event.what == "unknown" else {**session.last_words, event.player: event.what}
    )
    return replace(session, verdicts={**session.verdicts, event.player: event}, last_words=words)


def _told_who_is_here(session: Session, event: Presence) -> Session:
    """Once, somebody who arrived meanwhile may be missing in it."""
    here = session.arrived | frozenset(event.here)
    away = (session.away | (session.here or frozenset())) - here
    return replace(session, here=here, away=away, arrived=frozenset(), watchers=event.watchers)


def _changed(session: Session, event: Update) -> Session:
    """What changes for one's own seat by what happened to the race."""
    for change in event.changes:
        match change:
            case Dealt(board):
                session = replace(session, board=board, options=Options())
            case RacerLeft(player) if player == session.player:
                session = replace(session, was_kicked=not session.has_left)
            case _:
                pass
    return session


def _mend(session: Session) -> Step:
    """Ask for the whole picture, having lost the thread."""
    session = replace(session, following=None, inside=False, broken=True)
    return Step(session, _enter(session))


# Answers.


def _acknowledged(session: Session, event: Ack) -> Step:
    command = session.speech.command(event.c)
    if command is None:
        return Step(session)
    session = replace(
        session,
        speech=session.speech.with_accepted(command),
        acknowledged_to=max(session.acknowledged_to, event.seq),
    )
    if isinstance(command, Leave) and session.phase in {"lobby", "countdown"}:
        session = replace(session, has_left=True)
    if isinstance(command, BoardDraft) and not event.repeated and not session.broken:
        try:
            board = _board_after(session, event)
        except Hole:
            return _mend(session)
        options = Options(event.undo, event.redo, event.finish, event.blocked, event.stuck)
        session = replace(session, board=board, options=options)
    return Step(*_sent(session))


def _board_after(session: Session, event: Ack) -> Board:
    """One's own board after an accepted command.

    Raises:
        Hole: the answer does not join the board that is known.
    """
    if event.board is not None:
        return msgspec.structs.replace(event.board, n=event.n, score=event.score, actions=event.actions)
    if session.board is None:
        raise Hole("a move on a board that is not known")
    return picture.carry(session.board, event.moves, n=event.n, score=event.score, actions=event.actions)


def _refused(session: Session, event: Refused) -> Step:
    if event.q == ENTRANCE_Q and not session.inside:
        if _is_passing(event):
            return Step(session, retry_ms=event.retry_ms)
        if event.code is ErrorCode.NO_SUCH_RACE and session.instead is not None and not session.race:
            return _made_instead(session, session.instead, event.detail)
        if event.code is ErrorCode.NOT_SEATED and session.me is not None:
            # Who comes back to a seat is told so if he has left it: the answer to `leave` was lost.
            return Step(replace(session, has_left=True, speech=Speech()))
        return Step(replace(session, refusal=event))
    if event.code is ErrorCode.SUPERSEDED:
        return Step(replace(session, refusal=event))
    if event.q is not None:
        if _is_passing(event):
            return Step(session, retry_ms=event.retry_ms)
        return Step(replace(session, speech=session.speech.with_answered(event.q)))
    command = session.speech.command(event.c)
    return Step(session) if command is None else _not_taken(session, command, event)


def _not_taken(session: Session, command: Numbered, event: Refused) -> Step:
    speech = session.speech
    if _is_passing(event):
        # The store may have taken what it could not confirm.
        speech = speech.with_postponed(command, is_uncertain=event.code is ErrorCode.UNAVAILABLE)
        return Step(replace(session, speech=speech), retry_ms=event.retry_ms)
    session = replace(session, speech=speech.with_refused(command))
    dropped = speech.line if isinstance(command, BoardDraft) else ()
    if event.code is ErrorCode.STALE_BOARD:
        return _mend(session)._replace(dropped=dropped)
    return Step(*_sent(session), dropped)


def _is_passing(event: Refused) -> bool:
    """Whether the same command may be taken a little later."""
    has_long_to_wait = event.code is ErrorCode.TOO_FAST and (event.retry_ms or 0) > LONGEST_WAIT_MS
    return event.retry_ms is not None and event.code in _PASSING and not has_long_to_wait
