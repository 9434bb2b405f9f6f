"""What no message may hold: the deal before the start, and another racer's cards while one still plays."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from protocol.views import BoardMoved, BoardReset, Dealt, Feed
from server.freecell.cards import card_name
from server.freecell.deal import deal as layout_of
from server.freecell.piles import pile_name
from server.gateway.hub import Hub
from server.race.robot import Robot
from tests.clock import FakeClock
from tests.end_to_end.player import Player
from tests.server.gateway.coaching import coach
from tests.server.gateway.house import AT_ONCE, House, eventually, house
from tests.server.gateway.judging import Oracle, by_cards_in_cells
from tests.server.gateway.test_watching import sees
from tests.solutions import moves_of

SOLUTION: Final = moves_of(1)
ALL: Final = Settings(countdown_s=5, watch="live")
TURNS: Final = 20
"""How many moves a robot makes while everybody is listened to."""


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


async def test_nobody_is_told_a_robots_game_before_it_is_played(tmp_path: Path, clock: FakeClock) -> None:
    async with house(tmp_path, clock=clock, coach=coach()) as home:
        ana, ben, eve = [await home.guest(name) for name in ("Ana", "Ben", "Eve")]
        race = await home.lobby(ana, ben, settings=AT_ONCE)
        await ana.did(commands.AddRobot, race)
        hub = await home.hub(race)
        await eventually(lambda: robot_in(hub).line, "its game")
        await eve.watch(race)
        await say_everything(ben, race, c=1)
        await ana.did(commands.Start, race)
        await ana.reach(race, "running")
        game = robot_in(hub)
        assert game.line is not None
        for turn in range(1, TURNS + 1):
            await home.clock.advance_to(hub.race.life.started_at + game.at_ms[turn - 1])
            await eventually(partial(has_made, hub, turn), "a turn")
        await say_everything(ben, race, c=50)
        await ben.drop()
        await ben.connect()
        await ben.sit(race)
        for guest in (ana, ben):
            await guest.until(partial(has_seen, guest, race, "seat"), "progress")
            assert changes_on_boards(guest) == []
        await eve.until(partial(has_seen, eve, race, "watch"), "progress")
        changes = [change for change in changes_on_boards(eve) if change.player == hub.race.life.robots[0]]
        shown = [(move[0], move[1]) for change in changes for move in change.moves]
        assert shown == [(pile_name(move.source), pile_name(move.dest)) for move in game.line[:TURNS]]
        hidden = {"at_ms", *game.at_ms[TURNS:]}
        for guest in (ana, ben, eve):
            assert not [
                value
                for frame in guest.frames
                for value in values(msgspec.json.decode(frame))
                if value in hidden
            ]


def robot_in(hub: Hub) -> Robot:
    robot = hub.race.members[hub.race.life.robots[0]].robot
    assert robot is not None
    return robot


def has_made(hub: Hub, turns: int) -> bool:
    return hub.race.members[hub.race.life.robots[0]].n == turns


def has_seen(guest: Player, race: str, feed: Feed) -> bool:
    robots = [racer for racer in guest.pictures[race, feed].picture.racers if racer.robot]
    return [racer.actions for racer in robots] == [TURNS]


def changes_on_boards(guest: Player) -> list[BoardMoved]:
    """What moved on boards that a guest was shown."""
    updates = [event for event in guest.heard if isinstance(event, events.Update)]
    return [change for event in updates for change in event.changes if isinstance(change, BoardMoved)]


async def test_no_racer_is_told_what_can_be_won_before_he_is_done(tmp_path: Path) -> None:
    oracle = Oracle(by_cards_in_cells)
    async with house(tmp_path, assessor=oracle) as judged:
        ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
        race = await judged.race(ana, ben, settings=AT_ONCE)
        peeping = await judged.again(ben)
        racing = (ana, ben, peeping)
        for one in racing:
            assert isinstance(await one.watch(race), events.Watching)
        await eve.watch(race)
        for n, move in enumerate(SOLUTION[:20], 1):
            await ana.did(commands.Move, race, move=move)
            await told_of(eve, ana, n)
            if n == 10:
                await ben.drop()
                await ben.connect()
                await ben.sit(race)
                await ben.watch(race)
        await say_everything(ben, race, c=50)
        for one in racing:
            await sees(one, race, ana.pictures[race, "seat"].to)
            assert not any(isinstance(event, events.Verdict | events.Reported) for event in one.heard)
        # A report is no way round it.
        for one in (*racing, eve):
            refused = await one.ask(commands.Report(race, 0, ana.id, ben.id))
            assert isinstance(refused, events.Refused)
            assert refused.code == "not_over"


async def test_who_watches_late_is_told_nothing_of_the_present(tmp_path: Path) -> None:
    oracle = Oracle(by_cards_in_cells)
    async with house(tmp_path, assessor=oracle) as judged:
        ana, ben, eve = [await judged.guest(name) for name in ("Ana", "Ben", "Eve")]
        late = msgspec.structs.replace(AT_ONCE, watch="delayed", delay_s=30)
        race = await judged.race(ana, ben, settings=late)
        await eve.watch(race)
        await ben.did(commands.Resign, race)
        # Whoever is done gets no more than others who watch.
        await ben.watch(race)
        for move in SOLUTION[:12]:
            await judged.clock.advance(4_000)
            await ana.did(commands.Move, race, move=move)
        moved = ana.chair(race).n
        shown = moved - 30 // 4 - 1
        for one in (eve, ben):
            await told_of(one, ana, shown)
            newest = -1
            for event in one.heard:
                newest = max(newest, newest_board(event))
                if isinstance(event, events.Verdict):
                    assert event.n <= newest < moved
        assert len(set(oracle.asked)) == shown + 1, "no board was asked about before it was shown"


async def told_of(guest: Player, racer: Player, n: int) -> None:
    """Wait until a guest is told what can be won on this version of a racer's board."""

    def is_told() -> bool:
        return any(
            isinstance(event, events.Verdict) and (event.player, event.n) == (racer.id, n)
            for event in guest.heard
        )

    await guest.until(is_told, f"the verdict on board {n}")


def newest_board(event: events.Event) -> int:
    """The highest version of a board that a message shows; -1 if it shows none."""
    match event:
        case events.Snapshot():
            return max((board.n for board in event.boards.values()), default=-1)
        case events.Update():
            moved = (change.n for change in event.changes if isinstance(change, BoardMoved))
            dealt = (0 for change in event.changes if isinstance(change, Dealt) and change.shown)
            return max((*moved, *dealt), default=-1)
        case _:
            return -1
