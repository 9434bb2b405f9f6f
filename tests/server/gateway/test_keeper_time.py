"""Whose time counts: a node decides by what it knows of the store's clock, which has the last word."""

from dataclasses import replace

from server.gateway.keeper import Keeper
from server.gateway.plan import Done, Refused
from server.race import commands as core
from server.race.decision import NOT_DUE, Refusal
from server.race.evolve import fold
from server.race.state import Phase
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.deeds import MOVES, code_of
from tests.server.gateway.races import ANA, BEN, SETUP, Scribe, Told, keep, move, read_log, say
from tests.server.gateway.scripted import ScriptedStore


async def test_too_early_brings_the_stores_time_and_the_node_decides_again_with_it(
    store: SqliteStore, clock: FakeClock
) -> None:
    await counting_down().store_in(store)
    scripted = ScriptedStore(store, ahead_ms=60_000)
    keeper = await keep(scripted, clock)
    outcome = await keeper.run(core.Tick())
    assert isinstance(outcome, Refused)
    assert outcome.refusal == NOT_DUE
    assert [seen.not_before for seen in scripted.appends] == [keeper.race.life.starts_at]
    assert keeper.race.life.phase is Phase.COUNTDOWN


async def test_too_late_brings_the_stores_time_and_the_node_decides_again_with_it(
    keeper: Keeper, scripted: ScriptedStore, clock: FakeClock
) -> None:
    ends_at = keeper.race.life.ends_at
    scripted.ahead_ms = -60_000
    await clock.advance_to(ends_at - 1)
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done)
    await clock.advance_to(ends_at)
    outcome = await keeper.run(move(keeper.race, ANA, "5b"))
    assert isinstance(outcome, Refused)
    assert outcome.refusal == Refusal("not_racing", "the time limit has passed")
    assert [seen.not_after for seen in scripted.appends] == [ends_at - 1] * 2


async def test_a_batch_uses_the_intersection_of_its_windows(keeper: Keeper, scripted: ScriptedStore) -> None:
    for place, text in enumerate(MOVES[:2]):
        keeper.submit(move(keeper.race, ANA, text, ahead=place), lambda _: None)
    keeper.submit(say(keeper.race, BEN, "hello"), lambda _: None)
    await keeper.settled()
    window = [(seen.not_before, seen.not_after) for seen in scripted.appends]
    assert window == [(None, keeper.race.life.ends_at - 1)]


async def test_the_start_is_the_time_of_started_even_if_late(store: SqliteStore, clock: FakeClock) -> None:
    await counting_down().store_in(store)
    keeper = await keep(store, clock)
    due_at = keeper.race.life.starts_at
    await clock.advance_to(due_at + 700)
    keeper.submit(core.Tick(), lambda _: None)
    await keeper.settled()
    assert keeper.race.life.started_at == due_at + 700
    assert keeper.race.life.ends_at == due_at + 700 + keeper.race.life.setup.time_limit_ms


async def test_the_last_move_and_the_end_of_time_are_decided_once(
    keeper: Keeper, scripted: ScriptedStore, clock: FakeClock, told: Told
) -> None:
    # Decided in time, and the store's clock passes the limit before the append arrives.
    ends_at = keeper.race.life.ends_at
    await clock.advance_to(ends_at - 1)
    scripted.fates = [lambda: clock.advance_to(ends_at)]
    keeper.submit(move(keeper.race, ANA, "5a"), told.reply("move"))
    await keeper.settled()
    assert code_of(told.outcomes["move"]) == "not_racing"
    keeper.submit(core.Tick(), told.reply("tick"))
    keeper.submit(move(keeper.race, BEN, "5a"), told.reply("later"))
    await keeper.settled()
    assert isinstance(told.outcomes["tick"], Done)
    assert code_of(told.outcomes["later"]) in ("race_over", "not_racing")
    assert keeper.race.life.phase is Phase.OVER
    assert keeper.race == fold(await read_log(scripted))


def counting_down() -> Scribe:
    """A race of Ana and Ben that starts in five seconds."""
    scribe = Scribe(replace(SETUP, countdown_ms=5000))
    return scribe.start(BEN)
