"""Which race that one has left is gone on with, by `play` and by `host`."""

import pytest
from msgspec.structs import replace

from client_cli.going_on import Found, Intent, find, found_text
from client_cli.hosting import ALONE
from protocol.commands import Settings
from protocol.views import HeldSeat, Terms
from tests.client_cli.samples import OTHER_RACE, RACE

ALONE_HERE = HeldSeat(RACE, "running", Terms(cells=4), host=True, deal=617, deal_code="FC1-C4-AAAAATJ")
LOBBY = HeldSeat(OTHER_RACE, "lobby", Terms(cells=4), host=True)
WITH_OTHERS = replace(LOBBY, phase="running", people=2)
PLAY, HOST = Intent("alone"), Intent("host")


@pytest.mark.parametrize("seat", [LOBBY, WITH_OTHERS, replace(ALONE_HERE, done=True)])
def test_play_takes_up_no_lobby_no_race_with_others_and_none_that_is_done_with(seat: HeldSeat) -> None:
    assert find(PLAY, ALONE, [seat]) is None


@pytest.mark.parametrize("seat", [ALONE_HERE, replace(LOBBY, host=False), replace(WITH_OTHERS, host=False)])
def test_host_takes_up_no_race_alone_and_none_of_another_host(seat: HeldSeat) -> None:
    assert find(HOST, Settings(), [seat]) is None


def test_each_goes_on_with_its_own_sort_the_newest_of_it() -> None:
    older = replace(ALONE_HERE, race="CCCCCCCC")
    seats = [older, ALONE_HERE, LOBBY]
    assert find(PLAY, ALONE, seats) == Found(RACE)
    assert find(HOST, Settings(), seats) == Found(OTHER_RACE)
    assert find(HOST, Settings(), [WITH_OTHERS]) == Found(OTHER_RACE)
    assert find(PLAY, ALONE, []) is None


def test_a_ranked_attempt_is_gone_on_with_as_such() -> None:
    attempt = replace(ALONE_HERE, race="daily:2026-11-30:4:mfrggzdfmztwq2lk")
    assert find(PLAY, ALONE, [attempt]) is None


@pytest.mark.parametrize(
    ("named", "differs"),
    [
        ({"deal": 617}, ()),
        ({"deal": "fc1-c4-aaaaatj "}, ()),
        ({"deal": 618}, ("deal",)),
        ({"deal": "random"}, ("deal",)),
        ({"deal": "abc"}, ("deal",)),
        ({"cells": 4}, ()),
        ({"cells": 3, "deal": 1}, ("cells", "deal")),
        ({"undo_limit": None}, ()),
        ({"ruleset": "app", "hints": True}, ("rules", "hints")),
    ],
)
def test_what_differs_from_what_is_asked_for_is_told(
    named: dict[str, object], differs: tuple[str, ...]
) -> None:
    intent = Intent("alone", frozenset(named))
    assert find(intent, replace(ALONE, **named), [ALONE_HERE]) == Found(RACE, differs)


def test_robots_that_are_asked_for_must_be_there_and_no_others() -> None:
    with_robot = replace(ALONE_HERE, robots=("fast", "even"))
    assert find(PLAY, ALONE, [with_robot]) == Found(RACE)
    assert find(Intent("alone", robots=("even", "fast")), ALONE, [with_robot]) == Found(RACE)
    assert find(Intent("alone", robots=("even",)), ALONE, [ALONE_HERE]) == Found(RACE, ("robot",))


def test_an_older_race_that_fits_wins_over_a_newer_that_differs() -> None:
    older = replace(ALONE_HERE, race="CCCCCCCC", settings=Terms(cells=3))
    asked = Intent("alone", frozenset({"cells"}))
    assert find(asked, replace(ALONE, cells=3), [older, ALONE_HERE]) == Found("CCCCCCCC")


def test_it_is_said_which_race_it_is() -> None:
    assert found_text(Found(RACE)).startswith("You have a seat in a race already; going on with it")
    assert found_text(Found(RACE), has_options=False).endswith("going on with it.")
    assert found_text(Found(RACE, why_not="no such race")) == (
        "Race ABCDEFGH, which you left, cannot be gone on with (no such race); this is a new one."
    )
    told = found_text(Found(RACE, ("deal", "cells")))
    assert told.startswith(
        "Race ABCDEFGH, which you left, is not as you ask for (--deal, --cells): it is kept"
    )
