"""The rows of one racer in the panel, and what they have in common with those of all others. Pure."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from client_cli.ghosts import Ghost, ghost_name, ghost_state
from client_cli.language import tr, trn
from client_cli.screens.canvas import Span
from client_cli.screens.look import Kind, Look
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


SPARE: Final = 6
"""Rows that are left for who watches and for the chat before a racer gets a row more."""


class Measure(NamedTuple):
    """What the rows of a panel have in common.

    Attributes:
        leader: the most cards home.
        bar: cells of a bar.
        gap: cells of how far somebody is behind.
        actions: cells of the actions behind a bar; none where there is no room for them there.
        rows: of a racer. With three a name has one for itself, and the actions stand beside the state; with
            two and no room behind the bar they take the place of `racing`, which they tell as well.
    """

    leader: int
    bar: int
    gap: int
    actions: int
    rows: int


def measure_of(racers: Sequence[Racer], width: int, height: int, ghost: tuple[Ghost, int] | None) -> Measure:
    """The same for all, or their bars could not be compared; actions go elsewhere before bars get short."""
    has_rivals = len(racers) > 1 or ghost is not None
    leader = max((*(racer.home for racer in racers), ghost[0].home(ghost[1]) if ghost else 0))
    gap = GAP_WIDTH if has_rivals else 0
    # Room for three digits from the start, so that bars stay as long as they are while actions are made.
    actions = 1 + cell_len(_actions(max(100, *(racer.actions for racer in racers)))) if racers else 0
    rows = 2
    if width - FIGURES_WIDTH - gap - actions < (ROOMY_BAR if has_rivals else LONE_BAR):
        actions = 0
        rows = 3 if 3 * (len(racers) + (ghost is not None)) + SPARE <= height else 2
    return Measure(leader, min(CARDS, max(6, width - FIGURES_WIDTH - gap - actions)), gap, actions, rows)


def state_text(racer: Racer, session: Session) -> str:
    """What a racer is doing."""
    match racer.state:
        case "waiting" | "racing" if _is_away(racer, session):
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
    state, actions = state_text(racer, session), _actions(racer.actions)
    sign = f"{letter} " if letter else ""
    kind = "own" if racer.player == session.player else "text"
    behind = f" {actions}" if measure.actions else ""
    foot = _foot(racer.home, "bar", look, measure, behind)
    if measure.rows == 3:
        name = fitted_name(racer, session, width - len(sign))
        return [[Span(f"{sign}{name.text}", kind)], _apart(state, "label", actions, "text", width), foot]
    if not measure.actions and racer.state == "racing" and not _is_away(racer, session):
        state = actions
    name = fitted_name(racer, session, max(4, width - cell_len(state) - 1 - len(sign)))
    return [_apart(f"{sign}{name.text}", kind, state, "label", width), foot]


def ghost_rows(ghost: Ghost, ms: int, look: Look, width: int, measure: Measure, letter: str) -> list[Line]:
    """A ghost at this time of the race, `letter` before its name."""
    home, state = ghost.home(ms), ghost_state(ghost, ms)
    name = f"{letter} {ghost_name(ghost)}".strip()
    foot = _foot(home, "label", look, measure)
    if measure.rows == 3:
        return [[Span(cut(name, width).text, "text")], [Span(cut(state, width).text, "label")], foot]
    if cell_len(name) + 1 + cell_len(state) > width and ghost.is_over(ms) and home < CARDS:
        state = tr("not won")
    return [_apart(name, "text", state, "label", width), foot]


def _is_away(racer: Racer, session: Session) -> bool:
    return session.here is not None and racer.player not in session.here


def _foot(home: int, kind: Kind, look: Look, measure: Measure, behind: str = "") -> Line:
    """A bar, its figures, and what else is told there."""
    figures = f" {home:2}/{CARDS}{_gap(home, measure)}{behind}".rstrip()
    return [Span(bar(home, measure.bar, look), kind), Span(figures, "text")]


def _apart(left: str, left_kind: Kind, right: str, right_kind: Kind, width: int) -> Line:
    """One text at the left, the other at the right; the left one is cut, if there is no room for both."""
    left = cut(left, max(4, width - cell_len(right) - 1)).text
    space = " " * max(1, width - cell_len(left) - cell_len(right))
    return [Span(left, left_kind), Span(space, "text"), Span(right, right_kind)]


def _gap(home: int, measure: Measure) -> str:
    """By how many cards somebody is behind the first."""
    return (f" -{measure.leader - home}" if home < measure.leader else "").ljust(measure.gap)


def _actions(actions: int) -> str:
    return trn("{n} action", "{n} actions", actions)
