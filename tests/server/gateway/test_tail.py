"""A log that has lost its tail, as after a failover to a replica that lacked the last writes; or lost all."""

from collections.abc import AsyncIterator
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest

from protocol import commands, events
from protocol.errors import CloseCode
from server.gateway.keeper import RETRY_MS, REWOUND_MS, Keeper, log_id
from server.gateway.plan import Busy, Done
from server.race.commands import Tick
from server.race.events import TailLost
from server.race.state import RaceCode
from server.store.base import START, Appended, Diverged, Store, Tip
from server.store.sqlite import SqliteStore, open_sqlite
from tests.clock import FakeClock
from tests.server.gateway.house import House, eventually, shaky_house
from tests.server.gateway.races import ANA, BEN, CODE, Scribe, Told, keep, move, read_log
from tests.server.gateway.scripted import ScriptedStore

MOVES = ["5a", "5b", "5c"]


@pytest.fixture
async def replica(tmp_path: Path, clock: FakeClock) -> AsyncIterator[SqliteStore]:
    """An empty store that is to take the place of another."""
    store = await open_sqlite(tmp_path / "replica.db", clock)
    yield store
    await store.close()


async def copy(source: Store, target: Store, code: RaceCode, up_to: int) -> None:
    """Write the first events of a race's log into another store, tags and all."""
    tip = START
    rows = [row for row in await source.read(log_id(code)) if row.seq <= up_to]
    for tag, commit in groupby(rows, key=lambda row: row.tag):
        outcome = await target.append(log_id(code), tip, [row.data for row in commit], tag=tag)
        assert isinstance(outcome, Appended)
        tip = Tip((await target.read(log_id(code)))[-1].seq, tag)


# What the keeper makes of it.


@pytest.fixture
async def scripted(store: SqliteStore) -> ScriptedStore:
    """A store with a running race of Ana and Ben in it."""
    await Scribe().start(BEN).store_in(store)
    return ScriptedStore(store)


async def rewound(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> tuple[Keeper, Told, int]:
    """A keeper that has seen three moves, of which the store now has the first; and the log's end then."""
    told = Told()
    keeper = await keep(scripted, clock, told)
    for text in MOVES:
        assert isinstance(await keeper.run(move(keeper.race, ANA, text)), Done)
    left = keeper.tip.seq - 2
    await copy(scripted.inner, replica, CODE, left)
    scripted.inner = replica
    return keeper, told, left


async def test_an_append_on_a_lost_tail_folds_anew_what_is_left_and_says_so_in_the_log(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> None:
    keeper, told, left = await rewound(scripted, replica, clock)
    assert await keeper.run(move(keeper.race, ANA, "5d")) == Busy(REWOUND_MS)
    await keeper.settled()
    assert ("rewound", None) in told.story
    assert keeper.race.members[ANA].n == 1
    log = await read_log(scripted)
    assert len(log) == left + 1
    assert isinstance(log[-1].event, TailLost)
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5b")), Done), "the race goes on"
    await keeper.close()


async def test_a_log_that_is_never_what_it_seems_to_be_is_not_tried_without_end(
    scripted: ScriptedStore, clock: FakeClock
) -> None:
    told = Told()
    keeper = await keep(scripted, clock, told)
    scripted.fates += [Diverged()] * 40
    assert await keeper.run(move(keeper.race, ANA, "5a")) == Busy(REWOUND_MS)
    await keeper.settled()
    assert len(scripted.fates) == 38, "what was lost is noted once at once"
    snapshots = told.story.count(("rewound", None))
    for _ in range(5):
        assert await keeper.run(move(keeper.race, ANA, "5a")) == Busy(RETRY_MS)
    assert len(scripted.fates) == 38, "and then again in a second, whoever asks for what meanwhile"
    assert told.story.count(("rewound", None)) == snapshots
    for left in (37, 36):
        await clock.advance(RETRY_MS)
        await eventually(partial(_are_left, scripted, left), "one more try")
        await keeper.settled()
    scripted.fates.clear()
    await clock.advance(RETRY_MS)
    await eventually(lambda: keeper.race.seq > 0 and scripted.appends[-1].events, "a try that succeeds")
    await keeper.settled()
    log = await read_log(scripted)
    assert isinstance(log[-1].event, TailLost)
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done), "the race goes on"
    await keeper.close()


def _are_left(scripted: ScriptedStore, left: int) -> bool:
    return len(scripted.fates) == left


async def test_no_answer_is_given_on_a_tail_that_is_lost(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> None:
    keeper, told, _ = await rewound(scripted, replica, clock)
    assert await keeper.run(Tick()) == Busy(REWOUND_MS)
    assert ("rewound", None) in told.story
    await keeper.close()


async def test_a_tail_that_is_lost_and_has_grown_anew_is_not_taken_for_the_old_one(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> None:
    keeper, _, _ = await rewound(scripted, replica, clock)
    other = await keep(scripted, clock)
    for text in ("5b", "5c", "5d", "5h"):
        assert isinstance(await other.run(move(other.race, ANA, text)), Done)
    assert await keeper.run(move(keeper.race, BEN, "5a")) == Busy(REWOUND_MS)
    await keeper.settled()
    await other.run(Tick())
    assert keeper.race == other.race
    await keeper.close()
    await other.close()


async def test_a_node_that_is_told_of_a_shorter_log_looks_though_nobody_asks_for_anything(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> None:
    keeper, told, _ = await rewound(scripted, replica, clock)
    keeper._on_stored(())
    await eventually(lambda: ("rewound", None) in told.story, "the keeper looks")
    await keeper.settled()
    await keeper.close()


async def test_an_empty_log_of_a_known_race_is_a_race_lost(
    scripted: ScriptedStore, replica: SqliteStore, clock: FakeClock
) -> None:
    told = Told()
    keeper = await keep(scripted, clock, told)
    scripted.inner = replica
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Busy)
    assert keeper.is_lost
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Busy), "and stays so"
    assert [name for name, _ in told.story].count("lost") == 1
    await keeper.close()


# What people see of it.


@pytest.fixture
async def shaky(
    tmp_path: Path, clock: FakeClock, replica: SqliteStore
) -> AsyncIterator[tuple[House, ScriptedStore]]:
    """A server; its store can be made to be the replica, which outlives it."""
    async with shaky_house(tmp_path, clock=clock) as built:
        yield built


def is_rewound(event: events.Event) -> bool:
    return isinstance(event, events.Snapshot) and event.rewound


async def test_racers_get_their_seats_anew_and_everyone_a_snapshot_marked_rewound(
    shaky: tuple[House, ScriptedStore], replica: SqliteStore
) -> None:
    home, store = shaky
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.race(ana, ben)
    await eve.watch(race)
    for text in MOVES:
        await ana.did(commands.Move, race, move=text)
    first, mark = store.inner, len(ana.heard)
    await copy(first, replica, RaceCode(race), (await home.hub(race)).race.seq - 2)
    store.inner = replica
    answer = await ana.do(commands.Move, race, move="5d")
    assert isinstance(answer, events.Refused)
    assert (answer.code, answer.retry_ms) == ("unavailable", REWOUND_MS)
    seat = await ana.hear(events.Seat, mark)
    assert seat.last_c == 2, "the start, and the first move"
    for guest in (ana, ben, eve):
        await guest.hear_that(is_rewound, "a snapshot that says so", mark=0)
    chair = ana.chair(race)
    for c in (3, 4):  # What was acknowledged and is lost, sent again.
        await ana.send(chair.sent[c])  # type: ignore[arg-type]  # every subclass of Numbered is a Command
    await ana.until(lambda: chair.n == 3, "the moves that were lost are made again")
    await first.close()


async def test_one_who_comes_back_to_a_log_that_lacks_what_he_saw_is_told(
    shaky: tuple[House, ScriptedStore], replica: SqliteStore
) -> None:
    home, store = shaky
    ana, ben = [await home.guest(name) for name in ("Ana", "Ben")]
    race = await home.race(ana, ben)
    for text in MOVES:
        await ana.did(commands.Move, race, move=text)
    await ben.until(lambda: ben.racer(race, ana.id).actions == 3, "Ben has seen the moves")
    await ben.drop()
    first = store.inner
    await copy(first, replica, RaceCode(race), (await home.hub(race)).race.seq - 2)
    store.inner = replica
    mark = len(ana.heard)
    await ana.do(commands.Move, race, move="5d")
    await ana.hear(events.Seat, mark)
    for text in ("5b", "5c", "5d", "5h"):
        await ana.did(commands.Move, race, move=text)
    await ben.connect()
    await ben.sit(race)
    await ben.hear_that(is_rewound, "a snapshot that says so", mark=0)
    await first.close()


async def test_a_race_that_the_store_makes_no_sense_of_any_more_is_said_to_be_lost(
    shaky: tuple[House, ScriptedStore], caplog: pytest.LogCaptureFixture
) -> None:
    home, store = shaky
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race, other = await home.race(ana), await home.race(ben)
    await eve.watch(race)
    store.damaged = {f"race:{race}"}
    await ana.start(commands.Move, race, move="5a")
    for guest in (ana, eve):
        assert (await guest.hear(events.RaceLost, 0)).race == race
        assert await guest.ended() == (CloseCode.RACE_LOST, "race_lost")
    await ben.did(commands.Move, other, move="5a")
    assert caplog.text.count("its log cannot be read") == 1
    store.damaged.clear()
    await ana.connect()
    await ana.sit(race)  # where what was not answered is sent again
    await ana.did(commands.Move, race, move="5b")


async def test_a_race_that_is_lost_is_said_to_be_lost_and_the_connection_closed(
    shaky: tuple[House, ScriptedStore], replica: SqliteStore
) -> None:
    home, store = shaky
    ana, eve = [await home.guest(name) for name in ("Ana", "Eve")]
    race = await home.race(ana)
    await eve.watch(race)
    first, store.inner = store.inner, replica
    await ana.start(commands.Move, race, move="5a")
    for guest in (ana, eve):
        assert (await guest.hear(events.RaceLost, 0)).race == race
        assert await guest.ended() == (CloseCode.RACE_LOST, "race_lost")
    await ana.connect()
    refused = await ana.join(race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "no_such_race"
    home.guests.clear()
    await ana.close()
    await first.close()
