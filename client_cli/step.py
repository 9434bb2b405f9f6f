"""One step of a session: what it leads to, and what may be said then. Pure."""

from dataclasses import replace
from typing import NamedTuple

from client_cli.lines import BoardDraft
from client_cli.session import Session
from client_cli.speech import Speech
from protocol.commands import Command


class Step(NamedTuple):
    """What an event or a wish leads to: the session after it, and what to send.

    `dropped` are moves typed after a refused one, never sent. With `retry_ms`, `resume` is to be called that
    much later.
    """

    session: Session
    send: tuple[Command, ...] = ()
    dropped: tuple[BoardDraft, ...] = ()
    retry_ms: int | None = None


def say_again(session: Session, speech: Speech) -> Step:
    """Say what is to be said by now, and the questions once more that were not answered."""
    asked_before = speech.questions
    session, commands = sent(replace(session, speech=speech))
    return Step(session, (*commands, *asked_before))


def sent(session: Session) -> tuple[Session, tuple[Command, ...]]:
    """What may be said now is said, if there is a connection to say it on."""
    if not session.inside:
        return session, ()
    speech, commands = session.speech.sent(session.race, session.board.n if session.board else 0)
    speech, questions = speech.asked()
    return replace(session, speech=speech), (*commands, *questions)
