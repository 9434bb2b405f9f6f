"""Reading a race from its log."""

import asyncio

import pytest

from server.gateway.keeper import NoSuchRace, load, log_id
from server.gateway.plan import Done
from server.race import commands as core
from server.race.state import RaceCode
from server.race_log import BrokenLog, NewerLog
from server.store.base import PAGE, START, new_tag
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.races import BEN, CODE, Scribe, keep, next_c, session
from tests.server.gateway.scripted import ScriptedStore


async def test_a_race_is_read_in_pages(store: SqliteStore, clock: FakeClock) -> None:
    await Scribe().start(BEN).store_in(store)
    keeper = await keep(store, clock)
    for turn in range(PAGE // 2):
        n, c = 2 * turn, 2 * turn + 1
        await asyncio.gather(
            keeper.run(core.Move(BEN, session(keeper.race, BEN), c, n, "5a")),
            keeper.run(core.Undo(BEN, session(keeper.race, BEN), c + 1, n + 1)),
        )
    scripted = ScriptedStore(store)
    race, tip = await load(scripted, CODE)
    assert (race, tip) == (keeper.race, keeper.tip)
    assert scripted.reads == 2


async def test_a_log_of_exactly_one_page_is_read_whole(store: SqliteStore, clock: FakeClock) -> None:
    await Scribe().start(BEN).store_in(store)
    keeper = await keep(store, clock)
    while keeper.tip.seq < PAGE:
        n, c = keeper.race.members[BEN].n, next_c(keeper.race, BEN)
        who = (BEN, session(keeper.race, BEN), c, n)
        assert isinstance(await keeper.run(core.Undo(*who) if n % 2 else core.Move(*who, "5a")), Done)
    race, tip = await load(store, CODE)
    assert (race, tip) == (keeper.race, keeper.tip)


@pytest.mark.parametrize("gone", [0, 1])
async def test_a_log_without_one_of_its_first_events_is_broken(
    store: SqliteStore, clock: FakeClock, gone: int
) -> None:
    """Without the first it has no beginning, without the second somebody acts who is not there."""
    await Scribe().start(BEN).store_in(store)
    rows = await store.read(log_id(CODE))
    kept = [row.data for place, row in enumerate(rows) if place != gone]
    await store.append("race:ABCDEFGH", START, kept, tag=new_tag())
    with pytest.raises(BrokenLog, match="cannot follow"):
        await load(store, RaceCode("ABCDEFGH"))


async def test_there_is_no_race_without_a_log(store: SqliteStore) -> None:
    with pytest.raises(NoSuchRace):
        await load(store, CODE)


async def test_a_log_of_a_newer_program_is_left_alone(store: SqliteStore) -> None:
    await Scribe().store_in(store)
    (first, *_) = await store.read(log_id(CODE))
    newer = first.data.replace(b",1,1]", b",2,1]")
    assert newer != first.data
    other = RaceCode("NEWERRUN")
    await store.append(log_id(other), START, [newer], tag=new_tag())
    with pytest.raises(NewerLog):
        await load(store, other)
