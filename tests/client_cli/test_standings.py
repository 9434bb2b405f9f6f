"""Who is how far, as text."""

from typing import Literal

import msgspec
import pytest

from client_cli.session import Session
from client_cli.standings import (
    changes_in_words,
    clock_text,
    in_order,
    lobby_text,
    ordinal,
    progress_line,
    progress_text,
    standings_text,
    time_text,
    winner_of,
)
from protocol.commands import Join
from protocol.events import Presence
from protocol.views import Racer, Terms
from tests.client_cli.samples import (
    BOB,
    ME,
    RACE,
    hear,
    in_lobby,
    life,
    racer,
    racing,
    seat,
    snapshot,
    welcome,
)

CLEO = "cccccccccccccccc"


def over() -> Session:
    racers = (
        racer(state="resigned", home=20, actions=9),
        racer(BOB, "bob", state="finished", home=52, ended_ms=221_207, rank=1),
        racer(CLEO, "cleo", state="resigned", home=20, actions=5),
    )
    return hear(racing(), snapshot("over", to=9, racers=racers))


@pytest.mark.parametrize(
    ("racer_", "line"),
    [
        (racer(BOB, "bob"), "bob: waiting"),
        (racer(BOB, "bob", ready=True), "bob: ready"),
        (racer(BOB, "bob", state="racing", home=1), "bob: 1 of 52 home"),
        (racer(BOB, "bob", state="finished", home=52), "bob: finished"),
        (
            racer(BOB, "bob", state="finished", home=52, ended_ms=61_005, rank=2),
            "bob: 2nd in 1:01.005",
        ),
        (racer(BOB, "bob", state="resigned", home=2), "bob: resigned, 2 of 52 home"),
        (racer(BOB, "bob", state="out_of_time"), "bob: out of time, 0 of 52 home"),
        (racer(state="racing"), "ann (you): 0 of 52 home"),
        (racer(BOB, "Robot", robot="easy", ready=True), "Robot (easy robot): ready"),
        (racer(BOB, "Robot", robot="even", state="racing", home=3), "Robot (even robot): 3 of 52 home"),
        (
            racer(BOB, "Robot", robot="fast", ready=True, no_way=True),
            "Robot (fast robot): knows no way to win this deal",
        ),
        (
            racer(BOB, "Robot", robot="fast", state="resigned", no_way=True),
            "Robot (fast robot): knows no way to win this deal",
        ),
    ],
)
def test_progress_in_a_line(racer_: Racer, line: str) -> None:
    assert progress_line(racer_, racing()) == line


def test_who_has_no_connection_is_away() -> None:
    session = hear(racing(), Presence(RACE, (ME,), watchers=1))
    assert progress_line(racer(BOB, "bob", state="racing"), session) == "bob: 0 of 52 home, away"
    assert progress_text(session).splitlines()[-1] == "one is watching"
    assert progress_text(hear(session, Presence(RACE, (ME, BOB), watchers=3))).endswith("3 are watching")


def test_of_those_who_race_actions_and_how_far_they_are_behind_are_told() -> None:
    racers = (
        racer(state="racing", home=4, actions=9),
        racer(BOB, "bob", state="resigned", home=1, actions=5),
        racer(CLEO, "cleo", state="racing", home=3, actions=1),
    )
    session = hear(in_lobby(), snapshot("running", to=9, racers=racers))
    assert progress_text(session).splitlines() == [
        "ann (you): 4 of 52 home, 9 actions",
        "cleo: 3 of 52 home, 1 action, 1 card behind",
        "bob: resigned, 1 of 52 home",
    ]


def test_standings_name_the_best_first() -> None:
    lines = standings_text(over()).splitlines()
    assert lines[0] == "The race is over."
    assert [line.split()[0].strip(":") for line in lines[1:]] == ["bob", "cleo", "ann"]


def test_on_even_terms_all_stay_as_they_sit_while_somebody_races() -> None:
    racers = (
        racer(state="racing", home=3, actions=9),
        racer(BOB, "bob", state="resigned", home=3, actions=5),
        racer(CLEO, "cleo", state="racing", home=4, actions=50),
    )
    assert [one.name for one in in_order(racers)] == ["cleo", "ann", "bob"]


@pytest.mark.parametrize("ending", ["finished", "abandoned", "expired"])
def test_how_a_race_can_end(ending: str) -> None:
    session = hear(in_lobby(), snapshot("over", to=9, life=life("over", over=ending), racers=()))
    first, second = standings_text(session).splitlines()
    assert first.startswith("The race is over")
    assert second == "Nobody has a seat."


def test_before_anything_is_known() -> None:
    session = Session(Join(RACE))
    assert progress_text(session) == "Nobody has a seat."
    assert standings_text(session) == lobby_text(session) == "Nothing is known of the race yet."


def test_the_lobby() -> None:
    racers = (racer(ready=True), racer(BOB, "bob"))
    assert lobby_text(hear(Session(Join(RACE)), welcome(), seat(), snapshot(racers=racers))).splitlines() == [
        "Race ABCDEFGH, in the lobby: 2 of 8 seats taken",
        "ruleset race",
        "a random deal; nobody knows whether it can be won",
        "time limit 30:00; countdown 5 s; watchers see the boards 30 s late",
        "ann (you, host): ready",
        "bob: not ready",
    ]


@pytest.mark.parametrize(
    ("watch", "text"),
    [
        ("none", "nobody may watch"),
        ("progress", "progress only"),
        ("live", "boards live"),
        ("delayed", "30 s late"),
    ],
)
def test_what_watchers_see(watch: str, text: str) -> None:
    settings = Terms(watch=watch)  # type: ignore[arg-type]  # one of its values
    session = hear(in_lobby(), snapshot(life=life(settings=settings, deal_named=True, certified=True)))
    assert text in lobby_text(session)
    assert "the host has named the deal; it can be won" in lobby_text(session)


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ("", "nobody knows whether it can be won"),
        ("unwinnable", "it is proved that it cannot be won"),
        ("lost_without_return", "cannot be won unless a card comes back off a foundation"),
    ],
)
def test_a_deal_that_cannot_be_won_is_told_to_be_so(
    lost: Literal["", "unwinnable", "lost_without_return"], words: str
) -> None:
    session = hear(in_lobby(), snapshot(life=life(deal_named=True, lost=lost)))
    assert any(line.endswith(words) for line in lobby_text(session).splitlines())


def test_what_new_settings_have_changed() -> None:
    was = life(settings=Terms(cells=4, undo_limit=3))
    new = life(settings=Terms(cells=3, hints=True), deal_named=True)
    assert changes_in_words(was, new) == (
        "free cells: 3, actions to undo: as the rules have it, hints: yes, the host has named the deal"
    )
    assert changes_in_words(was, life(settings=was.settings, deals=2)) == "another deal"
    assert changes_in_words(was, was) == "the same deal"
    assert changes_in_words(new, life(settings=new.settings)) == "a random deal"
    daily = life(settings=Terms(cells=4, undo_limit=3), deal_named=True, daily="2026-11-30")
    assert changes_in_words(was, daily) == "the deal of 2026-11-30"


def test_another_deal_is_told_beside_what_else_has_changed() -> None:
    was = life(settings=Terms(cells=4), deal_named=True, deals=2)
    same = life(settings=Terms(cells=4, time_limit_s=600), deal_named=True, commitment="other", deals=2)
    assert changes_in_words(was, same) == "time limit (s): 600"
    other = msgspec.structs.replace(same, deals=3)
    assert changes_in_words(was, other) == "time limit (s): 600, another deal"


def test_times() -> None:
    assert [clock_text(ms) for ms in (0, 59_999, 60_000, 3_723_000)] == ["0:00", "0:59", "1:00", "1:02:03"]
    assert time_text(221_207) == "3:41.207"
    assert time_text(5) == "0:00.005"


def test_ranks() -> None:
    ranks = " ".join(ordinal(rank) for rank in (1, 2, 3, 4, 11, 12, 13, 21, 111))
    assert ranks == "1st 2nd 3rd 4th 11th 12th 13th 21st 111th"


def test_the_winner() -> None:
    picture = over().picture
    assert picture is not None
    winner = winner_of(picture)
    assert winner is not None
    assert winner.name == "bob"
    running = racing().picture
    assert running is not None
    assert winner_of(running) is None
