import pytest

from client_cli.connection import Heard
from client_cli.curves import Curves, Decided, decided, home_at, told
from client_cli.mind import receive
from client_cli.session import Session
from protocol.commands import Watch
from protocol.events import Curve, Event, Traced
from protocol.views import RacerChanged
from tests.client_cli.samples import BOB, ME, OTHER_RACE, RACE, hear, racer, snapshot, update, welcome

ANN_AND_BOB = Curves({ME: ((0, 0), (10, 1), (20, 5)), BOB: ((0, 0), (15, 3))})


def traced(*curves: Curve, clock: int | None = 20, race: str = RACE) -> Traced:
    return Traced(race, 1, 0, curves, clock)


def test_what_is_traced_takes_the_place_of_what_was_known_and_what_came_later_stays() -> None:
    known = Curves({ME: ((12, 1), (25, 4))})
    curves = known.with_traced(traced(Curve(ME, "ann", ((0, 0), (11, 1), (19, 3)))))
    assert curves.of == {ME: ((0, 0), (11, 1), (19, 3), (25, 4))}
    assert curves.with_traced(traced(clock=None)) == curves


def test_a_racer_adds_a_point_where_he_is_elsewhere() -> None:
    curves = Curves().with_told((racer(state="racing"), racer(BOB, "bob", state="waiting")), 5)
    assert curves.of == {ME: ((5, 0),)}
    assert curves.with_told((racer(state="racing"),), 9) is curves
    later = curves.with_told((racer(state="racing", home=2),), 9)
    assert later.of == {ME: ((5, 0), (9, 2))}
    assert later.with_told((racer(state="racing", home=1),), 8) is later, "that is old news"
    assert later.until_ms == 9
    assert Curves().until_ms == 0


@pytest.mark.parametrize(("ms", "home"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, 5), (99, 5)])
def test_where_a_curve_is_at_a_time(ms: int, home: int) -> None:
    assert home_at(ANN_AND_BOB.of[ME], ms) == home
    assert home_at((), ms) == 0


def test_a_race_is_decided_where_the_first_took_the_lead_for_good() -> None:
    assert decided(ANN_AND_BOB, ME) == Decided(ME, 20, 5)
    assert decided(Curves({ME: ((0, 0), (10, 1)), BOB: ((0, 0),)}), ME) == Decided(ME, 10, 1)


def test_what_others_do_after_the_first_was_done_decides_nothing() -> None:
    curves = Curves({ME: ((0, 0), (10, 3), (20, 52)), BOB: ((0, 0), (30, 52))})
    assert decided(curves, ME) == Decided(ME, 10, 3)


def test_alone_or_level_nothing_is_decided() -> None:
    assert decided(Curves({ME: ((0, 0), (10, 52))}), ME) is None
    assert decided(Curves({ME: ((0, 0), (10, 2)), BOB: ((0, 0), (5, 2))}), ME) is None
    assert decided(Curves(), ME) is None


def after(session: Session, curves: Curves, *events: Event) -> Curves:
    """What is known after these were heard."""
    for event in events:
        step = receive(session, event, 0)
        curves = told(curves, Heard(session, event, step))
        session = step.session
    return curves


def test_what_is_heard_of_the_race_is_drawn_and_nothing_else() -> None:
    session = hear(Session(Watch(RACE), race=RACE, inside=True), welcome())
    running = snapshot("running", feed="watch", to=3, clock=1_000)
    moved = update(3, 4, RacerChanged(racer(home=1, state="racing")), feed="watch", clock=4_000)
    curves = after(session, Curves(), running, moved)
    assert curves.of == {ME: ((1_000, 0), (4_000, 1)), BOB: ((1_000, 0),)}
    page = traced(Curve(ME, "ann", ((0, 0), (3_900, 1))), clock=4_000)
    assert after(session, curves, page).of[ME] == ((0, 0), (3_900, 1))
    other = traced(Curve(ME, "ann", ((0, 0), (3_900, 9))), race=OTHER_RACE)
    assert after(session, curves, other, welcome()) == curves
