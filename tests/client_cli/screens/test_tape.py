import pytest

from client_cli.screens.tape import SPEEDS, Film, Tape, film_of
from protocol.events import Replayed, Step
from protocol.views import CardMove
from tests.client_cli.samples import BOB, LAYOUT, ME, RACE


def step(ms: int, *moves: CardMove, what: str = "move") -> Step:
    return Step(ms, what, moves=moves)


ANN_STEPS = (
    step(1_000, ("5", "a", 1)),
    step(3_000, ("5", "b", 1)),
    step(3_000, ("b", "5", 1), what="undo"),
    step(9_000, ("5", "c", 1)),
)
BOB_STEPS = (step(2_000, ("1", "d", 1)), step(12_000, ("d", "1", 1), what="undo"))


def film(player: str, name: str, steps: tuple[Step, ...]) -> Film:
    pages = [
        Replayed(RACE, 1, player, name, 1, 4, "race", LAYOUT, 0, steps[:2], more=True),
        Replayed(RACE, 2, player, name, 1, 4, "race", LAYOUT, 2, steps[2:]),
    ]
    return film_of(pages)


ANN, BEN = film(ME, "ann", ANN_STEPS), film(BOB, "bob", BOB_STEPS)
ALONE = Tape((ANN,))
BOTH = Tape((ANN, BEN))


# A film.


@pytest.mark.parametrize(("ms", "shown"), [(0, 0), (999, 0), (1_000, 1), (3_000, 3), (99_999, 4)])
def test_the_steps_done_at_a_time(ms: int, shown: int) -> None:
    assert ANN.shown_at(ms) == shown


def test_the_board_and_the_actions_after_so_many_steps() -> None:
    assert ANN.board(0) == LAYOUT
    assert ANN.board(2).cells == ("6C", "8H", None, None)
    assert ANN.board(4).cells == ("6C", None, "8H", None)
    assert [ANN.actions(shown) for shown in range(5)] == [0, 1, 2, 2, 3]


def test_one_who_did_nothing() -> None:
    nothing = film(ME, "ann", ())
    assert (nothing.end_ms, nothing.board(0)) == (0, LAYOUT)
    tape = Tape((nothing,)).stepped(1, 0).toggled(0).at(5)
    assert (tape.ms, tape.shown, tape.is_playing) == (0, 0, False)


def test_steps_in_the_moment_of_the_start_come_after_the_deal() -> None:
    tape = Tape((film(ME, "ann", (step(0, ("5", "a", 1)), step(0, ("5", "b", 1)))),))
    assert tape.sought(0, 0).shown == 0
    assert [tape.stepped(by, 0).shown for by in (1, 2)] == [1, 2]
    assert tape.toggled(0).at(0).shown == 2


# Playing.


def test_it_runs_by_the_times_of_the_race() -> None:
    tape = ALONE.toggled(50_000)
    assert [tape.at(50_000 + ms).shown for ms in (0, 999, 1_000, 2_999, 3_000)] == [0, 0, 1, 1, 3]
    assert tape.at(51_500).ms == 1_500


@pytest.mark.parametrize("speed", SPEEDS)
def test_at_every_speed_however_often_it_is_looked_at(speed: float) -> None:
    tape = Tape((ANN,), speed=speed).toggled(0)
    assert tape.at(round(2_000 / speed)).ms == 2_000
    for now_ms in range(0, round(8_000 / speed), 7):
        assert tape.at(now_ms).ms == int(now_ms * speed)


def test_it_stands_at_the_end_and_runs_from_the_beginning_then() -> None:
    tape = ALONE.toggled(0).at(60_000)
    assert (tape.ms, tape.shown, tape.is_playing) == (9_000, 4, False)
    again = tape.toggled(70_000)
    assert (again.ms, again.shown, again.is_playing) == (0, 0, True)


def test_it_stands_where_it_is_stopped_and_goes_on_from_there() -> None:
    tape = ALONE.toggled(0).toggled(2_500)
    assert (tape.ms, tape.is_playing) == (2_500, False)
    assert tape.at(99_000) == tape
    assert tape.toggled(100_000).at(100_500).ms == 3_000


def test_a_change_of_speed_takes_effect_from_then_on() -> None:
    tape = ALONE.toggled(0).faster(2, 1_000)
    assert (tape.speed, tape.ms) == (4.0, 1_000)
    assert tape.at(1_500).ms == 3_000
    assert tape.faster(99, 1_500).speed == 16
    assert tape.faster(-99, 1_500).speed == 0.5


# Stepping and seeking.


def test_steps_are_gone_through_one_by_one_also_those_at_one_time() -> None:
    tape = ALONE
    seen = []
    for _ in range(6):
        tape = tape.stepped(1, 0)
        seen.append((tape.shown, tape.ms))
    assert seen == [(1, 1_000), (2, 3_000), (3, 3_000), (4, 9_000), (4, 9_000), (4, 9_000)]
    back = [tape := tape.stepped(-1, 0) for _ in range(5)]
    assert [(one.shown, one.ms) for one in back] == [(3, 3_000), (2, 3_000), (1, 1_000), (0, 0), (0, 0)]


def test_a_step_stops_it_where_it_is() -> None:
    tape = ALONE.toggled(0).stepped(1, 2_000)
    assert (tape.shown, tape.ms, tape.is_playing) == (2, 3_000, False)
    running = tape.toggled(10_000)
    assert running.at(10_000).shown == 2, "the third step is later than the second, if not by the clock"
    assert running.at(10_001).shown == 3


def test_seeking_keeps_it_running_or_standing() -> None:
    assert (ALONE.sought(5_000, 0).ms, ALONE.sought(5_000, 0).shown) == (5_000, 3)
    assert ALONE.sought(-5, 0).ms == 0
    assert ALONE.sought(99_999, 0).ms == 9_000
    running = ALONE.toggled(0).sought(3_500, 1_000)
    assert running.at(1_500).ms == 4_000


# Two beside each other.


def test_both_boards_are_of_the_same_time() -> None:
    tape = BOTH.sought(2_500, 0)
    assert [tape.steps_of(place) for place in (0, 1)] == [1, 1]
    assert tape.end_ms == 12_000
    other = tape.showing(tape.films, 1, 0)
    assert other.stepped(1, 0).ms == 12_000
    assert other.stepped(1, 0).steps_of(0) == 4


def test_other_films_are_shown_at_the_same_time_as_far_as_they_go() -> None:
    tape = BOTH.sought(11_000, 0).showing((ANN,), 0, 0)
    assert (tape.ms, tape.shown) == (9_000, 4)


def test_an_empty_tape_can_do_nothing_and_no_harm() -> None:
    tape = Tape().stepped(1, 0).toggled(0).at(10).sought(5, 10).faster(1, 10)
    assert (tape.ms, tape.shown, tape.end_ms) == (0, 0, 0)
