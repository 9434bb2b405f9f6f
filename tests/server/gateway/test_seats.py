"""A seat outlives its connections: coming back, taking over, being away, and the edges of a race's time."""

import asyncio
from pathlib import Path
from typing import Final

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from server.app import running
from server.config import Config
from server.gateway import feed as feed_module
from server.race.events import Finished, Moved, TimeUp
from server.race.state import Phase
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, AT_ONCE, House, eventually, house, shaky_house
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


async def come_back(guest: Player, race: str) -> events.Seat:
    """Connect again after a cut, and take one's seat with what one has."""
    await guest.connect()
    return await guest.sit(race)


def here(guest: Player) -> set[str]:
    """Who is there, as this one was told last."""
    told = guest.last(events.Presence)
    return set() if told is None else set(told.here)


# Coming back.


async def test_a_resend_after_a_cut_connection_has_one_effect(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        await ana.did(commands.Move, race, move=SOLUTION[0])
        store.gate.clear()
        store.appends.clear()
        for move in SOLUTION[1:4]:
            await ana.start(commands.Move, race, move=move)
        await eventually(lambda: store.appends, "the move is on its way into the store")
        await ana.drop()
        store.gate.set()
        seat = await come_back(ana, race)
        # The seat says which of them count; the rest she has sent again.
        await ana.until(lambda: not ana.chair(race).unanswered, "the answers")
        assert seat.last_c in (3, 4, 5)
        log = [one.event for one in await home.log(race) if isinstance(one.event, Moved)]
        assert [event.c for event in log] == [2, 3, 4, 5]
        assert ana.chair(race).n == 4


async def test_a_command_acknowledged_before_the_cut_is_not_done_again_whoever_asks(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    ack = await ana.did(commands.Move, race, move=SOLUTION[0])
    await ana.drop()
    await come_back(ana, race)
    length = len(await home.log(race))
    mark = len(ana.heard)
    await ana.send(commands.Move(race, ack.c, 0, SOLUTION[0]))
    again = await ana.hear(events.Ack, mark)
    assert (again.repeated, again.n, again.seq) == (True, ack.n, ack.seq)
    assert len(await home.log(race)) == length


async def test_a_client_started_again_has_the_same_board_and_the_clock_has_run_on(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    for move in SOLUTION[:10]:
        await ana.did(commands.Move, race, move=move)
    board = ana.chair(race).board
    await ana.drop()
    await home.clock.advance(60_000)
    fresh = await home.guest("Ana", ana.token)  # with nothing but the token
    assert fresh.welcome is not None
    assert fresh.welcome.races == (race,)
    seat = await fresh.sit(race)
    assert (seat.board, seat.n, seat.undo) == (board, 10, True)
    snapshot = await fresh.hear(events.Snapshot, 0)
    assert snapshot.clock == 60_000
    await fresh.did(commands.Move, race, move=SOLUTION[10])


async def test_one_who_comes_back_gets_what_is_missing_before_anything_live(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ana.drop()
    for move in SOLUTION[:20]:
        await ben.did(commands.Move, race, move=move)
    await home.clock.advance(30_000)
    known = ana.pictures[race, "seat"]
    mark = len(ana.heard)
    back = asyncio.create_task(come_back(ana, race))
    live = [await ben.start(commands.Move, race, move=move) for move in SOLUTION[20:30]]
    await back
    for c in live:
        await ben.answer_to(race, c)
    first = await ana.hear(events.Update, mark)
    assert first.from_ == known.to
    assert not any(isinstance(event, events.Snapshot) for event in ana.heard[mark:])


async def test_past_what_is_kept_one_who_comes_back_gets_a_snapshot(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_module, "RING", 8)
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ana.drop()
    for move in SOLUTION[:10]:
        await ben.did(commands.Move, race, move=move)
    mark = len(ana.heard)
    await come_back(ana, race)
    snapshot = await ana.hear(events.Snapshot, mark)
    assert not snapshot.rewound


async def test_one_who_has_seen_what_the_log_does_not_hold_is_told_so(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    to = ana.pictures[race, "seat"].to
    for known, tag in ((to, "0" * 16), (to + 1000, "f" * 16)):
        mark = len(ana.heard)
        await ana.send(commands.Join(race, 1, known, tag))
        assert (await ana.hear(events.Snapshot, mark)).rewound
    mark = len(ana.heard)
    await ana.send(commands.Join(race, 1, 0, ""))
    assert not (await ana.hear(events.Snapshot, mark)).rewound


async def test_a_restarted_server_goes_on_with_every_race(tmp_path: Path, clock: FakeClock) -> None:
    names = ("Ana", "Ben", "Cid")
    async with house(tmp_path, clock=clock) as first:
        guests = [await first.guest(name) for name in names]
        races = [await first.race(guest) for guest in guests]
        for guest, race in zip(guests, races, strict=True):
            for move in SOLUTION[:5]:
                await guest.did(commands.Move, race, move=move)
        started = clock.now_ms()
        boards = [guest.chair(race).board for guest, race in zip(guests, races, strict=True)]
    await clock.advance(600_000)
    async with house(tmp_path, clock=clock) as second:
        for guest, race, board in zip(guests, races, boards, strict=True):
            guest.url = second.url
            second.guests.append(guest)
            mark = len(guest.heard)
            seat = await come_back(guest, race)
            assert (seat.board, seat.n) == (board, 5)
            update = await guest.hear(events.Update, mark)
            assert update.clock == clock.now_ms() - started, "clocks are those of the log"
            await guest.did(commands.Move, race, move=SOLUTION[5])


# Taking over.


async def test_resuming_into_a_full_race_while_the_old_socket_is_open(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=msgspec.structs.replace(AT_ONCE, max_racers=2))
    again = await home.again(ana)
    await again.sit(race)
    assert await ana.ended() == (4000, "superseded")
    await again.did(commands.Move, race, move=SOLUTION[0])
    assert len((await home.fold(race)).racers) == 2


@pytest.mark.parametrize("first_to_go", ["older", "newer"])
async def test_of_two_connections_of_one_player_the_newest_has_the_seat(
    home: House, first_to_go: str
) -> None:
    older, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(older, ben)
    newer = await home.again(older)
    await newer.sit(race)
    # The older one is told why, and does not fight for its place.
    assert await older.ended() == (4000, "superseded")
    if first_to_go == "older":
        await older.close()
        await newer.did(commands.Move, race, move=SOLUTION[0])
    else:
        await newer.close()
        await come_back(older, race)
        await older.did(commands.Move, race, move=SOLUTION[0])


async def test_two_connections_that_join_in_the_same_moment_leave_one_with_the_seat(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, ben = await home.guest("Ana"), await home.guest("Ben")
        race = await home.race(ana, ben)
        await ana.drop()
        both = [await home.again(ana), await home.again(ana)]
        # The store is slow just then, so that both of them are decided in one batch.
        store.gate.clear()
        await ben.start(commands.Say, race, text="hold the door")
        await eventually(lambda: store.appends[-1].log_id == f"race:{race}", "the append under way")
        for one in both:
            await one.send(commands.Join(race, 1))
        hub = await home.hub(race)
        await eventually(lambda: len(hub._keeper._requests) == 2, "both joins wait")
        store.gate.set()
        assert await both[0].ended() == (4000, "superseded")
        await both[1].hear(events.Seat, 0)
        await both[1].did(commands.Move, race, move=SOLUTION[0])


async def test_a_crowd_of_connections_of_one_player_leaves_one_with_the_seat(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    crowd = [await home.again(ana) for _ in range(20)]
    await asyncio.gather(*(one.send(commands.Join(race, 1)) for one in crowd))
    for one in crowd:
        await one.hear(events.Seat, 0)
    session = (await home.fold(race)).racers[0].session
    (winner,) = (one for one in crowd if one.chair(race).session == session)
    for one in (ana, *crowd):
        if one is not winner:
            assert await one.ended() == (4000, "superseded")
    await winner.did(commands.Move, race, move=SOLUTION[0])


async def test_joining_again_on_the_same_connection_is_no_fight_with_oneself(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move=SOLUTION[0])
    for _ in range(3):
        seat = await ana.sit(race)
        assert (seat.n, seat.last_c) == (1, 2)
    await ana.did(commands.Move, race, move=SOLUTION[1])


async def test_what_comes_while_one_asks_to_join_again_leaves_no_hole(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    known = ana.pictures[race, "seat"]
    ack = await ben.did(commands.Move, race, move=SOLUTION[0])
    await ana.until(lambda: ana.pictures[race, "seat"].to >= ack.seq, "she has seen more by now")
    seat = await ana.ask(commands.Join(race, None, known.to, known.tag))
    await ana.until(lambda: ana.pictures[race, "seat"].to >= seat.seq, "and all of it joins")
    mark = len(ana.heard)
    seat = await ana.ask(commands.Join(race))
    await ana.hear(events.Snapshot, mark)


async def test_one_who_is_sent_out_while_he_joins_again_has_no_seat(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, ben = await home.guest("Ana"), await home.guest("Ben")
        race = await home.lobby(ana, ben)
        hub = await home.hub(race)
        store.gate.clear()
        await ana.start(commands.Kick, race, player=ben.id)
        await eventually(lambda: not hub._keeper.is_idle, "the kick is under way")
        await ben.send(commands.Join(race, 1))
        await eventually(lambda: hub._keeper._requests, "the join waits")
        store.gate.set()
        refused = await ben.hear(events.Refused)
        assert refused.code == "kicked"
        await eventually(lambda: hub.presence()[0] == (ana.id,), "he is gone")
        assert isinstance(await ben.do(commands.Ready, race), events.Refused)


# Away.


async def test_a_racer_whose_connection_is_gone_is_away_keeps_his_seat_and_loses_nothing(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ben.did(commands.Move, race, move=SOLUTION[0])
    await ben.drop()
    await ana.until(lambda: here(ana) == {ana.id}, "Ben to be away")
    assert ana.racer(race, ben.id).state == "racing"
    await come_back(ben, race)
    await ana.until(lambda: here(ana) == {ana.id, ben.id}, "Ben to be back")
    await ben.did(commands.Move, race, move=SOLUTION[1])


async def test_when_the_last_racers_connection_goes_the_race_ends_by_its_time_limit(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=msgspec.structs.replace(AT_ONCE, time_limit_s=60))
    await ana.drop()
    await eventually(lambda: all(hub.is_idle for hub in home.node.hubs._hubs.values()), "she is gone")
    # After ten seconds the race is not even in memory any more.
    for _ in range(15):
        await home.clock.advance(1_000)
        await asyncio.sleep(0.002)
    await eventually(lambda: len(home.node.hubs) == 0, "it is let go")
    await home.clock.advance(50_000)

    async def is_over() -> bool:
        return (await home.fold(race)).life.phase is Phase.OVER

    async with asyncio.timeout(20):
        while not await is_over():
            await home.clock.advance(1_000)
    assert any(isinstance(one.event, TimeUp) for one in await home.log(race))
    await ana.connect()
    assert ana.welcome is not None
    assert ana.welcome.races == ()


# The edges of time.


async def test_one_who_joins_in_the_last_50_ms_is_seated_with_the_deal_or_too_late(home: House) -> None:
    for number in range(12):
        ana, ben = await home.guest(f"Ana {number}"), await home.guest(f"Ben {number}")
        race = await home.lobby(ana, settings=Settings(deal=1, countdown_s=1))
        await ana.did(commands.Start, race)
        await home.clock.advance(950)
        joining = asyncio.create_task(ben.join(race))
        for _ in range(number * 20):
            await asyncio.sleep(0)
        await home.clock.advance(50)
        answer = await joining
        await ana.reach(race, "running")
        seated = ben.id in {racer.player for racer in (await home.fold(race)).racers}
        if isinstance(answer, events.Seat):
            assert seated
            assert (await ben.reach(race, "running")).picture.layout is not None
            await ben.did(commands.Move, race, move=SOLUTION[0])
        else:
            assert (answer.code, seated) == ("race_started", False)


@pytest.mark.parametrize("late_ms", [-1, 0, 1])
async def test_the_winning_move_at_the_very_end_of_the_time_is_decided_once(
    home: House, late_ms: int
) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=msgspec.structs.replace(AT_ONCE, time_limit_s=600))
    for move in SOLUTION[:-1]:
        await ana.did(commands.Move, race, move=move)
    started_at = (await home.fold(race)).life.started_at
    winning = ana.number(commands.Move, race, move=SOLUTION[-1])
    sent = asyncio.create_task(ana.send(winning))  # type: ignore[arg-type]  # it is a Move
    await home.clock.advance_to(started_at + 600_000 + late_ms)
    await sent
    answer = await ana.answer_to(race, winning.c)
    await home.clock.advance_to(started_at + 600_001)
    over = await ana.reach(race, "over")
    log = [one.event for one in await home.log(race)]
    won = any(isinstance(event, Finished) for event in log)
    assert won == isinstance(answer, events.Ack)
    assert won != any(isinstance(event, TimeUp) for event in log)
    assert over.picture.racers[0].state == ("finished" if won else "out_of_time")


async def test_everyone_starts_in_the_same_moment(home: House) -> None:
    racers = [await home.guest(f"Racer {number}") for number in range(5)]
    race = await home.lobby(*racers, settings=Settings(deal=1, countdown_s=3))
    await racers[0].did(commands.Start, race)
    await home.clock.advance(3_000)
    starts = set()
    for racer in racers:
        await racer.reach(race, "running")
        update = next(e for e in reversed(racer.heard) if isinstance(e, events.Update))
        starts.add((update.to, update.clock))
    assert len(starts) == 1
    assert (await home.fold(race)).life.started_at == home.clock.now_ms()


# One server after another on one file.


async def test_what_was_acknowledged_is_there_after_a_server_that_was_told_to_go(tmp_path: Path) -> None:
    config = Config(port=0, store=f"sqlite:{tmp_path / 'races.sqlite'}", limits=AMPLE)
    async with running(config) as server:
        ana = Player(server.url, "Ana")
        await ana.connect()
        race = await ana.create(AT_ONCE)
        await ana.did(commands.Start, race)
        await ana.reach(race, "running")
        sent = [await ana.start(commands.Move, race, move=move) for move in SOLUTION[:30]]
    assert await ana.ended() == (1012, "restarting")
    acked = [c for c in sent if c in ana.chair(race).acks]
    async with running(config) as server:
        ana.url = server.url
        seat = await come_back(ana, race)
        assert seat.last_c >= max(acked, default=1)
        await ana.until(lambda: not ana.chair(race).unanswered, "the answers")
        assert ana.chair(race).n == 30
        await ana.close()
