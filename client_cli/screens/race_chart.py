"""The chart of a race: its curves, told apart by letters in the order of the seats. Pure."""

from typing import Final

from client_cli.curves import Curves, Decided, decided, home_at
from client_cli.ghosts import Ghost, ghost_name
from client_cli.language import tr, trn
from client_cli.screens.chart_view import GHOST, Chart, Plot, letter_of
from client_cli.session import Session
from client_cli.standings import clock_text, in_order

POINTER_STEPS: Final = 50
"""Steps from one end of a chart to the other."""


def letters_of(session: Session) -> dict[str, str]:
    """The letter of each racer."""
    return {racer.player: letter_of(place) for place, racer in enumerate(session.racers)}


def chart_of(
    session: Session,
    curves: Curves,
    now_ms: int,
    *,
    at_ms: int | None = None,
    ghost: Ghost | None = None,
) -> Chart:
    """The chart as it stands.

    Args:
        session: who races.
        curves: how far they were.
        now_ms: the race's clock; what it shows when the race is over does not matter.
        at_ms: a time that is pointed at.
        ghost: one that is raced against; while the race runs, it is shown as far as it is by now.
    """
    ends = [racer.ended_ms for racer in session.racers if racer.ended_ms is not None]
    is_over = session.phase == "over"
    haunts = ghost.end_ms if ghost is not None and is_over else 0
    until_ms = max([curves.until_ms, *ends, 0 if is_over else now_ms, haunts])
    plots = [Plot(GHOST, ghost.points, min(until_ms, ghost.end_ms))] if ghost is not None else []
    for place, racer in enumerate(session.racers):
        end_ms = until_ms if racer.ended_ms is None else racer.ended_ms
        plots.append(Plot(letter_of(place), curves.of.get(racer.player, ()), end_ms))
    found = decision(session, curves) if is_over else None
    return Chart(tuple(plots), until_ms, at_ms, found.ms if found else None)


def decision(session: Session, curves: Curves) -> Decided | None:
    """Where the race was decided, if it is known."""
    first = next(iter(in_order(session.racers)), None)
    return decided(curves, first.player) if first else None


def decision_text(session: Session, curves: Curves) -> str:
    """That in words; "" where there is nothing to say."""
    found = decision(session, curves)
    racer = next((racer for racer in session.racers if found and racer.player == found.player), None)
    if found is None or racer is None:
        return ""
    cards = trn("one card home", "{n} cards home", found.home)
    text = tr("{name} led for good from {time} on, with {cards}")
    return text.format(name=racer.name, time=clock_text(found.ms), cards=cards)


def pointed(until_ms: int, at_ms: int | None, direction: str) -> int:
    """The next moment to look at, to the `left` or the `right`; the first is the end."""
    step_ms = max(1, until_ms // POINTER_STEPS)
    by_ms = -step_ms if direction == "left" else step_ms
    return min(until_ms, max(0, (until_ms if at_ms is None else at_ms) + by_ms))


def at_text(session: Session, curves: Curves, at_ms: int, ghost: Ghost | None = None) -> str:
    """How far everybody was at that time, and the ghost that is raced against."""
    letters = letters_of(session)
    places = [
        f"{letters[racer.player]} {racer.name} {home_at(curves.of.get(racer.player, ()), at_ms)}"
        for racer in in_order(session.racers)
    ]
    if ghost is not None:
        places.append(f"{GHOST} {ghost_name(ghost)} {ghost.home(at_ms)}")
    return f"{clock_text(at_ms)}  {'  '.join(places)}"
