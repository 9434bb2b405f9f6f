"""The beginning of a conversation, over real sockets: hello, welcome, names."""

from typing import Any

import msgspec
import pytest

from protocol import commands, events
from tests.server.gateway.house import AT_ONCE, House
from tests.server.gateway.told import refused


async def test_a_new_player_is_given_a_token_once_and_is_the_same_player_with_it(home: House) -> None:
    ana = await home.guest("Ana")
    assert ana.welcome is not None
    assert ana.welcome.token is not None
    assert ana.welcome.token.startswith(ana.welcome.player + ".")
    again = await home.again(ana)
    assert again.welcome is not None
    assert (again.welcome.player, again.welcome.token) == (ana.welcome.player, None)


async def test_welcome_tells_the_races_one_has_a_seat_in_that_are_not_over(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    running = await home.race(ana, ben)
    other = await home.again(ana)
    ended = await other.create(AT_ONCE, create_id="a-second-race")
    await other.did(commands.Leave, ended)
    left = await home.lobby(ben_too := await home.again(ben))
    third = await home.again(ana)
    await third.sit(left)
    await third.did(commands.Leave, left)
    back = await home.again(ana)
    assert back.welcome is not None
    assert back.welcome.races == (running,)
    back = await home.again(ben_too)
    assert back.welcome is not None
    assert set(back.welcome.races) == {running, left}
    seats = {seat.race: seat for seat in back.welcome.seats}
    assert (seats[running].phase, seats[running].host, seats[running].people) == ("running", False, 2)
    assert (seats[running].deal, seats[running].deal_code) == (1, "FC1-C4-AAAAAAB")
    assert (seats[left].phase, seats[left].host, seats[left].people) == ("lobby", True, 1)
    assert (seats[left].deal, seats[left].settings.cells, seats[left].done) == (None, 4, False)


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ('{"t":"join","race":"ABCDEFGH"}', "hello_first"),
        ('{"t":"create","id":"create-1"}', "hello_first"),
        ('{"t":"hello","v":2,"name":"Ana"}', "wrong_version"),
        ('{"t":"hello","v":0,"name":"Ana"}', "wrong_version"),
    ],
)
async def test_whoever_does_not_begin_with_a_hello_of_this_version_is_sent_away(
    home: House, frame: str, code: str
) -> None:
    guest = home.stranger("Ana")
    await guest.open()
    await guest.say(frame)
    refused(await guest.hear(events.Refused), code)
    assert await guest.ended() == (1008, code)


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"name": "\u202eAna"}, "bad_name"),
        ({"name": "..."}, "bad_name"),
        ({"name": "x" * 25}, "bad_name"),
        ({"name": "Ana", "token": "a" * 16 + "." + "b" * 26}, "bad_token"),
        ({"name": "Ana", "token": "nonsense"}, "bad_message"),
        ({"name": ""}, "bad_message"),
        ({"name": "Ana", "extra": 1}, "bad_message"),
    ],
)
async def test_a_hello_that_will_not_do_may_be_said_again(
    home: House, hello: dict[str, Any], code: str
) -> None:
    guest = home.stranger("Ana")
    await guest.open()
    await guest.say(msgspec.json.encode({"t": "hello", "v": 1, **hello}).decode())
    refused(await guest.hear(events.Refused), code)
    await guest.send(commands.Hello(1, "Ana"))
    assert (await guest.hear(events.Welcome)).name == "Ana"


async def test_a_second_hello_is_refused(home: House) -> None:
    ana = await home.guest("Ana")
    await ana.send(commands.Hello(1, "Anna"))
    refused(await ana.hear(events.Refused), "bad_message")


async def test_names_of_every_script_are_kept(home: House) -> None:
    racers = [await home.guest(name) for name in ("さくら", "Jürgen", "Екатерина")]
    race = await home.lobby(*racers)
    assert [racer.name for racer in (await home.fold(race)).racers] == ["さくら", "Jürgen", "Екатерина"]
