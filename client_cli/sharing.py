"""The line to share after a race that was no ranked attempt: deal, place, how the cards went home. Pure."""

from typing import Final

from client_cli.curves import Points, home_at
from client_cli.daily_words import cells_text, sparkline
from client_cli.language import tr, trn
from client_cli.session import Session
from client_cli.standings import ordinal, time_text
from client_cli.style import Style
from protocol.views import Life, Racer

BARS: Final = 12
"""As many as the line of a ranked attempt has."""


def result_line(session: Session, racer: Racer, points: Points, style: Style) -> str:
    """A racer's result in one line that shows no card.

    Args:
        session: a race that is over.
        racer: one of its racers.
        points: how far he was at every time, as far as it is known.
        style: whether there are bars, or digits in their place.
    """
    life = session.picture.life if session.picture else None
    parts = [] if life is None else [_deal_text(life), cells_text(life.settings.cells or 4)]
    if racer.player != session.player:
        parts.append(racer.name)
    if racer.state == "finished" and racer.rank and len(session.racers) > 1:
        parts.append(tr("{rank} of {of}").format(rank=ordinal(racer.rank), of=len(session.racers)))
    if racer.state == "finished" and racer.ended_ms is not None:
        parts.append(time_text(racer.ended_ms))
    else:
        parts += [tr("not won"), tr("{home} of 52 home").format(home=racer.home)]
    parts.append(trn("{n} action", "{n} actions", racer.actions))
    return f"cellrace {', '.join(parts)} {sparkline(_evenly(racer, points), style)}".rstrip()


def _deal_text(life: Life) -> str:
    if life.daily is not None:
        return tr("{day}, unranked").format(day=life.daily)
    return tr("deal {deal}").format(deal=life.deal)


def _evenly(racer: Racer, points: Points) -> list[int]:
    """Cards home at even times until his end."""
    end_ms = points[-1][0] if points else 0
    if racer.ended_ms is not None:
        end_ms = max(end_ms, racer.ended_ms)
    return [home_at(points, end_ms * place // BARS) for place in range(1, BARS + 1)] if points else []
