"""Anybody does anything in any order, and after each step all that must hold does."""

from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from server import race_log
from server.race.commands import Board, Command, Join, Move, Numbered, Resign, Restart, Tick, Undo
from server.race.evolve import fold
from server.race.state import Phase, PlayerId
from server.store.base import Stored
from tests.server.race.crowd import (
    EVE,
    PEOPLE,
    any_command,
    any_setup,
    begin_countdown,
    solution_of,
    start_race,
)
from tests.server.race.races import ANN, CEC, Table, accepted
from tests.server.race.world import MAX_SKEW_MS, TAG, World

seeds = st.integers(0, 2**16)
picks = st.integers(0, 200)


class AnyRace(RuleBasedStateMachine):
    """A race and its people. Commands are settled as they come, or held back and then sent in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World(Table())
        self.numbers: dict[PlayerId, int] = {}
        self.held: list[Command] | None = None
        self.sent: list[Command] = []
        self.turns = 0

    @initialize(seed=seeds, phase=st.sampled_from((Phase.RUNNING, Phase.COUNTDOWN, Phase.LOBBY)))
    def open(self, seed: int, phase: Phase) -> None:
        """A new lobby, one about to start, or a race that runs, some of whose racers are nearly done."""
        random = Random(seed)
        table = Table(any_setup(random))
        accepted(table.run(Join(ANN, "Ann")))
        if phase is Phase.COUNTDOWN:
            begin_countdown(table, random)
        elif phase is Phase.RUNNING:
            start_race(table, random)
        self.world = World(table)
        self.world.commit([Join(racer.player, racer.name) for racer in table.race.racers])
        for player in (ANN, CEC, EVE):
            self.world.watch(player)

    @property
    def phase(self) -> Phase:
        return self.world.race.life.phase

    def chance(self, seed: int) -> Random:
        """What chance a seed stands for here: no two steps are alike, however often a seed is drawn."""
        self.turns += 1
        return Random(f"{seed} in turn {self.turns} after {self.world.race.seq} events")

    # What people send.

    @rule(seed=seeds, count=st.integers(1, 12))
    def act(self, seed: int, count: int) -> None:
        """People do this and that, one after another."""
        random = self.chance(seed)
        for _ in range(count):
            command = any_command(self.world.table, random)
            if command is not None:
                self.give(self.numbered(command))

    @precondition(lambda self: self.phase is Phase.RUNNING)
    @rule(pick=picks, count=st.integers(1, 8))
    def go_on_with_the_solution(self, pick: int, count: int) -> None:
        """A racer sends some moves without waiting for answers."""
        player = self.racer(pick)
        first = self.numbered(Move(*self.world.table.at(player), ""))
        assert isinstance(first, Move)
        texts = solution_of(self.world.race)[first.n : first.n + count]
        steps = enumerate(texts)
        self.give(*(replace(first, c=first.c + step, n=first.n + step, text=text) for step, text in steps))
        self.numbers[player] = first.c + count

    def racer(self, pick: int) -> PlayerId:
        """One who has a seat, if anybody has."""
        racers = [racer.player for racer in self.world.race.racers] or PEOPLE
        return racers[pick % len(racers)]

    def numbered(self, command: Command) -> Command:
        """The command with the number its player comes to next, as if all he sent before were taken."""
        if not isinstance(command, Numbered):
            return command
        player = command.player
        self.numbers[player] = c = max(self.numbers.get(player, 0) + 1, command.c)
        if isinstance(command, Board):
            held = (one for one in self.held or () if isinstance(one, Board) and one.player == player)
            return replace(command, c=c, n=command.n + sum(1 for _ in held))
        return replace(command, c=c)

    def give(self, *commands: Command) -> None:
        """Have commands settled, or held back."""
        self.sent += commands
        if self.held is None:
            self.world.commit(commands)
        else:
            self.held += commands

    @precondition(lambda self: self.held is None)
    @rule()
    def hold(self) -> None:
        self.held = []

    @precondition(lambda self: self.held)
    @rule(order=st.none() | seeds)
    def release(self, order: int | None) -> None:
        """Have what was held back settled as one batch, in order or out of it."""
        held, self.held = self.held or [], None
        if order is not None:
            self.chance(order).shuffle(held)
        self.world.commit(held)

    # What goes wrong.

    @precondition(lambda self: self.sent)
    @rule(back=st.lists(st.integers(0, 50), min_size=1, max_size=3))
    def send_again(self, back: list[int]) -> None:
        """Commands come twice, and in another order."""
        for place in back:
            self.give(self.sent[-1 - place % len(self.sent)])

    @rule(kind=st.sampled_from(("number", "board", "session")), pick=picks, off=st.integers(1, 40))
    def blunder(self, kind: str, pick: int, off: int) -> None:
        """A command under a number that was used, for another version of a board, or of an older session."""
        player = self.racer(pick)
        if player not in self.world.race.members:
            return
        player, session, c, n = self.world.table.at(player)
        if kind == "number":
            self.give(Resign(player, session, max(0, c - off)))
        elif kind == "board":
            self.give(Undo(player, session, c, n + 1 if off % 2 else n - 1))
        else:
            self.give(Restart(player, max(0, session - off), c, n))

    # Time.

    @rule(ms=st.sampled_from((1, 40, 900)))
    def wait(self, ms: int) -> None:
        self.world.table.now_ms += ms

    @rule(seed=seeds)
    def come_to_the_deadline(self, seed: int) -> None:
        """Seldom the end of a race that runs, or of a lobby, or little would happen in it."""
        deadline, random = self.world.race.next_deadline, self.chance(seed)
        self.world.skew_ms = random.choice((-MAX_SKEW_MS, 0, MAX_SKEW_MS))
        if deadline is not None and (self.phase is Phase.COUNTDOWN or random.random() < 0.2):
            self.world.table.now_ms = max(self.world.table.now_ms, deadline + random.choice((-1, 0, 1, 20)))
            self.act(seed, count=random.randint(1, 3))
            self.give(Tick())

    # Looking on.

    @rule(seed=seeds)
    def look(self, seed: int) -> None:
        """Some viewers at a time, so that the others fall behind; some of them come back from elsewhere."""
        random = self.chance(seed)
        for viewer in random.sample(self.world.viewers, len(self.world.viewers) // 2):
            if random.random() < 0.3:
                self.world.reconnect(viewer)
            self.world.look(viewer)

    @invariant()
    def all_that_must_hold_does(self) -> None:
        self.world.check()

    def teardown(self) -> None:
        """At the end everybody looks, and the log is read back from its bytes."""
        if self.held:
            self.world.commit(self.held)
            self.world.check()
        for viewer in self.world.viewers:
            self.world.look(viewer)
        rows = [Stored(seq, at_ms, TAG, race_log.write(event)) for seq, at_ms, event in self.world.table.log]
        assert fold(race_log.read_all(rows)) == self.world.race


TestAnyRace = AnyRace.TestCase
TestAnyRace.settings = settings(
    max_examples=200, stateful_step_count=50, suppress_health_check=[HealthCheck.too_slow]
)
