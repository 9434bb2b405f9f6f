"""The settings that one has asked for as the host: the deal is told to nobody before the start. Pure.

They hold until somebody sets anew, and that need not be oneself: the host's seat passes on while a host is
away, and may come back. New settings draw a new deal, so the commitment to it tells whose they are.
"""

from dataclasses import replace

from client_cli.session import Session
from client_cli.settings import RANDOM
from protocol.commands import Configure, Create, Settings


def with_deal_drawn(session: Session) -> Session:
    """The same with the commitment to the deal that was drawn by one's own settings, where it is told by now.

    Till then nobody else can have set anew: who is the host remains it for as long as he is there.
    """
    asked, following, picture = session.asked, session.following, session.picture
    if asked is None or asked.commitment or following is None or picture is None or following.to < asked.seq:
        return session
    drawn = replace(asked, commitment=picture.life.commitment)
    return replace(session, asked=drawn if session.is_host else None)


def asked_for(session: Session) -> Settings | None:
    """The settings of one's own that the race goes by; None where it goes by somebody else's."""
    asked, picture = session.asked, session.picture
    if picture is None:
        return session.entrance.settings if isinstance(session.entrance, Create) else None
    if asked is None or asked.commitment not in {"", picture.life.commitment}:
        return None
    return asked.settings


def own_deal(session: Session) -> int | str | None:
    """The deal that one has named; None where one has not, or may just have named another."""
    settings, picture = asked_for(session), session.picture
    is_named = picture is not None and picture.life.deal_named
    if settings is None or settings.deal == RANDOM or not (session.is_host and is_named):
        return None
    is_asking = any(isinstance(command, Configure) for command in session.speech.pending)
    return None if is_asking else settings.deal
