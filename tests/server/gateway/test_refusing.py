"""What a conversation refuses before it is looked at: what is malformed, too much, or too fast."""

from dataclasses import replace
from pathlib import Path

import pytest

from protocol import commands, events
from server.gateway.conversation import MAX_STRIKES, MAX_TOO_FAST
from server.gateway.limits import Rate
from server.gateway.watching import MAX_WATCHED
from server.race.state import KEPT_ANSWERS
from tests.server.gateway.house import AMPLE, House, house, shaky_house
from tests.server.gateway.told import SOLUTION, refused, shown

# What is refused before it is looked at.


@pytest.mark.parametrize(
    "frame",
    [
        "[" * 3000,
        '{"t":"move","race":"%s","c":99,"n":0,"move":"5a","x":' + "[" * 1500 + "]" * 1500 + "}",
        '{"t":"move","race":"%s","c":1e2,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":99.0,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":true,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":18446744073709551616,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":NaN,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":99,"n":0,"move":"5a","move":"5b"}',
        '{"t":"move","race":"%s","c":99,"n":0,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":99,"n":-1,"move":"5a"}',
        '{"t":"move","race":"%s","c":0,"n":0,"move":"5a"}',
        '{"t":"move","race":"%s","c":99,"n":0,"move":["5a"]}',
        '{"t":"move","race":"%s","c":99,"n":0}',
        '{"t":"move","race":"%s","c":99,"n":0,"move":"5a","at":0}',
        '{"t":"finish","race":"%s","c":99,"time_ms":1}',
        '{"t":"move","race":"%s","c":99,"n":0,"move":"5a"',
        '{"t":"move","race":"%s","c":99,"n":0,"move":"\\ud800"}',
        "null",
        '"move"',
        "{}",
        "",
    ],
)
async def test_a_frame_that_is_no_message_is_an_error_and_has_no_effect(home: House, frame: str) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    before = await home.log(race)
    mark = len(ana.heard)
    await ana.say(frame.replace("%s", race))
    refused(await ana.hear(events.Refused, mark), "bad_message")
    assert await home.log(race) == before
    await ana.did(commands.Move, race, move="5a")


async def test_a_hundred_thousand_brackets_are_too_big_to_be_looked_at(home: House) -> None:
    ana = await home.guest("Ana")
    await ana.say("[" * 100_000)
    assert (await ana.ended())[0] == 1009


async def test_a_refusal_names_what_it_could_read_of_the_message(home: House) -> None:
    ana = await home.guest("Ana")
    await ana.say('{"t":"move","race":"ABCDEFGH","c":7,"n":"x","move":"5a"}')
    answer = refused(await ana.hear(events.Refused), "bad_message")
    assert (answer.race, answer.c) == ("ABCDEFGH", 7)
    assert "n" in answer.detail


async def test_ten_malformed_messages_in_a_row_end_the_connection(home: House) -> None:
    ana = await home.guest("Ana")
    for _ in range(3):
        for _ in range(MAX_STRIKES - 1):
            await ana.say("nonsense")
        refused(await ana.ask(commands.Join("ABCDEFGH")), "no_such_race")
    for _ in range(MAX_STRIKES):
        await ana.say("nonsense")
    assert await ana.ended() == (1008, "bad_message")


async def test_at_most_32_commands_may_be_unanswered(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        store.gate.clear()
        sent = [await ana.start(commands.Move, race, move=move) for move in SOLUTION[: KEPT_ANSWERS + 2]]
        for c in sent[KEPT_ANSWERS:]:
            assert refused(await ana.answer_to(race, c), "too_fast").retry_ms
        store.gate.set()
        for c in sent[:KEPT_ANSWERS]:
            assert isinstance(await ana.answer_to(race, c), events.Ack)


# How fast.


async def test_who_is_too_fast_is_told_how_long_to_wait(tmp_path: Path) -> None:
    async with house(
        tmp_path, replace(AMPLE, moves=Rate(2, 5), chat=Rate(1, 2), questions=Rate(1, 1))
    ) as home:
        ana = await home.guest("Ana")
        race = await home.race(ana)  # with one of them
        answers = [await ana.do(commands.Move, race, move=move) for move in SOLUTION[:6]]
        assert [isinstance(answer, events.Ack) for answer in answers] == [True] * 4 + [False] * 2
        wait_ms = refused(answers[4], "too_fast").retry_ms
        assert wait_ms is not None
        await home.clock.advance(wait_ms)
        chair = ana.chair(race)
        await ana.send(commands.Move(race, 6, chair.n, SOLUTION[4]))
        await ana.until(lambda: 6 in chair.acks, "the same command to be taken")
        for _ in range(2):
            await ana.did(commands.Say, race, text="hello")
        refused(await ana.do(commands.Say, race, text="hello"), "too_fast")
        assert isinstance(await ana.ask(commands.Calc(race, 0, "1")), events.Calculated)
        refused(await ana.ask(commands.Calc(race, 0, "1")), "too_fast")


async def test_who_is_far_too_fast_is_sent_away(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, joins=Rate(1, 1))) as home:
        ana = await home.guest("Ana")
        for _ in range(MAX_TOO_FAST + 1):
            await ana.send(commands.Join("ABCDEFGH"))
        assert await ana.ended() == (1008, "too_fast")


async def test_ten_thousand_creates_are_capped_and_cost_little(tmp_path: Path) -> None:
    limits = replace(AMPLE, creates=Rate(0.1, 3), creates_per_address=Rate(0.1, 5))
    async with house(tmp_path, limits) as home:
        guests = [await home.guest(f"Guest {number}") for number in range(4)]
        codes = []
        for number in range(400):
            guest = guests[number % 4]
            answer = await guest.ask(commands.Create(f"create-{number}"))
            if isinstance(answer, events.Created):
                await shown(guest, answer.race, lambda life: life.phase == "lobby")
                await guest.did(commands.Leave, answer.race)
                codes.append(answer.race)
            else:
                assert refused(answer, "too_fast").retry_ms
        assert len(codes) == 5
        assert len(await home.node.store.list_logs("race:")) == 5
        assert len(home.node.hubs) <= 5


async def test_codes_cannot_be_tried_out(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, misses=Rate(0.1, 3))) as home:
        answers = []
        for number in range(6):
            guest = await home.guest(f"Guest {number}")
            answers.append(await guest.join("ABCDEFG" + "ABCDEF"[number]))
        assert [getattr(answer, "code", None) for answer in answers] == ["no_such_race"] * 3 + [
            "too_fast"
        ] * 3


async def test_one_who_has_tried_too_many_codes_does_not_find_a_race_that_exists(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, misses=Rate(0.1, 1))) as home:
        ana = await home.guest("Ana")
        race = await home.lobby(ana)
        guest = await home.guest("Guest")
        refused(await guest.join("ABCDEFGA"), "no_such_race")
        refused(await guest.join(race), "too_fast")
        refused(await guest.watch(race), "too_fast")
        await ana.sit(race)  # She has shown that she knows it.
        await home.clock.advance(10_000)
        await guest.sit(race)


async def test_a_connection_watches_so_many_races_at_once(home: House) -> None:
    hosts = [await home.guest(f"Host {number}") for number in range(MAX_WATCHED + 1)]
    races = [await home.lobby(host) for host in hosts]
    eve = await home.guest("Eve")
    for race in races[:-1]:
        assert isinstance(await eve.watch(race), events.Watching)
    refused(await eve.watch(races[-1]), "too_many")
    assert isinstance(await eve.watch(races[0]), events.Watching), "that one she watches already"
    assert isinstance(await eve.ask(commands.Unwatch(races[0])), events.Unwatched)
    assert isinstance(await eve.watch(races[-1]), events.Watching)
