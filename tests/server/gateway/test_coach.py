import asyncio
from dataclasses import replace
from random import Random

import pytest

from server.gateway.coach import NO_SOLVER, Coach, Robots, new_robot
from server.gateway.paces import times
from server.gateway.plan import Busy, Outcome, Refused
from server.gateway.tasks import Tasks
from server.player_log import player_of
from server.race.commands import AddRobot, Command, Configure, Kick, PlanRobot
from server.race.decision import NOT_DUE
from server.race.robot import Level, Robot
from server.race.state import PlayerId
from tests.clock import FakeClock
from tests.server.gateway.coaching import LINE, Memory, coach
from tests.server.gateway.races import ANA, SETUP, Scribe, next_c, session

ROBBY = PlayerId("robby")
UNKNOWN = replace(SETUP, deal=11982)


def test_a_robot_can_be_seated_where_there_is_a_solver() -> None:
    assert coach().why_not == ""
    assert Coach().why_not == NO_SOLVER
    assert coach(Memory(missing="it is not installed")).why_not == NO_SOLVER


async def test_a_robots_game_is_a_line_at_the_pace_of_its_level() -> None:
    planned = await coach().plan(SETUP, ROBBY, Robot(Level.FAST))
    assert planned == PlanRobot(ROBBY, SETUP.nonce, LINE, times(LINE, Level.FAST, Random(7)))


async def test_a_server_may_have_its_robots_play_faster() -> None:
    planned = await Coach(Memory(), Random(7), speed=4).plan(SETUP, ROBBY, Robot(Level.FAST))
    assert planned is not None
    assert planned.at_ms == times(LINE, Level.FAST, Random(7), 4)


async def test_where_no_line_is_known_the_game_is_an_empty_one() -> None:
    assert await coach().plan(UNKNOWN, ROBBY, Robot(Level.FAST)) == PlanRobot(ROBBY, SETUP.nonce, (), ())


async def test_without_a_solver_the_game_is_left_to_another_node() -> None:
    assert await Coach().plan(SETUP, ROBBY, Robot(Level.FAST)) is None
    absent = coach(Memory(missing="it is not installed"))
    assert await absent.plan(SETUP, ROBBY, Robot(Level.FAST)) is None


def test_a_robot_has_an_id_as_players_have_and_never_the_same() -> None:
    ids = {new_robot() for _ in range(100)}
    assert len(ids) == 100
    assert all(len(one) == len(player_of("a")) for one in ids)


# The robots of a race.


class Ledger:
    """Takes what is decided for robots, and answers as it is told to."""

    def __init__(self, *outcomes: Outcome) -> None:
        self.commands: list[Command] = []
        self.outcomes = list(outcomes)
        self.told = asyncio.Event()

    async def run(self, command: Command) -> Outcome:
        self.commands.append(command)
        self.told.set()
        return self.outcomes.pop(0) if self.outcomes else Refused(NOT_DUE, Scribe().race)


def with_robot() -> Scribe:
    scribe = Scribe()
    scribe.do(AddRobot(ANA, session(scribe.race, ANA), next_c(scribe.race, ANA), ROBBY, Level.EVEN))
    return scribe


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


async def test_every_robot_without_a_game_is_seen_to_once(clock: FakeClock) -> None:
    scribe, ledger, tasks = with_robot(), Ledger(), Tasks()
    memory = Memory()
    robots = Robots(coach(memory), clock, ledger.run, tasks)
    robots.look(Scribe().race)
    robots.look(scribe.race)
    robots.look(scribe.race)
    await ledger.told.wait()
    assert (len(ledger.commands), memory.asked) == (1, 1)
    planned = ledger.commands[0]
    assert isinstance(planned, PlanRobot)
    scribe.do(planned)
    robots.look_anew(scribe.race)
    assert memory.asked == 1, "it has its game"
    await tasks.close()


async def test_another_deal_is_looked_at_anew(clock: FakeClock) -> None:
    scribe, ledger, tasks = with_robot(), Ledger(), Tasks()
    robots = Robots(coach(), clock, ledger.run, tasks)
    robots.look(scribe.race)
    await ledger.told.wait()
    ledger.told.clear()
    again = replace(SETUP, nonce="cd" * 16)
    scribe.do(Configure(ANA, session(scribe.race, ANA), next_c(scribe.race, ANA), again))
    robots.look(scribe.race)
    await ledger.told.wait()
    assert [command.nonce for command in ledger.commands if isinstance(command, PlanRobot)] == [
        SETUP.nonce,
        again.nonce,
    ]
    await tasks.close()


async def test_for_deals_and_robots_of_the_past_nothing_is_sought_any_more(clock: FakeClock) -> None:
    scribe, ledger, tasks, memory = with_robot(), Ledger(), Tasks(), Memory()
    memory.gate.clear()
    robots = Robots(coach(memory), clock, ledger.run, tasks)
    for number in range(20):
        again = replace(SETUP, nonce=f"{number:032x}")
        scribe.do(Configure(ANA, session(scribe.race, ANA), next_c(scribe.race, ANA), again))
        robots.look(scribe.race)
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert (memory.asked, memory.waiting) == (20, 1)
    scribe.do(Kick(ANA, session(scribe.race, ANA), next_c(scribe.race, ANA), ROBBY))
    robots.look(scribe.race)
    await asyncio.sleep(0)
    assert memory.waiting == 0
    await tasks.close()


async def test_after_lost_events_it_is_looked_at_anew(clock: FakeClock) -> None:
    scribe, ledger, tasks = with_robot(), Ledger(), Tasks()
    robots = Robots(coach(), clock, ledger.run, tasks)
    robots.look(scribe.race)
    await ledger.told.wait()
    ledger.told.clear()
    robots.look_anew(scribe.race)
    await ledger.told.wait()
    assert len(ledger.commands) == 2
    await tasks.close()


async def test_what_could_not_be_stored_is_tried_again(clock: FakeClock) -> None:
    ledger, tasks = Ledger(Busy(700), Busy(700)), Tasks()
    Robots(coach(), clock, ledger.run, tasks).look(with_robot().race)
    await clock.advance(699)
    assert len(ledger.commands) == 1
    await clock.advance(701)
    assert len(ledger.commands) == 3
    assert len(set(map(id, ledger.commands))) == 1, "the same game each time"
    await tasks.close()
