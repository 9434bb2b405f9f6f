"""What all conversations of one node share."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from server.clock import Clock
from server.daily.almanac import Almanac
from server.daily.boards import Boards
from server.daily.projecting import Projector
from server.gateway.advisers import Advisers
from server.gateway.coach import Coach
from server.gateway.courses import Courses
from server.gateway.findings import Findings
from server.gateway.hubs import Hubs
from server.gateway.limits import AddressBook, Limits, Namings
from server.gateway.metrics import Metrics
from server.gateway.past import Replays
from server.gateway.players import Players
from server.gateway.turns import Turns
from server.gateway.verdicts import Assessor
from server.store.base import Store

REPORTS_AT_ONCE: Final = 16


@dataclass(slots=True)
class Node:
    """A server process: its store, its live races, and how much it lets one peer ask for.

    Attributes:
        turns: in which logs of races that are over are read, so that many hold up others no more than one.
        reports: so many are made at once, as each holds all boards of a game.
    """

    store: Store
    clock: Clock
    hubs: Hubs
    players: Players
    metrics: Metrics
    limits: Limits
    coach: Coach
    assessor: Assessor | None
    almanac: Almanac
    projector: Projector
    boards: Boards = field(init=False)
    creates: AddressBook = field(init=False)
    misses: AddressBook = field(init=False)
    namings: Namings = field(init=False)
    courses: Courses = field(init=False)
    findings: Findings = field(init=False)
    replays: Replays = field(init=False)
    turns: Turns = field(default_factory=Turns)
    reports: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(REPORTS_AT_ONCE))
    draining: bool = False

    def __post_init__(self) -> None:
        self.boards = Boards(self.store)
        self.creates = AddressBook(self.limits.creates_per_address)
        self.misses = AddressBook(self.limits.misses)
        self.namings = Namings(self.limits.namings)
        self.courses = Courses(self.store)
        self.findings = Findings(self.assessor)
        self.replays = Replays(self.store, self.turns)


def make_node(
    store: Store,
    clock: Clock,
    limits: Limits,
    coach: Coach | None = None,
    assessor: Assessor | None = None,
) -> Node:
    """A node on a store; without a coach no robot can race on it, without an assessor nothing is judged."""
    metrics = Metrics()
    coach = coach or Coach()
    projector = Projector(store, clock)
    hubs = Hubs(store, clock, metrics.count_append, Advisers(coach, assessor), projector.soon)
    return Node(
        store, clock, hubs, Players(store), metrics, limits, coach, assessor, Almanac(store), projector
    )
