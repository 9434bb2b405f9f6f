"""Races for the tests: a race with its log and the store's clock; what is decided is appended at once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from server.freecell.deal import deal
from server.freecell.game import new_game
from server.freecell.moves import Illegal, carry
from server.freecell.moves import Move as CardMove
from server.freecell.notation import read_move
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from server.race.commands import AddRobot, Command, Create, Join, Move, PlanRobot, Start, Tick
from server.race.decide import create, decide
from server.race.decision import Decision, Refusal, Repeated, Verdict
from server.race.events import Event, Stamped
from server.race.evolve import begin, evolve
from server.race.robot import Level
from server.race.state import Answer, Member, PlayerId, RaceCode, Setup
from tests.server.freecell.boards import SOLUTIONS

T0: Final = 1_700_000_000_000
CODE: Final = RaceCode("KMNPQRST")
NEXT_CODE: Final = RaceCode("BCDFGHJK")
NONCE: Final = "9f2c4e6a8b0d1f3355779bbddf012345"

ROBBY, ROSIE = map(PlayerId, ("robby", "rosie"))
"""Who are robots, where there are some."""

ANN, BEN, CEC, DAN = map(PlayerId, ("ann", "ben", "cec", "dan"))

SETUP: Final = Setup(RULESETS["race"], 617, NONCE)


def setup(**changes: Any) -> Setup:
    """A setup that differs from the usual one, such as `setup(max_racers=2)`."""
    return replace(SETUP, **changes)


def _read_solutions() -> Mapping[tuple[int, int], tuple[str, ...]]:
    without_help = [one for one in SOLUTIONS if one["autoplay"] == "off"]
    return {(one["deal"], one["free_cells"]): tuple(one["moves"].split()) for one in without_help}


SOLVED: Final = _read_solutions()
"""Winning lines without autoplay, by deal and number of free cells."""


class Table:
    """One race: its state, its log, the states before, and the time that the next append is stamped with."""

    def __init__(self, settings: Setup = SETUP, host: PlayerId = ANN) -> None:
        self.now_ms = T0
        created, *rest = create(Create(CODE, "first", host, host.title(), settings)).events
        self.log = [Stamped(1, T0, created)]
        self.race = begin(self.log[0])
        self.states = [self.race]
        self.append(*rest)

    def append(self, *events: Event) -> None:
        """Write events into the log, whoever decided them."""
        for event in events:
            self.log.append(Stamped(self.race.seq + 1, self.now_ms, event))
            self.race = evolve(self.race, self.log[-1])
            self.states.append(self.race)

    def run(self, command: Command) -> Verdict:
        """Decide a command and, if it has an effect, append that."""
        verdict = decide(self.race, command, self.now_ms)
        if isinstance(verdict, Decision):
            assert verdict.not_before is None or self.now_ms >= verdict.not_before
            assert verdict.not_after is None or self.now_ms <= verdict.not_after
            self.append(*verdict.events)
        return verdict

    def who(self, player: PlayerId) -> tuple[PlayerId, int, int]:
        """What a player's next command begins with: who, his session, its number."""
        member = self.race.members.get(player)
        return (player, member.session, member.last_c + 1) if member else (player, 0, 1)

    def at(self, player: PlayerId) -> tuple[PlayerId, int, int, int]:
        """The same for a command on his board, with its version."""
        return (*self.who(player), self.race.members[player].n)

    def member(self, player: PlayerId) -> Member:
        """A player as he is now."""
        return self.race.members[player]

    def position(self, player: PlayerId) -> Position:
        """A racer's board as it stands."""
        game = self.member(player).game
        assert game is not None
        return game.position

    def put(self, player: PlayerId, position: Position) -> None:
        """Give a racer another board to play on, which no log tells of."""
        member = self.member(player)
        game = new_game(position, self.race.life.setup.rules)
        self.race = self.race._replace(
            members={**self.race.members, player: member._replace(game=game)},
        )

    def play(self, player: PlayerId, *texts: str) -> None:
        """Make moves that are taken."""
        for text in texts:
            accepted(self.run(Move(*self.at(player), text)))

    def fidget(self, player: PlayerId, count: int) -> None:
        """Make so many moves that lead nowhere: a card into a cell, then from cell to cell."""
        for place in range(count):
            self.play(player, ("ba", "ab")[place % 2] if place else "3a")

    def add_robot(self, robot: PlayerId = ROBBY, level: Level = Level.EVEN) -> None:
        """Have the host seat a robot."""
        accepted(self.run(AddRobot(*self.who(self.race.life.host), robot, level)))

    def plan_robot(self, robot: PlayerId = ROBBY, *, every_ms: int = 1000) -> None:
        """Settle a robot's game: the known solution, a move every so often."""
        accepted(self.run(planned(self.race.life.setup, robot, every_ms=every_ms)))

    def tick(self) -> tuple[Event, ...]:
        """Let the time of the next deadline come, if it has not, and have that looked at."""
        self.now_ms = max(self.now_ms, self.race.next_deadline or 0)
        return accepted(self.run(Tick()))

    def solve(self, player: PlayerId, but: int = 0) -> None:
        """Play the known solution of the deal up to the last `but` moves."""
        rules = self.race.life.setup.rules
        moves = SOLVED[self.race.life.setup.deal, rules.cells]
        self.play(player, *moves[: len(moves) - but])


def line_of(settings: Setup) -> tuple[CardMove, ...]:
    """The known solution of a deal as card movements."""
    position, line = deal(settings.deal, settings.rules.cells), []
    for text in SOLVED[settings.deal, settings.rules.cells]:
        move = read_move(text, position, settings.rules)
        assert not isinstance(move, Illegal)
        line.append(move)
        position = carry(position, move)
    return tuple(line)


def planned(settings: Setup, robot: PlayerId = ROBBY, *, every_ms: int = 1000) -> PlanRobot:
    """What settles a robot's game on this deal."""
    line = line_of(settings)
    at_ms = tuple(every_ms * (place + 1) for place in range(len(line)))
    return PlanRobot(robot, settings.nonce, line, at_ms)


def lobby(*players: PlayerId, **changes: Any) -> Table:
    """A lobby with these players seated and connected, the first of them the host."""
    table = Table(setup(**changes), players[0])
    for player in players:
        accepted(table.run(Join(player, player.title())))
    return table


def running(*players: PlayerId, **changes: Any) -> Table:
    """A race of these players, a second old."""
    table = lobby(*players, **changes)
    accepted(table.run(Start(*table.who(players[0]))))
    if table.race.next_deadline and not table.race.life.has_started:
        table.now_ms = table.race.next_deadline
        accepted(table.run(Tick()))
    table.now_ms += 1000
    return table


def accepted(verdict: Verdict) -> tuple[Event, ...]:
    """The events of a verdict that has some."""
    assert isinstance(verdict, Decision), verdict
    return verdict.events


def refused(verdict: Verdict) -> str:
    """The code of a refusal, whose reason must be a sentence to act on."""
    assert isinstance(verdict, Refusal), verdict
    assert verdict.detail
    return verdict.code


def repeated(verdict: Verdict) -> Answer:
    """The answer that is given again."""
    assert isinstance(verdict, Repeated), verdict
    return verdict.answer
