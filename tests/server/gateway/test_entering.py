"""Making races, taking seats in them, and the rematch, over real sockets."""

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from server.player_log import MAX_OPEN_RACES
from tests.server.gateway.house import AT_ONCE, House
from tests.server.gateway.told import refused


async def test_created_then_seat_then_snapshot(home: House) -> None:
    ana = await home.guest("Ana")
    race = await ana.create(Settings(max_racers=3))
    kinds = [type(event) for event in ana.heard[1:4]]
    assert kinds == [events.Created, events.Seat, events.Snapshot]
    picture = ana.pictures[race, "seat"]
    assert picture.view == "racer"
    assert picture.picture.life.host == ana.id
    assert picture.picture.life.settings.max_racers == 3
    assert [racer.name for racer in picture.picture.racers] == ["Ana"]


async def test_the_same_create_again_finds_the_same_race_with_the_same_answers(home: House) -> None:
    ana = await home.guest("Ana")
    race = await ana.create(Settings(deal=617))
    # On the same connection, on another one, and with other settings: they were decided the first time.
    assert await ana.create(Settings(deal=617)) == race
    again = await home.again(ana)
    assert await again.create(Settings(max_racers=2)) == race
    assert (await home.fold(race)).life.setup.max_racers == 8
    assert len((await home.fold(race)).racers) == 1
    ben = await home.guest("Ben")
    assert await ben.create(create_id="a-race-like-any") != race


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (Settings(deal="FC1-C4-00000000"), "bad_deal"),
        (Settings(deal="tomorrow"), "bad_deal"),
        (Settings(cells=3, ruleset="classic"), "bad_settings"),
    ],
)
async def test_a_race_that_cannot_be_is_refused_with_the_reason(
    home: House, settings: Settings, code: str
) -> None:
    ana = await home.guest("Ana")
    refused(await ana.ask(commands.Create("create-1", settings)), code)
    assert await home.node.store.list_logs("") == ["server"]


async def test_a_joiner_gets_his_seat_and_the_picture_and_the_others_see_him(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana)
    seat = await ben.sit(race)
    assert (seat.last_c, seat.n, seat.board) == (0, 0, None)
    await ana.until(lambda: len(ana.pictures[race, "seat"].picture.racers) == 2, "Ben")
    assert ben.pictures[race, "seat"].picture == ana.pictures[race, "seat"].picture


async def test_who_cannot_have_a_seat_is_told_why(home: House) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    two = msgspec.structs.replace(AT_ONCE, max_racers=2)
    race = await home.lobby(ana, ben, settings=two)
    refused(await cid.join(race), "race_full")
    refused(await cid.join("ABCDEFGH"), "no_such_race")
    other = await (await home.again(ana)).create(create_id="another-race")
    refused(await ana.join(other), "one_seat")
    await ben.did(commands.Leave, race)
    namesake = await home.guest("ANA")
    refused(await namesake.join(race), "name_taken")
    await ana.did(commands.Start, race)
    refused(await cid.join(race), "race_started")
    await ana.did(commands.Resign, race)
    refused(await cid.join(race), "race_over")


async def test_one_may_race_again_on_a_connection_once_the_race_is_over(home: House) -> None:
    ana = await home.guest("Ana")
    for number in range(3):
        race = await ana.create(AT_ONCE, create_id=f"race-number-{number}")
        await ana.did(commands.Start, race)
        await ana.did(commands.Resign, race)


async def test_who_asks_for_a_rematch_by_an_old_number_has_asked_for_none(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.send(commands.Rematch(race, 1))  # which was that of `start`
    answer = await ana.hear_that(lambda event: getattr(event, "repeated", False), "the old answer")
    assert isinstance(answer, events.Ack)
    await ana.did(commands.Move, race, move="5a")
    assert ana.last(events.RematchReady) is None
    assert "failed" not in caplog.text


async def test_an_evening_of_rematches_on_one_connection_does_not_run_out(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for _ in range(MAX_OPEN_RACES + 5):
        await ana.did(commands.Resign, race)
        await ana.did(commands.Rematch, race)
        race = (await ana.hear(events.RematchReady)).next
        await ana.sit(race)
        await ana.did(commands.Start, race)


async def test_one_who_has_a_part_in_very_many_races_is_refused_another(home: House) -> None:
    hosts = [await home.guest(f"Host {number}") for number in range(MAX_OPEN_RACES + 1)]
    races = [await home.lobby(host) for host in hosts]
    ana = await home.guest("Ana")
    seats = [await home.again(ana) for _ in races]
    for seat, race in zip(seats[:-1], races[:-1], strict=True):
        await seat.sit(race)
    refused(await seats[-1].join(races[-1]), "too_many")
    await seats[0].did(commands.Leave, races[0])
    await seats[-1].sit(races[-1])
