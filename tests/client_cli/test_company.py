"""Who is in a race besides oneself."""

import pytest

from client_cli.company import goes_on, has_others
from client_cli.mind import disconnected
from client_cli.session import Session
from protocol.commands import Watch
from protocol.events import Presence, Watching
from protocol.views import Phase
from tests.client_cli.samples import BOB, ME, RACE, hear, in_lobby, racer, snapshot, welcome


def in_a_race(phase: Phase, mine: str, other: str, robot: str | None = None) -> Session:
    racers = (racer(state=mine), racer(BOB, "bob", state=other, robot=robot))
    return hear(in_lobby(), snapshot(phase, racers=racers, to=9))


@pytest.mark.parametrize(
    ("phase", "mine", "other", "robot", "here", "has"),
    [
        ("countdown", "waiting", "waiting", None, {ME}, True),
        ("running", "resigned", "racing", None, {ME}, True),
        ("running", "racing", "resigned", None, {ME}, False),
        ("running", "resigned", "resigned", None, {ME, BOB}, True),
        ("running", "finished", "racing", "even", {ME, BOB}, False),
        ("over", "resigned", "finished", None, {ME, BOB}, True),
        ("over", "resigned", "finished", None, {ME}, False),
        ("over", "resigned", "finished", "even", {ME, BOB}, False),
        ("lobby", "waiting", "waiting", None, {ME}, False),
        ("lobby", "waiting", "waiting", None, {ME, BOB}, True),
    ],
)
def test_other_people_who_race_or_are_there(
    phase: Phase, mine: str, other: str, robot: str | None, here: set[str], *, has: bool
) -> None:
    assert has_others(hear(in_a_race(phase, mine, other, robot), Presence(RACE, tuple(here)))) == has


@pytest.mark.parametrize(
    ("other", "robot", "has"),
    [("waiting", None, True), ("finished", None, False), ("waiting", "even", False)],
)
def test_by_their_seats_where_nobody_has_told_who_is_there(
    other: str, robot: str | None, *, has: bool
) -> None:
    assert has_others(disconnected(in_a_race("lobby", "waiting", other, robot))) == has


def test_who_looks_on_counts_unless_it_is_oneself() -> None:
    session = hear(in_a_race("over", "resigned", "resigned"), Presence(RACE, (ME,), watchers=1))
    assert has_others(session)
    assert not has_others(session, own_watches=1)
    session = hear(session, Presence(RACE, (ME,), watchers=2))
    assert has_others(session, own_watches=1)


def test_before_anything_is_known_nobody_is_there() -> None:
    session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
    assert not has_others(session)
    assert not goes_on(session)


@pytest.mark.parametrize(
    ("phase", "mine", "other", "does"),
    [
        ("countdown", "waiting", "resigned", True),
        ("running", "racing", "resigned", True),
        ("running", "resigned", "racing", True),
        ("running", "resigned", "resigned", False),
        ("lobby", "waiting", "waiting", False),
        ("over", "finished", "resigned", False),
    ],
)
def test_whether_it_goes_on_without_oneself(phase: Phase, mine: str, other: str, *, does: bool) -> None:
    assert goes_on(in_a_race(phase, mine, other)) == does
