"""When the screen looks at a clock."""

from pathlib import Path

import pytest

from client_cli.screens.race import RaceScreen
from client_cli.screens.timing import until_turn_s
from tests.client_cli.screens.house import hosting, person
from tests.server.gateway.house import House


@pytest.mark.parametrize(
    ("clock_ms", "left_s"),
    [(0, 1.0), (1, 0.999), (12_345, 0.655), (999, 0.001), (-5000, 1.0), (-4999, 0.999)],
)
def test_a_clock_is_looked_at_when_a_second_of_it_is_over(clock_ms: int, left_s: float) -> None:
    assert until_turn_s(clock_ms) == left_s


async def test_the_clock_goes_on_by_itself_and_nobody_looks_at_it_in_between(
    tmp_path: Path, server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_ms: list[int] = []
    ticked = RaceScreen.ticked

    def counted(screen: RaceScreen) -> None:
        looked_ms.append(screen.clock_ms or 0)
        ticked(screen)

    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.reaches(RaceScreen)
        await ann.reads("0:01,")
        monkeypatch.setattr(RaceScreen, "ticked", counted)
        await ann.reads("0:03,")
    assert 2 <= len(looked_ms) <= 4, looked_ms
