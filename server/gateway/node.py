"""What all conversations of one node share."""

from dataclasses import dataclass, field

from server.clock import Clock
from server.gateway.courses import Courses
from server.gateway.hubs import Hubs
from server.gateway.limits import AddressBook, Limits
from server.gateway.metrics import Metrics
from server.gateway.players import Players
from server.store.base import Store


@dataclass(slots=True)
class Node:
    """A server process: its store, its live races, and how much it lets one peer ask for."""

    store: Store
    clock: Clock
    hubs: Hubs
    players: Players
    metrics: Metrics
    limits: Limits
    creates: AddressBook = field(init=False)
    misses: AddressBook = field(init=False)
    courses: Courses = field(init=False)
    draining: bool = False

    def __post_init__(self) -> None:
        self.creates = AddressBook(self.limits.creates_per_address)
        self.misses = AddressBook(self.limits.misses)
        self.courses = Courses(self.store)


def make_node(store: Store, clock: Clock, limits: Limits) -> Node:
    """A node on a store."""
    metrics = Metrics()
    return Node(store, clock, Hubs(store, clock, metrics.count_append), Players(store), metrics, limits)
