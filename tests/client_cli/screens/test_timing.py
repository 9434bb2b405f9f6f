"""When the screen looks at a clock."""

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest

from client_cli.screens.after import AfterScreen
from client_cli.screens.app import RaceApp
from client_cli.screens.daily import DailyScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.timing import until_turn_s
from client_cli.screens.wall import WallScreen
from protocol.commands import Resign, Settings, Start
from tests.client_cli.screens.house import DEAL_1, Clock, Person, hosting, person, watching
from tests.server.gateway.house import House


@pytest.mark.parametrize(
    ("clock_ms", "left_s"),
    [(0, 1.0), (1, 0.999), (12_345, 0.655), (999, 0.001), (-5000, 1.0), (-4999, 0.999)],
)
def test_a_second_is_over_when_the_clock_shows_another(clock_ms: int, left_s: float) -> None:
    assert until_turn_s(clock_ms) == left_s


class Turns:
    """What the program wants to be woken for, which the test does by hand."""

    def __init__(self) -> None:
        self.delays_s: list[float] = []
        self._wake: Callable[[], object] = lambda: None

    def wait(self, _app: RaceApp, delay_s: float, wake: Callable[[], object], **_: Any) -> "Turns":
        self.delays_s.append(delay_s)
        self._wake = wake
        return self

    def stop(self) -> None:
        self._wake = lambda: None

    async def come(self) -> None:
        """Wake whoever waits."""
        come: Awaitable[object] | object = self._wake()
        if isawaitable(come):
            await come


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Turns:
    waited_for = Turns()

    def set_timer(app: RaceApp, delay_s: float, wake: Callable[[], object], **more: Any) -> Turns:
        return waited_for.wait(app, delay_s, wake, **more)

    monkeypatch.setattr(RaceApp, "set_timer", set_timer)
    return waited_for


async def next_delay_s(ann: Person, turns: Turns) -> float:
    """How long the screen wants to wait from now on."""
    await turns.come()
    await ann.pilot.pause()
    return turns.delays_s[-1]


def at(ann: Person, clock: Clock, race_ms: int) -> None:
    """Let that be the race's time, by the same second or a later one."""
    now_ms = ann.app.link.race_ms
    assert now_ms is not None
    assert race_ms >= now_ms
    clock.ms += race_ms - now_ms


async def test_the_clock_of_a_race_turns_with_its_seconds(
    tmp_path: Path, server: House, turns: Turns
) -> None:
    clock = Clock()
    seating = hosting(server.url, starts=True)
    async with person(tmp_path, "ann", seating=seating, now_ms=clock) as ann:
        await ann.reaches(RaceScreen)
        await ann.settled()
        at(ann, clock, 12_345)
        assert await next_delay_s(ann, turns) == 0.655
        await ann.reads("0:12,")
        at(ann, clock, 13_000)
        assert await next_delay_s(ann, turns) == 1.0
        await ann.reads("0:13,")
        seen = len(turns.delays_s)
        await ann.press("escape", "question_mark", "escape")
        assert len(turns.delays_s) == seen, "nobody looks in between"


async def test_a_countdown_turns_with_its_seconds(tmp_path: Path, server: House, turns: Turns) -> None:
    clock = Clock()
    seating = hosting(server.url, Settings(deal=1, countdown_s=9), starts=True)
    async with person(tmp_path, "ann", seating=seating, now_ms=clock) as ann:
        await ann.reaches(CountdownScreen)
        at(ann, clock, -4_321)
        assert await next_delay_s(ann, turns) == 0.321
        await ann.reads("5")


async def test_a_screen_looks_when_it_comes_up_and_one_without_a_clock_does_not(
    tmp_path: Path, server: House, turns: Turns
) -> None:
    clock = Clock()
    async with person(tmp_path, "ann", seating=hosting(server.url), now_ms=clock) as ann:
        await ann.reaches(LobbyScreen)
        assert turns.delays_s == []
        await ann.app.link.ask(Start("", 0))
        await ann.reaches(RaceScreen)
        assert len(turns.delays_s) == 1
        await ann.app.link.ask(Resign("", 0))
        await ann.reaches(AfterScreen)
        await ann.press("q")
        await ann.reaches(HomeScreen)
        await turns.come()
        assert len(turns.delays_s) == 1


async def test_the_clock_of_the_wall_is_that_of_the_board_in_focus(
    tmp_path: Path, server: House, turns: Turns
) -> None:
    clock = Clock()
    hosts = [await server.guest(name) for name in ("bob", "cleo")]
    races = [await host.create(DEAL_1) for host in hosts]
    for host, race in zip(hosts, races, strict=True):
        await host.did(Start, race)
        await host.reach(race, "running")
        await server.clock.advance(400)
    seating = watching(server.url, races[0], beside=(races[1],))
    async with person(tmp_path, "walt", seating=seating, now_ms=clock) as walt:
        await walt.reaches(WallScreen)
        screen = walt.app.screen
        assert isinstance(screen, WallScreen)
        await walt.until(lambda: len(screen.everybody) == 2)
        for _ in races:
            clock.ms += 77
            race_ms = screen.in_focus.race_ms
            assert race_ms is not None
            assert await next_delay_s(walt, turns) == until_turn_s(race_ms)
            await walt.press("tab")
        assert screen.links[0].race_ms != screen.links[1].race_ms


async def test_the_clock_of_a_day_is_what_is_left_of_it(tmp_path: Path, server: House, turns: Turns) -> None:
    clock = Clock()
    async with person(tmp_path, "ann", "--server", server.url, now_ms=clock) as ann:
        await ann.reaches(HomeScreen)
        await ann.press("d")
        await ann.reaches(DailyScreen)
        await ann.until(lambda: ann.app.desk.answers.days)
        screen = ann.app.screen
        assert isinstance(screen, DailyScreen)
        clock_ms = screen.clock_ms
        assert clock_ms is not None
        assert clock_ms < 0
        clock.ms += (-clock_ms) % 1000 + 250
        assert await next_delay_s(ann, turns) == 0.75
