"""A live race on a node: who follows it, what he is shown, and what happens in it by itself."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from protocol import codec, events, picture
from server.gateway.feed import Cursor
from server.gateway.hub import HOST_GRACE_MS, Follower, Hub
from server.gateway.keeper import load
from server.gateway.plan import Done, Refused
from server.race import commands as core
from server.race.events import Ended, HostPassed, Started
from server.race.evolve import fold
from server.race.state import Ending, Phase, PlayerId, Policy
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.house import eventually
from tests.server.gateway.races import (
    ANA,
    BEN,
    CODE,
    EVE,
    NAMES,
    SETUP,
    Scribe,
    move,
    next_c,
    read_log,
    say,
    session,
)
from tests.server.gateway.scripted import ScriptedStore


class Eye:
    """One connection's part in a race, with the picture it keeps."""

    def __init__(self, hub: Hub, player: PlayerId, name: str = "watch", *, session: int = 0) -> None:
        self.hub = hub
        self.wakes = 0
        self.lost: list[str] = []
        self.seen: list[events.Snapshot | events.Update] = []
        self.allowed: list[events.Watching] = []
        self.following: picture.Following | None = None
        self.told = 0
        cursor = Cursor("seat" if name == "seat" else "watch")
        self.follower = Follower(player, cursor, self._wake, self.lost.append, session=session)

    def _wake(self) -> None:
        self.wakes += 1

    def look(self) -> "Eye":
        """Pull what there is to pull."""
        frames, tell = self.hub.pull(self.follower)
        self.told += tell
        for frame in frames:
            event = codec.read_event(frame)
            if isinstance(event, events.Watching):
                self.allowed.append(event)
                continue
            assert isinstance(event, events.Snapshot | events.Update)
            self.seen.append(event)
            if isinstance(event, events.Snapshot):
                self.following = picture.start(event, self.following)
            else:
                assert self.following is not None
                self.following = picture.follow(self.following, event)
        return self

    @property
    def to(self) -> int:
        """How far this one sees."""
        self.look()
        return 0 if self.following is None else self.following.to

    @property
    def view(self) -> str | None:
        """What this one sees."""
        self.look()
        return None if self.following is None else self.following.view

    @property
    def phase(self) -> str | None:
        """The race's phase, as this one sees it."""
        self.look()
        return None if self.following is None else self.following.picture.life.phase


def by_host(hub: Hub, kind: Callable[..., core.Command], *fields: object) -> core.Command:
    """The host's next command."""
    race, host = hub.race, hub.race.life.host
    return kind(host, session(race, host), next_c(race, host), *fields)


async def open_hub(store: SqliteStore | ScriptedStore, clock: FakeClock) -> Hub:
    race, tip = await load(store, CODE)
    return Hub(store, clock, race, tip, lambda _: None)


class Stage:
    """Makes a live race of a scribe's, and closes what it made."""

    def __init__(self, store: ScriptedStore, clock: FakeClock) -> None:
        self.store = store
        self.clock = clock
        self._hubs: list[Hub] = []

    async def hub(self, scribe: Scribe) -> Hub:
        await scribe.store_in(self.store)
        return await self.another()

    async def another(self) -> Hub:
        """The same race on another node, or on this one after a restart."""
        self._hubs.append(await open_hub(self.store, self.clock))
        return self._hubs[-1]

    async def sit(self, hub: Hub, player: PlayerId) -> Eye:
        """Take a seat, as a connection does it: from within the commit."""
        eyes: list[Eye] = []

        def reply(outcome: object) -> None:
            assert isinstance(outcome, Done), outcome
            member = outcome.after.members[player]
            eyes.append(Eye(hub, player, "seat", session=member.session))
            hub.sit(eyes[0].follower)

        hub.submit(core.Join(player, NAMES[player]), reply)
        await hub.settled()
        return eyes[0]

    def watch(self, hub: Hub, player: PlayerId = EVE) -> Eye:
        eye = Eye(hub, player)
        hub.watch(eye.follower)
        return eye

    async def close(self) -> None:
        for hub in self._hubs:
            await hub.close()


@pytest.fixture
async def scripted(store: SqliteStore) -> ScriptedStore:
    return ScriptedStore(store)


@pytest.fixture
async def stage(scripted: ScriptedStore, clock: FakeClock) -> AsyncIterator[Stage]:
    stage = Stage(scripted, clock)
    yield stage
    await stage.close()


def lobby(*, delay_ms: int = 30_000) -> Scribe:
    return Scribe(replace(SETUP, countdown_ms=5_000, delay_ms=delay_ms))


def keeps_delayed(hub: Hub) -> bool:
    return hub._delayed is not None


def is_idle(hub: Hub) -> bool:
    return hub.is_idle


# What happens by itself.


async def test_a_race_starts_when_its_countdown_is_over(stage: Stage) -> None:
    hub = await stage.hub(lobby().start(BEN))
    starts_at = hub.race.life.starts_at
    await stage.clock.advance_to(starts_at - 1)
    assert hub.race.life.phase is Phase.COUNTDOWN
    await stage.clock.advance_to(starts_at)
    await eventually(lambda: hub.race.life.phase is Phase.RUNNING, "the start")
    assert hub.race.life.started_at == starts_at


async def test_a_race_ends_when_its_time_is_up_whoever_is_there(stage: Stage) -> None:
    hub = await stage.hub(lobby().start(BEN))
    await stage.clock.advance_to(hub.race.life.starts_at)
    await eventually(lambda: hub.race.life.phase is Phase.RUNNING, "the start")
    await stage.clock.advance_to(hub.race.life.ends_at - 1)
    await hub.run(core.Tick())
    assert hub.race.life.phase is Phase.RUNNING
    await stage.clock.advance(1)
    await eventually(lambda: hub.race.life.phase is Phase.OVER, "the end")
    assert hub.race.life.over_at == hub.race.life.ends_at


async def test_a_lobby_nobody_starts_is_closed_after_an_hour(stage: Stage) -> None:
    hub = await stage.hub(lobby())
    await stage.clock.advance(3_600_000)
    await eventually(lambda: hub.race.life.phase is Phase.OVER, "the end")
    assert hub.race.life.ending is Ending.EXPIRED


async def test_a_race_loaded_after_its_start_was_due_starts_at_once(stage: Stage) -> None:
    await lobby().start(BEN).store_in(stage.store)
    await stage.clock.advance(60_000)
    hub = await stage.another()
    await eventually(lambda: hub.race.life.phase is Phase.RUNNING, "the start")
    assert hub.race.life.started_at == stage.clock.now_ms()


async def test_deadlines_are_handled_once_by_however_many_nodes(stage: Stage) -> None:
    hub = await stage.hub(lobby().start(BEN))
    others = [await stage.another() for _ in range(3)]
    await stage.clock.advance_to(hub.race.life.starts_at)
    nodes = [hub, *others]
    await eventually(lambda: all(one.race.life.phase is Phase.RUNNING for one in nodes), "the start")
    log = await read_log(stage.store)
    assert sum(isinstance(one.event, Started) for one in log) == 1
    assert all(one.race == fold(log) for one in nodes)


async def test_a_node_whose_clock_is_ahead_does_not_start_a_race_early(stage: Stage) -> None:
    hub = await stage.hub(lobby().start(BEN))
    starts_at = hub.race.life.starts_at
    store = stage.store
    store.ahead_ms = 500
    # Its timer rings half a second early: it is told so, and asks again until it is time.
    await stage.clock.advance_to(starts_at - 100)
    hub.submit(core.Tick(), lambda _: None)
    await hub.settled()
    assert hub.race.life.phase is Phase.COUNTDOWN
    for _ in range(10):
        await stage.clock.advance(20)
        await hub.settled()
    assert starts_at <= hub.race.life.started_at <= starts_at + 100


async def test_while_the_store_is_away_a_deadline_is_tried_now_and_then_and_met_late(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    hub = await stage.hub(lobby().start(BEN))
    stage.store.down = True
    await stage.clock.advance_to(hub.race.life.starts_at)
    for _ in range(100):
        await stage.clock.advance(100)
        await hub.settled()
    # For ten seconds it was told to come back in 0.7: not fifty times a second.
    assert 10 <= len(caplog.records) <= 20
    stage.store.down = False
    await stage.clock.advance(1_000)
    await eventually(lambda: hub.race.life.phase is Phase.RUNNING, "the start")
    assert hub.race.life.started_at > hub.race.life.starts_at


# The host.


async def test_a_host_who_leaves_others_alone_in_his_lobby_is_host_no_longer(stage: Stage) -> None:
    hub = await stage.hub(lobby())
    ana, _ = await stage.sit(hub, ANA), await stage.sit(hub, BEN)
    hub.part(ana.follower)
    await stage.clock.advance(HOST_GRACE_MS - 1)
    await hub.settled()
    assert hub.race.life.host == ANA
    await stage.clock.advance(1)
    await eventually(lambda: hub.race.life.host == BEN, "a new host")


async def test_a_host_who_is_back_in_time_stays_host_however_often_he_leaves(stage: Stage) -> None:
    hub = await stage.hub(lobby())
    ana, _ = await stage.sit(hub, ANA), await stage.sit(hub, BEN)
    for _ in range(5):
        hub.part(ana.follower)
        await stage.clock.advance(HOST_GRACE_MS - 1)
        ana = await stage.sit(hub, ANA)
    await hub.settled()
    assert hub.race.life.host == ANA


async def test_a_host_whom_nobody_misses_stays_host_until_somebody_does(stage: Stage) -> None:
    scribe = lobby()
    scribe.do(core.Join(BEN, "Ben"))
    hub = await stage.hub(scribe)
    ana = await stage.sit(hub, ANA)
    hub.part(ana.follower)
    await stage.clock.advance(10 * HOST_GRACE_MS)
    assert hub.race.life.host == ANA
    await stage.sit(hub, BEN)
    await stage.clock.advance(HOST_GRACE_MS)
    await eventually(lambda: hub.race.life.host == BEN, "a new host")


async def test_after_a_restart_a_host_who_does_not_come_back_is_passed_over(stage: Stage) -> None:
    scribe = lobby()
    scribe.do(core.Join(EVE, "Eve"), core.Join(BEN, "Ben"))
    hub = await stage.hub(scribe)
    await stage.sit(hub, BEN)
    await stage.clock.advance(HOST_GRACE_MS)
    await eventually(lambda: hub.race.life.host == BEN, "a new host")
    assert sum(isinstance(one.event, HostPassed) for one in await read_log(stage.store)) == 1


async def test_a_host_in_a_race_that_runs_stays_host(stage: Stage) -> None:
    hub = await stage.hub(Scribe().start(BEN))
    ana, _ = await stage.sit(hub, ANA), await stage.sit(hub, BEN)
    hub.part(ana.follower)
    await stage.clock.advance(10 * HOST_GRACE_MS)
    assert hub.race.life.host == ANA


async def test_an_heir_who_is_away_as_well_is_passed_over_in_turn(stage: Stage) -> None:
    scribe = lobby()
    scribe.do(core.Join(EVE, "Eve"), core.Join(BEN, "Ben"))
    hub = await stage.hub(scribe)
    await stage.sit(hub, ANA)
    await stage.sit(hub, BEN)
    await hub.run(by_host(hub, core.Leave))
    assert hub.race.life.host == EVE
    await stage.clock.advance(HOST_GRACE_MS)
    await eventually(lambda: hub.race.life.host == BEN, "a new host")


# Seats.


async def test_the_newest_connection_has_the_seat_and_the_older_is_told_why(stage: Stage) -> None:
    hub = await stage.hub(Scribe().start(BEN))
    first = await stage.sit(hub, ANA)
    second = await stage.sit(hub, ANA)
    assert (first.lost, second.lost) == (["superseded"], [])
    hub.part(first.follower)
    assert hub.presence() == ((ANA,), 0)
    hub.part(second.follower)
    assert hub.presence() == ((), 0)


async def test_two_connections_that_take_the_seat_at_once_leave_one_with_it(stage: Stage) -> None:
    hub = await stage.hub(Scribe().start(BEN))
    first, second = await asyncio.gather(stage.sit(hub, ANA), stage.sit(hub, ANA))
    assert len({first.follower.session, second.follower.session}) == 2
    assert (first.lost, second.lost) == (["superseded"], [])
    assert hub.race.members[ANA].session == second.follower.session
    assert len(stage.store.appends) == 2, "the race itself, and both joins together"


async def test_a_seat_taken_over_on_another_node_is_lost_here(stage: Stage) -> None:
    here = await stage.hub(Scribe().start(BEN))
    there = await stage.another()
    first = await stage.sit(here, ANA)
    second = await stage.sit(there, ANA)
    await eventually(lambda: first.lost, "word of it")
    assert (first.lost, second.lost) == (["superseded"], [])


async def test_one_who_is_kicked_loses_his_seat(stage: Stage) -> None:
    hub = await stage.hub(lobby())
    await stage.sit(hub, ANA)
    ben = await stage.sit(hub, BEN)
    await hub.run(by_host(hub, core.Kick, BEN))
    assert ben.lost == ["kicked"]


async def test_one_who_is_kicked_in_the_moment_he_sits_down_is_told(stage: Stage) -> None:
    hub = await stage.hub(lobby())
    await stage.sit(hub, ANA)
    kick = by_host(hub, core.Kick, BEN)
    sitting = asyncio.ensure_future(stage.sit(hub, BEN))
    await asyncio.sleep(0)
    outcome = await hub.run(kick)
    assert isinstance(outcome, Done)
    assert (await sitting).lost == ["kicked"]
    assert hub.presence() == ((ANA,), 0)


# What is shown.


async def test_racers_and_watchers_are_woken_and_pull_what_happened(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, policy=Policy.LIVE)).start(BEN))
    eyes = [await stage.sit(hub, ANA), await stage.sit(hub, BEN), stage.watch(hub)]
    for eye in eyes:
        eye.look()
    wakes = [eye.wakes for eye in eyes]
    await hub.run(move(hub.race, ANA, "5a"))
    assert all(eye.wakes > before for eye, before in zip(eyes, wakes, strict=True))
    assert [eye.view for eye in eyes] == ["racer", "racer", "boards"]
    assert {eye.to for eye in eyes} == {hub.race.seq}


async def test_a_crowd_is_woken_in_slices(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, policy=Policy.LIVE)).start(BEN))
    crowd = [stage.watch(hub) for _ in range(300)]
    woken: list[int] = []
    before = [eye.wakes for eye in crowd]
    hub.submit(say(hub.race, ANA, "hello"), lambda _: None)

    def count() -> int:
        return sum(eye.wakes > was for eye, was in zip(crowd, before, strict=True))

    while count() < 300:
        woken.append(count())
        await asyncio.sleep(0)
    steps = [after - was for was, after in zip(woken, [*woken[1:], 300], strict=True)]
    assert max(steps) <= 64


@pytest.mark.parametrize(
    ("policy", "view"), [(Policy.LIVE, "boards"), (Policy.PROGRESS, "progress"), (Policy.NONE, None)]
)
async def test_watchers_see_what_the_host_allows(stage: Stage, policy: Policy, view: str | None) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, policy=policy)).start(BEN))
    eye = stage.watch(hub)
    assert eye.view == view


async def test_watchers_with_a_delay_are_woken_when_it_is_time(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, delay_ms=10_000)).start(BEN))
    started = hub.race.seq
    eye = stage.watch(hub)
    eye.look()
    await eventually(lambda: eye.to == 1, "the first event")
    await stage.clock.advance(10_000)
    assert eye.to == started
    await hub.run(move(hub.race, ANA, "5a"))
    await stage.clock.advance(9_999)
    assert eye.to == started
    wakes = eye.wakes
    await stage.clock.advance(1)
    assert eye.wakes > wakes
    assert eye.to == hub.race.seq


async def test_a_host_who_changes_the_delay_is_obeyed_for_those_who_watch_already(stage: Stage) -> None:
    hub = await stage.hub(lobby(delay_ms=1_000))
    await stage.sit(hub, ANA)
    eye = stage.watch(hub)
    eye.look()
    await stage.clock.advance(1_000)
    await eventually(lambda: eye.to == hub.race.seq, "all of it")
    longer = replace(hub.race.life.setup, delay_ms=60_000)
    await hub.run(by_host(hub, core.Configure, longer))
    await stage.clock.advance(30_000)
    await hub.run(by_host(hub, core.Start))
    eye.look()
    await hub.settled()
    await stage.clock.advance(59_000)
    assert eye.phase == "lobby"
    await stage.clock.advance(1_000)
    await eventually(lambda: eye.phase == "countdown", "the countdown")


async def test_those_who_watch_already_are_told_how_late_they_see_it_from_now_on(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, countdown_ms=5_000, policy=Policy.LIVE)))
    eye = stage.watch(hub)
    assert (eye.look().allowed, eye.to) == ([], hub.race.seq)
    shown = eye.to
    await stage.clock.advance(1_000)
    await eventually(lambda: eye.look().told, "who is here")
    told = eye.told
    await hub.run(by_host(hub, core.Configure, replace(hub.race.life.setup, policy=Policy.DELAYED)))
    await eventually(lambda: eye.look().allowed, "word of it")
    (word,) = eye.allowed
    assert (word.view, word.delay_ms, word.why) == ("boards", 30_000, "you see every board, 30 s late")
    assert word.q is None, "nobody asked"
    assert eye.to < shown, "what was then"
    await hub.run(by_host(hub, core.Configure, replace(hub.race.life.setup, delay_ms=60_000)))
    await eventually(lambda: len(eye.look().allowed) == 2, "word of it")
    await hub.run(by_host(hub, core.Configure, replace(hub.race.life.setup, policy=Policy.LIVE)))
    assert eye.to == hub.race.seq, "at once"
    assert [word.delay_ms for word in eye.allowed] == [30_000, 60_000, 0]
    assert eye.allowed[-1].why == "you see every board, live"
    assert eye.told == told + 1, "and who is here, though nobody has come or gone"


async def test_those_who_watch_when_nobody_may_any_more_are_told_and_see_the_end(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, policy=Policy.LIVE)))
    eye = stage.watch(hub)
    shown = eye.to
    await hub.run(by_host(hub, core.Configure, replace(hub.race.life.setup, policy=Policy.NONE)))
    await hub.run(by_host(hub, core.Start))
    await eventually(lambda: hub.race.life.phase is Phase.RUNNING, "the start")
    assert (eye.to, [word.paused for word in eye.allowed]) == (shown, [True])
    assert eye.allowed[0].why == "the host lets nobody watch until it is over"
    await hub.run(core.Resign(ANA, session(hub.race, ANA), next_c(hub.race, ANA)))
    assert eye.phase == "over"
    assert [(word.paused, word.why) for word in eye.allowed[1:]] == [(False, "you see every board")]


async def test_a_delayed_picture_that_could_not_be_made_is_made_later(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, delay_ms=1_000)).start(BEN))
    await stage.clock.advance(1_000)
    stage.store.reads_to_fail = 2
    eye = stage.watch(hub)
    assert eye.to == 0
    for _ in range(2):
        await stage.clock.advance(700)
        eye.look()
    await eventually(lambda: eye.to == hub.race.seq, "the picture")
    assert "those who watch must wait" in caplog.text


async def test_when_the_last_watcher_is_gone_nothing_is_kept_for_him(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, delay_ms=1_000)).start(BEN))
    eyes = [stage.watch(hub), stage.watch(hub, PlayerId("f" * 16))]
    for eye in eyes:
        eye.look()
    await eventually(lambda: keeps_delayed(hub), "the delayed feed")
    hub.part(eyes[0].follower)
    assert keeps_delayed(hub)
    hub.part(eyes[1].follower)
    assert not keeps_delayed(hub)
    # And one who leaves while it is being made leaves nothing behind either.
    eye = stage.watch(hub)
    eye.look()
    hub.part(eye.follower)
    await eventually(lambda: hub._opening is None, "the opening")
    assert not keeps_delayed(hub)


async def test_one_who_resigns_gets_what_watchers_get(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, policy=Policy.LIVE)).start(BEN))
    seat, eye = await stage.sit(hub, BEN), stage.watch(hub, BEN)
    assert eye.view == "racer"
    race = hub.race
    await hub.run(core.Resign(BEN, session(race, BEN), next_c(race, BEN)))
    assert eye.view == "boards"
    assert [word.view for word in eye.allowed] == ["boards"]
    assert seat.view == "racer"
    assert seat.allowed == []


# Presence.


async def test_who_is_here_is_told_to_all_but_those_who_see_it_late(stage: Stage) -> None:
    hub = await stage.hub(Scribe(replace(SETUP, delay_ms=1_000)).start(BEN))
    ana = await stage.sit(hub, ANA)
    late = stage.watch(hub)
    assert hub.presence() == ((ANA,), 1)
    await eventually(lambda: ana.look().told, "presence")
    ben = await stage.sit(hub, BEN)
    await eventually(lambda: ben.look().told and ana.look().told > 1, "presence")
    hub.part(ben.follower)
    assert hub.presence() == ((ANA,), 1)
    late.look()
    await eventually(lambda: late.to, "a picture")
    assert late.told == 0


# Letting go.


async def test_a_hub_is_idle_only_when_nobody_follows_and_nothing_is_under_way(stage: Stage) -> None:
    hub = await stage.hub(Scribe().start(BEN))
    assert is_idle(hub)
    ana, eye = await stage.sit(hub, ANA), stage.watch(hub)
    hub.part(ana.follower)
    assert not is_idle(hub)
    hub.part(eye.follower)
    assert is_idle(hub)
    stage.store.gate.clear()
    asking = asyncio.create_task(hub.run(core.Tick()))
    await eventually(lambda: stage.store.newest_asked, "the question")
    assert not is_idle(hub)
    stage.store.gate.set()
    assert isinstance(await asking, Refused)
    assert is_idle(hub)


async def test_a_closed_hub_leaves_no_task_behind(stage: Stage) -> None:
    await asyncio.sleep(0)
    before = asyncio.all_tasks()
    hub = await stage.hub(lobby(delay_ms=1_000))
    await stage.sit(hub, BEN)
    stage.watch(hub).look()
    await eventually(lambda: keeps_delayed(hub), "the delayed feed")
    assert len(asyncio.all_tasks()) > len(before)
    await hub.close()
    assert asyncio.all_tasks() == before


async def test_an_end_rings_no_alarm_any_more(stage: Stage) -> None:
    hub = await stage.hub(Scribe().start())
    await hub.run(core.Resign(ANA, session(hub.race, ANA), next_c(hub.race, ANA)))
    assert hub.race.life.phase is Phase.OVER
    asked = stage.store.newest_asked
    await stage.clock.advance(SETUP.time_limit_ms * 2)
    await hub.settled()
    assert stage.store.newest_asked == asked
    assert sum(isinstance(one.event, Ended) for one in await read_log(stage.store)) == 1
