"""All live races of a node: found, made, kept while somebody is there, and let go."""

import asyncio
import gc
import tracemalloc
import weakref
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

import pytest

from server import race_log
from server.gateway import hubs as hubs_module
from server.gateway.feed import Cursor
from server.gateway.hub import Follower, Hub
from server.gateway.hubs import GIVEN_UP_MS, IDLE_MS, Full, Hubs, race_code
from server.gateway.keeper import NoSuchRace, load, log_id
from server.gateway.plan import Done
from server.race import commands as core
from server.race.decide import decide, rematch_of
from server.race.decision import Decision
from server.race.events import Created, Joined, RematchMade
from server.race.evolve import fold
from server.race.state import LOBBY_LIFE_MS, Ending, Phase, PlayerId, RaceCode, Setup
from server.store.base import START, Appended, Unavailable, new_tag
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.house import eventually
from tests.server.gateway.races import (
    ANA,
    BEN,
    CODE,
    NAMES,
    SETUP,
    Scribe,
    next_c,
    read_log,
    session,
)
from tests.server.gateway.scripted import ScriptedStore

ROUND_MS: Final = 1_000


@pytest.fixture
def scripted(store: SqliteStore) -> ScriptedStore:
    return ScriptedStore(store)


@pytest.fixture
async def hubs(scripted: ScriptedStore, clock: FakeClock) -> AsyncIterator[Hubs]:
    hubs = Hubs(scripted, clock)
    yield hubs
    await hubs.close()


def creation(create_id: str = "create-1", setup: Setup = SETUP, player: PlayerId = ANA) -> core.Create:
    return core.Create(race_code(f"{player}:{create_id}:0"), create_id, player, NAMES[player], setup)


def follow(hub: Hub) -> Follower:
    follower = Follower(BEN, Cursor("watch"), lambda: None, lambda _: None)
    hub.watch(follower)
    return follower


async def rounds(clock: FakeClock, many: int = 1) -> None:
    """Let the round be made so many times; each ends with its going to sleep for the next."""

    def asleep() -> bool:
        next_ms = clock.now_ms() + ROUND_MS
        return any(at_ms == next_ms and not woken.done() for at_ms, _, woken in clock._sleepers)

    for _ in range(many):
        await clock.advance(ROUND_MS)
        await eventually(asleep, "the end of the round")


# Finding and making.


async def test_all_who_open_a_race_at_once_get_the_same_one_read_once(
    hubs: Hubs, scripted: ScriptedStore
) -> None:
    await Scribe().start(BEN).store_in(scripted)
    scripted.reads = 0
    found = await asyncio.gather(*(hubs.open(CODE) for _ in range(50)))
    assert len(set(map(id, found))) == 1
    assert scripted.reads == 1
    assert await hubs.open(CODE) is found[0]
    assert len(hubs) == 1


async def test_one_who_gives_up_waiting_does_not_spoil_it_for_the_others(
    hubs: Hubs, scripted: ScriptedStore
) -> None:
    await Scribe().start(BEN).store_in(scripted)
    opening = [asyncio.create_task(hubs.open(CODE)) for _ in range(3)]
    await asyncio.sleep(0)
    opening[0].cancel()
    assert await opening[1] is await opening[2]
    assert opening[0].cancelled()


async def test_what_is_not_there_is_not_found_and_costs_nothing(hubs: Hubs, scripted: ScriptedStore) -> None:
    for _ in range(3):
        outcomes = await asyncio.gather(*(hubs.open(CODE) for _ in range(5)), return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [NoSuchRace] * 5
    assert (len(hubs), len(hubs._opening)) == (0, 0)
    await Scribe().store_in(scripted)
    assert (await hubs.open(CODE)).race.seq == 3


async def test_a_store_that_is_away_is_said_to_be_and_tried_again_next_time(
    hubs: Hubs, scripted: ScriptedStore
) -> None:
    await Scribe().store_in(scripted)
    scripted.down = True
    with pytest.raises(Unavailable):
        await hubs.open(CODE)
    scripted.down = False
    assert (await hubs.open(CODE)).race.seq == 3


async def test_a_node_takes_only_so_many_races(
    hubs: Hubs, scripted: ScriptedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs_module, "MAX_LIVE", 2)
    await Scribe().store_in(scripted)
    for create_id in ("create-1", "create-2"):
        await hubs.create(creation(create_id))
    with pytest.raises(Full):
        await hubs.create(creation("create-3"))
    with pytest.raises(Full):
        await hubs.open(CODE)
    assert (await hubs.open(creation("create-1").code)).race.seq == 2


async def test_the_same_creation_again_finds_the_same_race(hubs: Hubs, scripted: ScriptedStore) -> None:
    code = await hubs.code_for(ANA, "create-1")
    first = await hubs.create(core.Create(code, "create-1", ANA, "Ana", SETUP))
    assert await hubs.code_for(ANA, "create-1") == code
    again = await hubs.create(core.Create(code, "create-1", ANA, "Ana", replace(SETUP, deal=617)))
    assert again is first
    assert again.race.life.setup == SETUP
    assert len(await read_log(scripted, code)) == 2


async def test_two_who_make_the_same_race_at_once_make_one(hubs: Hubs, scripted: ScriptedStore) -> None:
    found = await asyncio.gather(*(hubs.create(creation()) for _ in range(10)))
    assert len(set(map(id, found))) == 1
    assert [type(one.event) for one in await read_log(scripted, creation().code)] == [Created, Joined]


async def test_different_players_and_different_ids_get_different_codes(hubs: Hubs) -> None:
    codes = {await hubs.code_for(player, f"create-{i}") for player in (ANA, BEN) for i in range(50)}
    assert len(codes) == 100


async def test_a_code_that_another_race_has_is_passed_over(
    hubs: Hubs, scripted: ScriptedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await Scribe().store_in(scripted)

    def unlucky(seed: str) -> RaceCode:
        return CODE if seed.endswith(":0") else race_code(seed)

    monkeypatch.setattr(hubs_module, "race_code", unlucky)
    assert await hubs.code_for(ANA, "create-1") == CODE, "that is Ana's own"
    assert await hubs.code_for(ANA, "create-2") != CODE
    assert await hubs.code_for(BEN, "create-1") != CODE
    assert await hubs.code_for_rematch(RaceCode("ABCDEFGH")) != CODE


def test_codes_are_eight_letters_that_nobody_mistakes() -> None:
    codes = {race_code(str(i)) for i in range(5000)}
    assert len(codes) == 5000
    letters = set("".join(codes))
    assert {len(code) for code in codes} == {8}
    assert letters == set("ABCDEFGHJKMNPQRSTUVWXYZ")


# Letting go.


async def test_a_race_that_nobody_follows_is_let_go(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await Scribe().start(BEN).store_in(scripted)
    hubs.start()
    hub = await hubs.open(CODE)
    follower = follow(hub)
    await rounds(clock, 30)
    assert len(hubs) == 1
    hub.part(follower)
    await clock.advance(IDLE_MS - ROUND_MS)
    assert len(hubs) == 1
    await rounds(clock, 3)
    await eventually(lambda: len(hubs) == 0, "the end of it")
    again = await hubs.open(CODE)
    assert again is not hub
    assert again.race == hub.race


async def test_whoever_opens_a_race_has_time_to_follow_it(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await Scribe().start(BEN).store_in(scripted)
    hubs.start()
    hub = await hubs.open(CODE)
    for _ in range(10):
        await rounds(clock, IDLE_MS // ROUND_MS - 2)
        assert await hubs.open(CODE) is hub


async def test_a_race_with_a_command_under_way_is_not_let_go(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await Scribe().start(BEN).store_in(scripted)
    hubs.start()
    hub = await hubs.open(CODE)
    scripted.gate.clear()
    asking = asyncio.create_task(hub.run(core.Tick()))
    await rounds(clock, 30)
    assert len(hubs) == 1
    scripted.gate.set()
    await asking
    follow(hub)
    await rounds(clock, 30)
    assert await hubs.open(CODE) is hub


@pytest.mark.parametrize("races", [1000])
async def test_a_thousand_races_made_and_ended_leave_everything_where_it_was(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, races: int
) -> None:
    hubs.start()
    made: list[weakref.ref[Hub]] = []

    def no_race_is_left() -> bool:
        gc.collect()
        return not any(hub() for hub in made)

    async def play(number: int) -> None:
        hub = await hubs.create(creation(f"create-{number}"))
        made.append(weakref.ref(hub))
        seats = []
        for player in (ANA, BEN):
            outcome = await hub.run(core.Join(player, NAMES[player]))
            assert isinstance(outcome, Done)
            own = outcome.after.members[player].session
            seats.append(Follower(player, Cursor("seat"), lambda: None, lambda _: None, session=own))
            hub.sit(seats[-1])
        await hub.run(core.Start(ANA, session(hub.race, ANA), 1))
        for player in (ANA, BEN):
            await hub.run(core.Resign(player, session(hub.race, player), next_c(hub.race, player)))
        assert hub.race.life.phase is Phase.OVER
        for seat in seats:
            hub.pull(seat)
            hub.part(seat)

    async def play_and_let_go(start: int, many: int) -> None:
        for first in range(start, start + many, 100):
            await asyncio.gather(*(play(number) for number in range(first, first + 100)))
        for _ in range(30):
            await rounds(clock)
        await eventually(lambda: len(hubs) == 0, "the end of them")
        await clock.advance(LOBBY_LIFE_MS)  # the clock forgets the alarms that were taken back
        scripted.appends.clear()
        await eventually(no_race_is_left, "the end of what was to be told of presence")

    await play_and_let_go(0, 100)
    tasks = len(asyncio.all_tasks())
    tracemalloc.start()
    try:
        await play_and_let_go(100, races)
        made.clear()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(asyncio.all_tasks()) == tasks
    assert not hubs._opening
    assert not scripted.inner._watchers  # type: ignore[attr-defined]  # the SQLite store's own
    # The store remembers the ends of some logs, at 400 bytes each; a race in memory has ten thousand.
    assert held < races * 1_500


# Deadlines of races nobody follows.


async def test_a_race_nobody_follows_starts_and_ends_in_time(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    scribe = Scribe(replace(SETUP, countdown_ms=5_000, time_limit_ms=60_000)).start(BEN)
    await scribe.store_in(scripted)
    hubs.start()

    async def phase() -> Phase:
        return fold(await read_log(scripted)).life.phase

    await rounds(clock, 4)
    assert await phase() is Phase.COUNTDOWN
    await rounds(clock, 3)
    assert await phase() is Phase.RUNNING
    await rounds(clock, 56)
    assert await phase() is Phase.RUNNING
    await rounds(clock, 6)
    assert await phase() is Phase.OVER
    assert await scripted.due(clock.now_ms(), 10) == []


async def test_a_lobby_everyone_forgot_is_closed(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await Scribe().store_in(scripted)
    hubs.start()
    await clock.advance(3_600_000)
    await rounds(clock, 2)
    race = fold(await read_log(scripted))
    assert (race.life.phase, race.life.ending) == (Phase.OVER, Ending.EXPIRED)
    await rounds(clock, 20)
    assert len(hubs) == 0


async def test_a_log_that_cannot_be_read_keeps_no_other_from_its_turn(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    moved = race_log.write(Joined(BEN, "Ben"))
    for number, rows in enumerate([[b"nonsense"], [moved], [b'["created",{},9,9]'], [b"[]"]]):
        outcome = await scripted.append(f"race:BRKN{number}", START, rows, tag=new_tag(), wake=0)
        assert isinstance(outcome, Appended)
    await clock.advance(1)
    await Scribe(replace(SETUP, countdown_ms=100)).start(BEN).store_in(scripted)
    hubs.start()
    await rounds(clock, 5)
    assert fold(await read_log(scripted)).life.phase is Phase.RUNNING
    complaints = [record for record in caplog.records if "cannot be looked at" in record.message]
    assert len(complaints) == 4, "each is told once"


async def test_a_log_that_the_store_cannot_make_sense_of_keeps_no_other_from_its_turn(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await scripted.append("race:BRKNAAAA", START, [b"x"], tag=new_tag(), wake=0)
    scripted.damaged.add("race:BRKNAAAA")
    await clock.advance(1)
    await Scribe(replace(SETUP, countdown_ms=100)).start(BEN).store_in(scripted)
    hubs.start()
    await rounds(clock, 5)
    assert fold(await read_log(scripted)).life.phase is Phase.RUNNING
    [told] = [record for record in caplog.records if "cannot be looked at" in record.message]
    assert not told.exc_info


async def test_a_log_that_cannot_be_read_is_read_again_only_now_and_then(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await Scribe(replace(SETUP, countdown_ms=100)).start(BEN).store_in(scripted)
    scripted.damaged.add(log_id(CODE))
    hubs.start()
    await rounds(clock, 3)
    reads = scripted.reads
    await rounds(clock, 20)
    assert scripted.reads == reads
    scripted.damaged.clear()
    await rounds(clock, GIVEN_UP_MS // 1000)
    assert fold(await read_log(scripted)).life.phase is Phase.RUNNING, "it was repaired"


async def test_the_round_goes_on_when_the_store_is_back(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await Scribe(replace(SETUP, countdown_ms=100)).start(BEN).store_in(scripted)
    hubs.start()
    scripted.down = True
    await rounds(clock, 5)
    assert fold(await read_log(scripted.inner)).life.phase is Phase.COUNTDOWN
    scripted.down = False
    await rounds(clock, 3)
    assert fold(await read_log(scripted)).life.phase is Phase.RUNNING


# Rematches: two logs.


async def ended_race(store: ScriptedStore) -> Scribe:
    """A race of two that is over, in a store."""
    scribe = Scribe().start(BEN)
    for player in (ANA, BEN):
        scribe.do(core.Resign(player, session(scribe.race, player), next_c(scribe.race, player)))
    await scribe.store_in(store)
    return scribe


def asking(hub: Hub, player: PlayerId, code: RaceCode) -> core.AskRematch:
    race = hub.race
    return core.AskRematch(player, session(race, player), next_c(race, player), code, SETUP)


async def ask_and_crash(store: ScriptedStore, clock: FakeClock, *, second_log: bool) -> RaceCode:
    """A rematch asked for on a node that died before it began the second log, or right after."""
    node = Hubs(store, clock)
    hub = await node.open(CODE)
    code = await node.code_for_rematch(CODE)
    verdict = decide(hub.race, asking(hub, ANA, code), store.now_ms())
    assert isinstance(verdict, Decision)
    assert verdict.wake == 0
    rows = [race_log.write(event) for event in verdict.events]
    _, tip = await load(store, CODE)
    assert isinstance(await store.append(log_id(CODE), tip, rows, tag=new_tag(), wake=0), Appended)
    if second_log:
        hub = await node.open(CODE)
        await eventually(lambda: hub.race.life.rematch, "word of it")
        asked = hub.race
        await node.close()
        other = Hubs(store, clock)
        begun = rematch_of(asked)
        assert begun is not None
        await other._begin(code, begun)
        await other.close()
    else:
        await node.close()
    return code


@pytest.mark.parametrize("second_log", [False, True])
async def test_a_rematch_half_made_by_a_node_that_died_is_made_whole_by_another(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, second_log: bool
) -> None:
    await ended_race(scripted)
    code = await ask_and_crash(scripted, clock, second_log=second_log)
    hubs.start()
    await rounds(clock, 4)
    old = await read_log(scripted)
    new = await read_log(scripted, code)
    assert sum(isinstance(one.event, RematchMade) for one in old) == 1
    assert [type(one.event) for one in new] == [Created, Joined]
    assert fold(new).life.creator == ANA
    assert await scripted.due(clock.now_ms(), 10) == []


async def test_rematched_holds_all_that_the_new_log_begins_with(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await ended_race(scripted)
    hub = await hubs.open(CODE)
    code = await hubs.code_for_rematch(CODE)
    setup = replace(SETUP, deal=617, nonce="cd" * 16)
    await hub.run(replace(asking(hub, BEN, code), setup=setup))
    await hubs.link_rematch(hub)
    new = fold(await read_log(scripted, code))
    assert (new.life.setup, new.life.host, [racer.name for racer in new.racers]) == (setup, BEN, ["Ben"])


async def test_two_who_ask_for_the_rematch_on_two_nodes_at_once_are_led_to_one_race(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await ended_race(scripted)
    other = Hubs(scripted, clock)
    nodes = [hubs, other]
    both = [await node.open(CODE) for node in nodes]
    codes = [await node.code_for_rematch(CODE) for node in nodes]
    outcomes = await asyncio.gather(
        both[0].run(asking(both[0], ANA, codes[0])), both[1].run(asking(both[1], BEN, codes[1]))
    )
    assert [type(outcome) for outcome in outcomes] == [Done, Done]
    await asyncio.gather(*(node.link_rematch(hub) for node, hub in zip(nodes, both, strict=True)))
    for hub in both:
        await hub.run(core.Tick())
        await hub.settled()
    await eventually(lambda: all(hub.race.life.rematch.made for hub in both), "the link")  # type: ignore[union-attr]
    old = await read_log(scripted)
    assert sum(isinstance(one.event, RematchMade) for one in old) == 1
    assert {hub.race.life.rematch.code for hub in both if hub.race.life.rematch} == {codes[0]}
    assert len(await read_log(scripted, codes[0])) == 2
    await other.close()


async def test_a_rematch_is_linked_as_soon_as_it_is_asked_for(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock
) -> None:
    await ended_race(scripted)
    hub = await hubs.open(CODE)
    await hub.run(asking(hub, ANA, await hubs.code_for_rematch(CODE)))
    await eventually(lambda: hub.race.life.rematch and hub.race.life.rematch.made, "the link")


async def test_a_rematch_that_could_not_be_linked_is_linked_by_the_round(
    hubs: Hubs, scripted: ScriptedStore, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    await ended_race(scripted)
    hub = await hubs.open(CODE)
    ask = asking(hub, ANA, await hubs.code_for_rematch(CODE))

    def then_away(outcome: object) -> None:
        assert isinstance(outcome, Done)
        scripted.down = True

    hub.submit(ask, then_away)
    await hub.settled()
    await eventually(lambda: "put off" in caplog.text, "the failure")
    scripted.down = False
    hubs.start()
    await rounds(clock, 3)
    assert hub.race.life.rematch is not None
    assert hub.race.life.rematch.made


async def test_closing_lets_every_race_go(scripted: ScriptedStore, clock: FakeClock) -> None:
    await asyncio.sleep(0)
    before = asyncio.all_tasks()
    hubs = Hubs(scripted, clock)
    hubs.start()
    for number in range(20):
        await hubs.create(creation(f"create-{number}"))
    await hubs.settle()
    await hubs.close()
    assert len(hubs) == 0
    assert asyncio.all_tasks() == before
