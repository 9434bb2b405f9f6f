"""What no message may hold: the deal before the start, and another racer's cards while one still plays."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from protocol.views import BoardMoved, BoardReset, Dealt
from server.freecell.cards import card_name
from server.freecell.deal import deal as layout_of
from tests.end_to_end.player import Player, moves_of
from tests.server.gateway.house import AT_ONCE, House
from tests.server.gateway.test_watching import sees

SOLUTION: Final = moves_of(1)
ALL: Final = Settings(countdown_s=5, watch="live")


def values(data: Any) -> Iterator[Any]:
    """Every name and every value in a message, however deep."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from values(value)
    elif isinstance(data, list):
        for value in data:
            yield from values(value)
    else:
        yield data


async def say_everything(guest: Player, race: str, *, c: int) -> None:
    """Every kind of command there is; each gets an answer of some kind."""
    numbered: list[dict[str, Any]] = [
        {"t": "ready", "ready": False},
        {"t": "say", "text": "what is the deal?"},
        {"t": "move", "n": 0, "move": "5a"},
        {"t": "send", "n": 0, "pile": "5"},
        {"t": "undo", "n": 0},
        {"t": "restart", "n": 0},
        {"t": "auto_finish", "n": 0},
        {"t": "rematch"},
        {"t": "kick", "player": "a" * 16},
    ]
    questions: list[dict[str, Any]] = [
        {"t": "hint"},
        {"t": "calc", "pile": "5"},
        {"t": "replay", "player": guest.id},
        {"t": "trace"},
        {"t": "watch"},
    ]
    for number, message in enumerate([*numbered, *questions], c):
        name = "c" if message in numbered else "q"
        mark = len(guest.heard)
        await guest.say(msgspec.json.encode({**message, "race": race, name: number}).decode())
        await guest.hear_that(answers(name, number), f"the answer to {message}", mark)


def answers(name: str, number: int) -> Callable[[events.Event], bool]:
    return lambda event: getattr(event, name, None) == number


@pytest.mark.parametrize("named", [False, True])
async def test_no_message_before_the_start_holds_the_deal(home: House, named: bool) -> None:
    settings = msgspec.structs.replace(ALL, deal=7_777_777_777 if named else "random")
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.lobby(ana, ben, settings=settings)
    await say_everything(eve, race, c=1)
    await say_everything(ben, race, c=1)
    await ana.did(commands.Configure, race, settings=settings)
    again = await home.again(ben)
    await again.sit(race)
    await ana.did(commands.Start, race)
    await ana.reach(race, "countdown")
    await say_everything(again, race, c=50)
    await home.clock.advance(4_999)
    late = await home.guest("Late")
    await late.sit(race)
    await ana.until(lambda: len(ana.pictures[race, "seat"].picture.racers) == 3, "the last one")

    setup = (await home.fold(race)).life.setup
    board = layout_of(setup.deal, setup.rules.cells)
    rows = {" ".join(card_name(card) for card in cascade) for cascade in board.cascades}
    heard = 0
    for guest in (ana, ben, again, eve, late):
        for frame in guest.frames:
            heard += 1
            for value in values(msgspec.json.decode(frame)):
                assert value not in (setup.deal, str(setup.deal), setup.nonce, "deal", "nonce", "deal_code")
                assert value not in rows
            assert setup.nonce not in frame
    assert heard > 60

    await home.clock.advance(1)
    for guest in (ana, again, late):
        life = (await guest.reach(race, "running")).picture.life
        assert (life.deal, life.nonce, life.deal_named) == (setup.deal, setup.nonce, named)
        committed = hashlib.sha256(f"{life.nonce}:{life.deal}".encode()).hexdigest()
        assert committed == life.commitment


async def test_no_racer_is_told_another_racers_move(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    peeping = await home.again(ben)
    for one in (ben, peeping):
        assert isinstance(await one.watch(race), events.Watching)
    marks = {one: len(one.heard) for one in (ben, peeping)}
    for turn, move in enumerate(SOLUTION[:40]):
        await ana.did(commands.Move, race, move=move)
        if turn == 20:
            await ben.drop()
            await ben.connect()
            await ben.sit(race)
            await ben.watch(race)
    await ana.did(commands.Undo, race)
    await ana.did(commands.Restart, race)
    last = await ana.did(commands.Undo, race)
    for one in (ben, peeping):
        await sees(one, race, last.seq)
        for event in one.heard[marks[one] :]:
            match event:
                case events.Snapshot():
                    assert event.boards == {}
                case events.Update():
                    kinds = [
                        change for change in event.changes if isinstance(change, BoardMoved | BoardReset)
                    ]
                    assert kinds == []
                    assert not any(change.shown for change in event.changes if isinstance(change, Dealt))
                case events.Seat():
                    assert event.n == 0, "that is his own board"
                case _:
                    assert not hasattr(event, "moves")
        assert not set(SOLUTION) & {
            value for frame in one.frames for value in values(msgspec.json.decode(frame)) if value in SOLUTION
        }


async def test_a_racers_replay_is_closed_until_the_race_is_over(home: House) -> None:
    ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
    race = await home.race(ana, ben, settings=AT_ONCE)
    await ana.did(commands.Move, race, move=SOLUTION[0])
    await ana.did(commands.Resign, race)
    for guest in (ana, ben, eve):
        refused = await guest.ask(commands.Replay(race, 0, ana.id))
        assert isinstance(refused, events.Refused)
        assert refused.code == "not_over"
    await ben.did(commands.Resign, race)
    replayed = await eve.ask(commands.Replay(race, 0, ana.id))
    assert isinstance(replayed, events.Replayed)
    assert [step.notation for step in replayed.steps] == [(SOLUTION[0],)]
