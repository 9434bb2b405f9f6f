"""The replay: playing, stepping, seeking, one racer or two, by a clock that the test moves."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client_cli.screens.after import AfterScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.tape import Tape
from protocol import commands
from tests.client_cli.screens.house import DEAL_1, Clock, Person, hosting, person, watching
from tests.client_cli.screens.watching_scenes import after
from tests.end_to_end.bad_line import bad_line
from tests.server.gateway.house import House
from tests.solutions import moves_of

MOVES = moves_of()
SECOND_MS = 1_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def raced(server: House, *names: str) -> str:
    """A race in which everybody made the same moves, each a second slower than the one before him."""
    guests = [await server.guest(name) for name in names]
    race = await server.race(*guests, settings=DEAL_1)
    for move in MOVES[:12]:
        for guest in guests:
            await server.clock.advance(SECOND_MS)
            await guest.did(commands.Move, race, move=move)
    await guests[0].did(commands.Undo, race)
    for guest in guests:
        await guest.did(commands.Resign, race)
    return race


@pytest.fixture
async def race(server: House) -> str:
    return await raced(server, "ann", "bob", "cleo")


@pytest.fixture
async def walt(tmp_path: Path, server: House, race: str, clock: Clock) -> AsyncIterator[Person]:
    """Walt, who looks at ann's replay; it stands at the beginning."""
    seating = watching(server.url, race, replays=True, whose="ANN")
    async with person(tmp_path, "walt", seating=seating, now_ms=clock) as somebody:
        await somebody.reaches(ReplayScreen)
        await somebody.reads("step 0 of 13")
        yield somebody


def tape(somebody: Person) -> Tape:
    screen = somebody.app.screen
    assert isinstance(screen, ReplayScreen)
    return screen._tape.at(somebody.app.now_ms())


async def test_it_begins_with_the_deal(walt: Person) -> None:
    assert "ann: the deal" in walt.text
    assert "0:00 / 0:36  x1  paused" in walt.text
    assert "deal 1" in walt.text


async def test_it_plays_at_the_times_of_the_race(walt: Person, clock: Clock) -> None:
    await walt.press("space")
    await walt.reads("playing")
    clock.ms = 999
    await walt.pilot.pause()
    assert "step 0 of 13" in walt.text
    clock.ms = 1_000
    await walt.reads("step 1 of 13")
    await walt.reads(f"ann: 0:01.000  {MOVES[0]}")
    clock.ms = 4_000
    await walt.reads("step 2 of 13")
    await walt.press("space")
    await walt.reads("paused")
    clock.ms = 60_000
    await walt.pilot.pause()
    assert "step 2 of 13" in walt.text
    await walt.press("space")
    clock.ms = 200_000
    await walt.reads("step 13 of 13")
    await walt.reads("paused")
    await walt.press("space")
    await walt.reads("step 0 of 13")


async def test_faster_and_slower(walt: Person, clock: Clock) -> None:
    await walt.press("plus", "plus", "plus", "plus", "plus")
    await walt.reads("x16")
    await walt.press("space")
    clock.ms = 2_250
    await walt.reads("step 13 of 13")
    await walt.press("minus", "minus", "minus", "minus", "minus", "minus")
    await walt.reads("x0.5")
    await walt.press("home", "space")
    clock.ms = 4_249
    await walt.pilot.pause()
    assert "step 0 of 13" in walt.text
    clock.ms = 4_250
    await walt.reads("step 1 of 13")


async def test_step_by_step(walt: Person) -> None:
    for n, move in enumerate(MOVES[:12], start=1):
        await walt.press("right")
        assert f"step {n} of 13" in walt.text
        assert f"  {move}\n" in walt.text
    await walt.press("right", "right")
    assert "step 13 of 13" in walt.text
    assert "undo" in walt.text
    await walt.press("comma")
    assert "step 12 of 13" in walt.text
    await walt.press("left", "full_stop", "left")
    assert "step 11 of 13" in walt.text


async def test_seeking(walt: Person) -> None:
    await walt.press("end")
    assert "step 13 of 13" in walt.text
    await walt.press("pageup")
    assert tape(walt).ms == 26_000
    await walt.press("home", "pagedown")
    assert tape(walt).ms == 10_000
    await walt.press("5")
    assert tape(walt).ms == 18_000
    assert await walt.pilot.click("#timeline", offset=(0, 0))
    assert tape(walt).ms == 0
    bar = walt.app.screen.query_one("#timeline").size.width - len(" 0:00 / 0:36  x1  paused")
    assert await walt.pilot.click("#timeline", offset=(bar - 1, 0))
    assert tape(walt).ms == 36_000
    assert await walt.pilot.click("#timeline", offset=(bar + 3, 0))
    assert tape(walt).ms == 36_000


async def test_two_racers_beside_each_other(walt: Person) -> None:
    await walt.press("v")
    await walt.reads("B bob")
    assert "▸ A ann" in walt.text
    await walt.press("end", "home", *["right"] * 3)
    assert "step 3 of 13" in walt.text
    assert "step 2 of 12" in walt.text
    await walt.press("tab", "right")
    assert "▸ B bob" in walt.text
    assert "step 3 of 12" in walt.text
    assert await walt.pilot.click("#boards", offset=(3, 3))
    assert "▸ A ann" in walt.text
    await walt.press("n")
    await walt.reads("C cleo")
    assert "▸ C cleo" in walt.text
    await walt.press("v")
    await walt.until(lambda: "B bob" not in walt.text)
    assert "C cleo" in walt.text


async def test_the_next_racer_in_turn(walt: Person) -> None:
    for name in ("bob", "cleo", "ann"):
        await walt.press("n")
        await walt.reads(f"{name}: the deal")


async def test_smaller_and_larger(walt: Person) -> None:
    await walt.press("v")
    await walt.reads("B bob")
    assert walt.app.screen.query_one("#curves").display
    await walt.pilot.resize_terminal(80, 24)
    await walt.pilot.pause()
    assert not walt.app.screen.query_one("#curves").display
    assert "A ann" in walt.text
    assert "B bob" in walt.text


async def test_back_to_the_standings(walt: Person) -> None:
    await walt.press("escape")
    await walt.reaches(AfterScreen)
    await walt.reads("The race is over.")
    await walt.press("q")
    await walt.reaches(HomeScreen)


async def test_from_the_moment_that_is_looked_at(tmp_path: Path) -> None:
    async with after(tmp_path, (120, 40)) as (walt, _):
        await walt.press("tab", *["left"] * 25)
        await walt.press("p")
        await walt.reaches(ReplayScreen)
        await walt.reads("of 115")
        total = walt.app.link.curves.until_ms
        assert abs(tape(walt).ms - total / 2) <= total / 50


async def test_a_replay_of_many_steps_comes_in_pages(tmp_path: Path) -> None:
    async with after(tmp_path, (80, 24)) as (walt, _):
        await walt.press("p")
        await walt.reads(f"step 0 of {len(MOVES)}")
        await walt.press("end")
        await walt.reads("52/52")


async def test_nobody_of_that_name(tmp_path: Path, server: House, race: str) -> None:
    seating = watching(server.url, race, replays=True, whose="zoe")
    async with person(tmp_path, "walt", seating=seating) as walt:
        await walt.reads("nobody called zoe raced there")
        await walt.reaches(AfterScreen)


async def test_a_connection_lost_while_it_is_fetched_fetches_it_all_the_same(
    tmp_path: Path, server: House, race: str
) -> None:
    async with (
        bad_line(server.url) as line,
        person(tmp_path, "walt", seating=watching(line.url, race)) as walt,
    ):
        await walt.reaches(AfterScreen)
        await walt.settled()
        line.carrying.clear()
        await walt.press("p")
        await walt.reads("fetching it")
        line.cut_all()
        await walt.reads("trying again")
        line.carrying.set()
        await walt.reads("step 0 of 1")
        assert isinstance(walt.app.screen, ReplayScreen)


async def test_a_rematch_asked_for_by_another_does_not_end_it(
    tmp_path: Path, server: House, clock: Clock
) -> None:
    ann = await server.guest("ann")
    race = await server.race(ann, settings=DEAL_1)
    await ann.did(commands.Resign, race)
    async with person(
        tmp_path, "walt", seating=watching(server.url, race, replays=True), now_ms=clock
    ) as walt:
        await walt.reaches(ReplayScreen)
        await ann.did(commands.Rematch, race)
        await walt.reads("has a rematch")
        assert isinstance(walt.app.screen, ReplayScreen)


async def test_who_raced_looks_at_it_too_and_goes_on_to_the_rematch(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True)) as ann:
        await ann.until(lambda: ann.session.is_racing)
        await ann.plays(MOVES[:3])
        await ann.press("x", "y")
        await ann.reaches(AfterScreen)
        await ann.press("p")
        await ann.reads("step 0 of 3")
        await ann.press("right", "escape")
        await ann.reaches(AfterScreen)
        await ann.press("m")
        await ann.reaches(RaceScreen)
