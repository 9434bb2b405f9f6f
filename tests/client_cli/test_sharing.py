"""The line to share after an ordinary race."""

import pytest
from msgspec.structs import replace

from client_cli.sharing import result_line
from client_cli.style import Style
from protocol.views import Racer
from tests.client_cli.samples import BOB, hear, life, racer, racing, snapshot

WON = racer(state="finished", ended_ms=60_000, rank=1, home=52, actions=104)
LOST = racer(BOB, "bob", state="resigned", ended_ms=30_000, rank=2, home=5, actions=1)
POINTS = ((0, 0), (30_000, 26), (60_000, 52))


@pytest.mark.parametrize(
    ("whose", "line"),
    [
        (WON, "cellrace deal 1, 4 free cells, 1st of 2, 1:00.000, 104 actions 000005555559"),
        (LOST, "cellrace deal 1, 4 free cells, bob, not won, 5 of 52 home, 1 action 000005555559"),
    ],
)
def test_it_tells_deal_place_time_actions_and_how_the_cards_went_home(whose: Racer, line: str) -> None:
    session = hear(racing(), snapshot("over", to=9, racers=(WON, LOST)))
    points = tuple((ms // 2, home) for ms, home in POINTS) if whose is LOST else POINTS
    assert result_line(session, whose, points, Style(symbols=False)) == line


def test_one_alone_has_no_place_and_a_deal_of_a_day_no_number() -> None:
    alone = snapshot("over", to=9, racers=(WON,))
    session = hear(racing(), replace(alone, life=life("over", daily="2026-11-30")))
    line = result_line(session, WON, (), Style())
    assert line == "cellrace 2026-11-30, unranked, 4 free cells, 1:00.000, 104 actions"
