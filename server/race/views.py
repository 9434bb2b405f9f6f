"""Who may see what: every value that leaves a race for a viewer is made here, field by field.

Opponents' moves are the secret of a race: everyone has the same cards, so the leader's board is the solution.
A racer gets progress only, until the race is over; what others get is the host's choice. The deal is a secret
of another kind: nobody gets it before the start.

`snapshot` is the whole picture of a view; `update` the changes one event makes to it. Both are pure, and for
every view the changes of an event lead from the snapshot before it to the snapshot after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from server.freecell import finish
from server.freecell.game import can_redo, can_undo, redo_moves, undo_moves
from server.freecell.moves import Move, expand_all, is_blocked
from server.freecell.position import Position
from server.freecell.stuck import is_stuck
from server.race.commitment import commitment
from server.race.events import (
    Attached,
    AutoFinished,
    BoardEvent,
    Configured,
    CountdownBegun,
    Created,
    Ended,
    Event,
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
from server.race.robot import PLAN_WITHIN_MS, Level, Robot
from server.race.state import (
    ChatLine,
    Ending,
    Member,
    Phase,
    PlayerId,
    Policy,
    Race,
    RaceCode,
    Setup,
    Standing,
)


class View(StrEnum):
    """How much a viewer sees."""

    RACER = "racer"
    """Progress, without what watchers say."""
    PROGRESS = "progress"
    BOARDS = "boards"


@dataclass(frozen=True, slots=True)
class Access:
    """What a viewer gets, and how far behind the race."""

    view: View
    delay_ms: int = 0


def seat_access(race: Race) -> Access:
    """What a racer gets at his seat: progress, and all the boards once the race is over."""
    return Access(View.BOARDS if race.life.phase is Phase.OVER else View.RACER)


def watch_access(race: Race, player: PlayerId) -> Access | None:
    """What `player` gets by watching; None if nothing.

    Whoever is still to play this deal, or playing it, gets no more than at his seat.
    """
    member = race.members.get(player)
    setup = race.life.setup
    if race.life.phase is not Phase.OVER:
        if member is not None and member.standing in (Standing.WAITING, Standing.RACING):
            return Access(View.RACER)
        if setup.policy is Policy.NONE:
            return None
        if setup.policy is Policy.PROGRESS:
            return Access(View.PROGRESS)
    return Access(View.BOARDS, setup.delay_ms if setup.policy is Policy.DELAYED else 0)


# What views are made of.


@dataclass(frozen=True, slots=True)
class LifeView:
    """The race as a whole; `deal`, `nonce` only once it has started, and never within `setup`.

    `deals` counts the deals that were set so far: a commitment is new even to the same one.
    """

    phase: Phase
    host: PlayerId
    setup: Setup
    commitment: str
    deal: int | None
    nonce: str | None
    ending: Ending | None
    rematch: RaceCode | None
    deals: int = 1


@dataclass(frozen=True, slots=True)
class RacerView:
    """A racer's progress; `ended_ms` counts from the start.

    `robot` is the level of one who is a robot, and `no_way` whether it knows no way to win.
    """

    player: PlayerId
    name: str
    ready: bool
    standing: Standing
    home: int
    actions: int
    ended_ms: int | None
    rank: int | None
    robot: Level | None = None
    no_way: bool = False


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as it stands."""

    position: Position
    n: int
    score: int
    actions: int


@dataclass(frozen=True, slots=True)
class RaceView:
    """All that a viewer sees."""

    life: LifeView
    racers: tuple[RacerView, ...]
    layout: Position | None
    boards: dict[PlayerId, BoardView]
    chat: tuple[ChatLine, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """A racer's own seat: his board and what he may do with it."""

    session: int
    last_c: int
    n: int
    board: BoardView | None
    undo: bool
    redo: bool
    finish: bool
    blocked: bool
    stuck: bool = False


# What updates are made of.


@dataclass(frozen=True, slots=True)
class LifeChange:
    """The race's life, whole."""

    life: LifeView


@dataclass(frozen=True, slots=True)
class RacerChange:
    """A racer's progress, whole."""

    racer: RacerView


@dataclass(frozen=True, slots=True)
class RacerGone:
    """A seat is free; `kicked` if the host sent the racer away."""

    player: PlayerId
    kicked: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt; `shown` if the view has boards."""

    layout: Position
    shown: bool


@dataclass(frozen=True, slots=True)
class BoardMoves:
    """Cards moved on a racer's board; `singles` as `single_moves` has them."""

    player: PlayerId
    moves: tuple[Move, ...]
    n: int
    score: int
    actions: int
    singles: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardChange:
    """A racer's board, whole."""

    player: PlayerId
    board: BoardView


@dataclass(frozen=True, slots=True)
class ChatChange:
    """Something was said."""

    line: ChatLine


Change = LifeChange | RacerChange | RacerGone | Deal | BoardMoves | BoardChange | ChatChange


def snapshot(race: Race, view: View) -> RaceView:
    """The whole picture."""
    boards: dict[PlayerId, BoardView] = {}
    if view is View.BOARDS:
        boards = {racer.player: board for racer in race.racers if (board := board_of(racer)) is not None}
    racers = tuple(_racer(race, member) for member in race.racers)
    chat = tuple(line for line in race.chat if _may_read(line, view))
    return RaceView(_life(race), racers, race.life.layout, boards, chat)


def update(before: Race, stamped: Stamped, after: Race, view: View) -> tuple[Change, ...]:
    """The changes that event makes to the picture."""
    event = stamped.event
    match event:
        case Moved() | Undone() | Redone() | Restarted() | AutoFinished():
            progress = RacerChange(_racer(after, after.members[event.player]))
            if view is not View.BOARDS:
                return (progress,)
            return (_board_change(before, event, after), progress)
        case Said(player):
            line = after.chat[-1]
            return (ChatChange(line),) if _may_read(line, view) else ()
        case Joined(player) | Readied(player) | Finished(player) | Resigned(player):
            return (RacerChange(_racer(after, after.members[player])),)
        case RobotJoined(robot=robot) | RobotPlanned(robot=robot):
            return (RacerChange(_racer(after, after.members[robot])),)
        case Left(player):
            return (RacerGone(player),)
        case Kicked(_, _, target):
            return (RacerGone(target, kicked=True),)
        case Started():
            return _started(after, view)
        case Configured() | TimeUp():
            return (LifeChange(_life(after)), *_all_racers(after))
        case Created() | HostPassed() | CountdownBegun() | Ended() | RematchMade():
            return (LifeChange(_life(after)),)
        case Attached() | HintTaken() | Rematched() | RematchAsked() | TailLost():
            return ()
        case _:
            assert_never(event)


def merge(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The same changes with each racer's progress told once, where it was first told, by its latest value.

    A seat that is left and taken again goes to the end of the row, so what was told before it stays as it
    was.
    """
    merged: list[Change] = []
    places: dict[PlayerId, int] = {}
    for change in changes:
        match change:
            case RacerChange(racer) if racer.player in places:
                merged[places[racer.player]] = change
                continue
            case RacerChange(racer):
                places[racer.player] = len(merged)
            case RacerGone(player):
                places.pop(player, None)
            case _:
                pass
        merged.append(change)
    return tuple(merged)


def seat_of(member: Member) -> SeatView:
    """A racer's own seat."""
    game = member.game
    board = board_of(member)
    if game is None or board is None or member.standing is not Standing.RACING:
        return SeatView(member.session, member.last_c, member.n, board, False, False, False, False)
    rules = game.rules
    offered = rules.auto_finish and not game.position.is_won and finish.is_offered(game.position)
    return SeatView(
        member.session,
        member.last_c,
        member.n,
        board,
        undo=can_undo(game),
        redo=rules.redo and can_redo(game),
        finish=offered,
        blocked=is_blocked(game.position, rules),
        stuck=is_stuck(game),
    )


def card_moves(before: Member, event: Event) -> tuple[Move, ...] | None:
    """The card movements an event makes on its racer's board; None if only the whole board tells it."""
    match event:
        case Moved(_, _, move):
            return (move,)
        case AutoFinished(_, _, moves):
            return moves
        case Undone() if before.game is not None:
            return undo_moves(before.game)
        case Redone() if before.game is not None:
            return redo_moves(before.game)
        case Restarted():
            return None
        case _:
            return ()


def single_moves(before: Member, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """The same moves card by card, for who draws them; empty where each takes one card anyway."""
    if before.game is None or all(move.count == 1 for move in moves):
        return ()
    return expand_all(before.game.position, moves)


def board_of(member: Member) -> BoardView | None:
    """A member's board, once dealt."""
    game = member.game
    return None if game is None else BoardView(game.position, member.n, game.score, game.actions)


def _may_read(line: ChatLine, view: View) -> bool:
    return not (line.watcher and view is View.RACER)


def _life(race: Race) -> LifeView:
    life = race.life
    setup, started = life.setup, life.has_started
    made = life.rematch.code if life.rematch and life.rematch.made else None
    return LifeView(
        life.phase,
        life.host,
        replace(setup, deal=0, nonce=""),
        commitment(setup.nonce, setup.deal),
        setup.deal if started else None,
        setup.nonce if started else None,
        life.ending,
        made,
        life.deals,
    )


def _racer(race: Race, member: Member) -> RacerView:
    game, ended = member.game, member.ended_at
    return RacerView(
        member.player,
        member.name,
        member.ready,
        member.standing,
        0 if game is None else game.position.home,
        0 if game is None else game.actions,
        None if ended is None else ended - race.life.started_at,
        member.rank,
        None if member.robot is None else member.robot.level,
        member.robot is not None and _knows_no_way(race, member.robot, ended),
    )


def _knows_no_way(race: Race, robot: Robot, ended_at: int | None) -> bool:
    """Whether no line was found for it, or none in time; not if the people were done before that."""
    if robot.line is not None:
        return robot.line == ()
    return ended_at is not None and ended_at >= race.life.started_at + PLAN_WITHIN_MS


def _all_racers(race: Race) -> tuple[RacerChange, ...]:
    return tuple(RacerChange(_racer(race, member)) for member in race.racers)


def _started(after: Race, view: View) -> tuple[Change, ...]:
    assert after.life.layout is not None  # dealt by this very event
    dealt = Deal(after.life.layout, shown=view is View.BOARDS)
    return (LifeChange(_life(after)), *_all_racers(after), dealt)


def _board_change(before: Race, event: BoardEvent, after: Race) -> Change:
    member = before.members[event.player]
    moves = card_moves(member, event)
    board = board_of(after.members[event.player])
    assert board is not None  # a racing member has a board
    if moves is None:
        return BoardChange(event.player, board)
    singles = single_moves(member, moves)
    return BoardMoves(event.player, moves, board.n, board.score, board.actions, singles)
