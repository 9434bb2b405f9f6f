"""What others append to the same log, and faults of ours."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from server.gateway.keeper import Keeper, log_id
from server.gateway.plan import Busy, Done, DoneBefore, Outcome
from server.race import commands as core
from server.race.events import Said
from server.race.evolve import fold
from server.race.state import PlayerId
from server.store.base import PAGE, Stored, new_tag
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.server.gateway.deeds import done
from tests.server.gateway.house import eventually
from tests.server.gateway.races import (
    ANA,
    BEN,
    CODE,
    EVE,
    NAMES,
    Scribe,
    Told,
    append,
    keep,
    move,
    next_c,
    read_log,
    session,
)
from tests.server.gateway.scripted import ScriptedStore, Trouble

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
