"""How far everybody was at every time: who is told, how late, and that it is read from the log only once."""

import gc
from pathlib import Path
from typing import Final

import pytest

from protocol import commands, events
from server.gateway.courses import Course
from server.gateway.keeper import NoSuchRace
from server.gateway.wire import PAGE_CURVES
from server.race.state import RaceCode
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, eventually, shaky_house
from tests.server.gateway.races import ANA, BEN, CODE, Scribe, append, move
from tests.server.gateway.scripted import ScriptedStore
from tests.server.gateway.test_tail import copy
from tests.server.gateway.test_watching import settings
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


async def traced(guest: Player, race: str, after: int = 0) -> events.Traced:
    answer = await guest.ask(commands.Trace(race, 0, after))
    assert isinstance(answer, events.Traced), answer
    return answer


async def untold(guest: Player, race: str) -> str:
    """The code of the refusal."""
    answer = await guest.ask(commands.Trace(race, 0))
    assert isinstance(answer, events.Refused), answer
    return answer.code.value


def points(answer: events.Traced, guest: Player) -> tuple[tuple[int, int], ...]:
    return next(curve.points for curve in answer.curves if curve.player == guest.id)


async def bring_home(house: House, guest: Player, race: str, cards: int) -> None:
    """Move until so many cards are home, a second each move."""
    for text in SOLUTION:
        await house.clock.advance(1_000)
        if (await guest.did(commands.Move, race, move=text)).home == cards:
            return


async def test_a_racer_is_told_at_his_seat_at_once_and_a_delayed_watcher_late(home: House) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.race(ana, ben, settings=settings("delayed", delay_s=30))
    assert (await traced(eve, race)).clock is None, "30 s ago there was no race"
    await home.clock.advance(30_000)
    assert (await traced(eve, race)).clock == 0
    await bring_home(home, ana, race, 1)
    seconds = ana.chair(race).n
    told = await traced(ben, race)
    assert points(told, ana) == ((0, 0), (30_000 + 1000 * seconds, 1))
    assert points(told, ben) == ((0, 0),)
    assert told.clock == 30_000 + 1000 * seconds
    assert points(await traced(eve, race), ana) == ((0, 0),)
    await home.clock.advance(30_000)
    assert points(await traced(eve, race), ana) == points(told, ana)


async def test_one_who_is_done_is_told_at_once_at_his_seat_and_late_without_it(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=settings("delayed", delay_s=30))
    await home.clock.advance(30_000)
    second = await home.again(ben)
    await bring_home(home, ana, race, 1)
    assert len(points(await traced(second, race), ana)) == 2, "who races sees progress on any connection"
    await ben.did(commands.Resign, race)
    assert len(points(await traced(ben, race), ana)) == 2
    assert len(points(await traced(second, race), ana)) == 1


async def test_where_nobody_may_watch_only_racers_are_told_until_it_is_over(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("none"))
    assert await untold(eve, race) == "no_watching"
    assert points(await traced(ana, race), ana) == ((0, 0),)
    await home.clock.advance(5_000)
    await ana.did(commands.Resign, race)
    await home.clock.advance(5_000)
    told = await traced(eve, race)
    assert (points(told, ana), told.clock) == (((0, 0), (5_000, 0)), 5_000)


async def test_who_sees_a_race_late_is_told_of_its_end_late(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("delayed", delay_s=30))
    await home.clock.advance(30_000)
    await bring_home(home, ana, race, 1)
    await ana.did(commands.Resign, race)
    assert points(await traced(ana, race), ana)[-1][1] == 1
    assert points(await traced(eve, race), ana) == ((0, 0),)
    await home.clock.advance(30_000)
    assert points(await traced(eve, race), ana) == points(await traced(ana, race), ana)


async def test_nothing_is_told_before_the_start_nor_of_a_race_that_is_not_there(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    told = await traced(ana, race)
    assert (told.curves, told.clock, told.more) == ((), None, False)
    assert await untold(ana, "ABCDEFGH") == "no_such_race"


async def test_many_curves_come_in_pages(home: House) -> None:
    racers = [await home.guest(f"Racer {number}") for number in range(PAGE_CURVES + 3)]
    race = await home.race(*racers, settings=commands.Settings(countdown_s=0, max_racers=50))
    first = await traced(racers[0], race)
    rest = await traced(racers[0], race, len(first.curves))
    assert (first.more, rest.more, rest.after) == (True, False, PAGE_CURVES)
    assert [curve.player for curve in (*first.curves, *rest.curves)] == [racer.id for racer in racers]


async def test_a_curve_tells_of_a_restart_and_no_move(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await bring_home(home, ana, race, 2)
    await ana.did(commands.Restart, race)
    mark = len(ben.frames)
    told = await traced(ben, race)
    assert [home for _, home in points(told, ana)] == [0, 1, 2, 0]
    assert not any(text in frame for frame in ben.frames[mark:] for text in ("moves", "board", "cascades"))


async def test_the_log_is_read_on_not_anew(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, eve, fay = [await home.guest(name) for name in ("Ana", "Eve", "Fay")]
        race = await home.race(ana)
        await bring_home(home, ana, race, 3)
        await traced(eve, race)
        course = home.node.courses.of(await home.hub(race))
        known = (await course.newest())[1]
        await traced(fay, race)
        await ana.did(commands.Undo, race)
        assert home.node.courses.of(await home.hub(race)) is course
        assert (await course.newest())[1] is known
        assert [home for _, home in points(await traced(eve, race), ana)] == [0, 1, 2, 3, 2]
        store.down = True
        assert await untold(eve, race) == "unavailable"
        store.down = False
        assert points(await traced(eve, race), ana) == points(await traced(fay, race), ana)


async def test_a_race_that_is_let_go_takes_its_course_with_it(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await traced(ana, race)
    assert len(home.node.courses) == 1
    await ana.close()
    for _ in range(15):
        await home.clock.advance(1_000)
    await eventually(lambda: not len(home.node.hubs), "that it is let go")
    await eventually(lambda: gc.collect() >= 0 and not len(home.node.courses), "its course, too")


# A log that has lost its tail.


@pytest.fixture
async def scripted(store: SqliteStore) -> ScriptedStore:
    """A store with a running race of Ana and Ben in it."""
    await Scribe().start(BEN).store_in(store)
    return ScriptedStore(store)


async def test_what_a_log_has_lost_is_told_no_more(
    scripted: ScriptedStore, tmp_path: Path, clock: FakeClock
) -> None:
    course = Course(scripted, CODE)
    left = (await course.newest())[0].seq
    for text in SOLUTION[:8]:
        race, _ = await course.newest()
        await append(scripted, move(race, ANA, text))
    race, known = await course.newest()
    assert len(known[ANA]) > 1
    replica = await open_sqlite(tmp_path / "replica.db", clock)
    await copy(scripted.inner, replica, CODE, left)
    scripted.inner = replica
    race, known = await course.newest()
    assert (race.seq, len(known[ANA])) == (left, 1)
    await replica.close()


async def test_a_log_that_is_gone_is_no_race(store: SqliteStore) -> None:
    with pytest.raises(NoSuchRace):
        await Course(store, RaceCode("BCDFGHJK")).newest()
