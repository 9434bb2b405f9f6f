"""What people hear when something goes wrong on the server's side, and that it goes right afterwards."""

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from protocol import commands, events, version
from server.gateway import hubs as hubs_module
from server.gateway.hubs import race_code
from server.gateway.limits import Rate
from server.gateway.players import Players
from server.player_log import Entered
from server.race.state import PlayerId, RaceCode
from server.store.base import START, new_tag
from tests.end_to_end.player import Player
from tests.server.gateway.house import AMPLE, House, house, shaky_house
from tests.server.gateway.scripted import Fate, Trouble
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)
STUMBLES: Final[list[list[Fate]]] = [[], [Trouble.DOWN], [Trouble.REPLY_LOST], [Trouble.SENT_TWICE]]


def is_unavailable(answer: object) -> bool:
    return isinstance(answer, events.Refused) and answer.code == "unavailable" and (answer.retry_ms or 0) > 0


async def test_one_whose_own_log_cannot_be_read_is_told_so(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    ana = await home.guest("Ana")
    await home.node.store.append(f"player:{ana.id}", START, [b"no event"], tag=new_tag())
    again = home.stranger("Ana", ana.token)
    await again.open()
    await again.send(commands.Hello(version.PROTOCOL, "Ana", ana.token))
    assert await again.ended() == (1011, "internal")
    assert "what the server keeps of you cannot be read" in again.frames[-1]
    assert "a player's log cannot be read" in caplog.text


async def test_one_whose_own_log_the_store_can_make_no_sense_of_is_told_so(tmp_path: Path) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.lobby(await home.guest("Ben"))
        store.damaged = {f"player:{ana.id}"}
        await ana.send(commands.Join(race, 1))
        assert await ana.ended() == (1011, "internal")
        assert "what the server keeps of you cannot be read" in ana.frames[-1]


async def test_an_attempt_whose_log_makes_no_sense_is_said_to_be_lost_and_a_race_is_made_anew(
    tmp_path: Path,
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        told = await ana.ask(commands.Daily(ana.next_q()))
        made = await ana.create(create_id="create-1")
        await ana.did(commands.Leave, made)
        store.damaged = {f"daily:{told.day}:4:{ana.id}", f"race:{made}"}
        refused = await ana.ask(commands.Attempt(told.day))
        assert isinstance(refused, events.Refused)
        assert (refused.code, refused.detail) == (
            "no_such_race",
            "what the server keeps of this race cannot be read",
        )
        assert await ana.create(create_id="create-1") != made
        store.damaged = {f"race:{made}", *(f"race:{race_code(f'{ana.id}:create-1:{n}')}" for n in range(9))}
        assert is_unavailable(await ana.ask(commands.Create("create-1")))
        store.damaged.clear()


async def test_a_race_whose_log_cannot_be_read_is_refused_in_words(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    await home.node.store.append("race:ABCDEFGH", START, [b"no event"], tag=new_tag())
    ana = await home.guest("Ana")
    for ask in (commands.Join("ABCDEFGH"), commands.Watch("ABCDEFGH")):
        answer = await ana.ask(ask)
        assert isinstance(answer, events.Refused)
        assert (answer.code, answer.detail) == (
            "no_such_race",
            "what the server keeps of this race cannot be read",
        )
    assert "a race's log cannot be read" in caplog.text


async def test_where_the_store_makes_no_sense_of_one_race_the_others_go_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, *hosts = [await home.guest(name) for name in ("Ana", "Ben", "Cec", "Dan")]
        races = [await home.lobby(host, await home.again(ana)) for host in hosts]
        await home.node.hubs.close()
        store.damaged = {f"race:{races[0]}", "server"}
        again = await home.again(ana)
        assert again.welcome is not None
        assert set(again.welcome.races) == set(races[1:]), "no client is to begin with the one that is no use"
        refused = await again.ask(commands.Join(races[0]))
        assert isinstance(refused, events.Refused)
        assert (refused.code, refused.detail) == (
            "no_such_race",
            "what the server keeps of this race cannot be read",
        )
        home.node.almanac._key = None
        refused = await again.ask(commands.Daily(again.next_q()))
        assert isinstance(refused, events.Refused)
        assert (refused.code, refused.retry_ms) == ("no_such_day", None)
        await again.sit(races[1])
        assert "what is asked for cannot be read: " in caplog.text
        assert "there is no deal of the day: " in caplog.text
        store.damaged.clear()
        again = await home.again(ana)
        assert again.welcome is not None
        assert set(again.welcome.races) == set(races)
        home.node.hubs.start()


async def test_a_fault_in_one_conversation_ends_it_and_no_other_and_tells_no_detail(
    home: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana)

    def fail(*_: object) -> None:
        raise RuntimeError("a secret of the server's")

    monkeypatch.setattr("server.gateway.playing.question_of", fail)
    await ana.send(commands.Calc(race, 1, "5"))
    assert await ana.ended() == (1011, "internal")
    assert "secret" not in "".join(ana.frames)
    assert "a secret of the server's" in caplog.text
    monkeypatch.undo()
    assert isinstance(await ben.ask(commands.Join("ABCDEFGH")), events.Refused)
    await ana.connect()
    await ana.sit(race)
    await ana.did(commands.Move, race, move=SOLUTION[0])


async def test_while_the_store_is_away_everything_is_refused_and_then_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
        race = await home.race(ana)
        over = await home.race(ben)
        await ben.did(commands.Resign, over)
        store.down = True
        asked: list[tuple[Player, commands.Command]] = [
            (ben, commands.Create("another-race")),
            (ben, commands.Join(race)),
            (ana, commands.Join(race)),
            (eve, commands.Watch(race)),
            (eve, commands.Join("ABCDEFGH")),
            (eve, commands.Replay(over, 1, ben.id)),
            (ana, commands.Calc(race, 1, "5")),
        ]
        for guest, command in asked:
            assert is_unavailable(await guest.ask(command)), command
        for kind, fields in ((commands.Move, {"move": "5a"}), (commands.Say, {"text": "hello?"})):
            assert is_unavailable(await ana.do(kind, race, **fields))
        store.down = False
        assert isinstance(await ben.ask(commands.Create("another-race")), events.Created)
        assert isinstance(await eve.watch(race), events.Watching)
        assert isinstance(await eve.ask(commands.Replay(over, 1, ben.id)), events.Replayed)
        assert isinstance(await ana.ask(commands.Calc(race, 1, "5")), events.Calculated)
        await ana.send(commands.Move(race, 2, 0, "5a"))
        await ana.until(lambda: 2 in ana.chair(race).acks, "the move")
        await ana.did(commands.Say, race, text="hello!")


async def test_a_seat_whose_append_fails_may_be_asked_for_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, ben = await home.guest("Ana"), await home.guest("Ben")
        race = await home.lobby(ana)
        # His player's log can be written, and the race's own cannot.
        store.refuses = lambda log_id: log_id.startswith("race:")
        assert is_unavailable(await ben.join(race))
        store.refuses = lambda log_id: False
        await ben.sit(race)
        assert len((await home.fold(race)).racers) == 2


async def test_a_welcome_while_the_store_is_away_tells_no_races(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        store.down = True
        again = await home.again(ana)
        assert again.welcome is not None
        assert again.welcome.races == ()
        assert "may lack races" in caplog.text
        store.down = False
        again = await home.again(ana)
        assert again.welcome is not None
        assert again.welcome.races == (race,)


async def enter(home: House, guest: Player, code: str) -> None:
    """Write down that somebody has a part in a race, as is done before he takes it."""
    player = PlayerId(guest.id)
    players = Players(home.node.store)
    folded, tip = await players._fold(player)
    assert folded.exists
    assert await players._append(player, tip, [Entered(RaceCode(code))])


async def test_a_race_that_never_came_to_be_is_not_told_and_written_off(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    # The node died between writing down that she would take part and making the race.
    await enter(home, ana, "ABCDEFGH")
    again = await home.again(ana)
    assert again.welcome is not None
    assert again.welcome.races == (race,)
    assert await Players(home.node.store).open_races(PlayerId(ana.id)) == (RaceCode(race),)


@pytest.mark.parametrize(("log", "told"), [(b"nonsense", False), (b'["created",{},9,9]', True)])
async def test_one_broken_or_newer_race_locks_nobody_out_of_the_others(
    home: House, log: bytes, told: bool
) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await home.node.store.append("race:BRKNBRKN", START, [log], tag=new_tag())
    await enter(home, ana, "BRKNBRKN")
    again = await home.again(ana)
    assert again.welcome is not None
    assert set(again.welcome.races) == {race, *(["BRKNBRKN"] if told else [])}
    await again.sit(race)


async def test_a_node_without_room_says_so(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ana, ben, cid = [await home.guest(name) for name in ("Ana", "Ben", "Cid")]
    race = await home.race(ana)
    monkeypatch.setattr(hubs_module, "MAX_LIVE", 1)
    for command in (commands.Create("another-race"), commands.Create("another-race")):
        refused = await ben.ask(command)
        assert isinstance(refused, events.Refused)
        assert refused.code == "too_many"
    await ana.did(commands.Resign, race)
    await ana.did(commands.Rematch, race)
    refused = await ana.hear(events.Refused)
    assert (refused.code, refused.race, refused.c) == ("too_many", race, None)
    monkeypatch.undo()
    # It was made all the same; only there was no room to sit down in it.
    mark = len(ana.heard)
    await ana.did(commands.Rematch, race)
    following = (await ana.hear(events.RematchReady, mark)).next
    await ana.sit(following)
    assert isinstance(await cid.join(following), events.Seat)


async def test_a_rematch_that_cannot_be_made_now_is_made_when_it_is_asked_for_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        await ana.did(commands.Resign, race)
        store.refuses = lambda log_id: log_id != f"race:{race}"
        ack = await ana.did(commands.Rematch, race)
        refused = await ana.hear(events.Refused)
        assert (refused.code, refused.race, refused.c) == ("unavailable", race, None)
        store.refuses = lambda log_id: False
        mark = len(ana.heard)
        await ana.send(commands.Rematch(race, ack.c))
        assert (await ana.hear(events.Ack, mark)).repeated
        await ana.sit((await ana.hear(events.RematchReady, mark)).next)


async def test_everyone_hears_in_the_end_though_the_store_stumbles_again_and_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana, eve = await home.guest("Ana"), await home.guest("Eve")
        race = await home.race(ana)
        await eve.watch(race)
        chair = ana.chair(race)
        for turn, move in enumerate(SOLUTION[:30]):
            store.reads_to_fail = turn % 2
            store.fates = list(STUMBLES[turn % len(STUMBLES)])
            c = await ana.start(commands.Move, race, n=turn, move=move)
            while c not in chair.acks:
                answer = await ana.answer_to(race, c)
                if isinstance(answer, events.Refused):
                    assert is_unavailable(answer), answer
                    del chair.answers[c]
                    await home.clock.advance(answer.retry_ms or 0)
                    await ana.send(chair.sent[c])  # type: ignore[arg-type]  # every numbered one is a command
        seat = await ana.sit(race)
        assert seat.n == 30
        await eve.until(lambda: eve.pictures[race, "watch"].to >= seat.seq, "all of it")
        assert eve.pictures[race, "watch"].picture.boards[ana.id] == seat.board


async def test_one_who_was_never_told_of_an_effect_gets_his_seat_before_the_repeated_answer(
    tmp_path: Path,
) -> None:
    async with shaky_house(tmp_path) as (home, store):
        ana = await home.guest("Ana")
        race = await home.race(ana)
        store.fates, store.reads_to_fail = [Trouble.REPLY_LOST], 1
        c = await ana.start(commands.Move, race, n=0, move=SOLUTION[0])
        refused = await ana.answer_to(race, c)
        assert is_unavailable(refused)
        mark = len(ana.heard)
        await home.clock.advance(1000)
        await ana.send(ana.chair(race).sent[c])  # type: ignore[arg-type]  # every numbered one is a command
        assert (await ana.hear(events.Seat, mark)).n == 1
        ack = await ana.hear(events.Ack)
        assert (ack.c, ack.repeated) == (c, True)
        await ana.send(ana.chair(race).sent[c])  # type: ignore[arg-type]  # every numbered one is a command
        assert (await ana.hear(events.Ack)).repeated
        seats = [event for event in ana.heard[mark:] if isinstance(event, events.Seat)]
        assert len(seats) == 1, "once he has been told, the answer is enough"


async def test_one_who_left_and_was_not_told_gets_no_seat_by_coming_back(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben)
    await ben.start(commands.Leave, race)
    await ana.until(lambda: len(ana.pictures[race, "seat"].picture.racers) == 1, "Ben has left")
    await ben.drop()
    await ben.connect()
    refused = await ben.join(race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "not_seated"
    assert [racer.name for racer in (await home.fold(race)).racers] == ["Ana"]
    answer = await ben.ask(commands.Join(race))
    assert isinstance(answer, events.Seat), "but he may join anew"


async def test_a_rematch_asked_for_twice_does_not_take_the_seat_from_whoever_asked(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Resign, race)
    ack = await ana.did(commands.Rematch, race)
    following = (await ana.hear(events.RematchReady)).next
    await ana.send(commands.Rematch(race, ack.c))
    seat = await ana.sit(following)
    await ana.did(commands.Say, following, text="here")
    assert ana.closed is None
    assert (await home.fold(following)).members[PlayerId(ana.id)].session == seat.session


async def test_what_a_watcher_says_is_no_business_of_his_seat_elsewhere(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    own, others = await home.lobby(ana), await home.lobby(ben)
    await ana.watch(others)
    c = await ana.start(commands.Say, others, text="hello")
    assert isinstance(await ana.answer_to(others, c), events.Ack)
    mark = len(ana.heard)
    await ana.send(commands.Say(others, c, "hello"))
    assert (await ana.hear(events.Ack, mark)).repeated
    assert not any(isinstance(event, events.Seat) for event in ana.heard[mark:])
    await ana.did(commands.Say, own, text="still here")


async def test_a_racer_finds_his_own_race_whatever_others_at_his_address_try(tmp_path: Path) -> None:
    async with house(tmp_path, replace(AMPLE, misses=Rate(0.001, 1))) as home:
        ana, eve = await home.guest("Ana"), await home.guest("Eve")
        race = await home.race(ana)
        for _ in range(2):
            assert isinstance(await eve.join("ABCDEFGH"), events.Refused)
        await ana.drop()
        await ana.connect()
        await ana.sit(race)
