"""The order of things: decide, append, fold, answer; and what a keeper does when the store says otherwise."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from server.gateway.keeper import RETRY_FOR_MS, Keeper, NoSuchRace, load, log_id
from server.gateway.plan import Answered, Busy, Done, DoneBefore, Outcome, Refused
from server.race import commands as core
from server.race.decision import NOT_DUE, Refusal
from server.race.events import Moved, Said
from server.race.evolve import fold
from server.race.questions import AskHint, Calculate
from server.race.state import Phase, PlayerId, RaceCode
from server.race_log import BrokenLog, NewerLog
from server.store.base import PAGE, START, Stored, new_tag
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
    Told,
    append,
    keep,
    move,
    next_c,
    read_log,
    say,
    session,
)
from tests.server.gateway.scripted import ScriptedStore, Trouble

MOVES = ["5a", "5b", "5c", "5d", "5h", "b2"]


@pytest.fixture
async def scripted(store: SqliteStore) -> ScriptedStore:
    """A store with a running race of Ana and Ben in it."""
    await Scribe().start(BEN).store_in(store)
    return ScriptedStore(store)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def keeper(scripted: ScriptedStore, clock: FakeClock, told: Told) -> Keeper:
    return await keep(scripted, clock, told)


def done(outcome: Outcome) -> Done:
    assert isinstance(outcome, Done), outcome
    return outcome


def code_of(outcome: Outcome) -> str:
    assert isinstance(outcome, Refused), outcome
    return outcome.refusal.code


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


# Time.


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


# Unknown outcomes.


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


# Others.


async def test_what_others_append_is_folded_without_being_asked_for(
    keeper: Keeper, scripted: ScriptedStore, told: Told
) -> None:
    await append(scripted.inner, move(keeper.race, ANA, "5a"))
    await eventually(lambda: keeper.race.members[ANA].n == 1, "the other's move")
    await keeper.settled()
    assert told.story == [("folded", [keeper.tip.seq])]
    assert scripted.appends == []


class SlowReplies(ScriptedStore):
    """Something happens after the next read has been answered, and before the answer comes."""

    after_read: Callable[[], Awaitable[object]] | None = None

    async def read(self, log_id: str, after: int = 0, limit: int = PAGE) -> list[Stored]:
        rows = await super().read(log_id, after, limit)
        happening, self.after_read = self.after_read, None
        if happening:
            await happening()
        return rows


async def test_what_others_append_while_the_log_is_read_is_read_too(
    scripted: ScriptedStore, clock: FakeClock, told: Told
) -> None:
    slow = SlowReplies(scripted.inner)
    keeper = await keep(slow, clock, told)
    second = move(keeper.race, ANA, "5b", ahead=1)
    slow.after_read = lambda: append(slow.inner, second)
    await append(slow.inner, move(keeper.race, ANA, "5a"))
    await eventually(lambda: keeper.race.members[ANA].n == 2, "both of the other's moves")
    await keeper.settled()
    reads = slow.reads
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5c")), Done)
    assert slow.reads == reads, "it knew that it had read all"
    await keeper.close()


async def test_a_loss_that_is_told_of_while_the_log_is_read_is_looked_into(
    scripted: ScriptedStore, clock: FakeClock, told: Told
) -> None:
    slow = SlowReplies(scripted.inner)
    keeper = await keep(slow, clock, told)

    async def lose() -> None:
        keeper._on_stored(())

    slow.after_read = lose
    await append(slow.inner, move(keeper.race, ANA, "5a"))
    await eventually(lambda: keeper.race.members[ANA].n == 1, "the other's move")
    await keeper.settled()
    assert slow.reads == 3, "to begin, for the move, and for the loss"
    await keeper.close()


@pytest.mark.parametrize("seed", range(4))
async def test_two_keepers_on_one_store_both_stay_right(
    store: SqliteStore, clock: FakeClock, seed: int
) -> None:
    """Every command reaches one or both of two nodes, some of them deaf, some of whose replies get lost."""
    dice = random.Random(seed)
    await Scribe().start(BEN).store_in(store)
    nodes = [ScriptedStore(store), ScriptedStore(store, deaf=True)]
    keepers = [await keep(node, clock) for node in nodes]
    start = keepers[0].race
    accepted: dict[tuple[str, int], list[Outcome]] = {}

    async def tell(keeper: Keeper, command: core.Say) -> None:
        while isinstance(outcome := await keeper.run(command), Busy):
            pass
        accepted.setdefault((command.player, command.c), []).append(outcome)

    async def chat(player: PlayerId) -> None:
        for c in range(1, 31):
            command = core.Say(
                player, session(start, player), next_c(start, player) + c, NAMES[player], f"line {c}"
            )
            for node in nodes:
                node.fates = [dice.choice(list(Trouble))] if dice.random() < 0.3 else []
                node.reads_to_fail = dice.choice([0, 0, 1])
            await asyncio.gather(
                *(tell(keeper, command) for keeper in dice.choices(keepers, k=dice.choice([1, 2])))
            )

    await asyncio.gather(chat(ANA), chat(BEN), chat(EVE))
    for keeper in keepers:
        await keeper.run(core.Tick())
    log = await read_log(store)
    assert keepers[0].race == keepers[1].race == fold(log)
    said = [(one.event.player, one.event.c) for one in log if isinstance(one.event, Said)]
    assert sorted(said) == sorted(accepted)
    for outcomes in accepted.values():
        assert sum(isinstance(outcome, Done) for outcome in outcomes) <= 1
        assert all(isinstance(outcome, Done | DoneBefore) for outcome in outcomes)
    assert (
        len({done(one).events[0].seq for kind in accepted.values() for one in kind if isinstance(one, Done)})
        <= 90
    )
    for keeper in keepers:
        await keeper.close()


# Faults of ours.


async def test_a_fault_in_one_answer_does_not_keep_the_others_from_theirs(
    keeper: Keeper, told: Told, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(outcome: Outcome) -> None:
        raise RuntimeError("the asker's own fault")

    keeper.submit(move(keeper.race, ANA, "5a"), fail)
    keeper.submit(move(keeper.race, ANA, "5b", ahead=1), told.reply("next"))
    await keeper.settled()
    assert isinstance(told.outcomes["next"], Done)
    assert "the asker's own fault" in caplog.text


async def test_bytes_that_are_no_event_are_said_to_be_unavailable_not_a_crash(
    keeper: Keeper, scripted: ScriptedStore, caplog: pytest.LogCaptureFixture
) -> None:
    scripted.deaf = True
    await scripted.inner.append(log_id(CODE), keeper.tip, [b"nonsense"], tag=new_tag())
    assert isinstance(await keeper.run(move(keeper.race, ANA, "5a")), Busy)
    assert "BrokenLog" in caplog.text


# Reading a race from its log.


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


def counting_down() -> Scribe:
    """A race of Ana and Ben that starts in five seconds."""
    scribe = Scribe(replace(SETUP, countdown_ms=5000))
    return scribe.start(BEN)
