"""What is said in the line for it, and until when."""

import pytest

from client_cli.connection import Heard
from client_cli.going_on import Intent
from client_cli.mind import ask, receive
from client_cli.screens.notices import notice, outdated
from client_cli.session import Session
from client_cli.style import Style
from protocol.commands import Configure, Create, Join, Move, Settings, Watch
from protocol.errors import ErrorCode
from protocol.events import Refused, Watching
from protocol.views import Feed, LifeChanged, Phase
from tests.client_cli.samples import (
    OTHER_RACE,
    RACE,
    ack,
    alone,
    hear,
    in_lobby,
    life,
    racer,
    racing,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)


@pytest.mark.parametrize(
    ("before", "after", "state", "is_outdated"),
    [
        (None, "lobby", "waiting", False),
        ("lobby", "lobby", "waiting", False),
        ("lobby", "countdown", "waiting", True),
        ("countdown", "running", "racing", True),
        ("running", "running", "racing", False),
        ("running", "over", "out_of_time", True),
        ("running", "over", "finished", False),
    ],
)
def test_what_was_said_is_no_news_once_the_race_has_gone_on(
    before: Phase | None, after: Phase, state: str, *, is_outdated: bool
) -> None:
    session = hear(in_lobby(), snapshot(after, racers=(racer(state=state),), to=9))
    assert outdated(before, after, session) == is_outdated


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"blocked": True}, "no move is left: undo (u), restart (R) or resign (x)"),
        (
            {"stuck": True},
            "every move leads only to where you have been: undo (u), restart (R) or resign (x)",
        ),
        ({"finish": True}, "the rest can go home by itself: press f"),
        ({}, " "),
    ],
)
def test_what_is_left_to_do_is_said_with_the_move_that_led_there(what: dict[str, bool], said: str) -> None:
    session = ask(racing(), Move("", 0, 0, "5a")).session
    event = ack(1, 1, ("5", "a", 1), **what)
    assert notice(Heard(session, event, receive(session, event, 0)), Style()) == said


def test_that_a_race_is_gone_is_said_with_the_one_in_its_place() -> None:
    session = Session(Create("create-id-1"), intent=Intent("alone"))
    session = hear(session, welcome(RACE, seats=(alone(RACE),)))
    event = Refused(ErrorCode.NO_SUCH_RACE, "no such race", RACE, q=0)
    assert notice(Heard(session, event, receive(session, event, 0)), Style()) == ""


@pytest.mark.parametrize(
    ("entrance", "feed", "said"),
    [
        (Join(RACE), "seat", "there is a rematch: press m to be in it"),
        (Watch(RACE), "watch", f"race {RACE} has a rematch: press m to watch it"),
    ],
)
def test_a_rematch_is_said_once_even_with_the_end_of_the_race(
    entrance: Join | Watch, feed: Feed, said: str
) -> None:
    place = seat() if feed == "seat" else Watching(RACE, "boards")
    before = hear(Session(entrance), welcome(), place, snapshot("running", feed=feed))
    changes = (LifeChanged(life("over")), LifeChanged(life("over", rematch=OTHER_RACE)))
    for event in (
        update(3, 6, *changes, feed=feed),
        snapshot("over", to=6, feed=feed, life=life("over", rematch=OTHER_RACE)),
    ):
        step = receive(before, event, 0)
        assert notice(Heard(before, event, step), Style()) == said
        again = snapshot("over", to=7, feed=feed, life=life("over", rematch=OTHER_RACE))
        assert notice(Heard(step.session, again, receive(step.session, again, 0)), Style()) == ""


@pytest.mark.parametrize(
    ("retry_ms", "said"),
    [
        (None, "set: slower"),
        (30, ""),
        (4000, "set: slower; again in 4 s"),
        (250_000, "set: slower; possible again in 250 s"),
    ],
)
def test_what_is_refused_for_now_is_said_with_when_it_can_be(retry_ms: int | None, said: str) -> None:
    session = ask(in_lobby(), Configure("", 0, Settings(deal=618))).session
    event = refused(1, ErrorCode.TOO_FAST, "slower", retry_ms=retry_ms)
    assert notice(Heard(session, event, receive(session, event, 0)), Style()) == said
