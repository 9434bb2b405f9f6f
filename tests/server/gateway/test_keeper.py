"""The order of things: decide, append, fold, answer; and decide again where the store says otherwise."""

import asyncio
from collections.abc import Callable

import pytest

from server.gateway.keeper import RETRY_FOR_MS, Keeper, load
from server.gateway.plan import Answered, Busy, Done, DoneBefore, Refused
from server.race import commands as core
from server.race.events import Moved, Said
from server.race.evolve import fold
from server.race.questions import AskHint, Calculate
from server.store.base import PAGE
from tests.clock import FakeClock
from tests.server.gateway.deeds import MOVES, code_of, done
from tests.server.gateway.house import eventually
from tests.server.gateway.races import (
    ANA,
    BEN,
    CODE,
    Told,
    append,
    keep,
    move,
    next_c,
    read_log,
    say,
    session,
)
from tests.server.gateway.scripted import ScriptedStore

# Decide, append, fold, answer.


async def test_nobody_is_told_anything_before_the_store_has_it(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    seq = keeper.tip.seq
    scripted.gate.clear()
    keeper.submit(move(keeper.race, ANA, "5a"), told.reply("move"))
    await eventually(lambda: scripted.appends, "the append is under way")
    assert told.story == []
    assert keeper.race.seq == seq
    scripted.gate.set()
    await keeper.settled()
    assert [name for name, _ in told.story] == ["folded", "move"]
    assert keeper.tip.seq == len(await read_log(scripted)) == seq + 1


async def test_commands_that_come_during_an_append_are_appended_together_and_answered_in_order(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.gate.clear()
    for place, text in enumerate(MOVES):
        keeper.submit(move(keeper.race, ANA, text, ahead=place), told.reply(text))
        await eventually(lambda: scripted.appends, "the first append is under way")
    scripted.gate.set()
    await keeper.settled()
    assert [len(seen.events) for seen in scripted.appends] == [1, len(MOVES) - 1]
    assert [name for name, _ in told.story if name != "folded"] == MOVES
    assert [done(told.outcomes[text]).after.members[ANA].n for text in MOVES] == [1, 2, 3, 4, 5, 6]


async def test_done_says_what_was_there_before_and_after_each_command_of_a_batch(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    start = keeper.tip.seq
    for place, text in enumerate(MOVES[:3]):
        keeper.submit(move(keeper.race, ANA, text, ahead=place), told.reply(text))
    await keeper.settled()
    assert len(scripted.appends) == 1
    for place, text in enumerate(MOVES[:3]):
        outcome = done(told.outcomes[text])
        assert (outcome.before.seq, outcome.after.seq) == (start + place, start + place + 1)
        assert [one.seq for one in outcome.events] == [start + place + 1]


async def test_all_answers_of_a_batch_wait_for_its_append(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.gate.clear()
    keeper.submit(move(keeper.race, ANA, "1h"), told.reply("illegal"))
    keeper.submit(move(keeper.race, ANA, "5a", ahead=1), told.reply("stale"))
    keeper.submit(say(keeper.race, BEN, "hello"), told.reply("said"))
    keeper.submit(AskHint(BEN), told.reply("hint"))
    keeper.submit(Calculate(BEN, "1"), told.reply("calc"))
    await eventually(lambda: scripted.appends, "the append is under way")
    assert told.story == []
    scripted.gate.set()
    await keeper.settled()
    assert [name for name, _ in told.story] == ["folded", "illegal", "stale", "said", "hint", "calc"]
    assert (code_of(told.outcomes["illegal"]), code_of(told.outcomes["stale"])) == (
        "illegal_move",
        "stale_board",
    )
    assert code_of(told.outcomes["hint"]) == "not_in_rules"
    assert isinstance(told.outcomes["calc"], Answered)
    assert scripted.newest_asked == 0


# Only the store proves freshness.


@pytest.mark.parametrize("kind", ["refusal", "repeated answer", "calculation", "tick"])
async def test_only_the_store_proves_freshness(
    keeper: Keeper, scripted: ScriptedStore, told: Told, kind: str
) -> None:
    first = move(keeper.race, ANA, "5a")
    assert isinstance(await keeper.run(first), Done)
    asked: dict[str, Callable[[], core.Command | Calculate]] = {
        "refusal": lambda: move(keeper.race, ANA, "1h"),
        "repeated answer": lambda: first,
        "calculation": lambda: Calculate(ANA, "1"),
        "tick": core.Tick,
    }
    scripted.gate.clear()
    keeper.submit(asked[kind](), told.reply("answer"))
    await eventually(lambda: scripted.newest_asked, "the store is asked")
    assert "answer" not in told.outcomes
    scripted.gate.set()
    await keeper.settled()
    expected = {"refusal": Refused, "repeated answer": DoneBefore, "calculation": Answered, "tick": Refused}
    assert isinstance(told.outcomes["answer"], expected[kind])
    assert scripted.newest_asked == 1


async def test_a_refusal_on_an_old_state_is_never_sent(keeper: Keeper, scripted: ScriptedStore) -> None:
    # Another node has undone what stands in the way, and nobody told this one.
    scripted.deaf = True
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done)
    stale = keeper.race
    await append(
        scripted.inner, core.Undo(ANA, session(stale, ANA), next_c(stale, ANA), stale.members[ANA].n)
    )
    again = core.Move(ANA, session(stale, ANA), next_c(stale, ANA) + 1, stale.members[ANA].n + 1, "5a")
    assert done(await keeper.run(again)).after.members[ANA].n == 3
    assert keeper.race == fold(await read_log(scripted))


async def test_a_calculation_is_made_on_the_newest_state(keeper: Keeper, scripted: ScriptedStore) -> None:
    scripted.deaf = True
    await append(scripted.inner, move(keeper.race, ANA, "5a"))
    answer = await keeper.run(Calculate(ANA, "a"))
    assert isinstance(answer, Answered)
    assert answer.answer.n == 1


# Conflicts.


async def test_on_conflict_the_whole_batch_is_decided_again_in_order_of_arrival(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    scripted.deaf = True
    old = keeper.race
    scripted.fates = [lambda: append(scripted.inner, move(old, ANA, "5a"))]
    keeper.submit(say(old, BEN, "first"), told.reply("first"))
    # The same number as the move that gets in between: its answer is the old one, not a second move.
    keeper.submit(move(old, ANA, "5a"), told.reply("again"))
    keeper.submit(move(old, ANA, "5b", ahead=1), told.reply("second"))
    keeper.submit(say(old, BEN, "last", ahead=1), told.reply("last"))
    await keeper.settled()
    outcomes = told.outcomes
    assert list(outcomes) == ["first", "again", "second", "last"]
    assert isinstance(outcomes["again"], DoneBefore)
    assert [type(outcomes[name]) for name in ("first", "second", "last")] == [Done, Done, Done]
    log = await read_log(scripted)
    assert [type(one.event) for one in log[-4:]] == [Moved, Said, Moved, Said]
    assert keeper.race == fold(log)


async def test_what_each_append_came_to_is_told(scripted: ScriptedStore, clock: FakeClock) -> None:
    came_to: list[str] = []
    race, tip = await load(scripted, CODE)
    keeper = Keeper(
        scripted, clock, race, tip, Told(), lambda outcome: came_to.append(type(outcome).__name__)
    )
    scripted.deaf = True
    scripted.fates = [lambda: append(scripted.inner, say(race, BEN, "faster"))]
    assert isinstance(await keeper.run(move(race, ANA, "5a")), Done)
    assert came_to == ["Conflict", "Appended"]
    await keeper.close()


async def test_a_conflict_with_more_than_a_page_is_caught_up_with_whole(
    keeper: Keeper, scripted: ScriptedStore
) -> None:
    scripted.deaf = True
    rival = await keep(scripted.inner, FakeClock(scripted.now_ms()))
    for turn in range(PAGE // 2 + 5):
        n, c = 2 * turn, 2 * turn + 1
        await asyncio.gather(
            rival.run(core.Move(BEN, session(rival.race, BEN), c, n, "5a")),
            rival.run(core.Undo(BEN, session(rival.race, BEN), c + 1, n + 1)),
        )
    assert rival.tip.seq - keeper.tip.seq > PAGE
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done)
    assert keeper.race == fold(await read_log(scripted))
    await rival.close()


async def test_one_who_is_always_too_slow_is_told_to_come_back(
    keeper: Keeper, scripted: ScriptedStore, clock: FakeClock, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.deaf = True
    rivals = 0

    async def rival_is_faster() -> None:
        nonlocal rivals
        rivals += 1
        newest = fold(await read_log(scripted.inner))
        await append(scripted.inner, say(newest, BEN, f"rival {rivals}"))
        await clock.advance(RETRY_FOR_MS // 4)

    scripted.fates = [rival_is_faster] * 50
    answer = await keeper.run(move(keeper.race, ANA, "5a"))
    assert isinstance(answer, Busy)
    assert rivals == 5
    scripted.fates = []
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Done)
