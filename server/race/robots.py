"""Decisions about robots: seating one, settling its game, and making its moves when they are due.

A robot has no connection and sends no command. Its turns are deadlines of the race, so whichever node looks
at them first carries them out, by the same rules as anybody's moves.
"""

from typing import Final

from server.freecell.moves import check
from server.freecell.wording import say
from server.race.board import play
from server.race.commands import AddRobot, PlanRobot
from server.race.decision import NOT_DUE, Decision, Refusal, Verdict, Wake
from server.race.events import Event, Resigned, RobotJoined, RobotPlanned, Stamped
from server.race.evolve import evolve
from server.race.robot import MAX_ROBOTS
from server.race.state import MAX_MEMBERS, Member, Phase, Race, Standing, Turn

NO_LINE: Final = say("no way to win this deal is known; choose another deal or more free cells")


def seat(race: Race, command: AddRobot) -> RobotJoined | Refusal:
    """Give a robot a seat; it is ready at once."""
    racers, seats = race.racers, race.life.setup.max_racers
    if len(racers) >= seats:
        return Refusal("race_full", say("all {seats} seats are taken", seats=seats))
    if len(race.life.robots) >= MAX_ROBOTS:
        return Refusal("too_many", say("{most} robots are enough for one race", most=MAX_ROBOTS))
    if len(race.members) >= MAX_MEMBERS:
        return Refusal("too_many", "too many people have come and gone in this race")
    if command.why_not:
        return Refusal("no_robot", command.why_not)
    if race.life.setup.lost:
        return Refusal("no_robot", NO_LINE)
    return RobotJoined(command.player, command.c, command.robot, _name(race), command.level)


def plan(race: Race, command: PlanRobot, now_ms: int) -> Verdict:
    """Settle a robot's game, unless that was done, or the deal is another one by now."""
    member = race.members.get(command.robot)
    if member is None or not is_unplanned(race, member) or command.nonce != race.life.setup.nonce:
        return NOT_DUE
    events: tuple[Event, ...] = (RobotPlanned(command.robot, command.line, command.at_ms),)
    is_running = race.life.phase is Phase.RUNNING
    return Decision(events, wake=_until_next(race, events, now_ms) if is_running else Wake.KEEP)


def is_unplanned(race: Race, member: Member) -> bool:
    """Whether this is a robot that still needs a game, before or in the race."""
    if member.robot is None or member.robot.line is not None or race.life.phase is Phase.OVER:
        return False
    return member.standing in (Standing.WAITING, Standing.RACING)


def take(race: Race, turn: Turn, now_ms: int) -> Decision:
    """Make the move of the robot whose turn it is; if it has none, or one that cannot be, it gives up."""
    member = race.members[turn.player]
    assert member.robot is not None  # nobody else has turns
    assert member.game is not None  # a racing member has a board
    move = member.robot.move(member.n)
    if move is not None and check(member.game.position, move, member.game.rules) is None:
        events = play(race, member, member.last_c + 1, move)
    else:
        events = (Resigned(member.player, member.last_c + 1),)
    return Decision(events, turn.due_ms, race.life.ends_at - 1, _until_next(race, events, now_ms))


def first_wake(race: Race, events: tuple[Event, ...]) -> int:
    """How long after these events, the last of them `Started`, something is due; whenever that will be."""
    return _until_next(race, events, 0)


def _until_next(race: Race, events: tuple[Event, ...], now_ms: int) -> int:
    """How long after `now_ms`, the time of these events, the running race is to be looked at next."""
    for event in events:
        race = evolve(race, Stamped(race.seq + 1, now_ms, event))
    assert race.next_deadline is not None  # a running race has its time limit
    return max(0, race.next_deadline - now_ms)


def _name(race: Race) -> str:
    """A name that no racer has."""
    taken = {racer.name.casefold() for racer in race.racers}
    names = ("Robot", *(f"Robot {number}" for number in range(2, len(taken) + 2)))
    return next(name for name in names if name.casefold() not in taken)
