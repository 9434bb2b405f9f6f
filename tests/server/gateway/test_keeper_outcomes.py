"""Appends of which the store does not tell what became of them."""

import asyncio

import pytest

from server.gateway.keeper import Keeper
from server.gateway.plan import Busy, Done, DoneBefore
from server.race import commands as core
from server.race.events import Moved, Said
from server.race.evolve import fold
from server.race.questions import Calculate
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.deeds import code_of, done
from tests.server.gateway.house import eventually
from tests.server.gateway.races import ANA, BEN, Told, append, move, read_log, say, session
from tests.server.gateway.scripted import ScriptedStore, Trouble


async def test_an_outcome_that_the_store_does_not_tell_is_read_from_the_log(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.fates = [Trouble.REPLY_LOST]
    keeper.submit(move(keeper.race, ANA, "5a"), told.reply("move"))
    keeper.submit(move(keeper.race, ANA, "1h", ahead=1), told.reply("illegal"))
    await keeper.settled()
    assert done(told.outcomes["move"]).after.members[ANA].n == 1
    assert code_of(told.outcomes["illegal"]) == "illegal_move"
    assert len(scripted.appends) == 1
    assert keeper.race == fold(await read_log(scripted))


async def test_a_lost_reply_and_a_rival_behind_it(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.deaf = True
    command = move(keeper.race, ANA, "5a")
    scripted.fates = [Trouble.REPLY_LOST]
    rival = say(keeper.race, BEN, "behind it")
    scripted.before_read = lambda: append(scripted.inner, rival)
    assert done(await keeper.run(command)).after.members[ANA].n == 1
    await keeper.settled()
    assert keeper.race == fold(await read_log(scripted))
    assert [type(one.event) for one in (await read_log(scripted))[-2:]] == [Moved, Said]


async def test_an_append_that_was_sent_twice_on_the_way_is_one(
    keeper: Keeper, scripted: ScriptedStore
) -> None:
    before = keeper.tip.seq
    scripted.fates = [Trouble.SENT_TWICE]
    assert done(await keeper.run(move(keeper.race, ANA, "5a"))).after.members[ANA].n == 1
    assert len(await read_log(scripted)) == before + 1


async def test_a_command_that_never_arrived_is_unavailable_and_sent_again_has_one_effect(
    keeper: Keeper, scripted: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    before = keeper.tip.seq
    scripted.fates = [Trouble.DOWN]
    command = move(keeper.race, ANA, "5a")
    assert await keeper.run(command) == Busy(700)
    assert isinstance(await keeper.run(command), Done)
    assert isinstance(await keeper.run(command), DoneBefore)
    log = await read_log(scripted)
    assert len(log) == before + 1
    assert keeper.race == fold(log)
    assert "store unavailable" in caplog.text


async def test_an_effect_that_could_not_be_found_out_is_shown_once_the_store_is_back(
    keeper: Keeper, scripted: ScriptedStore, clock: FakeClock, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.fates = [Trouble.REPLY_LOST]
    scripted.reads_to_fail = 3
    command = move(keeper.race, ANA, "5a")
    keeper.submit(command, told.reply("move"))
    await keeper.settled()
    assert told.story == [("move", Busy(700))]
    for _ in range(2):
        await clock.advance(700)
        await keeper.settled()
        assert keeper.race.members[ANA].n == 0
    await clock.advance(700)
    await eventually(lambda: keeper.race.members[ANA].n == 1, "the move is folded")
    assert [name for name, _ in told.story] == ["move", "folded"]
    assert isinstance(await keeper.run(command), DoneBefore)
    reads = scripted.reads
    await clock.advance(60_000)
    assert scripted.reads == reads, "nothing is left to look for"


async def test_what_was_appended_without_our_knowing_is_read_before_anything_is_decided(
    keeper: Keeper, scripted: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.fates = [Trouble.REPLY_LOST]
    scripted.reads_to_fail = 1
    assert await keeper.run(move(keeper.race, ANA, "5a")) == Busy(700)
    appends = len(scripted.appends)
    # On the state that the lost append led to cell a is taken, so no append is even tried.
    refused = await keeper.run(core.Move(ANA, session(keeper.race, ANA), 9, 1, "5a"))
    assert code_of(refused) == "illegal_move"
    assert len(scripted.appends) == appends


async def test_while_the_store_is_away_all_is_unavailable_and_then_all_is_well(
    keeper: Keeper, scripted: ScriptedStore, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.down = True
    for turn in range(3):
        keeper.submit(move(keeper.race, ANA, "5a"), told.reply(f"move {turn}"))
        keeper.submit(Calculate(ANA, "1"), told.reply(f"calc {turn}"))
        await keeper.settled()
    assert set(told.outcomes.values()) == {Busy(700)}
    scripted.down = False
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done)
    assert keeper.race == fold(await read_log(scripted))


async def test_cancelling_a_caller_never_cancels_a_commit(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.gate.clear()
    caller = asyncio.create_task(keeper.run(move(keeper.race, ANA, "5a")))
    await eventually(lambda: scripted.appends, "the append is under way")
    keeper.submit(move(keeper.race, ANA, "5b", ahead=1), told.reply("next"))
    caller.cancel()
    await asyncio.wait([caller])
    assert caller.cancelled()
    scripted.gate.set()
    await keeper.settled()
    assert done(told.outcomes["next"]).after.members[ANA].n == 2
    assert [one.event for one in (await read_log(scripted))[-2:]] == [
        one.event for one in (await read_log(scripted)) if isinstance(one.event, Moved)
    ]


async def test_an_append_that_the_store_has_taken_goes_on_when_the_keeper_is_closed(
    keeper: Keeper, store: SqliteStore, told: Told
) -> None:
    before = keeper.tip.seq
    keeper.submit(move(keeper.race, ANA, "5a"), told.reply("move"))
    await asyncio.sleep(0)  # it is handed over
    await keeper.close()
    assert len(await read_log(store)) == before + 1
    assert told.story == []
