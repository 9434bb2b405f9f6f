"""What the server answers to what was said. Pure."""

from dataclasses import replace
from typing import Final

import msgspec

from client_cli.entering import ENTRANCE_Q, made_instead
from client_cli.following import mend
from client_cli.lines import BoardDraft
from client_cli.own_settings import with_deal_drawn
from client_cli.session import Asked, Options, Session
from client_cli.speech import Numbered, Speech
from client_cli.step import Step, sent
from protocol import picture
from protocol.commands import Configure, Leave
from protocol.errors import ErrorCode
from protocol.events import Ack, Refused
from protocol.picture import Hole
from protocol.views import Board

LONGEST_WAIT_MS: Final = 15_000
"""What would have to wait for longer is given up: it would hold up all that is said after it."""

_PASSING: Final = frozenset({ErrorCode.TOO_FAST, ErrorCode.UNAVAILABLE, ErrorCode.RESTARTING})


def acknowledged(session: Session, event: Ack) -> Step:
    """A command was taken; one on one's own board changes it, where the answer joins what is known."""
    command = session.speech.command(event.c)
    if command is None:
        return Step(session)
    session = replace(
        session,
        speech=session.speech.with_accepted(command),
        acknowledged_to=max(session.acknowledged_to, event.seq),
    )
    if isinstance(command, Configure):
        # Since an answer that was lost, somebody else may have set anew.
        asked = None if event.repeated else Asked(command.settings, event.seq)
        session = with_deal_drawn(replace(session, asked=asked))
    if isinstance(command, Leave) and session.phase in {"lobby", "countdown"}:
        session = replace(session, has_left=True)
    if isinstance(command, BoardDraft) and not event.repeated and not session.broken:
        try:
            board = _board_after(session, event)
        except Hole:
            return mend(session)
        options = Options(event.undo, event.redo, event.finish, event.blocked, event.stuck)
        session = replace(session, board=board, options=options)
    return Step(*sent(session))


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


def refused(session: Session, event: Refused) -> Step:
    """A command had no effect: it is said again later, given up, or the end of it all."""
    if event.q == ENTRANCE_Q and not session.inside:
        if _is_passing(event):
            return Step(session, retry_ms=event.retry_ms)
        if event.code is ErrorCode.NO_SUCH_RACE and session.instead is not None and not session.race:
            return made_instead(session, session.instead, event.detail)
        if event.code is ErrorCode.NOT_SEATED and session.me is not None:
            # Who comes back to a seat is told so if he has left it: the answer to `leave` was lost.
            return Step(replace(session, has_left=True, speech=Speech()))
        return Step(replace(session, refusal=event))
    is_sent_out = event.code is ErrorCode.KICKED and event.q is None and event.c is None
    if is_sent_out or event.code is ErrorCode.SUPERSEDED:
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
        return mend(session)._replace(dropped=dropped)
    return Step(*sent(session), dropped)


def _is_passing(event: Refused) -> bool:
    """Whether the same command may be taken a little later."""
    has_long_to_wait = event.code is ErrorCode.TOO_FAST and (event.retry_ms or 0) > LONGEST_WAIT_MS
    return event.retry_ms is not None and event.code in _PASSING and not has_long_to_wait
