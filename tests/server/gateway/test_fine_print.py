"""The fine print of the log, as far as it is the gateway's, line by line.

Only the store proves freshness; time; unknown outcomes; cancelling: `test_keeper`. Two logs: `test_hubs`. A
lost tail: `test_tail`. The rest is here, over whole servers, two of them on one store where it takes two.
"""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from protocol import commands, events
from protocol.commands import Settings
from server import race_log
from server.gateway.keeper import load, log_id
from server.race import commands as core
from server.race.events import Attached, Moved, Said
from server.race.state import RaceCode
from server.store.base import PAGE, START, Appended, new_tag
from server.store.sqlite import SqliteStore
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import House, eventually, shaky_house, two_nodes
from tests.server.gateway.races import BEN, CODE, Scribe, next_c, session
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


# Only the store proves freshness.


async def test_a_resume_snapshot_is_made_on_the_newest_state_even_on_a_node_that_heard_nothing(
    tmp_path: Path,
) -> None:
    async with two_nodes(tmp_path) as ((here, deaf_store), (there, _)):
        eve = await here.guest("Eve")
        ana = await there.guest("Ana")
        race = await there.race(ana)
        await eve.watch(race)
        await eve.reach(race, "running", "watch")
        deaf_store.deaf = True
        acks = [await ana.did(commands.Move, race, move=move) for move in SOLUTION[:10]]
        assert eve.pictures[race, "watch"].to < acks[0].seq
        await eve.ask(commands.Watch(race))
        await eve.until(lambda: eve.pictures[race, "watch"].to >= acks[-1].seq, "all of it")
        back = await here.guest("Ana", ana.token)
        assert (await back.sit(race)).n == 10


async def test_a_refusal_on_a_node_that_heard_nothing_is_of_the_newest_state(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as ((here, deaf_store), (there, _)):
        ana, ben = await here.guest("Ana"), await there.guest("Ben")
        race = await here.lobby(ana, settings=Settings(deal=1, countdown_s=0, max_racers=2))
        late = await here.guest("Late")
        deaf_store.deaf = True
        await ben.sit(race)
        refused = await late.join(race)
        assert isinstance(refused, events.Refused)
        assert refused.code == "race_full"


# Commands.


async def test_gaps_are_allowed(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for c, move in ((7, SOLUTION[0]), (1000, SOLUTION[1]), (2**31 - 1, SOLUTION[2])):
        mark = len(ana.heard)
        await ana.send(commands.Move(race, c, ana.chair(race).n, move))
        assert (await ana.hear(events.Ack, mark)).c == c
    refused = await ana.do(commands.Say, race, text="a number behind")
    assert isinstance(refused, events.Refused)
    assert refused.code == "stale_command"


async def test_a_refusal_leaves_no_trace_and_may_be_decided_anew(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    before = await home.log(race)
    refused = await ana.do(commands.Move, race, n=2, move="5b")
    assert isinstance(refused, events.Refused)
    assert await home.log(race) == before
    c = ana.chair(race).used_c
    # The same number again, now that it fits.
    mark = len(ana.heard)
    await ana.send(commands.Move(race, c, 1, "5b"))
    assert (await ana.hear(events.Ack, mark)).c == c


async def test_a_number_belongs_to_one_command_even_across_a_reconnect_and_a_restart(tmp_path: Path) -> None:
    clock = FakeClock()
    async with shaky_house(tmp_path, clock=clock) as (home, _):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        ack = await ana.did(commands.Move, race, move=SOLUTION[0])
    async with shaky_house(tmp_path, clock=clock) as (home, _):
        again = await home.guest("Ana", ana.token)
        assert (await again.sit(race)).last_c == ack.c
        await again.send(commands.Undo(race, ack.c, 1))
        answer = await again.hear(events.Ack)
        assert (answer.repeated, answer.n, answer.seq) == (True, 1, ack.seq)
        assert [type(one.event) for one in await home.log(race)].count(Moved) == 1


async def test_log_id_and_code_derive_from_the_id_that_create_carries(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as ((here, _), (there, _)):
        ana = await here.guest("Ana")
        again = await there.guest("Ana", ana.token)
        races = await asyncio.gather(ana.create(), again.create())
        assert races[0] == races[1]
        assert len((await here.fold(races[0])).racers) == 1
        assert await here.node.store.list_logs("race:") == [f"race:{races[0]}"]


# Fencing.


async def test_a_node_that_was_cut_off_cannot_act_for_a_player_who_went_elsewhere(tmp_path: Path) -> None:
    async with two_nodes(tmp_path) as ((here, frozen), (there, _)):
        ana = await here.guest("Ana")
        race = await here.race(ana)
        await ana.did(commands.Move, race, move=SOLUTION[0])
        frozen.deaf = True
        elsewhere = await there.guest("Ana", ana.token)
        seat = await elsewhere.sit(race)
        await elsewhere.did(commands.Move, race, move=SOLUTION[1])
        # The node thaws, with a command of the older connection in its hands that would be legal.
        await ana.start(commands.Move, race, n=2, move=SOLUTION[2])
        assert await ana.ended() == (4000, "superseded")
        log = await there.log(race)
        assert [one.event for one in log if isinstance(one.event, Attached)][-1].player == ana.id
        assert (await there.fold(race)).racers[0].n == 2
        assert (await there.fold(race)).racers[0].session == seat.session


async def test_the_seq_of_attached_is_the_session(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    for _ in range(3):
        again = await home.again(ana)
        seat = await again.sit(race)
        attached = [one for one in await home.log(race) if isinstance(one.event, Attached)]
        assert attached[-1].seq == seat.session == seat.seq


def alone(guest: Player) -> bool:
    told = guest.last(events.Presence)
    return told is not None and told.here == (guest.id,)


async def test_presence_is_not_in_the_log(home: House) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.race(ana, ben)
    before = await home.log(race)
    await eve.watch(race)
    await ben.drop()
    await ana.until(lambda: alone(ana), "Ben to be away")
    assert await home.log(race) == before


# Unknown outcomes.


async def test_every_append_carries_a_random_tag_stored_with_it(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for move in SOLUTION[:20]:
        await ana.did(commands.Move, race, move=move)
    rows = await home.node.store.read(f"race:{race}")
    appends = len({row.tag for row in rows})
    # Made, sat down, started (with the countdown of none), and twenty moves.
    assert appends == 1 + 1 + 1 + 20
    assert all(len(row.tag) == 8 for row in rows)


async def test_one_who_hangs_up_does_not_take_back_what_he_sent(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        store.gate.clear()
        store.appends.clear()
        for move in SOLUTION[:5]:
            await ana.start(commands.Move, race, move=move)
        hub = await home.hub(race)
        arrived = home.node.metrics.messages.labels("move")._value
        await eventually(lambda: arrived.get() == 5, "all of them to be there")
        await ana.drop()
        await eventually(lambda: hub.presence()[0] == (), "she is gone")
        store.gate.set()
        await hub.settled()
        moved = [one.event for one in await home.log(race) if isinstance(one.event, Moved)]
        assert [event.c for event in moved] == [2, 3, 4, 5, 6]
        await ana.connect()
        assert (await ana.sit(race)).last_c == 6


# Events.


async def test_a_node_that_meets_a_newer_log_closes_1012_rather_than_guess(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    (first, *_) = await home.node.store.read(f"race:{race}")
    newer = first.data.replace(b",1,1]", b",2,1]")
    assert newer != first.data
    outcome = await home.node.store.append(log_id(RaceCode("NEWERRUN")), START, [newer], tag=new_tag())
    assert isinstance(outcome, Appended)
    for message in (commands.Join("NEWERRUN"), commands.Watch("NEWERRUN")):
        guest = await home.guest("Guest")
        await guest.send(message)
        assert await guest.ended() == (1012, "restarting")
        bye = guest.last(events.Bye)
        assert bye is not None
        assert bye.retry_ms
    assert len(await home.node.store.read("race:NEWERRUN")) == 1


async def test_events_record_outcomes_never_notation(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for move in SOLUTION[:30]:
        await ana.did(commands.Move, race, move=move)
    await ana.did(commands.Restart, race)
    await ana.did(commands.Send, race, pile="5")
    stored = b"".join(row.data for row in await home.node.store.read(f"race:{race}"))
    for move in SOLUTION[:30]:
        assert f'"{move}"'.encode() not in stored
    moved = [one.event for one in await home.log(race) if isinstance(one.event, Moved)]
    assert all(len(event.move) == 3 for event in moved)
    assert moved[-1].sent


# Uniqueness.


async def test_logs_are_named_after_what_must_be_unique(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    names = await home.node.store.list_logs("")
    assert set(names) == {f"race:{race}", f"player:{ana.id}", f"player:{ben.id}", "server"}
    today = home.node.almanac.today
    cec = await home.guest("Cec")
    await cec.attempt(today)
    assert f"daily:{today}:4:{cec.id}" in await home.node.store.list_logs("")


# Size.


async def test_a_race_is_folded_on_first_touch_in_reads_of_500_and_slices(
    store: SqliteStore, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = Scribe().start(BEN)
    for turn in range(2 * PAGE):
        race = scribe.race
        who = (BEN, session(race, BEN), next_c(race, BEN), race.members[BEN].n)
        scribe.do(core.Undo(*who) if turn % 2 else core.Move(*who, "5a"))
    await scribe.store_in(store)
    slices: list[int] = []
    read_all = race_log.read_all

    def counted(rows: list[object]) -> list[object]:
        slices.append(len(rows))
        return read_all(rows)  # type: ignore[arg-type, return-value]  # as it is given

    monkeypatch.setattr(race_log, "read_all", counted)
    turns = 0
    loading = asyncio.create_task(load(store, CODE))
    while not loading.done():
        turns += 1
        await asyncio.sleep(0)
    folded, _ = await loading
    assert folded.seq == scribe.race.seq
    assert max(slices) <= 100
    assert turns > len(slices), "others had their turns in between"


async def test_a_race_has_room_for_so_many_chat_lines(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for number in range(500):
        await ana.start(commands.Say, race, text=f"line {number}")
        if number % 20 == 19:
            await ana.answer_to(race, ana.chair(race).used_c)
    refused = await ana.do(commands.Say, race, text="one too many")
    assert isinstance(refused, events.Refused)
    assert refused.code == "chat_full"
    assert sum(isinstance(one.event, Said) for one in await home.log(race)) == 500
    eve = await home.guest("Eve")
    await eve.watch(race)
    await eve.until(lambda: (race, "watch") in eve.pictures, "a picture")
    await eve.until(lambda: not eve.pictures[race, "watch"].pages_left, "all its pages")
    assert len(eve.pictures[race, "watch"].picture.chat) == 500


async def test_a_racer_has_so_many_board_commands(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for number in range(3000):
        if number % 2:
            await ana.start(commands.Undo, race)
        else:
            await ana.start(commands.Move, race, move="5a")
        if number % 30 == 29:
            await ana.answer_to(race, ana.chair(race).used_c)
    assert ana.chair(race).n == 3000
    refused = await ana.do(commands.Move, race, move="5a")
    assert isinstance(refused, events.Refused)
    assert refused.code == "too_many_actions"
    assert isinstance(await ana.do(commands.Resign, race), events.Ack)
    back = await home.guest("Ana", ana.token)
    picture = await back.ask(commands.Replay(race, 0, ana.id, 2990))
    assert isinstance(picture, events.Replayed)
    assert (len(picture.steps), picture.more) == (10, False)
