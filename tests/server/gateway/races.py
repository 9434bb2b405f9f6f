"""Races without any socket: folded in memory by a `Scribe`, or in a store and looked after by a `Keeper`."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from server import race_log
from server.clock import Clock
from server.freecell.rulesets import RULESETS
from server.gateway.feed import Entry
from server.gateway.keeper import Keeper, load, log_id
from server.gateway.plan import Outcome
from server.race import commands as core
from server.race.decide import create, decide
from server.race.decision import Decision, Wake
from server.race.events import Stamped
from server.race.evolve import begin, evolve, fold
from server.race.state import PlayerId, Race, RaceCode, Setup
from server.store.base import CLEAR, KEEP, START, Appended, Store, Tip, new_tag

CODE: Final = RaceCode("KMNPQRST")
ANA: Final = PlayerId("a" * 16)
BEN: Final = PlayerId("b" * 16)
EVE: Final = PlayerId("e" * 16)
NAMES: Final = {ANA: "Ana", BEN: "Ben", EVE: "Eve"}

SETUP: Final = Setup(RULESETS["race"], deal=1, nonce="ab" * 16, deal_named=True, countdown_ms=0)
"""A race on a deal with a known solution, that starts as soon as it is told to."""


@dataclass(slots=True)
class Scribe:
    """A race in memory. Every command it is given must be accepted; each is stamped with the time it says."""

    setup: Setup = SETUP
    now_ms: int = 1_700_000_000_000
    entries: list[Entry] = field(default_factory=list)
    race: Race = field(init=False)
    first: Stamped = field(init=False)
    tag: bytes = field(init=False)

    def __post_init__(self) -> None:
        created, joined = create(core.Create(CODE, "create-1", ANA, NAMES[ANA], self.setup)).events
        self.first = Stamped(1, self.now_ms, created)
        self.race = begin(self.first)
        self.tag = new_tag()
        self._fold(Stamped(2, self.now_ms, joined))
        self.do(core.Join(ANA, NAMES[ANA]))

    def _fold(self, stamped: Stamped) -> None:
        after = evolve(self.race, stamped)
        self.entries.append(Entry(self.race, stamped, after, self.tag))
        self.race = after

    def do(self, *commands: core.Command) -> list[Entry]:
        """Carry out commands, each in an append of its own; the entries they led to."""
        start = len(self.entries)
        for command in commands:
            verdict = decide(self.race, command, self.now_ms)
            assert isinstance(verdict, Decision), verdict
            self.tag = new_tag()
            for event in verdict.events:
                self._fold(Stamped(self.race.seq + 1, self.now_ms, event))
        return self.entries[start:]

    def start(self, *others: PlayerId) -> "Scribe":
        """Seat these beside Ana, and start the race."""
        self.do(*(core.Join(other, NAMES[other]) for other in others))
        self.do(core.Start(ANA, session(self.race, ANA), next_c(self.race, ANA)))
        return self

    def move(self, player: PlayerId, text: str) -> list[Entry]:
        """Let a player move."""
        return self.do(move(self.race, player, text))

    @property
    def log(self) -> list[Stamped]:
        """The race's log so far."""
        return [self.first, *(entry.stamped for entry in self.entries)]

    async def store_in(self, store: Store) -> None:
        """Write the log into a store, as far as it goes; the stamps are the store's own."""
        rows = [race_log.write(stamped.event) for stamped in self.log]
        deadline = self.race.next_deadline
        wake = CLEAR if deadline is None else max(0, deadline - store.now_ms())
        outcome = await store.append(log_id(CODE), START, rows, tag=self.tag, wake=wake)
        assert isinstance(outcome, Appended)


def session(race: Race, player: PlayerId) -> int:
    member = race.members.get(player)
    return 0 if member is None else member.session


def next_c(race: Race, player: PlayerId) -> int:
    member = race.members.get(player)
    return 1 if member is None else member.last_c + 1


def move(race: Race, player: PlayerId, text: str, *, ahead: int = 0) -> core.Move:
    """The player's next move; with `ahead`, the one after that many others he has sent already."""
    board = race.members[player].n
    return core.Move(player, session(race, player), next_c(race, player) + ahead, board + ahead, text)


def say(race: Race, player: PlayerId, text: str, *, ahead: int = 0) -> core.Say:
    """A chat line, likewise."""
    return core.Say(player, session(race, player), next_c(race, player) + ahead, NAMES[player], text)


_OF_THE_LOG = ("folded", "rewound", "lost")


@dataclass(slots=True)
class Told:
    """What a keeper tells, in order: ("folded", seqs), ("rewound", None), ("lost", None), (name, outcome)."""

    story: list[tuple[str, Any]] = field(default_factory=list)

    def folded(self, stamped: Sequence[Stamped], states: Sequence[Race], tag: bytes) -> None:
        assert [one.seq for one in stamped] == [state.seq for state in states[1:]]
        assert states[0].seq == stamped[0].seq - 1
        self.story.append(("folded", [one.seq for one in stamped]))

    def rewound(self) -> None:
        self.story.append(("rewound", None))

    def lost(self) -> None:
        self.story.append(("lost", None))

    def reply(self, name: str) -> Any:
        return lambda outcome: self.story.append((name, outcome))

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """The answers by name; each was given once."""
        answers = [(name, told) for name, told in self.story if name not in _OF_THE_LOG]
        assert len(dict(answers)) == len(answers), "an answer was given twice"
        return dict(answers)


async def keep(store: Store, clock: Clock, told: Told | None = None) -> Keeper:
    """A keeper of the race as it is in the store."""
    race, tip = await load(store, CODE)
    return Keeper(store, clock, race, tip, told or Told())


async def read_log(store: Store, code: RaceCode = CODE) -> list[Stamped]:
    """The race's log as the store has it."""
    log: list[Stamped] = []
    while page := race_log.read_all(await store.read(log_id(code), len(log))):
        log += page
    return log


async def append(store: Store, *commands: core.Command, code: RaceCode = CODE) -> None:
    """What another node does: decide on the newest state, append, and be gone."""
    for command in commands:
        log = await read_log(store, code)
        rows = await store.read(log_id(code), len(log) - 1)
        verdict = decide(fold(log), command, store.now_ms())
        assert isinstance(verdict, Decision), verdict
        wake = (
            KEEP if verdict.wake is Wake.KEEP else CLEAR if isinstance(verdict.wake, Wake) else verdict.wake
        )
        outcome = await store.append(
            log_id(code),
            Tip(rows[-1].seq, rows[-1].tag),
            [race_log.write(event) for event in verdict.events],
            tag=new_tag(),
            not_before=verdict.not_before,
            not_after=verdict.not_after,
            wake=wake,
        )
        assert isinstance(outcome, Appended), outcome


def with_delay(seconds: int) -> Setup:
    """A setup whose watchers see it so late."""
    return replace(SETUP, delay_ms=seconds * 1000)
