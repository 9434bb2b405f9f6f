"""Who settles robots' games: finds a line for the deal, and times for its moves."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from random import Random, SystemRandom
from typing import Final, Protocol

from server.clock import Clock
from server.freecell.deal import deal
from server.freecell.moves import Move
from server.freecell.position import Position
from server.freecell.wording import say
from server.gateway import paces
from server.gateway.plan import Busy, Outcome
from server.gateway.players import newcomer
from server.gateway.tasks import Tasks
from server.race.commands import Command, PlanRobot
from server.race.robot import Robot
from server.race.robots import is_unplanned
from server.race.state import PlayerId, Race, Setup

NO_SOLVER: Final = say(
    "this server has no solver, without which a robot cannot play; docs/operations.md says how to install it"
)


def new_robot() -> PlayerId:
    """An id that nobody can have, as nobody knows the secret it is made of."""
    return newcomer("").player


class Finder(Protocol):
    """Whoever finds lines."""

    @property
    def missing(self) -> str:
        """Why nothing can be found here; empty as long as something may be."""
        ...

    async def line(self, position: Position) -> Sequence[Move] | None:
        """The moves from a position to the win, legal by every ruleset; None if none are found."""
        ...


class Coach:
    """Finds robots what they play. `chance` decides how long they take, and `speed` divides that."""

    def __init__(
        self, finder: Finder | None = None, chance: Random | None = None, speed: float = 1.0
    ) -> None:
        self._finder = finder
        self._speed = speed
        self._chance = chance or SystemRandom()

    @property
    def why_not(self) -> str:
        """Why no robot can be seated here; empty if one can. Whether it finds a way to win shows later."""
        return NO_SOLVER if self._finder is None or self._finder.missing else ""

    async def plan(self, setup: Setup, player: PlayerId, robot: Robot) -> PlanRobot | None:
        """A game for a robot on the deal of this setup: empty if none is found, None if none is sought."""
        line = await self._line(setup)
        if line is None:
            return None
        at_ms = paces.times(line, robot.level, self._chance, self._speed)
        return PlanRobot(player, setup.nonce, line, at_ms)

    async def _line(self, setup: Setup) -> tuple[Move, ...] | None:
        """A line that wins; an empty one if none was found, None if none can be looked for here."""
        finder = self._finder
        line = None if finder is None else await finder.line(deal(setup.deal, setup.rules.cells))
        if finder is None or (line is None and finder.missing):
            return None
        return tuple(line or ())


class Robots:
    """The robots of one live race: sees to it that each gets a game."""

    def __init__(
        self, coach: Coach, clock: Clock, run: Callable[[Command], Awaitable[Outcome]], tasks: Tasks
    ) -> None:
        self._coach = coach
        self._clock = clock
        self._run = run
        self._tasks = tasks
        self._planned: dict[tuple[PlayerId, str], asyncio.Task[None]] = {}

    def look(self, race: Race) -> None:
        """Have a game found for every robot that has none, and none any more for other deals."""
        setup = race.life.setup
        wanted = {(player, setup.nonce) for player in race.life.robots}
        self._forget(self._planned.keys() - wanted)
        for player in race.life.robots:
            robot = race.members[player].robot
            is_new = (player, setup.nonce) not in self._planned
            if robot is not None and is_new and is_unplanned(race, race.members[player]):
                planning = self._tasks.start(self._plan(setup, player, robot))
                self._planned[player, setup.nonce] = planning

    def look_anew(self, race: Race) -> None:
        """The same after the log has lost events, perhaps those that gave robots their games."""
        self._forget(set(self._planned))
        self.look(race)

    def _forget(self, outdated: set[tuple[PlayerId, str]]) -> None:
        # A search that nobody waits for would keep those of other races waiting.
        for one in outdated:
            self._planned.pop(one).cancel()

    async def _plan(self, setup: Setup, player: PlayerId, robot: Robot) -> None:
        command = await self._coach.plan(setup, player, robot)
        while command is not None:
            outcome = await self._run(command)
            if not isinstance(outcome, Busy):
                return
            await self._clock.sleep_until(self._clock.now_ms() + outcome.retry_ms)
