"""What is said on a connection, over real sockets: hello, seats, the lobby, the board, the end."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from protocol import commands, events, picture
from protocol.commands import Settings
from protocol.views import Life
from server.gateway.conversation import MAX_STRIKES, MAX_TOO_FAST
from server.gateway.limits import Rate
from server.gateway.watching import MAX_WATCHED
from server.player_log import MAX_OPEN_RACES
from server.race.events import Configured, HostPassed
from server.race.state import KEPT_ANSWERS
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, AT_ONCE, House, house, shaky_house
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)


def refused(answer: object, code: str) -> events.Refused:
    assert isinstance(answer, events.Refused), answer
    assert answer.code == code, answer
    assert answer.detail
    return answer


async def shown(guest: Player, race: str, fits: Callable[[Life], object]) -> None:
    """Wait until the race is shown as it is to be."""

    def is_shown() -> bool:
        following = guest.pictures.get((race, "seat"))
        return following is not None and bool(fits(following.picture.life))

    await guest.until(is_shown, "a change in the race's life")


# Hello.


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


# Create and join.


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


# The lobby.


async def test_when_all_are_ready_the_countdown_runs_by_itself(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=Settings(deal=1, countdown_s=3))
    await ana.did(commands.Ready, race)
    await ana.did(commands.Ready, race, ready=False)
    await ben.did(commands.Ready, race)
    assert (await home.fold(race)).life.phase == "lobby"
    await ana.did(commands.Ready, race)
    for racer in (ana, ben):
        await racer.reach(race, "countdown")
    clock = next(event.clock for event in reversed(ana.heard) if isinstance(event, events.Update))
    assert clock == -3000
    refused(await ana.do(commands.Ready, race, ready=False), "not_lobby")
    refused(await ana.do(commands.Move, race, move="5a"), "not_running")
    await home.clock.advance(3000)
    for racer in (ana, ben):
        assert (await racer.reach(race, "running")).picture.layout is not None


async def test_one_alone_is_not_started_by_being_ready_but_may_start_himself(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana)
    await ana.did(commands.Ready, race)
    assert (await home.fold(race)).life.phase == "lobby"
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")


async def test_only_the_host_configures_starts_and_kicks(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    for kind, fields in (
        (commands.Configure, {"settings": Settings()}),
        (commands.Start, {}),
        (commands.Kick, {"player": ana.id}),
    ):
        answer = refused(await ben.do(kind, race, **fields), "not_host")
        assert "Ana" in answer.detail


async def test_configuring_renews_the_commitment_and_nobody_is_ready_any_more(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=Settings(deal=617))
    await ben.did(commands.Ready, race)
    before = ben.pictures[race, "seat"].picture.life.commitment
    await ana.did(commands.Configure, race, settings=Settings(deal=617, max_racers=4))
    await shown(ben, race, lambda life: life.commitment != before)
    picture = ben.pictures[race, "seat"].picture
    assert picture.life.settings.max_racers == 4
    assert not any(racer.ready for racer in picture.racers)
    refused(await ana.do(commands.Configure, race, settings=Settings(deal="x")), "bad_deal")
    log = await home.log(race)
    assert sum(isinstance(one.event, Configured) for one in log) == 1


async def test_who_is_kicked_is_told_and_stays_out(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    await ana.did(commands.Kick, race, player=ben.id)
    told = await ben.hear(events.Refused)
    assert (told.code, told.race) == ("kicked", race)
    refused(await ben.do(commands.Ready, race), "not_seated")
    refused(await ben.join(race), "kicked")
    refused(await (await home.again(ben)).join(race), "kicked")
    refused(await ana.do(commands.Kick, race, player=ben.id), "no_such_racer")
    refused(await ana.do(commands.Kick, race, player=ana.id), "no_such_racer")
    # And is free to race elsewhere.
    await home.lobby(ben)


async def test_a_host_who_leaves_is_followed_by_the_earliest_of_the_rest(home: House) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    race = await home.lobby(ana, ben, cid)
    await ana.did(commands.Leave, race)
    await shown(cid, race, lambda life: life.host == ben.id)
    assert [racer.name for racer in cid.pictures[race, "seat"].picture.racers] == ["Ben", "Cid"]
    refused(await ana.do(commands.Ready, race), "not_seated")
    to = ana.pictures[race, "seat"].to
    await ben.did(commands.Start, race)
    await cid.reach(race, "running")
    assert ana.pictures[race, "seat"].to == to, "one who left is shown nothing more"


async def test_a_host_away_for_half_a_minute_is_replaced_by_one_who_is_there(home: House) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    race = await home.lobby(ana, ben, cid)
    await ben.close()
    await ana.close()
    await cid.until(lambda: cid.heard and isinstance(cid.heard[-1], events.Presence), "who is there")
    await home.clock.advance(30_000)
    await shown(cid, race, lambda life: life.host == cid.id)
    assert [one.event for one in await home.log(race) if isinstance(one.event, HostPassed)] == [
        HostPassed((await home.fold(race)).racers[2].player)
    ]


async def test_a_lobby_that_everyone_leaves_is_over(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    await ana.did(commands.Leave, race)
    await ben.did(commands.Leave, race)
    assert (await home.fold(race)).life.ending == "abandoned"
    refused(await ana.join(race), "race_over")


# The deal is a secret until the start.


async def test_the_commitment_is_kept(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=Settings(countdown_s=0))
    before = ana.pictures[race, "seat"].picture.life
    assert (before.deal, before.nonce) == (None, None)
    await ana.did(commands.Start, race)
    after = (await ana.reach(race, "running")).picture.life
    assert before.commitment == hashlib.sha256(f"{after.nonce}:{after.deal}".encode()).hexdigest()
    assert after.commitment == before.commitment


# Playing.


async def test_every_board_command_and_the_board_stays_in_step(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    chair = ana.chair(race)
    ack = await ana.did(commands.Move, race, move="5a")
    assert (ack.n, ack.actions, ack.undo, ack.redo, ack.moves) == (1, 1, True, False, (("5", "a", 1),))
    ack = await ana.did(commands.Undo, race)
    assert (ack.n, ack.actions, ack.undo, ack.redo) == (2, 1, False, True)
    ack = await ana.did(commands.Redo, race)
    ack = await ana.did(commands.Send, race, pile="5")
    assert (ack.n, ack.actions) == (4, 2)
    ack = await ana.did(commands.Restart, race)
    assert ack.board is not None
    assert chair.board == ack.board
    assert ack.board.cells == (None,) * 4
    ack = await ana.did(commands.Undo, race)
    assert ack.board is not None
    assert ack.board.cells[0] is not None
    assert (chair.n, ack.n) == (6, 6)
    await home.check()


async def test_an_illegal_move_is_refused_with_why_and_where_the_board_stands(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    before = ana.chair(race).board
    answer = refused(await ana.do(commands.Move, race, move="5a"), "illegal_move")
    assert (answer.n, answer.race, answer.c) == (1, race, 3)
    assert "cell a" in answer.detail
    assert ana.chair(race).board == before


async def test_a_run_too_long_is_refused_with_the_numbers_and_nothing_changes(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    # The next move of the solution takes three cards at once; two cards in the cells stand in its way.
    for move in (*SOLUTION[:12], "1a", "1b"):
        await ana.did(commands.Move, race, move=move)
    before, log = ana.chair(race).board, await home.log(race)
    answer = refused(await ana.do(commands.Move, race, move=SOLUTION[12]), "illegal_move")
    assert answer.detail.startswith("3 cards need 2 free cells; you have 0")
    assert answer.n == 14
    assert (ana.chair(race).board, await home.log(race)) == (before, log)


async def test_a_run_that_moves_is_told_card_by_card_too(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for move in SOLUTION[:12]:
        assert (await ana.did(commands.Move, race, move=move)).singles == ()
    before = ana.chair(race).board
    assert before is not None
    ack = await ana.did(commands.Move, race, move=SOLUTION[12])
    assert [count for _, _, count in ack.moves] == [3]
    assert {count for _, _, count in ack.singles} == {1}
    after = picture.carry(before, ack.singles, n=ack.n, score=ack.score, actions=ack.actions)
    assert after == ana.chair(race).board


async def test_a_command_for_another_version_of_the_board_is_refused(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    for n in (0, 2, 1000):
        answer = refused(await ana.do(commands.Move, race, n=n, move="5b"), "stale_board")
        assert answer.n == 1


async def test_several_commands_may_be_sent_ahead(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    sent = [await ana.start(commands.Move, race, move=move) for move in SOLUTION[:KEPT_ANSWERS]]
    answers = [await ana.answer_to(race, c) for c in sent]
    assert [answer.n for answer in answers] == list(range(1, KEPT_ANSWERS + 1))
    acks = [event.c for event in ana.heard if isinstance(event, events.Ack)][1:]
    assert acks == sent, "they are acknowledged in order"


async def test_of_commands_sent_ahead_those_behind_a_refused_one_are_refused_too(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    sent = [await ana.start(commands.Move, race, move=move) for move in ("5a", "5a", "5b")]
    first, second, third = [await ana.answer_to(race, c) for c in sent]
    assert isinstance(first, events.Ack)
    assert refused(second, "illegal_move").n == 1
    assert refused(third, "stale_board").n == 1


async def test_the_same_number_again_is_answered_again_and_has_no_second_effect(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    ack = await ana.did(commands.Move, race, move="5a")
    length = len(await home.log(race))
    for _ in range(3):
        mark = len(ana.heard)
        await ana.send(commands.Move(race, ack.c, 0, "5a"))
        again = await ana.hear(events.Ack, mark)
        assert (again.c, again.n, again.seq, again.repeated, again.moves) == (ack.c, ack.n, ack.seq, True, ())
    # Even with another move under the same number.
    await ana.send(commands.Move(race, ack.c, 1, "5b"))
    assert len(await home.log(race)) == length


async def test_a_number_too_far_back_is_stale(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    for _ in range(KEPT_ANSWERS):
        await ana.did(commands.Say, race, text="hello")
    mark = len(ana.heard)
    await ana.send(commands.Move(race, 2, 0, "5a"))
    refused(await ana.hear(events.Refused, mark), "stale_command")


async def test_private_messages_come_before_the_update_that_covers_them(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    for move in SOLUTION[:40]:
        await ana.start(commands.Move, race, move=move)
        await ben.did(commands.Say, race, text=move)
    await ana.answer_to(race, ana.chair(race).used_c)
    await ana.until(lambda: ana.pictures[race, "seat"].to >= ana.chair(race).acks[41].seq, "the updates")
    shown = 0
    for event in ana.heard:
        if isinstance(event, events.Update | events.Snapshot):
            shown = event.to
        elif isinstance(event, events.Ack | events.Seat):
            assert event.seq > shown


async def test_hints_and_the_calculator_as_the_race_allows(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, settings=msgspec.structs.replace(AT_ONCE, hints=True))
    hinted = await ana.ask(commands.Hint(race, 0))
    assert isinstance(hinted, events.Hinted)
    assert hinted.move is not None
    assert isinstance(await ana.do(commands.Move, race, move=hinted.move), events.Ack)
    calculated = await ana.ask(commands.Calc(race, 0, "5"))
    assert isinstance(calculated, events.Calculated)
    assert all(bool(place.most) != bool(place.why) for place in calculated.destinations)
    refused(await ana.ask(commands.Calc(race, 0, "9")), "illegal_move")
    without = await home.race(ben)
    refused(await ben.ask(commands.Hint(without, 0)), "not_in_rules")
    refused(await ben.ask(commands.Hint(race, 0)), "not_seated")


async def test_a_race_from_hello_to_replay_and_rematch(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ben.did(commands.Say, race, text="Glück auf!")
    started = home.clock.now_ms()
    for turn, move in enumerate(SOLUTION):
        await home.clock.advance(100)
        ack = await ana.did(commands.Move, race, move=move)
        assert ack.won == (turn == len(SOLUTION) - 1)
    refused(await ana.do(commands.Undo, race), "not_racing")
    finished = home.clock.now_ms() - started
    await ben.until(lambda: ben.racer(race, ana.id).rank == 1, "Ana's place")
    assert ben.racer(race, ana.id).ended_ms == finished
    await ben.did(commands.Resign, race)
    for racer in (ana, ben):
        over = await racer.reach(race, "over")
        assert over.view == "boards"
        assert [(one.name, one.state, one.rank) for one in over.picture.racers] == [
            ("Ana", "finished", 1),
            ("Ben", "resigned", None),
        ]
        assert sum(over.picture.boards[ana.id].home) == 52
        assert [line.text for line in over.picture.chat] == ["Glück auf!"]

    steps: list[events.Step] = []
    while True:
        page = await ben.ask(commands.Replay(race, 0, ana.id, len(steps)))
        assert isinstance(page, events.Replayed)
        steps += page.steps
        if not page.more:
            break
    assert [step.notation for step in steps] == [(move,) for move in SOLUTION]
    assert [step.ms for step in steps] == list(range(100, 100 * len(SOLUTION) + 1, 100))
    refused(await ben.ask(commands.Replay(race, 0, "a" * 16)), "no_such_racer")

    for racer in (ana, ben):
        await racer.did(commands.Rematch, race)
    nexts = {(await racer.hear(events.RematchReady)).next for racer in (ana, ben)}
    assert len(nexts) == 1
    for racer in (ana, ben):
        await shown(racer, race, lambda life: life.rematch in nexts)
        await racer.sit(*nexts)
    again = await home.fold(*nexts)
    assert [racer.name for racer in again.racers] == ["Ana", "Ben"]
    assert again.life.setup.deal_named is False


async def test_a_replay_is_closed_while_the_race_runs(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    refused(await ana.ask(commands.Replay(race, 0, ana.id)), "not_over")
    refused(await ana.do(commands.Rematch, race), "not_over")


async def test_when_time_is_up_all_who_race_are_out_of_time(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=msgspec.structs.replace(AT_ONCE, time_limit_s=60))
    await ben.did(commands.Resign, race)
    await home.clock.advance(59_999)
    await ana.did(commands.Move, race, move="5a")
    await home.clock.advance(1)
    over = await ana.reach(race, "over")
    assert [racer.state for racer in over.picture.racers] == ["out_of_time", "resigned"]
    refused(await ana.do(commands.Move, race, move="5b"), "race_over")


async def test_leaving_a_race_that_runs_is_resigning(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ana.did(commands.Leave, race)
    await ben.until(lambda: ben.racer(race, ana.id).state == "resigned", "it to be seen")
    assert ana.racer(race, ana.id).name == "Ana", "she still sees the race from her seat"


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
