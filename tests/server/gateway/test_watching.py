"""Those who watch: what they see, how late, and that they can do nothing to a race."""

import asyncio
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from tests.end_to_end.player import Player
from tests.server.gateway.house import AT_ONCE, House, eventually, shaky_house
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


def settings(watch: commands.WatchPolicy, delay_s: int = 30) -> Settings:
    return msgspec.structs.replace(AT_ONCE, watch=watch, delay_s=delay_s)


def shows(guest: Player, race: str) -> int:
    """How far somebody sees who watches."""
    following = guest.pictures.get((race, "watch"))
    return following.to if following else 0


async def sees(guest: Player, race: str, to: int) -> None:
    """Wait until somebody who watches is shown this much."""
    await guest.until(lambda: shows(guest, race) >= to, f"event {to}")


async def watching(guest: Player, race: str) -> events.Watching:
    answer = await guest.watch(race)
    assert isinstance(answer, events.Watching), answer
    return answer


# Who sees what.


async def test_a_live_watcher_sees_every_board_as_it_is(home: House) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.race(ana, ben, settings=settings("live"))
    told = await watching(eve, race)
    assert (told.view, told.delay_ms) == ("boards", 0)
    assert told.why
    for move in SOLUTION[:10]:
        await ana.did(commands.Move, race, move=move)
    await ben.did(commands.Move, race, move=SOLUTION[0])
    last = await ben.did(commands.Undo, race)
    await sees(eve, race, last.seq)
    boards = eve.pictures[race, "watch"].picture.boards
    assert boards[ana.id] == ana.chair(race).board
    assert boards[ben.id] == ben.chair(race).board


async def test_what_comes_while_one_asks_to_watch_again_leaves_no_hole(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("live"))
    await watching(eve, race)
    await sees(eve, race, 1)
    known = eve.pictures[race, "watch"]
    await sees(eve, race, (await ana.did(commands.Move, race, move=SOLUTION[0])).seq)
    await eve.ask(commands.Watch(race, None, known.to, known.tag))
    await sees(eve, race, (await ana.did(commands.Move, race, move=SOLUTION[1])).seq)
    mark = len(eve.heard)
    await eve.ask(commands.Watch(race))
    await eve.hear(events.Snapshot, mark)


async def test_a_delayed_watcher_sees_everything_late(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("delayed", delay_s=30))
    told = await watching(eve, race)
    assert (told.view, told.delay_ms) == ("boards", 30_000)
    assert "30 s" in told.why
    await eve.until(lambda: shows(eve, race), "a picture")
    assert eve.pictures[race, "watch"].picture.life.phase == "lobby"
    await home.clock.advance(10_000)
    await ana.did(commands.Move, race, move=SOLUTION[0])
    await ana.did(commands.Say, race, text="no more")
    over = await ana.did(commands.Resign, race)
    await ana.reach(race, "over")
    await home.clock.advance(29_999)
    picture = eve.pictures[race, "watch"].picture
    await eve.until(lambda: eve.pictures[race, "watch"].picture.life.phase == "running", "the start")
    picture = eve.pictures[race, "watch"].picture
    assert (picture.chat, picture.racers[0].actions, picture.racers[0].state) == ((), 0, "racing")
    update = eve.last(events.Update)
    assert update is not None
    assert update.clock == 0
    await home.clock.advance(1)
    await eve.until(lambda: shows(eve, race) > over.seq, "the end")
    picture = eve.pictures[race, "watch"].picture
    assert (picture.life.phase, [line.text for line in picture.chat]) == ("over", ["no more"])
    assert picture.boards[ana.id] == ana.chair(race).board


async def test_a_progress_watcher_sees_no_board_until_it_is_over(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("progress"))
    assert (await watching(eve, race)).view == "progress"
    ack = await ana.did(commands.Move, race, move=SOLUTION[0])
    await sees(eve, race, ack.seq)
    assert eve.pictures[race, "watch"].picture.racers[0].actions == 1
    assert eve.pictures[race, "watch"].picture.boards == {}
    await ana.did(commands.Resign, race)
    await eve.until(lambda: eve.pictures[race, "watch"].view == "boards", "the boards")
    assert eve.pictures[race, "watch"].picture.boards[ana.id] == ana.chair(race).board


async def test_where_nobody_may_watch_one_may_when_it_is_over(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("none"))
    refused = await eve.watch(race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "no_watching"
    await ana.did(commands.Resign, race)
    assert (await watching(eve, race)).view == "boards"
    await eve.reach(race, "over", "watch")


async def test_who_watched_before_nobody_may_comes_back_and_waits_for_the_end(home: House) -> None:
    ana, eve, bob = [await home.guest(name) for name in ("Ana", "Eve", "Bob")]
    race = await home.lobby(ana, settings=settings("live"))
    await watching(eve, race)
    await eve.until(lambda: shows(eve, race), "a picture")
    await ana.did(commands.Configure, race, settings=settings("none"))
    await eve.drop()
    await eve.connect()
    assert (await watching(eve, race)).paused
    refused = await bob.watch(race)
    assert isinstance(refused, events.Refused)
    seen = shows(eve, race)
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    assert shows(eve, race) == seen
    await ana.did(commands.Resign, race)
    await eve.reach(race, "over", "watch")


async def test_a_race_that_is_not_there_cannot_be_watched(home: House) -> None:
    eve = await home.guest("Eve")
    refused = await eve.watch("ABCDEFGH")
    assert isinstance(refused, events.Refused)
    assert refused.code == "no_such_race"


async def test_a_racer_who_watches_another_in_a_second_connection_gets_progress_only(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=settings("live"))
    second = await home.again(ben)
    assert (await watching(second, race)).view == "racer"
    assert (await watching(ben, race)).view == "racer"
    for move in SOLUTION[:10]:
        ack = await ana.did(commands.Move, race, move=move)
        await sees(second, race, ack.seq)
    for guest in (ben, second):
        assert guest.pictures[race, "watch"].picture.boards == {}
        assert not any("moved" in frame or "boards" in frame for frame in guest.frames)


async def test_one_who_will_race_sees_no_more_in_the_lobby_than_at_his_seat(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=settings("live"))
    assert (await watching(ben, race)).view == "racer"


@pytest.mark.parametrize(
    ("policy", "view", "delay_ms"), [("live", "boards", 0), ("delayed", "boards", 5_000)]
)
async def test_one_who_is_done_gets_what_watchers_get_beside_his_seats_progress(
    home: House, policy: commands.WatchPolicy, view: str, delay_ms: int
) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=settings(policy, delay_s=5))
    await ben.did(commands.Resign, race)
    told = await watching(ben, race)
    assert (told.view, told.delay_ms) == (view, delay_ms)
    ack = await ana.did(commands.Move, race, move=SOLUTION[0])
    await ben.until(lambda: ben.pictures[race, "seat"].to >= ack.seq, "progress at once")
    assert ben.pictures[race, "seat"].view == "racer"
    await home.clock.advance(delay_ms)
    await sees(ben, race, ack.seq)
    assert ben.pictures[race, "watch"].picture.boards[ana.id] == ana.chair(race).board


async def test_one_who_watches_when_he_resigns_is_shown_the_boards_from_then_on(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=settings("live"))
    await watching(ben, race)
    await ana.did(commands.Move, race, move=SOLUTION[0])
    await ben.did(commands.Resign, race)
    await ben.until(lambda: ben.pictures[race, "watch"].view == "boards", "the boards")


# Coming back, and stopping.


async def test_a_watcher_who_comes_back_gets_what_is_missing(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("live"))
    await watching(eve, race)
    await eve.until(lambda: shows(eve, race), "a picture")
    await eve.drop()
    acks = [await ana.did(commands.Move, race, move=move) for move in SOLUTION[:10]]
    await eve.connect()
    mark = len(eve.heard)
    await watching(eve, race)
    await sees(eve, race, acks[-1].seq)
    assert not any(isinstance(event, events.Snapshot) for event in eve.heard[mark:])


async def test_a_delayed_watcher_who_comes_back_gets_what_is_missing_no_sooner(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("delayed", delay_s=10))
    await home.clock.advance(10_000)
    await watching(eve, race)
    await eve.reach(race, "running", "watch")
    ack = await ana.did(commands.Move, race, move=SOLUTION[0])
    await eve.drop()
    await home.clock.advance(5_000)
    await eve.connect()
    await watching(eve, race)
    await home.clock.advance(4_999)
    assert shows(eve, race) < ack.seq
    await home.clock.advance(1)
    await sees(eve, race, ack.seq)


async def test_one_who_stops_watching_is_shown_nothing_more(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("live"))
    await watching(eve, race)
    await eve.until(lambda: shows(eve, race), "a picture")
    assert isinstance(await eve.ask(commands.Unwatch(race)), events.Unwatched)
    to = shows(eve, race)
    await ana.did(commands.Move, race, move=SOLUTION[0])
    assert isinstance(await eve.ask(commands.Unwatch(race)), events.Unwatched), "twice does no harm"
    assert shows(eve, race) == to


async def test_a_clock_told_in_a_quiet_race_is_right(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=settings("live"))
    for number in range(3):
        eve = await home.guest(f"Eve {number}")
        await watching(eve, race)
        assert (await eve.hear(events.Snapshot, 0)).clock == 100_000 * number
        await home.clock.advance(100_000)


# Chat.


async def test_watchers_chat_reaches_watchers_at_once_and_racers_after_the_race(home: House) -> None:
    ana, eve, fay = [await home.guest(name) for name in ("Ana", "Eve", "Fay")]
    race = await home.race(ana, settings=settings("live"))
    for guest in (eve, fay):
        await watching(guest, race)
    await eve.did(commands.Say, race, text="try the 7 of hearts")
    ack = await ana.did(commands.Say, race, text="hello all")
    await sees(fay, race, ack.seq)
    texts = [line.text for line in fay.pictures[race, "watch"].picture.chat]
    assert texts == ["try the 7 of hearts", "hello all"]
    await ana.until(lambda: ana.pictures[race, "seat"].to >= ack.seq, "the line")
    assert [line.text for line in ana.pictures[race, "seat"].picture.chat] == ["hello all"]
    assert not any("7 of hearts" in frame for frame in ana.frames)
    await ana.did(commands.Resign, race)
    await ana.until(lambda: len(ana.pictures[race, "seat"].picture.chat) == 2, "all of it")


async def test_a_watchers_numbers_count_for_himself_and_go_on_after_a_reconnect(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("live"))
    await watching(eve, race)
    await eve.did(commands.Say, race, text="one")
    await eve.drop()
    await eve.connect()
    await watching(eve, race)
    await eve.did(commands.Say, race, text="two")
    mark = len(eve.heard)
    await eve.send(commands.Say(race, 1, "one"))
    assert (await eve.hear(events.Ack, mark)).repeated
    assert [line.text for line in (await home.fold(race)).chat] == ["one", "two"]


async def test_a_watcher_who_comes_anew_is_told_which_numbers_are_used(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.lobby(ana)
    first = await eve.watch(race)
    assert isinstance(first, events.Watching)
    assert first.last_c == 0
    said = await eve.did(commands.Say, race, text="hello")
    again = await home.again(eve)
    second = await again.watch(race)
    assert isinstance(second, events.Watching)
    assert second.last_c == said.c


# A watcher can do nothing.


COMMANDS: Final[dict[str, dict[str, Any]]] = {
    "move": {"n": 0, "move": "5a"},
    "send": {"n": 0, "pile": "5"},
    "undo": {"n": 0},
    "redo": {"n": 0},
    "restart": {"n": 0},
    "auto_finish": {"n": 0},
    "ready": {},
    "start": {},
    "configure": {"settings": {}},
    "kick": {"player": "a" * 16},
    "leave": {},
    "resign": {},
    "rematch": {},
    "hint": {},
    "calc": {"pile": "5"},
}


@pytest.mark.parametrize("phase", ["lobby", "running", "over"])
async def test_every_command_a_racer_has_sent_by_a_watcher_is_refused_and_nothing_is_broadcast(
    home: House, phase: str
) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    if phase == "lobby":
        race = await home.lobby(ana, ben)
    else:
        race = await home.race(ana, ben)
        if phase == "over":
            for racer in (ana, ben):
                await racer.did(commands.Resign, race)
    await watching(eve, race)
    for guest in (ana, ben):
        await guest.reach(race, phase)  # type: ignore[arg-type]  # one of the phases
    before = await home.log(race)
    heard = len(ben.heard)
    for c, (kind, fields) in enumerate(COMMANDS.items(), 1):
        number = {"q": c} if kind in ("hint", "calc") else {"c": c}
        mark = len(eve.heard)
        await eve.say(msgspec.json.encode({"t": kind, "race": race, **number, **fields}).decode())
        refused = await eve.hear(events.Refused, mark)
        assert refused.code == "not_seated", kind
        assert (refused.c, refused.q) == (number.get("c"), number.get("q"))
    assert await home.log(race) == before
    assert not any(isinstance(event, events.Update | events.Snapshot) for event in ben.heard[heard:])


async def test_one_with_no_part_in_a_race_cannot_even_talk_in_it(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.race(ana, settings=settings("live"))
    refused = await eve.do(commands.Say, race, text="hello")
    assert isinstance(refused, events.Refused)
    assert refused.code == "not_seated"
    assert not (await home.fold(race)).chat


# Trouble.


async def test_a_delayed_picture_waits_for_a_store_that_is_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, eve = await home.guest("Ana"), await home.guest("Eve")
        race = await home.race(ana, settings=settings("delayed", delay_s=5))
        await home.clock.advance(5_000)
        hub = await home.hub(race)
        store.reads_to_fail = 1
        await watching(eve, race)
        await eventually(lambda: not store.reads_to_fail, "the failure")
        assert shows(eve, race) == 0
        await home.clock.advance(1_000)
        await eve.reach(race, "running", "watch")
        assert hub.race.seq == shows(eve, race)


async def test_fifty_connections_that_come_and_go_during_a_broadcast_and_nobody_misses_anything(
    home: House,
) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=settings("live"))
    steady = [await home.guest(f"Steady {number}") for number in range(5)]
    for guest in steady:
        await watching(guest, race)
    done = asyncio.Event()

    async def come_and_go(number: int) -> Player:
        guest = home.stranger(f"Guest {number}")
        for turn in range(100):
            await guest.connect()
            await watching(guest, race)
            for _ in range((number * 7 + turn) % 30):
                await asyncio.sleep(0)
            if done.is_set():
                return guest
            await guest.drop()
        return guest

    crowd = [asyncio.create_task(come_and_go(number)) for number in range(50)]
    for move in SOLUTION:
        ack = await ana.did(commands.Move, race, move=move)
        await ben.did(commands.Say, race, text=f"{ack.n}")
    done.set()
    guests = await asyncio.gather(*crowd)
    last = ben.chair(race).acks[len(SOLUTION)].seq
    # Whoever is there at the end has the whole of it; how they got it is checked update by update.
    for guest in (*steady, *guests):
        await sees(guest, race, last)
        assert len(guest.pictures[race, "watch"].picture.chat) == len(SOLUTION)
        assert sum(guest.pictures[race, "watch"].picture.boards[ana.id].home) == 52


async def test_a_race_let_go_in_the_moment_a_watcher_comes_is_watched_all_the_same(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, eve = await home.guest("Ana"), await home.guest("Eve")
        race = await home.race(ana, settings=settings("live"))
        await ana.drop()
        hub = await home.hub(race)
        await eventually(lambda: hub.is_idle, "that nobody follows it")

        async def long_after() -> None:
            for _ in range(15):
                await home.clock.advance(1_000)
            await eventually(lambda: len(home.node.hubs) == 0, "that it is let go")

        # What she has seen is looked up in the log, and that takes the store a while.
        store.before_read = long_after
        assert isinstance(await eve.ask(commands.Watch(race, None, 3, "0" * 16)), events.Watching)
        await ana.connect()
        await ana.sit(race)
        await sees(eve, race, (await ana.did(commands.Move, race, move=SOLUTION[0])).seq)
