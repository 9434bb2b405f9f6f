"""Decisions on a race that has not started: settings, ready, start, kick, leave, who is host."""

from collections.abc import Iterable
from typing import assert_never

from server.freecell.wording import say
from server.race import board, robots
from server.race.commands import AddRobot, Configure, Kick, Leave, LobbyCommand, PassHost, Ready, Start
from server.race.decision import NOT_DUE, Decision, Refusal, Verdict, Wake
from server.race.events import (
    Configured,
    CountdownBegun,
    Ended,
    Event,
    HostPassed,
    Kicked,
    Left,
    Readied,
    RobotJoined,
    Started,
)
from server.race.state import MAX_OTHER_COMMANDS, Ending, Member, Phase, PlayerId, Race

NOBODY = PlayerId("")


def decide_lobby(race: Race, member: Member, command: LobbyCommand) -> Verdict:
    """A racer's command that only a lobby takes."""
    if race.life.phase is not Phase.LOBBY:
        return Refusal("not_lobby", "that is possible only in the lobby, before the countdown")
    if not isinstance(command, Ready) and member.player != race.life.host:
        host = race.members[race.life.host].name
        return Refusal("not_host", say("only the host can do that; it is {host}", host=host))
    if member.others >= MAX_OTHER_COMMANDS and not isinstance(command, Start):
        return Refusal("too_many", say("{most} commands in a lobby are enough", most=MAX_OTHER_COMMANDS))
    match command:
        case Ready():
            return _ready(race, command)
        case Start():
            return _countdown(race, (), member.player, command.c)
        case Configure():
            return _configure(race, command)
        case Kick():
            return _kick(race, command)
        case AddRobot():
            return _add_robot(race, command)
        case _:
            assert_never(command)


def leave(race: Race, member: Member, command: Leave, now_ms: int) -> Verdict:
    """Free the seat before the start, resign after it. The host's seat passes to the earliest of the rest."""
    phase = race.life.phase
    if race.life.setup.ranked and phase is Phase.RUNNING:
        return Refusal("not_in_rules", "a ranked attempt is not left: its clock runs on; resign to end it")
    if phase in (Phase.RUNNING, Phase.OVER):
        return board.resign(race, member, command.c, now_ms)
    left = Left(member.player, command.c)
    rest = [racer for racer in race.racers if racer.player != member.player]
    people = [racer for racer in rest if racer.robot is None]
    if not people:
        return Decision((left, Ended(Ending.ABANDONED)), wake=Wake.CLEAR)
    events: tuple[Event, ...] = (left,)
    if member.player == race.life.host:
        events += (HostPassed(people[0].player),)
    return _countdown_if_all_ready(race, events, rest) if phase is Phase.LOBBY else Decision(events)


def pass_host(race: Race, command: PassHost) -> Verdict:
    """Make the earliest racer who is there the host, if the host is not."""
    if race.life.phase is not Phase.LOBBY or race.life.host in command.present:
        return NOT_DUE
    heir = next((racer.player for racer in race.racers if racer.player in command.present), None)
    return Decision((HostPassed(heir),)) if heir else NOT_DUE


def _ready(race: Race, command: Ready) -> Verdict:
    readied = Readied(command.player, command.c, command.ready)
    others = [racer for racer in race.racers if racer.player != command.player]
    if not command.ready or not others:
        return Decision((readied,))
    return _countdown_if_all_ready(race, (readied,), others)


def _configure(race: Race, command: Configure) -> Verdict:
    if command.setup.max_racers < len(race.racers):
        return Refusal("bad_settings", say("{seated} racers are seated already", seated=len(race.racers)))
    if command.setup.daily not in ("", race.life.setup.daily):
        return Refusal(
            "bad_settings", "open another race for the deal of a day; somebody here may not know it yet"
        )
    return Decision((Configured(command.player, command.c, command.setup),))


def _kick(race: Race, command: Kick) -> Verdict:
    target = race.members.get(command.target)
    if target is None or not target.seated:
        return Refusal("no_such_racer", "nobody of that id has a seat here")
    if target.player == command.player:
        return Refusal("no_such_racer", "the host cannot be sent away; leave instead")
    rest = [racer for racer in race.racers if racer.player != target.player]
    return _countdown_if_all_ready(race, (Kicked(command.player, command.c, target.player),), rest)


def _add_robot(race: Race, command: AddRobot) -> Verdict:
    joined = robots.seat(race, command)
    if isinstance(joined, Refusal):
        return joined
    return _countdown_if_all_ready(race, (joined,), race.racers)


def _countdown_if_all_ready(race: Race, events: tuple[Event, ...], racers: Iterable[Member]) -> Decision:
    """Begin the countdown if two or more are ready and nobody is not; one readying now is not in `racers`."""
    waited_for = list(racers)
    readying = isinstance(events[0], Readied | RobotJoined)
    if len(waited_for) + readying < 2 or not all(racer.ready for racer in waited_for):
        return Decision(events)
    return _countdown(race, events, NOBODY, 0)


def _countdown(race: Race, events: tuple[Event, ...], player: PlayerId, c: int) -> Decision:
    setup = race.life.setup
    events = (*events, CountdownBegun(player, c))
    if setup.countdown_ms == 0:
        events = (*events, Started())
        return Decision(events, wake=robots.first_wake(race, events))
    return Decision(events, wake=setup.countdown_ms)
