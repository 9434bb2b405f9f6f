r"""The client's mind: what it knows of one race, and what it still has to say.

Frozen values and pure functions: a session and an event in, the next session and the commands to send out.
The clock comes in as an argument. How numbered commands survive a lost connection:

    typed --> line ----> unanswered ---ack-----> accepted
                ^            |  \--refused--> (forgotten; what was typed after it in the same line too)
                |            |
                +- postponed-+--too_fast, unavailable

Moves of one line go out one by one, each on the board that the one before left, so that a refused one stops
the rest. After a reconnect all that was not answered goes out again, in order and with its old number: what
took effect is answered once more (`repeated`), what was refused is refused again or `stale_command`, and what
never arrived is decided now. Accepted commands are kept until the race is over, because a store that lost its
newest events (`rewound`) needs them once more.
"""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import msgspec

from client_cli.lines import BoardDraft, QuestionDraft, RaceDraft
from protocol import picture
from protocol.commands import (
    Calc,
    Command,
    Configure,
    Create,
    Hint,
    Join,
    Kick,
    Leave,
    Replay,
    Watch,
)
from protocol.errors import ErrorCode
from protocol.events import (
    Ack,
    Bye,
    Calculated,
    Created,
    Event,
    Hinted,
    Presence,
    RaceLost,
    Refused,
    RematchReady,
    Replayed,
    Seat,
    Snapshot,
    Unwatched,
    Update,
    Watching,
    Welcome,
)
from protocol.picture import Following, Hole
from protocol.views import Board, Dealt, Feed, Phase, Picture, Racer, RacerLeft

MAX_UNANSWERED: Final = 32
"""More than these a server need not remember the answers of."""

ENTRANCE_Q: Final = 0
"""The `q` of the command by which a race is entered; questions count from 1."""

RaceEvent = (
    Seat
    | Watching
    | Unwatched
    | Snapshot
    | Update
    | Ack
    | Presence
    | Hinted
    | Calculated
    | Replayed
    | RematchReady
    | RaceLost
)
"""The events that name the race they are about."""

_PASSING: Final = frozenset({ErrorCode.TOO_FAST, ErrorCode.UNAVAILABLE, ErrorCode.RESTARTING})

Entrance = Create | Join | Watch
Numbered = BoardDraft | RaceDraft | Kick | Configure
Question = QuestionDraft | Replay
Draft = Numbered | Question


@dataclass(frozen=True, slots=True)
class Clock:
    """The race's clock: it showed `race_ms` when ours showed `at_ms`."""

    race_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Options:
    """What the server says of the board as it stands."""

    undo: bool = False
    redo: bool = False
    finish: bool = False
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """One race, from a seat in it or as a watcher.

    With `resumes`, a running race of one's own is gone on with rather than another one made. `inside` while
    the server counts this connection in; `broken` while what it sends cannot be joined to what is known, and
    a snapshot was asked for. `here` is None as long as presence was not told; `away` are those who were here
    before. `acknowledged_to` is the newest event that an answer told of.
    """

    entrance: Entrance
    resumes: bool = False
    player: str = ""
    race: str = ""
    inside: bool = False
    broken: bool = False
    following: Following | None = None
    board: Board | None = None
    options: Options = Options()
    clock: Clock | None = None
    here: frozenset[str] | None = None
    away: frozenset[str] = frozenset()
    watchers: int = 0
    watching: Watching | None = None
    next_c: int = 1
    next_q: int = ENTRANCE_Q + 1
    line: tuple[BoardDraft, ...] = ()
    outbox: tuple[Numbered, ...] = ()
    unanswered: tuple[Numbered, ...] = ()
    postponed: tuple[Numbered, ...] = ()
    accepted: tuple[Numbered, ...] = ()
    acknowledged_to: int = 0
    questions: tuple[Question, ...] = ()
    next_race: str = ""
    has_left: bool = False
    was_kicked: bool = False
    refusal: Refused | None = None
    lost: bool = False

    @property
    def feed(self) -> Feed:
        """Which of the two feeds of a race this session lives on."""
        return "watch" if isinstance(self.entrance, Watch) else "seat"

    @property
    def picture(self) -> Picture | None:
        """The race as last told; None before the first whole snapshot."""
        following = self.following
        return following.picture if following and not following.pages_left else None

    @property
    def phase(self) -> Phase | None:
        """Where the race is in its life, if known."""
        return self.picture.life.phase if self.picture else None

    @property
    def racers(self) -> tuple[Racer, ...]:
        """All seats, in the order in which they were taken."""
        return self.picture.racers if self.picture else ()

    @property
    def me(self) -> Racer | None:
        """One's own seat."""
        return next((racer for racer in self.racers if racer.player == self.player), None)

    @property
    def is_racing(self) -> bool:
        """Whether one's own board takes moves."""
        return self.phase == "running" and self.me is not None and self.me.state == "racing"

    @property
    def is_host(self) -> bool:
        """Whether the settings and the start are one's own to decide."""
        return self.picture is not None and self.picture.life.host == self.player

    @property
    def is_settled(self) -> bool:
        """Whether everything said was answered, and what it led to was seen."""
        if self.line or self.outbox or self.unanswered or self.postponed or self.questions:
            return False
        has_all = self.following is not None and self.following.to >= self.acknowledged_to
        return self.inside and not self.broken and self.picture is not None and has_all

    @property
    def is_over(self) -> bool:
        """Whether this race can never be entered again."""
        return self.refusal is not None or self.lost

    def race_ms(self, now_ms: int) -> int | None:
        """The race's clock: negative in the countdown; None before it."""
        return None if self.clock is None else self.clock.race_ms + now_ms - self.clock.at_ms


class Step(NamedTuple):
    """What an event or a wish leads to: the session after it, and what to send.

    `dropped` are moves typed after a refused one, never sent. With `retry_ms`, `resume` is to be called that
    much later.
    """

    session: Session
    send: tuple[Command, ...] = ()
    dropped: tuple[BoardDraft, ...] = ()
    retry_ms: int | None = None


def ask(session: Session, *drafts: Draft) -> Step:
    """Say something: it goes out now, or once what stands before it was answered."""
    line, outbox, questions = session.line, session.outbox, session.questions
    next_c, next_q = session.next_c, session.next_q
    asked: list[Command] = []
    for draft in drafts:
        if isinstance(draft, BoardDraft):
            line = (*line, draft)
        elif isinstance(draft, Hint | Calc | Replay):
            question = msgspec.structs.replace(draft, race=session.race, q=next_q)
            questions = (*questions, question)
            asked.append(question)
            next_q += 1
        else:
            outbox = (*outbox, msgspec.structs.replace(draft, race=session.race, c=next_c))
            next_c += 1
    session = replace(session, line=line, outbox=outbox, questions=questions, next_c=next_c, next_q=next_q)
    session, commands = _flush(session)
    return Step(session, (*commands, *asked) if session.inside else commands)


def resume(session: Session) -> Step:
    """Say again what was postponed, after the time the server asked for.

    A refused command left no trace, so it gets a new number: its old one may be below another's by now.
    """
    if not session.race or not session.inside:
        return Step(session, _enter(session))
    line, outbox, next_c = session.line, session.outbox, session.next_c
    for command in reversed(session.postponed):
        if isinstance(command, BoardDraft):
            line = (command, *line)
    for command in session.postponed:
        if not isinstance(command, BoardDraft):
            outbox = (*outbox, msgspec.structs.replace(command, c=next_c))
            next_c += 1
    session = replace(session, line=line, outbox=outbox, postponed=(), next_c=next_c)
    session, commands = _flush(session)
    return Step(session, (*commands, *session.questions))


def disconnected(session: Session) -> Session:
    """The connection is gone: what was sent and not answered may or may not have taken effect."""
    return replace(session, inside=False, broken=False, here=None)


def receive(session: Session, event: Event, now_ms: int) -> Step:
    """What an event leads to. Events of other races, or of the race's other feed, change nothing."""
    match event:
        case Welcome():
            session = replace(session, player=event.player)
            if session.resumes and not session.race and event.races:
                session = replace(session, entrance=Join(event.races[-1]))
            return Step(session, _enter(session))
        case Created():
            return Step(replace(session, race=event.race) if _made_here(session, event) else session)
        case Refused():
            return _refused(session, event)
        case Bye():
            return Step(session)
    if event.race != session.race and not _lets_in(session, event):
        return Step(session)
    return _told(session, event, now_ms)


def _told(session: Session, event: RaceEvent, now_ms: int) -> Step:
    """What an event of this race leads to."""
    match event:
        case Seat():
            return _seated(session, event)
        case Watching():
            session = replace(session, race=event.race, inside=True, watching=event)
            return _say_again(session, session.unanswered)
        case Snapshot() | Update() if event.feed == session.feed:
            return _followed(session, event, now_ms)
        case Ack():
            return _acknowledged(session, event)
        case Hinted() | Calculated() | Replayed():
            return Step(_answered(session, event.q))
        case Presence():
            here = frozenset(event.here)
            away = (session.away | (session.here or frozenset())) - here
            return Step(replace(session, here=here, away=away, watchers=event.watchers))
        case RematchReady():
            return Step(replace(session, next_race=event.next))
        case RaceLost():
            return Step(replace(session, lost=True))
        case _:
            return Step(session)


# Entering a race, and entering it again.


def _enter(session: Session) -> tuple[Command, ...]:
    following = session.following
    to, tag = (following.to, following.tag) if following and not following.pages_left else (0, "")
    match session.entrance:
        case Create() if not session.race:
            return (msgspec.structs.replace(session.entrance, q=ENTRANCE_Q),)
        case Create():
            return (Join(session.race, ENTRANCE_Q, to, tag),)
        case Join() | Watch():
            return (msgspec.structs.replace(session.entrance, q=ENTRANCE_Q, to=to, tag=tag),)


def _made_here(session: Session, event: Created) -> bool:
    return isinstance(session.entrance, Create) and session.entrance.id == event.id


def _lets_in(session: Session, event: Event) -> bool:
    """Whether it is the first word of the race that one asked to enter."""
    return (
        not session.race
        and isinstance(event, Seat | Watching)
        and isinstance(session.entrance, Join | Watch)
        and session.entrance.race == event.race
    )


def _seated(session: Session, event: Seat) -> Step:
    lost = tuple(command for command in session.accepted if command.c > event.last_c)
    session = replace(
        session,
        race=event.race,
        inside=True,
        board=event.board,
        options=Options(event.undo, event.redo, event.finish, event.blocked),
        next_c=max(session.next_c, event.last_c + 1),
        accepted=session.accepted[: len(session.accepted) - len(lost)],
    )
    return _say_again(session, (*lost, *session.unanswered))


def _say_again(session: Session, commands: tuple[Numbered, ...]) -> Step:
    session = replace(session, unanswered=(), outbox=(*commands, *session.outbox))
    session, sent = _flush(session)
    return Step(session, (*sent, *session.questions))


def _flush(session: Session) -> tuple[Session, tuple[Command, ...]]:
    """Send what may be sent: at most `MAX_UNANSWERED` in flight, and one move of a line at a time."""
    if not session.inside or session.postponed:
        return session, ()
    room = MAX_UNANSWERED - len(session.unanswered)
    sending, outbox = session.outbox[:room], session.outbox[room:]
    next_c, line = session.next_c, session.line
    unanswered = (*session.unanswered, *sending)
    if line and not outbox and not any(isinstance(command, BoardDraft) for command in unanswered):
        n = session.board.n if session.board else 0
        move = msgspec.structs.replace(line[0], race=session.race, c=next_c, n=n)
        sending, unanswered, line, next_c = (*sending, move), (*unanswered, move), line[1:], next_c + 1
    return replace(session, outbox=outbox, unanswered=unanswered, line=line, next_c=next_c), sending


# What the server tells of the race.


def _followed(session: Session, event: Snapshot | Update, now_ms: int) -> Step:
    if session.broken and isinstance(event, Update):
        return Step(session)
    try:
        if isinstance(event, Snapshot):
            following = picture.start(event, session.following)
        elif session.following is None:
            raise Hole("an update before any snapshot")
        else:
            following = picture.follow(session.following, event)
    except Hole:
        return _mend(session)
    session = replace(session, following=following, broken=False)
    if isinstance(event, Snapshot) and event.rewound and session.feed == "seat":
        # Commands that were acknowledged may be lost: a new seat tells which.
        session = replace(session, inside=False)
        return Step(session, _enter(session))
    if event.clock is not None:
        session = replace(session, clock=Clock(event.clock, now_ms))
    if isinstance(event, Update) and session.feed == "seat":
        session = _changed(session, event)
    if session.phase == "over":
        # No move can be taken any more, and none that was taken can be lost.
        session = replace(session, line=(), accepted=())
    return Step(session)


def _changed(session: Session, event: Update) -> Session:
    """What changes for one's own seat by what happened to the race."""
    for change in event.changes:
        match change:
            case Dealt(board):
                session = replace(session, board=board, options=Options())
            case RacerLeft(player) if player == session.player:
                session = replace(session, was_kicked=not session.has_left)
            case _:
                pass
    return session


def _mend(session: Session) -> Step:
    """Ask for the whole picture, having lost the thread."""
    session = replace(session, following=None, inside=False, broken=True)
    return Step(session, _enter(session))


# Answers.


def _acknowledged(session: Session, event: Ack) -> Step:
    command = next((command for command in session.unanswered if command.c == event.c), None)
    if command is None:
        return Step(session)
    unanswered = tuple(other for other in session.unanswered if other is not command)
    session = replace(
        session,
        unanswered=unanswered,
        accepted=(*session.accepted, command),
        acknowledged_to=max(session.acknowledged_to, event.seq),
    )
    if isinstance(command, Leave) and session.phase in {"lobby", "countdown"}:
        session = replace(session, has_left=True)
    if isinstance(command, BoardDraft) and not event.repeated and not session.broken:
        try:
            board = _board_after(session, event)
        except Hole:
            return _mend(session)
        options = Options(event.undo, event.redo, event.finish, event.blocked)
        session = replace(session, board=board, options=options)
    return Step(*_flush(session))


def _board_after(session: Session, event: Ack) -> Board:
    """One's own board after an accepted command.

    Raises:
        Hole: the answer does not join the board that is known.
    """
    if event.board is not None:
        return msgspec.structs.replace(event.board, n=event.n, score=event.score, actions=event.actions)
    if session.board is None:
        raise Hole("a move on a board that is not known")
    return picture.carry(session.board, event.moves, n=event.n, score=event.score, actions=event.actions)


def _refused(session: Session, event: Refused) -> Step:
    if event.q == ENTRANCE_Q and not session.inside:
        if _is_passing(event):
            return Step(session, retry_ms=event.retry_ms)
        return Step(replace(session, refusal=event))
    if event.race is not None and event.race != session.race:
        return Step(session)
    if event.code is ErrorCode.SUPERSEDED:
        return Step(replace(session, refusal=event))
    if event.q is not None:
        return (
            Step(session, retry_ms=event.retry_ms)
            if _is_passing(event)
            else Step(_answered(session, event.q))
        )
    command = next((command for command in session.unanswered if command.c == event.c), None)
    return Step(session) if command is None else _not_taken(session, command, event)


def _not_taken(session: Session, command: Numbered, event: Refused) -> Step:
    unanswered = tuple(other for other in session.unanswered if other is not command)
    session = replace(session, unanswered=unanswered)
    if _is_passing(event):
        return Step(replace(session, postponed=(*session.postponed, command)), retry_ms=event.retry_ms)
    if not isinstance(command, BoardDraft):
        return Step(*_flush(session))
    dropped, session = session.line, replace(session, line=())
    if event.code is ErrorCode.STALE_BOARD:
        return _mend(session)._replace(dropped=dropped)
    return Step(*_flush(session), dropped)


def _is_passing(event: Refused) -> bool:
    """Whether the same command may be taken a little later."""
    return event.retry_ms is not None and event.code in _PASSING


def _answered(session: Session, q: int) -> Session:
    return replace(session, questions=tuple(question for question in session.questions if question.q != q))
