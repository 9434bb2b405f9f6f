"""The fold: the race after one more event of its log. It judges nothing; `decide` did.

A move is the event of which there are thousands; it costs three small tuples and a copy of the table of
members.
"""

from dataclasses import replace
from typing import assert_never

from server.freecell.deal import deal
from server.freecell.game import Game, new_game, push, push_restart, redo, undo
from server.race.events import (
    Attached,
    AutoFinished,
    BoardEvent,
    Configured,
    CountdownBegun,
    Created,
    Ended,
    Finished,
    HintTaken,
    HostPassed,
    Joined,
    Kicked,
    Left,
    Moved,
    Readied,
    Redone,
    RematchAsked,
    Rematched,
    RematchMade,
    Resigned,
    Restarted,
    RobotJoined,
    RobotPlanned,
    Said,
    Stamped,
    Started,
    TailLost,
    TimeUp,
    Undone,
)
from server.race.robot import Robot
from server.race.state import (
    KEPT_ANSWERS,
    Answer,
    ChatLine,
    Life,
    Member,
    Phase,
    PlayerId,
    Race,
    Rematch,
    Standing,
)


class NotTheBeginning(ValueError):
    """A log whose first event is not `Created`, or that has a second one."""


def begin(first: Stamped) -> Race:
    """The race after the first event of its log."""
    created = first.event
    if not isinstance(created, Created):
        raise NotTheBeginning(f"a race's log begins with {type(created).__name__}")
    life = Life(created.code, created.create_id, created.creator, created.creator, created.setup, first.at_ms)
    return Race(first.seq, life, {})


def evolve(race: Race, stamped: Stamped) -> Race:
    """The race after one more event."""
    seq, at_ms, event = stamped
    match event:
        case Moved() | Undone() | Redone() | Restarted() | AutoFinished():
            return _board(race, seq, event)
        case Attached(player):
            member = race.members[player]
            return _with_member(race, seq, member._replace(session=seq, sessions=member.sessions + 1))
        case Joined(player, name):
            return _joined(race, seq, player, name)
        case Finished(player):
            return _finished(race, seq, at_ms, player)
        case Resigned(player, c):
            member = _answered(race.members[player], c, seq)
            return _with_member(race, seq, member._replace(standing=Standing.RESIGNED, ended_at=at_ms))
        case Readied(player, c, ready):
            member = _answered(race.members[player], c, seq)
            return _with_member(race, seq, member._replace(ready=ready))
        case Left(player, c):
            return _out(race, seq, _answered(race.members[player], c, seq), Standing.GONE)
        case Kicked(player, c, target):
            kicked = _out(race, seq, race.members[target], Standing.KICKED)
            return _with_member(kicked, seq, _answered(race.members[player], c, seq))
        case RobotJoined():
            return _robot_joined(race, seq, event)
        case RobotPlanned():
            return _robot_planned(race, seq, event)
        case Said():
            return _said(race, seq, event)
        case _:
            return _life(race, stamped)


def fold(events: list[Stamped]) -> Race:
    """The race after all the events of its log, the first of them `Created`."""
    race = begin(events[0])
    for stamped in events[1:]:
        race = evolve(race, stamped)
    return race


def _board(race: Race, seq: int, event: BoardEvent) -> Race:
    member = race.members[event.player]
    assert member.game is not None  # a racing member has a board
    n = member.n + 1
    member = Member(
        member.player,
        member.name,
        member.standing,
        member.ready,
        member.session,
        member.sessions,
        event.c,
        (*member.answers[1 - KEPT_ANSWERS :], Answer(event.c, n, seq)),
        n,
        _played(member.game, event),
        member.ended_at,
        member.rank,
        member.others,
        member.robot,
        member.hinted,
    )
    return Race(seq, race.life, {**race.members, event.player: member}, race.chat)


def _played(game: Game, event: BoardEvent) -> Game:
    match event:
        case Moved(_, _, move):
            return push(game, (move,))
        case Undone():
            return undo(game)
        case Redone():
            return redo(game)
        case Restarted():
            return push_restart(game)
        case AutoFinished(_, _, moves):
            return push(game, moves)
        case _:
            assert_never(event)


def _life(race: Race, stamped: Stamped) -> Race:
    """Events of the race as a whole."""
    seq, at_ms, event = stamped
    match event:
        case Configured(player, c, setup):
            deals = race.life.deals + (setup.deal != race.life.setup.deal)
            return _configured(race, seq, player, c, replace(race.life, setup=setup, deals=deals))
        case HostPassed(player):
            return race._replace(seq=seq, life=replace(race.life, host=player))
        case CountdownBegun(player, c):
            life = replace(race.life, phase=Phase.COUNTDOWN, countdown_at=at_ms)
            race = race._replace(seq=seq, life=life)
            return _with_member(race, seq, _answered(race.members[player], c, seq)) if c else race
        case Started():
            return _started(race, seq, at_ms)
        case TimeUp():
            return _time_up(race, seq, at_ms)
        case Ended(ending):
            life = replace(race.life, phase=Phase.OVER, over_at=at_ms, ending=ending)
            return race._replace(seq=seq, life=life)
        case Rematched(player, c, code, name, setup):
            life = replace(race.life, rematch=Rematch(code, setup, player, name))
            return _with_member(race._replace(life=life), seq, _answered(race.members[player], c, seq))
        case HintTaken(player):
            return _with_member(race, seq, race.members[player]._replace(hinted=True))
        case RematchAsked(player, c):
            return _with_member(race, seq, _answered(race.members[player], c, seq))
        case TailLost():
            return race._replace(seq=seq)
        case RematchMade():
            assert race.life.rematch is not None  # it was asked for
            life = replace(race.life, rematch=replace(race.life.rematch, made=True))
            return race._replace(seq=seq, life=life)
        case _:
            raise NotTheBeginning(f"{type(event).__name__} in the middle of a race's log")


def _answered(member: Member, c: int, seq: int) -> Member:
    answers = (*member.answers[1 - KEPT_ANSWERS :], Answer(c, member.n, seq))
    return member._replace(last_c=c, answers=answers, others=member.others + 1)


def _with_member(race: Race, seq: int, member: Member) -> Race:
    return Race(seq, race.life, {**race.members, member.player: member}, race.chat)


def _joined(race: Race, seq: int, player: PlayerId, name: str) -> Race:
    """A seat at the end of the row; one who was here before keeps the count of his commands."""
    members = dict(race.members)
    before = members.pop(player, None)
    fresh = Member(player, name, Standing.WAITING)
    if before is not None:
        fresh = fresh._replace(
            last_c=before.last_c, answers=before.answers, sessions=before.sessions, others=before.others
        )
    members[player] = fresh
    return Race(seq, race.life, members, race.chat)


def _robot_joined(race: Race, seq: int, joined: RobotJoined) -> Race:
    robot = Member(joined.robot, joined.name, Standing.WAITING, ready=True, robot=Robot(joined.level))
    race = _with_member(race, seq, robot)
    race = race._replace(life=replace(race.life, robots=(*race.life.robots, joined.robot)))
    if not joined.c:
        return race
    return _with_member(race, seq, _answered(race.members[joined.player], joined.c, seq))


def _robot_planned(race: Race, seq: int, planned: RobotPlanned) -> Race:
    member = race.members[planned.robot]
    assert member.robot is not None  # nobody else's game is planned
    robot = Robot(member.robot.level, planned.line, planned.at_ms)
    return _with_member(race, seq, member._replace(robot=robot))


def _out(race: Race, seq: int, member: Member, standing: Standing) -> Race:
    race = _with_member(race, seq, member._replace(standing=standing, ready=False, session=0))
    if member.robot is None:
        return race
    robots = tuple(player for player in race.life.robots if player != member.player)
    return race._replace(life=replace(race.life, robots=robots))


def _said(race: Race, seq: int, said: Said) -> Race:
    member = race.members.get(said.player) or Member(said.player, said.name, Standing.WATCHING)
    line = ChatLine(seq, said.player, said.name, said.text, watcher=not member.seated)
    race = _with_member(race, seq, _answered(member, said.c, seq))
    return race._replace(chat=(*race.chat, line))


def _configured(race: Race, seq: int, host: PlayerId, c: int, life: Life) -> Race:
    members = {player: _unready(member) for player, member in race.members.items()}
    members[host] = _answered(members[host], c, seq)
    return Race(seq, life, members, race.chat)


def _unready(member: Member) -> Member:
    """A member under new settings: a robot is ready for any, and has no line for this deal yet."""
    if member.robot is None:
        return member._replace(ready=False)
    return member._replace(robot=Robot(member.robot.level))


def _started(race: Race, seq: int, at_ms: int) -> Race:
    setup = race.life.setup
    layout = deal(setup.deal, setup.rules.cells)
    game = new_game(layout, setup.rules)
    members = {
        player: member._replace(standing=Standing.RACING, game=game) if member.seated else member
        for player, member in race.members.items()
    }
    life = replace(race.life, phase=Phase.RUNNING, started_at=at_ms, layout=layout)
    return Race(seq, life, members, race.chat)


def _finished(race: Race, seq: int, at_ms: int, player: PlayerId) -> Race:
    rank = race.life.finishers + 1
    member = race.members[player]._replace(standing=Standing.FINISHED, ended_at=at_ms, rank=rank)
    return _with_member(race._replace(life=replace(race.life, finishers=rank)), seq, member)


def _time_up(race: Race, seq: int, at_ms: int) -> Race:
    members = {
        player: member._replace(standing=Standing.OUT_OF_TIME, ended_at=at_ms)
        if member.standing is Standing.RACING
        else member
        for player, member in race.members.items()
    }
    return Race(seq, race.life, members, race.chat)
