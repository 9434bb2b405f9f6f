import pytest

from server.race.commands import Leave, Resign, Say, Tick, Undo
from server.race.curves import (
    MAX_POINTS,
    Curve,
    Point,
    curves,
    lateness_ms,
    new_points,
    thinned,
    told_until_ms,
)
from server.race.state import PlayerId, Policy
from tests.server.race.races import ANN, BEN, CEC, SOLVED, Table, accepted, lobby, running


def points_of(table: Table) -> dict[PlayerId, list[Point]]:
    """All points that the log of a race adds."""
    found: dict[PlayerId, list[Point]] = {}
    for before, stamped, after in zip(table.states, table.log[1:], table.states[1:], strict=False):
        for player, point in new_points(before, stamped, after):
            found.setdefault(player, []).append(point)
    return found


def all_of(table: Table, until_ms: int = 10**9) -> list[Curve]:
    return curves(table.race, points_of(table), until_ms)


def first_home(table: Table, player: PlayerId) -> None:
    """Play the known solution up to the first card that goes home."""
    for text in SOLVED[617, 4]:
        table.play(player, text)
        if text.endswith("h"):
            break


def test_a_curve_has_a_point_wherever_cards_home_change_and_at_the_end() -> None:
    table = running(ANN, BEN)
    start = table.race.life.started_at
    table.now_ms = start + 2000
    first_home(table, ANN)
    table.now_ms = start + 3000
    accepted(table.run(Undo(*table.at(ANN))))
    table.now_ms = start + 4000
    accepted(table.run(Say(*table.who(ANN), "Ann", "oh")))
    table.now_ms = start + 5000
    accepted(table.run(Resign(*table.who(ANN))))
    ann, ben = all_of(table)
    assert (ann.player, ann.name) == (ANN, "Ann")
    assert ann.points == (Point(0, 0), Point(2000, 1), Point(3000, 0), Point(5000, 0))
    assert ben == Curve(BEN, "Ben", (Point(0, 0),))


def test_a_win_is_the_last_point_of_its_curve() -> None:
    table = running(ANN, BEN)
    table.now_ms += 60_000
    table.solve(ANN)
    ann, _ = all_of(table)
    assert ann.points[-1] == Point(61_000, 52)


def test_time_up_ends_the_curves_of_those_who_were_racing() -> None:
    table = running(ANN, BEN, CEC)
    accepted(table.run(Resign(*table.who(CEC))))
    deadline = table.race.next_deadline
    assert deadline is not None
    table.now_ms = deadline
    accepted(table.run(Tick()))
    limit_ms = table.race.life.setup.time_limit_ms
    assert [curve.points[-1] for curve in all_of(table)] == [
        Point(limit_ms, 0),
        Point(limit_ms, 0),
        Point(1000, 0),
    ]


def test_what_is_later_is_left_out() -> None:
    table = running(ANN, BEN)
    first_home(table, ANN)
    assert [curve.points for curve in all_of(table, 999)] == [(Point(0, 0),), (Point(0, 0),)]
    assert all_of(table, 1000)[0].points == (Point(0, 0), Point(1000, 1))
    assert all_of(table, -1) == []


def test_there_is_no_curve_before_the_start() -> None:
    assert all_of(lobby(ANN, BEN)) == []


@pytest.mark.parametrize("count", [1, 2, MAX_POINTS - 1, MAX_POINTS, MAX_POINTS + 1, 3000])
def test_a_long_curve_is_thinned_to_points_of_it(count: int) -> None:
    points = [Point(ms, ms % 53) for ms in range(count)]
    few = thinned(points, MAX_POINTS)
    assert len(few) == min(count, MAX_POINTS)
    assert (few[0], few[-1]) == (points[0], points[-1])
    assert list(few) == sorted(set(few) & set(points))


def test_a_racer_who_goes_to_and_fro_for_long_has_a_short_curve() -> None:
    table = running(ANN, BEN)
    first_home(table, ANN)
    for _ in range(2 * MAX_POINTS):
        table.now_ms += 10
        accepted(table.run(Undo(*table.at(ANN))))
        home = next(text for text in SOLVED[617, 4] if text.endswith("h"))
        table.play(ANN, home)
    assert len(points_of(table)[ANN]) > 2 * MAX_POINTS
    ann = all_of(table)[0]
    assert len(ann.points) == MAX_POINTS
    assert ann.points[-1] == points_of(table)[ANN][-1]


@pytest.mark.parametrize(
    ("policy", "late_ms"),
    [(Policy.NONE, None), (Policy.PROGRESS, 0), (Policy.LIVE, 0), (Policy.DELAYED, 30_000)],
)
def test_a_stranger_is_told_as_late_as_he_sees_the_race(policy: Policy, late_ms: int | None) -> None:
    table = running(ANN, BEN, policy=policy)
    assert lateness_ms(table.race, CEC, seated=False) == late_ms
    assert lateness_ms(table.race, ANN, seated=False) == 0, "who races sees progress at once"
    accepted(table.run(Resign(*table.who(ANN))))
    assert lateness_ms(table.race, ANN, seated=False) == late_ms
    assert lateness_ms(table.race, ANN, seated=True) == 0
    accepted(table.run(Resign(*table.who(BEN))))
    assert lateness_ms(table.race, CEC, seated=False) == (late_ms or 0), "who sees it late sees its end late"


def test_curves_are_told_until_now_and_in_the_end_as_long_as_the_race_took() -> None:
    table = lobby(ANN, BEN)
    assert told_until_ms(table.race, table.now_ms) is None
    table = running(ANN)
    assert told_until_ms(table.race, table.now_ms) == 1000
    assert told_until_ms(table.race, table.now_ms - 1000) == 0
    assert told_until_ms(table.race, table.now_ms - 1001) is None, "told late, it has not begun"
    accepted(table.run(Resign(*table.who(ANN))))
    assert told_until_ms(table.race, table.now_ms + 60_000) == 1000
    assert told_until_ms(table.race, table.now_ms - 400) == 600, "told late, it is not over"


def test_a_race_that_never_started_has_no_curves() -> None:
    table = lobby(ANN)
    accepted(table.run(Leave(*table.who(ANN))))
    assert told_until_ms(table.race, table.now_ms) is None
    assert all_of(table) == []
