"""Entering a race, and entering it again. Pure."""

from dataclasses import replace
from typing import Final

import msgspec

from client_cli.going_on import find
from client_cli.session import Asked, Options, Session, Visit
from client_cli.speech import FIRST_Q
from client_cli.step import Step, say_again
from protocol.commands import Attempt, Command, Create, Join, Watch
from protocol.errors import ErrorCode
from protocol.events import Attempted, Created, Event, Refused, Seat, Watching, Welcome

ENTRANCE_Q: Final = FIRST_Q - 1
"""The `q` of the command by which a race is entered."""


def looked_back(session: Session, event: Welcome) -> Session:
    """A race that was left is entered in place of a new one, if it is what is wanted."""
    entrance = session.entrance
    if session.intent is None or not isinstance(entrance, Create):
        return session
    found = find(session.intent, entrance.settings, event.seats)
    session = replace(session, intent=None, found=found)
    if found is None or found.differs:
        return session
    return replace(session, entrance=Join(found.race), instead=entrance)


def begin(session: Session) -> Step:
    """Get into the race, as one is welcome; none is made against robots where there are none to be had."""
    is_to_be_made = isinstance(session.entrance, Create) and not session.race
    if session.if_no_robots and not session.has_robots and is_to_be_made:
        refusal = Refused(ErrorCode.NO_ROBOT, session.if_no_robots)
        return Step(replace(session, found=None, refusal=refusal))
    return Step(session, enter(session))


def made_instead(session: Session, instead: Create, why_not: str) -> Step:
    """A race that was left is none to enter any more: a new one is made."""
    found = replace(session.found, why_not=why_not) if session.found else None
    return begin(replace(session, found=found, entrance=instead, instead=None))


def enter(session: Session) -> tuple[Command, ...]:
    """What to say to get into the race, from where one was told of it last; nothing once one has left it."""
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


def made_here(session: Session, event: Created | Attempted) -> bool:
    """Whether the race that was made is the one asked for."""
    match session.entrance:
        case Create(id=own):
            return isinstance(event, Created) and own == event.id
        case Attempt():
            return isinstance(event, Attempted) and event.q == ENTRANCE_Q
        case _:
            return False


def made(session: Session, race: str) -> Session:
    """The race was made, with the settings that were asked for."""
    asked = Asked(session.entrance.settings) if isinstance(session.entrance, Create) else None
    return replace(session, race=race, asked=asked)


def lets_in(session: Session, event: Event) -> bool:
    """Whether it is the first word of the race that one asked to enter."""
    return (
        not session.race
        and isinstance(event, Seat | Watching)
        and isinstance(session.entrance, Join | Watch)
        and session.entrance.race == event.race
    )


def seated(session: Session, event: Seat) -> Step:
    """One is in it, with the board as it is there; what may not have arrived is said again."""
    session = replace(
        session,
        race=event.race,
        inside=True,
        board=event.board,
        options=Options(event.undo, event.redo, event.finish, event.blocked, event.stuck),
    )
    return say_again(session, session.speech.about(event.race).repeated(event.last_c))
