"""The chart of a race, and the ghost in it."""

import pytest

from client_cli.curves import Curves
from client_cli.ghosts import Ghost
from client_cli.screens.chart_view import GHOST
from client_cli.screens.race_chart import at_text, chart_of
from client_cli.session import Session
from protocol.views import Phase
from tests.client_cli.samples import BOB, ME, hear, in_lobby, racer, snapshot

CURVES = Curves({ME: ((0, 0), (10, 1), (20, 5)), BOB: ((0, 0), (15, 3))})
CLEO = Ghost("cleo", ((0, 0), (12, 4), (50, 52)))


def raced(phase: Phase) -> Session:
    state = "racing" if phase == "running" else "resigned"
    racers = (
        racer(state=state, home=5, ended_ms=None if phase == "running" else 30),
        racer(BOB, "bob", state="resigned", home=3, ended_ms=18),
    )
    return hear(in_lobby(), snapshot(phase, racers=racers, to=9))


@pytest.mark.parametrize(
    ("phase", "now_ms", "until_ms", "end_ms"),
    [("running", 25, 25, 25), ("running", 60, 60, 50), ("over", 0, 50, 50)],
)
def test_a_ghost_is_a_line_as_far_as_it_is_by_now(
    phase: Phase, now_ms: int, until_ms: int, end_ms: int
) -> None:
    chart = chart_of(raced(phase), CURVES, now_ms, ghost=CLEO)
    assert chart.until_ms == until_ms
    plots = {plot.letter: plot for plot in chart.plots}
    assert plots.keys() == {"A", "B", GHOST}
    assert (plots[GHOST].points, plots[GHOST].end_ms) == (CLEO.points, end_ms)
    assert chart.plots[0].letter == GHOST, "racers are drawn over it"


def test_without_one_there_are_the_racers() -> None:
    chart = chart_of(raced("over"), CURVES, 0)
    assert [plot.letter for plot in chart.plots] == ["A", "B"]
    assert chart.until_ms == 30


def test_how_far_it_was_is_told_behind_the_racers() -> None:
    assert at_text(raced("over"), CURVES, 12) == "0:00  A ann 1  B bob 0"
    assert at_text(raced("over"), CURVES, 12, CLEO) == "0:00  A ann 1  B bob 0  @ ghost of cleo 4"
