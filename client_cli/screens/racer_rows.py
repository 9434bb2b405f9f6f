"""The rows of one racer in the panel, and what they have in common with those of all others. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from client_cli.ghosts import Ghost, ghost_name, ghost_state
from client_cli.language import tr, trn
from client_cli.screens.canvas import Span
from client_cli.screens.look import Look
from client_cli.screens.names import fitted_name
from client_cli.session import Session
from client_cli.standings import CARDS, ordinal, time_text
from client_cli.text_width import cut
from protocol.views import Racer

Line = list[Span]

FIGURES_WIDTH: Final = len(" 52/52")
GAP_WIDTH: Final = len(" -52")
ROOMY_BAR: Final = 26
LONE_BAR: Final = 10
"""Cells of a bar, compared with others or not, from which on there is room for actions beside it."""


class Measure(NamedTuple):
    """What the rows of a panel have in common: the most cards home, and the cells of what stands in them."""

    leader: int
    bar: int
    gap: int
    actions: int


def measure_of(racers: Sequence[Racer], width: int, ghost: tuple[Ghost, int] | None) -> Measure:
    """The same for all, or their bars could not be compared; actions go before bars get short."""
    has_rivals = len(racers) > 1 or ghost is not None
    leader = max((*(racer.home for racer in racers), ghost[0].home(ghost[1]) if ghost else 0))
    gap = GAP_WIDTH if has_rivals else 0
    # Room for three digits from the start, so that bars stay as long as they are while actions are made.
    actions = cell_len(_actions(max(100, *(racer.actions for racer in racers)))) if racers else 0
    if width - FIGURES_WIDTH - gap - actions < (ROOMY_BAR if has_rivals else LONE_BAR):
        actions = 0
    return Measure(leader, min(CARDS, max(6, width - FIGURES_WIDTH - gap - actions)), gap, actions)


def state_text(racer: Racer, session: Session) -> str:
    """What a racer is doing."""
    is_away = session.here is not None and racer.player not in session.here
    match racer.state:
        case "waiting" | "racing" if is_away:
            return tr("away")
        case "waiting" | "resigned" if racer.no_way:
            return tr("knows no way to win")
        case "waiting":
            return tr("ready") if racer.ready else tr("not ready")
        case "racing":
            return tr("racing")
        case "finished":
            if racer.ended_ms is None or not racer.rank:
                return tr("finished")
            time = time_text(racer.ended_ms)
            # Alone one has no place; that of a ranked attempt is on the leaderboard.
            if len(session.racers) == 1:
                return tr("won in {time}").format(time=time)
            return f"{ordinal_text(racer.rank)} {time}"
        case "resigned":
            return tr("resigned")
        case "out_of_time":
            return tr("out of time")


def ordinal_text(rank: int | None) -> str:
    """A rank: 1st, 2nd; 1.º, 2.º."""
    return tr("{ordinal}").format(ordinal=ordinal(rank), n=rank) if rank else ""


def bar(home: int, width: int, look: Look) -> str:
    """A bar that is full when all 52 cards are home, and empty only while none is."""
    full = max(home * width // CARDS, min(home, 1))
    return look.signs.full * full + look.signs.empty * (width - full)


def racer_rows(
    racer: Racer, session: Session, look: Look, width: int, measure: Measure, letter: str
) -> list[Line]:
    """Who, and what he is doing; how far he is. `letter` stands before his name."""
    state = state_text(racer, session)
    sign = f"{letter} " if letter else ""
    name = fitted_name(racer, session, max(4, width - cell_len(state) - 1 - len(sign)))
    kind = "own" if racer.player == session.player else "text"
    actions = _actions(racer.actions) if measure.actions else ""
    figures = f" {racer.home:2}/{CARDS}{_gap(racer.home, measure)}{actions}".rstrip()
    return [
        [
            Span(f"{sign}{name.text}", kind),
            Span(" " * max(1, width - len(sign) - name.cells - cell_len(state)), "text"),
            Span(state, "label"),
        ],
        [Span(bar(racer.home, measure.bar, look), "bar"), Span(figures, "text")],
    ]


def ghost_rows(ghost: Ghost, ms: int, look: Look, width: int, measure: Measure, letter: str) -> list[Line]:
    """A ghost at this time of the race, `letter` before its name."""
    home, state = ghost.home(ms), ghost_state(ghost, ms)
    full = f"{letter} {ghost_name(ghost)}".strip()
    if cell_len(full) + 1 + cell_len(state) > width and ghost.is_over(ms) and home < CARDS:
        state = tr("not won")
    name = cut(full, max(4, width - cell_len(state) - 1))
    space = " " * max(1, width - name.cells - cell_len(state))
    figures = f" {home:2}/{CARDS}{_gap(home, measure)}".rstrip()
    return [
        [Span(name.text, "text"), Span(space, "text"), Span(state, "label")],
        [Span(bar(home, measure.bar, look), "label"), Span(figures, "text")],
    ]


def _gap(home: int, measure: Measure) -> str:
    """By how many cards somebody is behind the first."""
    return (f" -{measure.leader - home}" if home < measure.leader else "").ljust(measure.gap)


def _actions(actions: int) -> str:
    return f" {trn('{n} action', '{n} actions', actions)}"
