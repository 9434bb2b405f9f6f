"""Under pressure: peers that do not read, crowds, and a loop that must not be held."""

import asyncio
import socket
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from protocol import commands, events
from protocol.views import Feed
from server.gateway.connection import Connection
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, AT_ONCE, House, eventually, shaky_house
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)
LINE: Final = "\U0001f0a1" * 300
"""A chat line of 1200 bytes."""


async def sees(guest: Player, race: str, to: int, feed: Feed = "watch") -> None:
    """Wait until somebody is shown this much."""

    def is_shown() -> bool:
        following = guest.pictures.get((race, feed))
        return following is not None and following.to >= to

    await guest.until(is_shown, f"event {to}")


async def deaf_watcher(home: House, race: str) -> Player:
    """Somebody who watches, and then never reads again; little fits into what his machine holds for him."""
    host, port = home.url.removeprefix("ws://").rsplit(":", 1)
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.setblocking(False)
    await asyncio.get_running_loop().sock_connect(narrow, (host, int(port)))
    guest = Player(home.url, "Deaf")
    await guest.connect(sock=narrow)
    assert isinstance(await guest.watch(race), events.Watching)
    guest.socket.transport.pause_reading()
    return guest


async def test_a_watcher_that_never_reads_is_cut_at_its_limit_and_the_others_notice_nothing(
    tmp_path: Path,
) -> None:
    async with shaky_house(tmp_path, replace(AMPLE, send_s=0.3), narrow=True) as (home, _):
        ana, eve = await home.guest("Ana"), await home.guest("Eve")
        race = await home.race(ana)
        assert isinstance(await eve.watch(race), events.Watching)
        deaf = await deaf_watcher(home, race)
        cut = home.node.metrics.cut.labels("slow")._value
        hub = await home.hub(race)
        assert hub.presence()[1] == 2
        said = 0
        while not cut.get():
            assert said < 480, "it takes everything and is never cut"
            ack = await ana.did(commands.Say, race, text=LINE)
            # The others see each line as it comes, all the while.
            await sees(eve, race, ack.seq)
            said += 1
        await eventually(lambda: hub.presence()[1] == 1, "that nobody is there any more")
        assert home.node.metrics.connections._value.get() == 2
        ack = await ana.did(commands.Move, race, move=SOLUTION[0])
        await sees(eve, race, ack.seq)
        # It may come back, and gets a snapshot or what is missing.
        await deaf.drop()
        await deaf.connect()
        await deaf.watch(race)
        await sees(deaf, race, ack.seq)
        assert deaf.pictures[race, "watch"].picture == eve.pictures[race, "watch"].picture
        await deaf.close()


async def test_nothing_is_queued_for_a_watcher_that_does_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections: list[Connection] = []
    write = Connection.write

    async def remembered(connection: Connection) -> None:
        connections.append(connection)
        await write(connection)

    monkeypatch.setattr(Connection, "write", remembered)
    async with shaky_house(tmp_path, replace(AMPLE, send_s=60), narrow=True) as (home, _):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        deaf = await deaf_watcher(home, race)
        (follower,) = (await home.hub(race))._watchers
        acks = [await ana.did(commands.Say, race, text=LINE) for _ in range(300)]
        # He is a cursor that stands still; all there is for him is what was written last.
        assert acks[-1].seq - follower.cursor.to > 200
        assert connections[-1]._private == []
        assert connections[-1]._socket.transport.get_write_buffer_size() < 64 * 1024
        await deaf.drop()


async def test_a_racer_that_does_not_read_his_answers_is_cut(tmp_path: Path) -> None:
    async with shaky_house(tmp_path, replace(AMPLE, send_s=0.3), narrow=True) as (home, _):
        ana, ben = await home.guest("Ana"), await home.guest("Ben")
        race = await home.race(ana, ben)
        ben.socket.transport.pause_reading()
        cut = home.node.metrics.cut.labels("slow")._value
        await flood(ben, race)
        await eventually(cut.get, "the cut")
        await ana.did(commands.Move, race, move=SOLUTION[0])
        await ana.until(lambda: here(ana) == {ana.id}, "Ben to be away")
        await ben.drop()


async def flood(guest: Player, race: str) -> None:
    """Ask and ask until the connection ends, and never read the answers."""
    frame = msgspec.json.encode({"t": "calc", "race": race, "q": 1, "pile": "5"}).decode()
    with suppress(ConnectionClosed):
        while True:
            await guest.socket.send(frame)


def here(guest: Player) -> set[str]:
    told = guest.last(events.Presence)
    return set() if told is None else set(told.here)


@pytest.mark.parametrize("watchers", [300])
async def test_a_broadcast_reaches_everyone_in_a_crowd(home: House, watchers: int) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    crowd = [await home.guest(f"Guest {number}") for number in range(watchers)]
    for guest in crowd:
        await guest.watch(race)
    for guest in crowd:
        await sees(guest, race, 1)
    acks = [await ana.did(commands.Move, race, move=move) for move in SOLUTION[:5]]
    for guest in crowd:
        await sees(guest, race, acks[-1].seq)
    boards = {str(guest.pictures[race, "watch"].picture.boards[ana.id]) for guest in crowd}
    assert boards == {str(ana.chair(race).board)}


async def test_many_races_at_once_do_not_wait_for_one_another(home: House) -> None:
    guests = [await home.guest(f"Guest {number}") for number in range(40)]
    races = await asyncio.gather(*(home.race(guest) for guest in guests))

    async def play(guest: Player, race: str) -> None:
        for move in SOLUTION[:20]:
            await guest.did(commands.Move, race, move=move)

    await asyncio.gather(*(play(guest, race) for guest, race in zip(guests, races, strict=True)))
    for guest, race in zip(guests, races, strict=True):
        assert (await home.fold(race)).racers[0].n == guest.chair(race).n == 20


async def test_a_hundred_racers_race(home: House) -> None:
    racers = [await home.guest(f"Racer {number}") for number in range(100)]
    race = await home.race(*racers, settings=msgspec.structs.replace(AT_ONCE, max_racers=100))
    late = await home.guest("Late")
    refused = await late.join(race)
    assert isinstance(refused, events.Refused)

    async def play(guest: Player) -> None:
        for move in SOLUTION[:5]:
            await guest.did(commands.Move, race, move=move)

    await asyncio.gather(*(play(racer) for racer in racers))
    end = len(await home.log(race))
    for racer in racers:
        await sees(racer, race, end, "seat")
        assert {one.actions for one in racer.pictures[race, "seat"].picture.racers} == {5}


async def test_fifty_joins_for_one_seat_seat_one(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=msgspec.structs.replace(AT_ONCE, max_racers=2))
    crowd = [await home.guest(f"Guest {number}") for number in range(50)]
    answers = await asyncio.gather(*(guest.join(race) for guest in crowd))
    assert sum(isinstance(answer, events.Seat) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, events.Refused)} == {"race_full"}
    assert len((await home.fold(race)).racers) == 2


async def test_a_crowd_that_asks_for_the_rematch_at_once_makes_one_race(home: House) -> None:
    racers = [await home.guest(f"Racer {number}") for number in range(20)]
    settings = msgspec.structs.replace(AT_ONCE, max_racers=20)
    race = await home.race(*racers, settings=settings)
    for racer in racers:
        await racer.did(commands.Resign, race)
    await asyncio.gather(*(racer.did(commands.Rematch, race) for racer in racers))
    nexts = {(await racer.hear(events.RematchReady)).next for racer in racers}
    assert len(nexts) == 1
    (following,) = nexts
    assert len((await home.fold(following)).racers) == 20
    assert len(await home.node.store.list_logs("race:")) == 2
    for racer in racers:
        await racer.sit(following)
