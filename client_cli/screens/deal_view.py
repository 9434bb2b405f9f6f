"""Which deal a race is on, for the title of a screen. Pure."""

from client_cli.language import tr
from client_cli.promise import Promise, kept
from client_cli.session import Session


def deal_text(session: Session) -> str:
    """The deal, once it is told; and as long as it is shown, if it is not the one that was seen promised."""
    life = session.picture.life if session.picture else None
    if life is None or not life.deal:
        return ""
    return unpromised_text(session) or tr("deal {deal}").format(deal=life.deal)


def unranked_text(session: Session) -> str:
    """Of which day the deal is, where this is no ranked attempt at it; "" where it is one, or of no day."""
    life = session.picture.life if session.picture else None
    if life is None or life.daily is None or life.ranked:
        return ""
    return tr("{day}, unranked").format(day=life.daily)


def unpromised_text(session: Session) -> str:
    """That the deal is not the one that was seen promised; "" where it is, and where none is told."""
    life = session.picture.life if session.picture else None
    if life is None or not life.deal:
        return ""
    if kept(session.promise, life, whole=True) in {Promise.OTHER, Promise.BROKEN}:
        # The number comes last, for a title may be cut.
        return tr("NOT the deal you saw promised: {deal}").format(deal=life.deal)
    return ""
