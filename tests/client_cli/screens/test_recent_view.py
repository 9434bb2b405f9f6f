"""The lines of the races one was in."""

from dataclasses import replace

import pytest

from client_cli.screens.preferences import LEFT, SENT_OUT, Recent
from client_cli.screens.recent_view import recent_of, recent_text
from client_cli.session import Session
from protocol.commands import Join, Watch
from protocol.errors import ErrorCode
from protocol.events import Refused, Watching
from protocol.views import RacerState
from tests.client_cli.samples import (
    BOB,
    ME,
    RACE,
    hear,
    in_lobby,
    life,
    racer,
    seat,
    snapshot,
    welcome,
)

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
        cells=4,
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
        (Recent(RACE, "", deal=7, racers=2, end="resigned"), "ABCDEFGH  deal 7  resigned  this machine"),
        (
            Recent(RACE, "", is_over=True, deal=7, racers=1, end="out_of_time"),
            "ABCDEFGH  deal 7  out of time  this machine",
        ),
        (Recent(RACE, "", end="left"), "ABCDEFGH  left before the start  this machine"),
        (Recent(RACE, "", end="sent out"), "ABCDEFGH  sent out before the start  this machine"),
        (Recent(RACE, "", is_over=True, end="abducted"), "ABCDEFGH  over  this machine"),
        (
            Recent(RACE, "", is_over=True, deal=7, racers=1, rank=1, daily=DAY, cells=2),
            "ABCDEFGH  daily 2026-11-30, 2 free cells, unranked  won  this machine",
        ),
        (
            Recent(
                f"daily:{DAY}:4:{ME}", "", is_over=True, deal=7, racers=1, daily=DAY, cells=4, end="resigned"
            ),
            "daily 2026-11-30, 4 free cells  resigned  this machine",
        ),
    ],
)
def test_a_line_says_what_is_known(recent: Recent, text: str) -> None:
    assert recent_text(recent) == text


@pytest.mark.parametrize(
    ("state", "end"),
    [("resigned", "resigned"), ("out_of_time", "out_of_time"), ("finished", ""), ("racing", "")],
)
def test_how_it_ended_for_oneself_without_a_rank_is_remembered(state: RacerState, end: str) -> None:
    told = snapshot("running", racers=(racer(state=state), racer(BOB, "bob", state="resigned")))
    assert recent_of(hear(Session(Join(RACE)), welcome(), seat(), told), "", DAY).end == end


def test_a_seat_that_is_gone_before_the_start_is_remembered_as_such() -> None:
    assert recent_of(replace(in_lobby(), has_left=True), "", DAY).end == LEFT
    assert recent_of(hear(in_lobby(), Refused(ErrorCode.KICKED, "", RACE)), "", DAY).end == SENT_OUT
    elsewhere = hear(in_lobby(), Refused(ErrorCode.SUPERSEDED, "", RACE))
    assert elsewhere.refusal is not None
    assert recent_of(elsewhere, "", DAY).end == "", "the seat is played from elsewhere"


def test_an_unranked_go_at_the_deal_of_a_day_is_remembered_as_one() -> None:
    run = snapshot("running", racers=(racer(state="racing"),), life=life("running", daily=DAY))
    kept = recent_of(hear(Session(Join(RACE)), welcome(), seat(), run), "", DAY)
    assert (kept.daily, kept.cells) == (DAY, 4)


def test_who_watches_is_none_of_the_racers() -> None:
    shown = snapshot("running", feed="watch", racers=(racer(BOB, "bob"),))
    session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), shown)
    kept = recent_of(session, "", DAY)
    assert kept.watched
    assert kept.others == ("bob",)
