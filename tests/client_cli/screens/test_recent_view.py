"""The lines of the races one was in."""

import pytest

from client_cli.screens.preferences import Recent
from client_cli.screens.recent_view import recent_of, recent_text
from client_cli.session import Session
from client_cli.text_width import ELLIPSIS
from protocol.commands import Join, Watch
from protocol.events import Watching
from tests.client_cli.samples import BOB, RACE, hear, racer, seat, snapshot, welcome

DAY = "2026-11-30"


def test_what_is_remembered_of_a_race() -> None:
    racers = (racer(rank=2), racer(BOB, "bob"), racer("c" * 16, "cleo"), racer("d" * 16, "dan"))
    session = hear(Session(Join(RACE)), welcome(), seat(), snapshot("over", racers=racers))
    assert recent_of(session, "ws://x:1", DAY) == Recent(
        RACE,
        "ws://x:1",
        is_over=True,
        deal=1,
        racers=4,
        rank=2,
        day=DAY,
        others=("bob", "cleo"),
    )


@pytest.mark.parametrize(
    ("recent", "text"),
    [
        (Recent(RACE, ""), "ABCDEFGH  not over when last seen  this machine"),
        (
            Recent(RACE, "ws://x:1", is_over=True, racers=2, day=DAY, others=("bob",)),
            "2026-11-30  ABCDEFGH  with bob  over  ws://x:1",
        ),
        (
            Recent(RACE, "", deal=7, racers=4, rank=1, others=("bob", "cleo")),
            "ABCDEFGH  with bob, cleo +1  deal 7  1st of 4  this machine",
        ),
        (
            Recent(RACE, "", watched=True, racers=2, others=("bob", "cleo")),
            "ABCDEFGH  with bob, cleo  watched  this machine",
        ),
    ],
)
def test_a_line_says_what_is_known(recent: Recent, text: str) -> None:
    assert recent_text(recent) == text


def test_a_name_is_kept_no_longer_than_names_are() -> None:
    racers = (racer(), racer(BOB, "b" * 70_000))
    session = hear(Session(Join(RACE)), welcome(), seat(), snapshot(racers=racers))
    assert recent_of(session, "", DAY).others == ("b" * 23 + ELLIPSIS,)


def test_who_watches_is_none_of_the_racers() -> None:
    shown = snapshot("running", feed="watch", racers=(racer(BOB, "bob"),))
    session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), shown)
    kept = recent_of(session, "", DAY)
    assert kept.watched
    assert kept.others == ("bob",)
