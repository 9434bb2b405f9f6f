"""What somebody has reached, in a line."""

import pytest

from client_cli.ghosts import Ghost
from client_cli.screens.result import board_text
from client_cli.session import Session
from protocol.views import Racer
from tests.client_cli.samples import BOB, ME, hear, in_lobby, racer, snapshot

WON = racer(ME, "root", state="finished", home=52, actions=101, ended_ms=19_123, rank=1)


def over(*racers: Racer) -> Session:
    return hear(in_lobby(), snapshot("over", racers=racers, to=9))


def test_who_has_won_is_told_how_and_by_how_much() -> None:
    second = racer(BOB, "bob", state="finished", home=52, actions=1, ended_ms=22_324, rank=2)
    both = over(WON, second)
    assert board_text(WON, over(WON)) == "root: won in 0:19.123, 101 actions"
    assert board_text(WON, both) == "root: 1st 0:19.123, 101 actions, 0:03.201 ahead of bob"
    assert board_text(second, both) == "bob: 2nd 0:22.324, 1 action, 0:03.201 behind root"
    resigned = racer(BOB, "bob", state="resigned", home=51)
    assert board_text(WON, over(WON, resigned)) == "root: 1st 0:19.123, 101 actions"
    assert board_text(resigned, over(WON, resigned)) == "the last board of bob"


@pytest.mark.parametrize(
    ("points", "margin"),
    [
        (((0, 0), (20_000, 52)), ", 0:00.877 ahead of ghost of cy"),
        (((0, 0), (19_000, 52)), ", 0:00.123 behind ghost of cy"),
        (((0, 0), (10_000, 40)), ""),
    ],
)
def test_a_ghost_is_beaten_or_not(points: tuple[tuple[int, int], ...], margin: str) -> None:
    assert board_text(WON, over(WON), Ghost("cy", points)) == f"root: won in 0:19.123, 101 actions{margin}"
