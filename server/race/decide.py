"""What a command leads to: events, or a refusal that says why.

`decide` judges a command on the newest state the caller knows; only an append that takes effect proves that
it was the newest. Here is the order of things common to all commands; `lobby` and `board` hold the two halves
of a race.
"""

from typing import assert_never

from server.freecell.wording import say
from server.race import board, daily, lobby, robots
from server.race.commands import (
    AddRobot,
    AskRematch,
    AutoFinish,
    Command,
    Configure,
    Create,
    Join,
    Kick,
    Leave,
    LinkRematch,
    Move,
    NoteHint,
    NoteTailLoss,
    NumberedCommand,
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
from server.race.decision import NOT_DUE, Decision, Refusal, Repeated, Verdict, Wake
from server.race.events import (
    Attached,
    Created,
    Ended,
    Event,
    Joined,
    RematchAsked,
    Rematched,
    RematchMade,
    RobotJoined,
    Said,
    Started,
    TailLost,
    TimeUp,
)
from server.race.state import (
    LOBBY_LIFE_MS,
    MAX_CHAT_LINES,
    MAX_COMMANDS_BESIDES,
    MAX_MEMBERS,
    MAX_SESSIONS,
    Ending,
    Member,
    Phase,
    Race,
    Standing,
)


def create(command: Create) -> Decision:
    """The events that begin a race's log: the race and its host's seat."""
    events = (
        Created(command.code, command.create_id, command.player, command.setup),
        Joined(command.player, command.name),
    )
    return Decision(events, wake=LOBBY_LIFE_MS)


def rematch_of(race: Race) -> Decision | None:
    """The events that begin the log of the rematch, from the old log alone; None if nobody asked for one."""
    rematch = race.life.rematch
    if rematch is None:
        return None
    created = Created(rematch.code, f"rematch-{race.life.code}", rematch.host, rematch.setup)
    carried_over = (
        RobotJoined(lobby.NOBODY, 0, racer.player, racer.name, racer.robot.level)
        for racer in race.racers
        if racer.robot is not None
    )
    return Decision((created, Joined(rematch.host, rematch.host_name), *carried_over), wake=LOBBY_LIFE_MS)


def decide(race: Race, command: Command, now_ms: int) -> Verdict:
    """What `command` leads to on `race` when the store's time is about `now_ms`."""
    match command:
        case Join():
            return _join(race, command)
        case Tick():
            return _tick(race, now_ms)
        case PassHost():
            return lobby.pass_host(race, command)
        case PlanRobot():
            return robots.plan(race, command, now_ms)
        case NoteHint():
            return daily.note_hint(race, command)
        case LinkRematch():
            return _link_rematch(race)
        case NoteTailLoss():
            return _note_tail_loss(race, now_ms)
        case _:
            return _numbered(race, command, now_ms)


def _numbered(race: Race, command: NumberedCommand, now_ms: int) -> Verdict:
    """A player's command: his newest session, a fresh number, then what it asks for."""
    member = race.members.get(command.player)
    if member is not None:
        if member.robot is not None:
            return Refusal("not_seated", "nobody can play for a robot")
        if member.session != command.session:
            return Refusal("superseded", "this seat is played from another connection")
        if command.c <= member.last_c:
            return _old_answer(member, command.c)
    if isinstance(command, Say):
        return _say(race, command)
    if member is None or not member.seated:
        return Refusal("not_seated", "you have no seat in this race")
    match command:
        case Move() | Send() | Undo() | Redo() | Restart() | AutoFinish():
            return board.decide_board(race, member, command, now_ms)
        case Configure() | Ready() | Start() | Kick() | AddRobot():
            return lobby.decide_lobby(race, member, command)
        case Leave():
            return lobby.leave(race, member, command, now_ms)
        case Resign():
            return board.resign(race, member, command.c, now_ms)
        case AskRematch():
            return _ask_rematch(race, member, command)
        case _:
            assert_never(command)


def _old_answer(member: Member, c: int) -> Verdict:
    for answer in reversed(member.answers):
        if answer.c == c:
            return Repeated(answer)
    text = "command {c} is behind your newest one, {newest}"
    return Refusal("stale_command", say(text, c=c, newest=member.last_c))


def _join(race: Race, command: Join) -> Verdict:
    """A seat, or one's own seat again.

    Seats can be taken until the very append of `Started`: whoever is before it in the log gets the deal.
    """
    member = race.members.get(command.player)
    if member is not None and member.robot is not None:
        return Refusal("not_seated", "nobody can play for a robot")
    if member is not None and member.sessions >= MAX_SESSIONS:
        return Refusal("too_many", "you have come to this race too often")
    if member is not None and member.seated:
        return Decision((Attached(command.player),))
    refusal = _no_seat(race, member, command)
    return refusal or Decision((Joined(command.player, command.name), Attached(command.player)))


def _no_seat(race: Race, member: Member | None, command: Join) -> Refusal | None:
    if member is not None and member.standing is Standing.KICKED:
        return Refusal("kicked", "the host sent you out of this race")
    hidden = daily.why_hidden(race.life.setup, command)
    if hidden is not None and race.life.phase in (Phase.LOBBY, Phase.COUNTDOWN):
        return hidden
    if race.life.phase is Phase.RUNNING:
        return Refusal("race_started", "too late: this race has started; you may watch it")
    if race.life.phase is Phase.OVER:
        return Refusal("race_over", "this race is over")
    if command.resuming and member is not None and member.standing is Standing.GONE:
        return Refusal("not_seated", "you have left this race; join it anew to have a seat again")
    racers = race.racers
    if len(racers) >= race.life.setup.max_racers:
        seats = race.life.setup.max_racers
        return Refusal("race_full", say("all {seats} seats are taken; you may watch", seats=seats))
    if any(racer.name.casefold() == command.name.casefold() for racer in racers):
        return Refusal("name_taken", say("somebody in this race is called {name} already", name=command.name))
    if member is None and len(race.members) >= MAX_MEMBERS:
        return Refusal("too_many", "too many people have come and gone in this race")
    return None


def _tick(race: Race, now_ms: int) -> Verdict:
    deadline = race.next_deadline
    if deadline is None or now_ms < deadline:
        return NOT_DUE
    life = race.life
    match life.phase:
        case Phase.LOBBY:
            return Decision((Ended(Ending.EXPIRED),), not_before=deadline, wake=Wake.CLEAR)
        case Phase.COUNTDOWN:
            started = (Started(),)
            return Decision(started, not_before=deadline, wake=robots.first_wake(race, started))
        case Phase.RUNNING:
            turn = race.next_turn
            if turn is not None and turn.due_ms < life.ends_at and now_ms < life.ends_at:
                return robots.take(race, turn, now_ms)
            events: tuple[Event, ...] = (TimeUp(), Ended(Ending.FINISHED))
            return Decision(events, not_before=life.ends_at, wake=Wake.CLEAR)
        case Phase.OVER:
            return NOT_DUE  # The shell links the rematch; a tick cannot.
        case _:
            assert_never(life.phase)


def _say(race: Race, command: Say) -> Verdict:
    member = race.members.get(command.player)
    if member is not None and member.standing is Standing.KICKED:
        return Refusal("kicked", "the host sent you out of this race")
    if len(race.chat) >= MAX_CHAT_LINES:
        return Refusal("chat_full", say("a race has room for {most} chat lines", most=MAX_CHAT_LINES))
    if member is None and len(race.members) >= MAX_MEMBERS:
        return Refusal("too_many", "too many people have spoken in this race")
    name = member.name if member is not None and member.seated else command.name
    return Decision((Said(command.player, command.c, name, command.text),))


def _ask_rematch(race: Race, member: Member, command: AskRematch) -> Verdict:
    if race.life.phase is not Phase.OVER:
        return Refusal("not_over", "a rematch can be asked for when the race is over")
    if race.life.setup.ranked:
        return Refusal("not_in_rules", "there is one ranked attempt at the deal of a day")
    if race.life.rematch is not None and member.others >= MAX_COMMANDS_BESIDES:
        return Refusal("too_many", "you have asked often enough; join the rematch by its code")
    if race.life.rematch is not None:
        return Decision((RematchAsked(member.player, command.c),))
    asked = Rematched(member.player, command.c, command.code, member.name, command.setup)
    return Decision((asked,), wake=0)


def _link_rematch(race: Race) -> Verdict:
    rematch = race.life.rematch
    if rematch is None or rematch.made:
        return NOT_DUE
    return Decision((RematchMade(),), wake=Wake.CLEAR)


def _note_tail_loss(race: Race, now_ms: int) -> Decision:
    """Say in the log that some have seen more than it holds. The deadline may be lost too: set it anew."""
    deadline = race.next_deadline
    return Decision((TailLost(),), wake=Wake.CLEAR if deadline is None else max(0, deadline - now_ms))
