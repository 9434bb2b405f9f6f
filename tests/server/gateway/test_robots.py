"""Robots in races on whole nodes: they play to the end, and go on when the node that seated them is gone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import pytest

from protocol import commands, events
from protocol.commands import Settings
from protocol.views import Racer
from server.freecell.moves import Move
from server.gateway import paces
from server.gateway.coach import NO_SOLVER
from server.gateway.hub import HOST_GRACE_MS, Hub
from server.gateway.hubs import IDLE_MS
from server.gateway.wire import PAGE_STEPS
from server.race.events import Finished, Moved, RobotPlanned, Started
from server.race.robot import PLAN_WITHIN_MS, Level, Robot
from server.race.robots import NO_LINE
from server.race.state import PlayerId, RaceCode, Turn
from tests.clock import FakeClock
from tests.end_to_end.player import PATIENCE_S, Player
from tests.server.gateway.coaching import LINE, Memory, coach
from tests.server.gateway.house import AMPLE, House, eventually, house, two_nodes
from tests.solutions import moves_of

ALONE: Final = Settings(deal=1, countdown_s=0, watch="live", max_racers=4)
UNWINNABLE: Final = msgspec.structs.replace(ALONE, deal=11982)
DAY_S: Final = 86_400


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
async def home(tmp_path: Path, clock: FakeClock, memory: Memory) -> AsyncIterator[House]:
    async with house(tmp_path, AMPLE, clock=clock, coach=coach(memory)) as built:
        yield built


def has_robots(guest: Player) -> bool:
    """Whether he was told that there are robots."""
    welcome = guest.last(events.Welcome)
    assert welcome is not None
    return welcome.robots


def robots_of(guest: Player, race: str) -> list[Racer]:
    return [racer for racer in guest.pictures[race, "seat"].picture.racers if racer.robot]


async def with_robot(home: House, ana: Player, level: str = "even", settings: Settings = ALONE) -> str:
    """A lobby with a robot that has its game."""
    race = await home.lobby(ana, settings=settings)
    await ana.did(commands.AddRobot, race, level=level)
    await eventually(lambda: _are_planned(home, race), "a game")
    return race


def _are_planned(home: House, race: str) -> bool:
    hub = home.node.hubs._hubs[RaceCode(race)]
    return bool(hub.race.life.robots) and all(line_in(hub, player) for player in hub.race.life.robots)


def line_in(hub: Hub, player: PlayerId) -> tuple[Move, ...] | None:
    robot = hub.race.members[player].robot
    assert robot is not None
    return robot.line


async def play_on(home: House, race: str) -> None:
    """Let the time pass, turn by turn, until no robot is racing any more."""
    hub = await home.hub(race)
    while turn := hub.race.next_turn:
        await home.clock.advance_to(turn.due_ms)
        await eventually(partial(_has_gone_on, hub, turn), "a turn")


def _has_gone_on(hub: Hub, turn: Turn) -> bool:
    return hub.race.next_turn != turn


async def in_time(home: House, condition: Callable[[], object]) -> None:
    """Let the time pass until something is so, and leave threads the moments that they need."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():
            await home.clock.advance(500)
            await asyncio.sleep(0.001)


def _is_first(guest: Player, race: str) -> bool:
    return robots_of(guest, race)[0].rank == 1


async def test_a_robot_is_seated_shown_as_one_and_there(home: House) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana, "fast")
    await ana.until(lambda: robots_of(ana, race), "the robot")
    [robot] = robots_of(ana, race)
    assert (robot.name, robot.robot, robot.ready, robot.state) == ("Robot", "fast", True, "waiting")
    await home.clock.advance(1000)
    ben = await home.guest("Ben")
    await ben.sit(race)
    told = await ben.hear(events.Presence)
    assert robot.player in told.here


async def test_a_robot_plays_to_the_end_by_the_times_of_its_game(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await with_robot(home, ana)
    await eve.watch(race)
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    await ana.did(commands.Move, race, move="5a")
    await play_on(home, race)
    log = await home.log(race)
    start = next(one.at_ms for one in log if isinstance(one.event, Started))
    [planned] = [one.event for one in log if isinstance(one.event, RobotPlanned)]
    moved = [one for one in log if isinstance(one.event, Moved) and one.event.player == planned.robot]
    assert [one.event.move for one in moved if isinstance(one.event, Moved)] == list(LINE)
    assert [one.at_ms - start for one in moved] == list(planned.at_ms)
    assert [one.event for one in log if isinstance(one.event, Finished)] == [Finished(planned.robot)]
    await ana.until(lambda: robots_of(ana, race)[0].rank == 1, "the robot's rank")
    assert robots_of(ana, race)[0].ended_ms == planned.at_ms[-1]
    await ana.did(commands.Resign, race)
    await ana.reach(race, "over")
    replayed = await ana.ask(commands.Replay(race, 0, planned.robot))
    assert isinstance(replayed, events.Replayed)
    assert [step.ms for step in replayed.steps] == list(planned.at_ms[:PAGE_STEPS])


async def test_a_robot_races_on_with_nobody_connected(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The race is let go between two turns, and taken up again by whoever sees that the next one is due."""
    every_ms = IDLE_MS + 3_000
    monkeypatch.setattr(paces, "times", lambda line, *_: tuple(every_ms * (n + 1) for n in range(len(line))))
    ana = await home.guest("Ana")
    race = await with_robot(home, ana, settings=msgspec.structs.replace(ALONE, time_limit_s=DAY_S))
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    await ana.close()
    turns = 0
    while (race_now := await home.fold(race)).next_turn:
        await in_time(home, lambda: not len(home.node.hubs))
        await in_time(home, lambda: len(home.node.hubs))
        turns += 1
    assert turns > len(LINE) // 2, "it was let go again and again"
    assert race_now.members[race_now.life.robots[0]].rank == 1
    due_ms = await home.node.store.next_due()
    assert due_ms is not None
    # Told as so long after the append, by a clock that may have gone on before it.
    assert race_now.life.ends_at <= due_ms <= race_now.life.ends_at + 1_000


async def test_only_where_there_is_a_solver_and_a_line_a_robot_is_seated(
    home: House, tmp_path: Path, clock: FakeClock
) -> None:
    ana = await home.guest("Ana")
    assert has_robots(ana)
    race = await home.lobby(ana, settings=UNWINNABLE)
    refused = await ana.do(commands.AddRobot, race)
    assert isinstance(refused, events.Refused)
    assert (refused.code, refused.detail) == ("no_robot", NO_LINE)
    (tmp_path / "other").mkdir()
    async with house(tmp_path / "other", clock=clock) as without:
        ben = await without.guest("Ben")
        assert not has_robots(ben)
        race = await without.lobby(ben, settings=ALONE)
        refused = await ben.do(commands.AddRobot, race)
        assert isinstance(refused, events.Refused)
        assert (refused.code, refused.detail) == ("no_robot", NO_SOLVER)


async def test_one_who_has_no_seat_adds_no_robot(home: House) -> None:
    ana, eve = await home.guest("Ana"), await home.guest("Eve")
    race = await home.lobby(ana)
    refused = await eve.do(commands.AddRobot, race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "not_seated"


async def test_no_line_is_sought_where_no_robot_can_be_seated(home: House, memory: Memory) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.lobby(ana, ben, settings=ALONE)
    refused = await ben.do(commands.AddRobot, race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "not_host"
    await ana.did(commands.Start, race)
    refused = await ana.do(commands.AddRobot, race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "not_lobby"
    assert memory.asked == 0


async def test_the_same_command_again_seats_no_second_robot(home: House) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana)
    first = ana.chair(race).acks[1]
    await ana.did(commands.Configure, race, settings=UNWINNABLE)
    # There is no line for this deal, but that is not what was asked.
    await ana.say(f'{{"t":"add_robot","race":"{race}","c":1}}')
    again = await ana.hear_that(lambda event: getattr(event, "repeated", False), "the old answer")
    assert isinstance(again, events.Ack)
    assert (again.c, again.seq) == (1, first.seq)
    assert len((await home.fold(race)).life.robots) == 1


async def test_a_host_alone_who_starts_at_once_finds_the_robot_racing(home: House, memory: Memory) -> None:
    """What is asked for without waiting for answers takes effect in order."""
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=ALONE)
    c = await ana.start(commands.AddRobot, race)
    await ana.start(commands.Start, race)
    await ana.answer_to(race, c)
    await ana.reach(race, "running")
    assert [racer.state for racer in robots_of(ana, race)] == ["racing"]
    await eventually(lambda: _are_planned(home, race), "a game")


async def test_what_the_host_says_next_does_not_wait_for_the_robots_game(home: House, memory: Memory) -> None:
    memory.gate.clear()
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=ALONE)
    numbers = [
        await ana.start(commands.AddRobot, race),
        await ana.start(commands.Say, race, text="hello"),
        await ana.start(commands.AddRobot, race, level="easy"),
        await ana.start(commands.Start, race),
    ]
    answers = [await ana.answer_to(race, c) for c in numbers]
    assert all(isinstance(answer, events.Ack) for answer in answers)
    await ana.reach(race, "running")
    memory.gate.set()
    await eventually(lambda: _are_planned(home, race), "a game each")


async def test_a_robot_for_a_deal_that_nobody_finds_a_line_for_says_so_in_the_lobby(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.lobby(ana, settings=msgspec.structs.replace(ALONE, deal=4_000_000_000))
    await ana.did(commands.AddRobot, race)
    await ana.until(lambda: any(robot.no_way for robot in robots_of(ana, race)), "that it knows no way")


async def test_a_robot_without_a_game_gives_up_which_is_shown(home: House, memory: Memory) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana)
    memory.gate.clear()
    await ana.did(commands.Configure, race, settings=ALONE)
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    await home.clock.advance(PLAN_WITHIN_MS)
    await ana.until(lambda: robots_of(ana, race)[0].state == "resigned", "the robot gives up")
    assert robots_of(ana, race)[0].no_way
    memory.gate.set()
    race_now = await home.fold(race)
    assert race_now.members[race_now.life.robots[0]].robot == Robot(Level.EVEN)


async def test_a_robot_that_no_line_is_found_for_is_shown_as_such_in_the_lobby(home: House) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana)
    await ana.did(commands.Configure, race, settings=UNWINNABLE)
    await ana.until(lambda: robots_of(ana, race)[0].no_way, "that it knows no way")
    await ana.did(commands.Kick, race, player=robots_of(ana, race)[0].player)
    await ana.until(lambda: not robots_of(ana, race), "an empty seat")


async def test_robots_go_when_the_last_person_has_finished(home: House) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana)
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    for move in moves_of(1):
        await ana.did(commands.Move, race, move=move)
    picture = (await ana.reach(race, "over")).picture
    assert [(racer.state, racer.rank) for racer in picture.racers] == [("finished", 1), ("resigned", None)]


async def test_the_rematch_has_the_robot_with_a_game_for_its_own_deal(home: House) -> None:
    ana = await home.guest("Ana")
    race = await with_robot(home, ana, "easy")
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    await ana.did(commands.Resign, race)
    await ana.reach(race, "over")
    await ana.did(commands.Rematch, race)
    ready = await ana.hear(events.RematchReady)
    await ana.sit(ready.next)
    assert [racer.robot for racer in robots_of(ana, ready.next)] == ["easy"]
    hub = await home.hub(ready.next)
    robot = hub.race.life.robots[0]
    await eventually(lambda: line_in(hub, robot) is not None, "a game")


async def test_a_robot_is_not_the_company_that_a_host_leaves(home: House) -> None:
    """Alone with a robot, a host who goes away stays host; and a robot never becomes one."""
    ana = await home.guest("Ana")
    race = await with_robot(home, ana)
    await ana.drop()
    await home.clock.advance(HOST_GRACE_MS + 5_000)
    assert (await home.fold(race)).life.host == ana.id


# Nodes that come and go.


async def test_a_robot_seated_on_one_node_races_on_the_other(tmp_path: Path) -> None:
    async with two_nodes(tmp_path, coach=coach()) as ((one, _), (other, _)):
        ana = await one.guest("Ana")
        race = await with_robot(one, ana)
        await ana.did(commands.Start, race)
        await ana.reach(race, "running")
        ben = await other.again(ana)
        await ben.sit(race)
        await one.node.hubs.close()
        await play_on(other, race)
        await ben.until(lambda: robots_of(ben, race)[0].rank == 1, "the robot's rank")
        one.node.hubs.start()


async def test_two_nodes_that_both_look_make_each_move_once(tmp_path: Path) -> None:
    async with two_nodes(tmp_path, coach=coach()) as ((one, _), (other, _)):
        ana, ben = await one.guest("Ana"), await other.guest("Ben")
        race = await one.lobby(ana, settings=ALONE)
        await ben.sit(race)
        await ana.did(commands.AddRobot, race)
        await eventually(lambda: _are_planned(one, race), "a game")
        await ana.did(commands.Start, race)
        for guest in (ana, ben):
            await guest.reach(race, "running")
        await play_on(one, race)
        log = await one.log(race)
        assert [one.event.move for one in log if isinstance(one.event, Moved)] == list(LINE)
        assert len([one for one in log if isinstance(one.event, RobotPlanned)]) == 1
        for guest in (ana, ben):
            await guest.until(partial(_is_first, guest, race), "the robot's rank")


async def test_a_game_that_was_not_settled_when_its_node_went_is_settled_by_the_next(tmp_path: Path) -> None:
    memory = Memory()
    async with two_nodes(tmp_path, coach=coach(memory)) as ((one, _), (other, _)):
        ana = await one.guest("Ana")
        race = await one.lobby(ana, settings=ALONE)
        hub = await one.hub(race)
        c = await ana.start(commands.AddRobot, race)
        await ana.answer_to(race, c)
        await eventually(lambda: _are_planned(one, race), "a game")
        memory.gate.clear()
        await ana.did(commands.Configure, race, settings=ALONE)
        robot = hub.race.life.robots[0]
        await one.node.hubs.close()
        memory.gate.set()
        assert line_in(hub, robot) is None
        after = await other.hub(race)
        await eventually(lambda: line_in(after, robot), "a game")
        one.node.hubs.start()
