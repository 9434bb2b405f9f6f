"""What somebody has reached, in a line above his last board. Pure."""

from client_cli.chances import short_verdict
from client_cli.ghosts import Ghost, ghost_name
from client_cli.language import tr, trn
from client_cli.screens.racer_rows import state_text
from client_cli.session import Session
from client_cli.standings import CARDS, in_order, time_text
from protocol.views import Racer


def board_text(racer: Racer, session: Session, ghost: Ghost | None = None) -> str:
    """Whose board is shown: of who has won, how; of another, what is known of the board.

    Args:
        racer: whose.
        session: the race, which is over.
        ghost: one that was raced against.
    """
    if racer.state == "finished":
        actions = trn("{n} action", "{n} actions", racer.actions)
        parts = (f"{racer.name}: {state_text(racer, session)}", actions, _margin(racer, session, ghost))
        return ", ".join(part for part in parts if part)
    whose = tr("the last board of {name}").format(name=racer.name)
    verdict = session.verdict_on(racer.player)
    return whose if verdict is None else f"{whose}: {short_verdict(verdict)}"


def _margin(racer: Racer, session: Session, ghost: Ghost | None) -> str:
    """How far ahead of the next the winner was, or behind the winner whoever came after; else, of a ghost."""
    others = [
        (other.name, other.ended_ms)
        for other in in_order(session.racers)
        if other.player != racer.player and other.state == "finished" and other.ended_ms is not None
    ]
    if ghost is not None and ghost.home(ghost.end_ms) == CARDS:
        others.append((ghost_name(ghost), ghost.end_ms))
    if racer.ended_ms is None or not others:
        return ""
    name, ended_ms = others[0]
    text = tr("{time} ahead of {name}") if ended_ms >= racer.ended_ms else tr("{time} behind {name}")
    return text.format(time=time_text(abs(ended_ms - racer.ended_ms)), name=name)
