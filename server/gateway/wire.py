"""The core's values as messages. `race.views` has settled who may see what; here it is written down."""

from typing import Final, Literal, assert_never

from protocol import commands, events, views
from protocol.codec import Reference
from protocol.errors import ErrorCode
from server.daily.naming import daily_of
from server.deals.certified import Known
from server.freecell.calculate import Destination
from server.freecell.cards import card_name
from server.freecell.code import deal_code
from server.freecell.moves import Move
from server.freecell.piles import pile_name
from server.freecell.rulesets import differences
from server.freecell.wording import Phrase, Wording, phrases_of, say
from server.race import views as core
from server.race.commands import NumberedCommand
from server.race.curves import Curve
from server.race.decision import Refusal
from server.race.events import Finished, Stamped
from server.race.questions import Destinations, HintGiven
from server.race.replays import Step
from server.race.robot import Level
from server.race.state import Answer, ChatLine, Member, Phase, PlayerId, Race, Setup

PAGE_BOARDS: Final = 16
PAGE_CHAT: Final = 50
PAGE_STEPS: Final = 100
PAGE_CURVES: Final = 20


def snapshot(
    race: Race, feed: views.Feed, view: core.View, tag: str, clock: int | None, *, rewound: bool = False
) -> list[events.Snapshot]:
    """The whole picture of a view, in pages."""
    seen = core.snapshot(race, view)
    boards = [(player, _board(board)) for player, board in seen.boards.items()]
    chat = [_chat(line) for line in seen.chat]
    pages = max(1, -(-len(boards) // PAGE_BOARDS), -(-len(chat) // PAGE_CHAT))
    life, racers = _life(seen.life), tuple(_racer(racer) for racer in seen.racers)
    layout = None if seen.layout is None else _board(core.BoardView(seen.layout, 0, 0, 0))
    return [
        events.Snapshot(
            race.life.code,
            feed,
            view.value,
            race.seq,
            tag,
            life,
            clock,
            rewound,
            page + 1,
            pages,
            layout,
            racers if page == 0 else (),
            dict(boards[page * PAGE_BOARDS : (page + 1) * PAGE_BOARDS]),
            tuple(chat[page * PAGE_CHAT : (page + 1) * PAGE_CHAT]),
        )
        for page in range(pages)
    ]


def change(seen: core.Change) -> views.Change:
    """A change of a view."""
    match seen:
        case core.LifeChange(life):
            return views.LifeChanged(_life(life))
        case core.RacerChange(racer):
            return views.RacerChanged(_racer(racer))
        case core.RacerGone(player, kicked):
            return views.RacerLeft(player, kicked)
        case core.Deal(layout, shown):
            return views.Dealt(_board(core.BoardView(layout, 0, 0, 0)), shown)
        case core.BoardMoves(player, moves, n, score, actions, singles):
            return views.BoardMoved(player, n, _moves(moves), score, actions, _moves(singles))
        case core.BoardChange(player, board):
            return views.BoardReset(player, _board(board))
        case core.ChatChange(line):
            return views.ChatSaid(_chat(line))
        case _:  # pragma: no cover - mypy proves that no change is left
            assert_never(seen)


def seat(race: Race, member: Member, q: int | None) -> events.Seat:
    """A racer's own seat."""
    own = core.seat_of(member)
    return events.Seat(
        race.life.code,
        own.session,
        race.seq,
        own.last_c,
        own.n,
        None if own.board is None else _board(own.board),
        own.undo,
        own.redo,
        own.finish,
        own.blocked,
        q,
        own.stuck,
    )


def held_seat(race: Race, player: PlayerId) -> views.HeldSeat:
    """A race that is not over, to one who has a seat in it and may not know any more what it is."""
    life = _life(core.snapshot(race, core.View.RACER).life)
    racers = [member for member in race.members.values() if member.seated]
    robots = [member.robot.level for member in racers if member.robot is not None]
    return views.HeldSeat(
        race.life.code,
        life.phase,
        life.settings,
        host=life.host == player,
        people=len(racers) - len(robots),
        robots=tuple(_LEVELS[level] for level in robots),
        done=race.members[player].ended_at is not None,
        deal=life.deal,
        deal_code=life.deal_code,
    )


def ack(before: Race, command: NumberedCommand, done: tuple[Stamped, ...], after: Race) -> events.Ack:
    """The answer to a command that took effect by the events `done`."""
    member, first = after.members[command.player], done[0]
    earlier = before.members.get(command.player)
    moves = core.card_moves(earlier, first.event) if earlier is not None else ()
    own = core.seat_of(member)
    board = own.board
    return events.Ack(
        after.life.code,
        command.c,
        member.n,
        first.seq,
        _moves(moves or ()),
        _board(board) if moves is None and board is not None else None,
        0 if board is None else board.score,
        0 if board is None else board.actions,
        0 if board is None else board.position.home,
        own.undo,
        own.redo,
        own.finish,
        own.blocked,
        won=any(isinstance(stamped.event, Finished) for stamped in done),
        singles=_moves(core.single_moves(earlier, moves)) if earlier is not None and moves else (),
        stuck=own.stuck,
    )


def repeated(race: Race, answer: Answer) -> events.Ack:
    """The answer to a command that had taken effect before."""
    return events.Ack(race.life.code, answer.c, answer.n, answer.seq, repeated=True)


def calculated(code: str, q: int, found: Destinations) -> events.Calculated:
    """The answer to the move calculator."""
    return events.Calculated(
        code, q, found.n, found.pile, tuple(_destination(place) for place in found.destinations)
    )


def hinted(code: str, q: int, found: HintGiven) -> events.Hinted:
    """A hint, or that there is none."""
    return events.Hinted(code, q, found.n, found.move)


def replayed(race: Race, member: Member, command: commands.Replay, steps: list[Step]) -> events.Replayed:
    """A page of a racer's steps."""
    setup, layout = race.life.setup, race.life.layout
    assert layout is not None  # only a race that has started has steps
    page = steps[command.after : command.after + PAGE_STEPS]
    return events.Replayed(
        race.life.code,
        command.q,
        member.player,
        member.name,
        setup.deal,
        setup.rules.cells,
        setup.rules.name,
        _board(core.BoardView(layout, 0, 0, 0)),
        command.after,
        tuple(_step(step) for step in page),
        more=command.after + len(page) < len(steps),
    )


def traced(command: commands.Trace, curves: list[Curve], clock: int | None) -> events.Traced:
    """A page of the curves of a race."""
    page = curves[command.after : command.after + PAGE_CURVES]
    return events.Traced(
        command.race,
        command.q,
        command.after,
        tuple(events.Curve(curve.player, curve.name, curve.points) for curve in page),
        clock,
        more=command.after + len(page) < len(curves),
    )


def refused(
    refusal: Refusal, at: Reference, n: int | None, retry_ms: int | None, seq: int | None
) -> events.Refused:
    """Why a message had no effect."""
    detail = refusal.detail
    code = ErrorCode(refusal.code)
    return events.Refused(code, str(detail), at.race, at.c, at.q, n, retry_ms, seq, phrases(detail))


def bye(code: str, detail: str, retry_ms: int | None) -> events.Bye:
    """Why the connection is closed."""
    return events.Bye(code, str(detail), retry_ms, phrases(detail))


def watching(
    race: Race, player: PlayerId, access: core.Access | None, q: int | None = None
) -> events.Watching:
    """What one who watches is shown; nothing just now, if there is no `access`."""
    code, member = race.life.code, race.members.get(player)
    last_c = member.last_c if member else 0
    if access is None:
        return events.Watching(
            code, core.View.BOARDS.value, last_c, 0, str(NOBODY_WATCHES.detail), q, paused=True
        )
    why = _SHOWN[access.view]
    if access.delay_ms:
        why += say(", {late} s late", late=access.delay_ms // 1000)
    elif access.view is core.View.BOARDS and race.life.phase is not Phase.OVER:
        why += say(", live")
    return events.Watching(code, access.view.value, last_c, access.delay_ms, str(why), q, phrases(why))


NOBODY_WATCHES: Final = Refusal("no_watching", "the host lets nobody watch until it is over")

_SHOWN: Final = {
    core.View.RACER: say("until your own board is done you see progress only"),
    core.View.PROGRESS: say("the host shows watchers progress only"),
    core.View.BOARDS: say("you see every board"),
}


def phrases(sentence: str) -> tuple[views.Phrase, ...]:
    """What a sentence was made of; nothing where it is said in one piece and without a gap."""
    if not isinstance(sentence, Wording) or (len(sentence.phrases) == 1 and not sentence.phrases[0].values):
        return ()
    return tuple(map(_phrase, sentence.phrases))


def _phrase(part: Phrase) -> views.Phrase:
    return views.Phrase(part.text, dict(part.values))


def clock_of(race: Race, now_ms: int) -> int | None:
    """The race's clock: milliseconds since the start, negative in the countdown, None in the lobby."""
    life = race.life
    match life.phase:
        case Phase.LOBBY:
            return None
        case Phase.COUNTDOWN:
            return min(0, now_ms - life.starts_at)
        case Phase.RUNNING:
            return max(0, now_ms - life.started_at)
        case Phase.OVER:
            return life.over_at - life.started_at if life.has_started else None


def settings_of(setup: Setup) -> views.Terms:
    """A setup as its host would ask for it again, without the deal."""
    rules = setup.rules
    return views.Terms(
        ruleset=_ruleset(rules.name),
        cells=rules.cells,
        max_racers=setup.max_racers,
        time_limit_s=setup.time_limit_ms // 1000,
        countdown_s=setup.countdown_ms // 1000,
        watch=setup.policy.value,
        delay_s=setup.delay_ms // 1000,
        returns=rules.returns,
        undo_limit=rules.undo_limit,
        hints=rules.hints,
    )


_RULESETS: Final[dict[str, commands.Ruleset]] = {
    "classic": "classic",
    "app": "app",
    "solitarium": "solitarium",
    "cardems": "cardems",
    "race": "race",
}


def _ruleset(name: str) -> commands.Ruleset:
    return _RULESETS[name]


def _life(life: core.LifeView) -> views.Life:
    setup = life.setup
    cells = setup.rules.cells
    rules = (say("ruleset {ruleset}", ruleset=setup.rules.name), *differences(setup.rules))
    return views.Life(
        life.phase.value,
        life.host,
        settings_of(setup),
        tuple(map(str, rules)),
        life.commitment,
        setup.deal_named,
        setup.certified,
        life.deal,
        life.nonce,
        None if life.deal is None else deal_code(life.deal, cells),
        setup.countdown_ms,
        "" if life.ending is None else life.ending.value,
        life.rematch,
        tuple(_phrase(part) for rule in rules for part in phrases_of(rule)),
        daily_of(setup.daily).day if setup.daily else None,
        setup.ranked,
        _LOST[setup.lost],
        life.deals,
    )


_LOST: Final[dict[str, Literal["", "unwinnable", "lost_without_return"]]] = {
    "": "",
    Known.UNWINNABLE: "unwinnable",
    Known.LOST_WITHOUT_RETURN: "lost_without_return",
}


def _racer(racer: core.RacerView) -> views.Racer:
    return views.Racer(
        racer.player,
        racer.name,
        racer.ready,
        _STATES[racer.standing.value],
        racer.home,
        racer.actions,
        racer.ended_ms,
        racer.rank,
        None if racer.robot is None else _LEVELS[racer.robot],
        racer.no_way,
    )


_LEVELS: Final[dict[Level, commands.RobotLevel]] = {
    Level.EASY: "easy",
    Level.EVEN: "even",
    Level.FAST: "fast",
}
_STATES: Final[dict[str, views.RacerState]] = {
    "waiting": "waiting",
    "racing": "racing",
    "finished": "finished",
    "resigned": "resigned",
    "out_of_time": "out_of_time",
}


def _board(board: core.BoardView) -> views.Board:
    position = board.position
    return views.Board(
        tuple(" ".join(card_name(card) for card in cascade) for cascade in position.cascades),
        tuple(None if card is None else card_name(card) for card in position.cells),
        position.foundations,
        board.n,
        board.score,
        board.actions,
    )


def _moves(moves: tuple[Move, ...]) -> tuple[views.CardMove, ...]:
    return tuple((pile_name(source), pile_name(dest), count) for source, dest, count in moves)


def _chat(line: ChatLine) -> views.ChatLine:
    return views.ChatLine(line.seq, line.player, line.name, line.text, line.watcher)


def _destination(place: Destination) -> events.Destination:
    return events.Destination(pile_name(place.dest), place.most, str(place.why), phrases(place.why))


def _step(step: Step) -> events.Step:
    board = None if step.board is None else _board(step.board)
    moves, singles = _moves(step.moves), _moves(step.singles)
    return events.Step(step.ms, step.what, step.notation, moves, board, singles)
