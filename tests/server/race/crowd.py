"""People who do anything at any time, in races that get somewhere all the same."""

from collections.abc import Callable, Mapping
from itertools import accumulate
from random import Random
from typing import Final

from server.freecell.game import can_redo
from server.freecell.moves import legal_moves
from server.freecell.notation import write_move
from server.freecell.piles import is_foundation, pile_name
from server.freecell.rulesets import RULESETS, Rules, customise
from server.race.commands import (
    AddRobot,
    AskRematch,
    AutoFinish,
    Command,
    Configure,
    Join,
    Kick,
    Leave,
    LinkRematch,
    Move,
    NoteHint,
    NoteTailLoss,
    PassHost,
    PlanRobot,
    Ready,
    Redo,
    Resign,
    Restart,
    Say,
    Send,
    Start,
    Tick,
    Undo,
)
from server.race.robot import Level
from server.race.state import Phase, PlayerId, Policy, Race, RaceCode, Setup, Standing
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    DAN,
    NEXT_CODE,
    SOLVED,
    Table,
    accepted,
    line_of,
)

EVE = PlayerId("eve")
PEOPLE: Final = (ANN, BEN, CEC, DAN, EVE)
"""All who may come; one more than any race has seats for."""

_WITH_RETURNS_ONLY = (345, 1)
SOLVABLE: Final = tuple(key for key in SOLVED if key[1] and key != _WITH_RETURNS_ONLY)
"""Deals, with a number of free cells, whose solution holds under every ruleset that has so many."""


def any_rules(random: Random, cells: int) -> Rules:
    """A ruleset that can be played with so many free cells, as it is or with what a host may change."""
    name = random.choice([name for name, rules in RULESETS.items() if cells in rules.allowed_cells])
    if random.random() < 0.5:
        return customise(name, cells)
    limit = random.choice((0, 1, 3, 50))
    return customise(name, cells, returns=random.random() < 0.5, undo_limit=limit, hints=True)


def any_setup(random: Random) -> Setup:
    """Settings as a host may choose them, on a deal whose solution is known."""
    deal, cells = random.choice(SOLVABLE)
    return Setup(
        any_rules(random, cells),
        deal,
        f"{random.getrandbits(128):032x}",
        deal_named=random.random() < 0.5,
        certified=random.random() < 0.5,
        max_racers=random.choice((2, 3, 4)),
        time_limit_ms=random.choice((60_000, 1_800_000)),
        countdown_ms=random.choice((0, 5_000)),
        policy=random.choice(list(Policy)),
        daily="2026-11-30:4" if random.random() < 0.02 else "",
        ranked=random.random() < 0.1,
        lost=random.choice(["", "", "unwinnable", "lost_without_return"]),
    )


def solution_of(race: Race) -> tuple[str, ...]:
    """A winning line of the race's deal."""
    return SOLVED[race.life.setup.deal, race.life.setup.rules.cells]


def moves_of(race: Race, player: PlayerId) -> list[str]:
    """Every legal move of a racer in notation, moves home and of many cards first."""
    member = race.members.get(player)
    if member is None or member.game is None:
        return []
    position, rules = member.game.position, member.game.rules
    moves = sorted(legal_moves(position, rules), key=lambda move: (move.dest < 12, -move.count))
    return [
        write_move(move, position)
        if not is_foundation(move.source)
        else pile_name(move.source) + pile_name(move.dest)
        for move in moves
    ]


def any_race(random: Random, steps: int) -> Table:
    """A race in which so many things were tried, from its lobby on or from near its end."""
    table = Table(any_setup(random))
    accepted(table.run(Join(ANN, "Ann")))
    for _ in range(random.choice((0, 3, 30))):
        _try_something(table, random)
    if random.random() < 0.7 and table.race.life.phase is Phase.LOBBY:
        start_race(table, random)
    for _ in range(steps):
        _try_something(table, random)
    return table


def begin_countdown(table: Table, random: Random) -> None:
    """Have several people join, and the host start."""
    for player in PEOPLE[1 : random.randint(2, 4)]:
        table.run(Join(player, player.title()))
    while random.random() < 0.3:
        table.run(_add_robot(table, ANN, random))
    while table.race.life.robots and random.random() < 0.7:
        table.run(_plan_robot(table, ANN, random) or Tick())
    if table.race.life.phase is Phase.LOBBY:  # else all were ready, and a robot made two of them
        accepted(table.run(Start(*table.who(table.race.life.host))))


def start_race(table: Table, random: Random) -> None:
    """Begin the race with several racers, some of whom are nearly done."""
    begin_countdown(table, random)
    if not table.race.life.has_started:
        table.now_ms = table.race.life.starts_at
        accepted(table.run(Tick()))
    for racer in table.race.racers:
        if racer.robot is None and random.random() < 0.6:
            table.solve(racer.player, but=random.choice((1, 3, 8, 20)))


def _try_something(table: Table, random: Random) -> None:
    table.now_ms += random.choice((0, 1, 40, 800))
    deadline = table.race.next_deadline
    patience = 0.1 if table.race.life.phase is Phase.COUNTDOWN else 0.003
    if deadline is not None and random.random() < patience:
        table.now_ms = max(table.now_ms, deadline)
    command = any_command(table, random)
    if command is not None:
        table.run(command)


def any_command(table: Table, random: Random) -> Command | None:
    """Something that somebody may do now, mostly a racer, and mostly sensible; now and then nothing."""
    turn = table.race.next_turn
    if turn is not None and turn.due_ms <= table.now_ms and random.random() < 0.5:
        return Tick()
    racers = [racer.player for racer in table.race.racers if racer.robot is None or random.random() < 0.1]
    player = random.choice(racers) if racers and random.random() < 0.8 else random.choice(PEOPLE)
    make = random.choice(_WAYS[table.race.life.phase])
    return make(table, player, random)


_Way = Callable[[Table, PlayerId, Random], Command | None]


def _move(table: Table, player: PlayerId, random: Random) -> Command | None:
    member = table.race.members.get(player)
    if member is None or member.standing is not Standing.RACING:
        return None
    solution = solution_of(table.race)
    if member.n < len(solution) and random.random() < 0.7:
        return Move(*table.at(player), solution[member.n])
    texts = moves_of(table.race, player)
    if not texts or random.random() < 0.05:
        return Move(*table.at(player), "1h")
    return Move(*table.at(player), texts[min(random.randrange(len(texts)) for _ in range(2))])


def _undo(table: Table, player: PlayerId, random: Random) -> Command | None:
    if player not in table.race.members:
        return None
    game = table.member(player).game
    if game is not None and can_redo(game) and random.random() < 0.5:
        return Redo(*table.at(player))
    return random.choice((Undo, Undo, Undo, Redo, Restart))(*table.at(player))


def _auto_finish(table: Table, player: PlayerId, _: Random) -> Command | None:
    return AutoFinish(*table.at(player)) if player in table.race.members else None


def _send(table: Table, player: PlayerId, random: Random) -> Command | None:
    if player not in table.race.members:
        return None
    return Send(*table.at(player), random.choice(("1", "5", "8", "a", "hs")), random.choice((1, 1, 2)))


def _say(table: Table, player: PlayerId, _: Random) -> Command:
    return Say(*table.who(player), player.title(), f"line {len(table.race.chat)}")


def _join(_: Table, player: PlayerId, random: Random) -> Command:
    return Join(player, random.choice((player, player, player, "Ann")).title())


def _tick(_: Table, __: PlayerId, ___: Random) -> Command:
    return Tick()


def _ready(table: Table, player: PlayerId, random: Random) -> Command:
    return Ready(*table.who(player), ready=random.random() < 0.6)


def _kick(table: Table, _: PlayerId, random: Random) -> Command:
    return Kick(*table.who(table.race.life.host), random.choice((*PEOPLE, *table.race.life.robots)))


def _add_robot(table: Table, _: PlayerId, random: Random) -> Command:
    robot = PlayerId(f"robot{random.getrandbits(60)}")
    why_not = random.choice(("", "", "", "no way to win this deal is known"))
    host = table.who(table.race.life.host)
    return AddRobot(*host, robot, random.choice(list(Level)), why_not)


def _plan_robot(table: Table, _: PlayerId, random: Random) -> Command | None:
    """A line for one of the robots: mostly a whole one, sometimes none or one that ends too soon."""
    life = table.race.life
    if not life.robots:
        return None
    line = line_of(life.setup)
    line = line[: random.choice((len(line), len(line), len(line), 5, 0))]
    times = [random.randrange(1500) for _ in line]
    nonce = life.setup.nonce if random.random() < 0.9 else "0" * 32
    return PlanRobot(random.choice(life.robots), nonce, line, tuple(accumulate(times)))


def _configure(table: Table, _: PlayerId, random: Random) -> Command:
    return Configure(*table.who(table.race.life.host), any_setup(random))


def _leave(table: Table, player: PlayerId, random: Random) -> Command | None:
    """The last one hardly ever goes, or most lobbies would be over soon."""
    is_last = len(table.race.racers) == 1 and table.race.life.phase is not Phase.RUNNING
    return None if is_last and random.random() < 0.95 else Leave(*table.who(player))


def _resign(table: Table, player: PlayerId, _: Random) -> Command:
    return Resign(*table.who(player))


def _start_now(table: Table, player: PlayerId, _: Random) -> Command:
    return Start(*table.who(player))


def _note_hint(table: Table, player: PlayerId, _: Random) -> Command:
    member = table.race.members.get(player)
    return NoteHint(player, member.session if member else 0)


def _pass_host(_: Table, __: PlayerId, random: Random) -> Command:
    return PassHost(frozenset(random.sample(PEOPLE, 2)))


def _rematch(table: Table, player: PlayerId, random: Random) -> Command:
    code = random.choice((NEXT_CODE, RaceCode("ZYXWVTSR")))
    return AskRematch(*table.who(player), code, any_setup(random))


def _note_tail_loss(_: Table, __: PlayerId, random: Random) -> Command | None:
    return NoteTailLoss() if random.random() < 0.2 else None


def _link(_: Table, __: PlayerId, ___: Random) -> Command:
    return LinkRematch()


_LOBBY: list[_Way] = [
    *[_join] * 9,
    *[_leave] * 3,
    *[_ready] * 3,
    *[_configure] * 2,
    *[_add_robot, _plan_robot] * 2,
    *[_kick, _say, _pass_host, _tick, _start_now, _note_tail_loss],
]
_COUNTDOWN: list[_Way] = [_join, _join, _say, _leave, _ready, _plan_robot, _tick, _tick]
_RUNNING: list[_Way] = [
    *[_move] * 60,
    *[_undo] * 16,
    *[_send] * 8,
    *[_auto_finish] * 8,
    *[_say, _join, _tick, _plan_robot] * 2,
    *[_resign, _leave, _note_tail_loss, _note_hint],
]
_OVER: list[_Way] = [_rematch, _link, _say, _join, _tick, _leave, _move, _note_tail_loss]
_WAYS: Mapping[Phase, list[_Way]] = {
    Phase.LOBBY: _LOBBY,
    Phase.COUNTDOWN: _COUNTDOWN,
    Phase.RUNNING: _RUNNING,
    Phase.OVER: _OVER,
}
