"""Ranked attempts without any server: decided in memory, and written into a store."""

from dataclasses import dataclass, field
from typing import Final

from server import race_log
from server.daily.calendar import LIMIT_MS, starts_ms
from server.daily.naming import Daily, attempt_of
from server.freecell.rulesets import customise
from server.race.commands import AutoFinish, Command, Create, Join, Move, NoteHint, Resign, Tick, Undo
from server.race.daily import begin_attempt
from server.race.decide import decide
from server.race.decision import Decision
from server.race.events import Event, Stamped
from server.race.evolve import begin, evolve
from server.race.state import PlayerId, Policy, Race, RaceCode, Setup
from server.store.base import CLEAR, START, Appended, Store, Stored, new_tag
from tests.server.race.races import SOLVED

DAILY: Final = Daily("2026-11-30", 4)
ANN: Final = PlayerId("a" * 16)
BEN: Final = PlayerId("b" * 16)
CEC: Final = PlayerId("c" * 16)
DEAL: Final = 617


def attempt_setup(daily: Daily = DAILY, deal: int = DEAL) -> Setup:
    return Setup(
        customise("race", daily.cells, hints=True),
        deal,
        "ab" * 16,
        certified=True,
        max_racers=2,
        time_limit_ms=LIMIT_MS,
        countdown_ms=0,
        policy=Policy.LIVE,
        daily=str(daily),
        ranked=True,
    )


@dataclass(slots=True)
class Attempt:
    """One attempt: its log as it grows, so much time between two commands."""

    player: PlayerId = ANN
    daily: Daily = DAILY
    deal: int = DEAL
    now_ms: int = 0
    pace_ms: int = 1000
    log: list[Stamped] = field(default_factory=list)
    race: Race = field(init=False)

    def __post_init__(self) -> None:
        self.now_ms = self.now_ms or starts_ms(self.daily.day) + 3_600_000
        command = Create(
            self.code, "attempt", self.player, self.player[:3].title(), attempt_setup(self.daily, self.deal)
        )
        for event in begin_attempt(command).events:
            self._append(event)
        self.do(Join(self.player, self.player))

    @property
    def code(self) -> RaceCode:
        return attempt_of(self.daily, self.player)

    def _append(self, event: Event) -> None:
        stamped = Stamped(len(self.log) + 1, self.now_ms, event)
        self.race = evolve(self.race, stamped) if self.log else begin(stamped)
        self.log.append(stamped)

    def do(self, *commands: Command) -> "Attempt":
        """Carry out what must be accepted."""
        for command in commands:
            verdict = decide(self.race, command, self.now_ms)
            assert isinstance(verdict, Decision), verdict
            for event in verdict.events:
                self._append(event)
        return self

    def who(self) -> tuple[PlayerId, int, int]:
        member = self.race.members[self.player]
        return self.player, member.session, member.last_c + 1

    def at(self) -> tuple[PlayerId, int, int, int]:
        return (*self.who(), self.race.members[self.player].n)

    def play(self, *moves: str) -> "Attempt":
        for move in moves:
            self.now_ms += self.pace_ms
            self.do(Move(*self.at(), move))
        return self

    def undo(self) -> "Attempt":
        self.now_ms += self.pace_ms
        return self.do(Undo(*self.at()))

    def hint(self) -> "Attempt":
        return self.do(NoteHint(*self.who()[:2]))

    def resign(self) -> "Attempt":
        self.now_ms += self.pace_ms
        return self.do(Resign(*self.who()))

    def finish(self) -> "Attempt":
        self.now_ms += self.pace_ms
        return self.do(AutoFinish(*self.at()))

    def run_out(self) -> "Attempt":
        self.now_ms = self.race.life.ends_at
        return self.do(Tick())

    def win(self, *, after_ms: int = 0) -> "Attempt":
        """Play the known solution to its end, which may be made to come so long after the start."""
        moves = SOLVED[self.deal, self.daily.cells]
        self.play(*moves[:-1])
        if after_ms:
            self.now_ms = self.race.life.started_at + after_ms - self.pace_ms
        return self.play(moves[-1])

    async def store_in(self, store: Store, *, unprojected: bool = True) -> None:
        """Write the log into a store as it is, stamps and all."""
        tag = new_tag()
        rows = [Stored(seq, at_ms, tag, race_log.write(event)) for seq, at_ms, event in self.log]
        assert await store.restore(self.code, rows, CLEAR, unprojected=unprojected)

    async def append_to(self, store: Store) -> None:
        """Write the log into a store as a node does: the last append ends it, and marks it."""
        rows = [race_log.write(stamped.event) for stamped in self.log]
        outcome = await store.append(self.code, START, rows, tag=new_tag(), wake=CLEAR, unprojected=True)
        assert isinstance(outcome, Appended)
