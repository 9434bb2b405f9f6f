"""The settings that one has asked for as the host: the deal is told to nobody before the start. Pure."""

from client_cli.session import Session
from protocol.commands import Configure, Create, Settings


def asked_for(session: Session) -> Settings | None:
    """The newest that the server has taken; None where that was not done from here."""
    taken = [command.settings for command in session.speech.accepted if isinstance(command, Configure)]
    if taken:
        return taken[-1]
    return session.entrance.settings if isinstance(session.entrance, Create) else None


def own_deal(session: Session) -> int | str | None:
    """The deal that one has named; None where one has not, or may just have named another."""
    settings, speech = asked_for(session), session.speech
    is_named = session.picture is not None and session.picture.life.deal_named
    unanswered = (*speech.outbox, *speech.unanswered, *speech.postponed)
    if settings is None or not (session.is_host and is_named):
        return None
    return None if any(isinstance(command, Configure) for command in unanswered) else settings.deal
