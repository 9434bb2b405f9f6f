"""What to tell a person about what was heard: pure, from the sessions before and after it.

Whoever listens to a screen reader hears a line from its beginning, and cannot look past it. So what has
changed comes first, then what follows from it; a board is long, and comes last, or only when it is asked for.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, assert_never

from client_cli.chances import heading, report_lines, verdict_lines
from client_cli.clean import clean
from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.language import tr, trn
from client_cli.lines import BoardDraft
from client_cli.others import chat_text, name_of, presence_lines, racer_lines, unread
from client_cli.own_settings import own_deal
from client_cli.phrases import reason, sentence
from client_cli.promise import Promise, kept
from client_cli.render import board_read_out, board_text, calculated_text, home_of, moves_text
from client_cli.session import Session
from client_cli.speech import Numbered
from client_cli.standings import (
    changes_in_words,
    clock_text,
    lobby_text,
    rules_in_words,
    standings_text,
)
from client_cli.style import Style
from protocol.commands import (
    AddRobot,
    AutoFinish,
    Configure,
    Create,
    Move,
    Redo,
    Rematch,
    Restart,
    Send,
    Undo,
    Watch,
)
from protocol.errors import ErrorCode
from protocol.events import (
    Ack,
    Calculated,
    Created,
    Hinted,
    Presence,
    Refused,
    Reported,
    Seat,
    Snapshot,
    Update,
    Verdict,
    Watching,
)
from protocol.picture import apply
from protocol.views import (
    Board,
    BoardMoved,
    BoardReset,
    Change,
    ChatSaid,
    Dealt,
    Life,
    LifeChanged,
    Picture,
    RacerChanged,
    RacerLeft,
)

WORTH_A_WORD_MS: Final = 1000
"""A command that has to wait for less is only sent again."""


def link_text(news: Lost | NewPlayer, *, can_type: bool = False) -> str:
    """What to tell about the connection; to one who can type, how not to wait for it, too."""
    match news:
        case Lost(why, wait_s) if can_type:
            text = tr("{why}; trying again in {seconds:.1f} s, or now with Enter")
            return text.format(why=why, seconds=wait_s)
        case Lost(why, wait_s):
            return tr("{why}; trying again in {seconds:.1f} s").format(why=why, seconds=wait_s)
        case NewPlayer():
            return tr("This server does not know your token; you are a new player here.")


class Boards(Enum):
    """When whole boards are shown, besides when they are asked for."""

    NEVER = auto()
    AT_THE_START = auto()
    AFTER_MOVES = auto()


@dataclass(frozen=True, slots=True)
class Storyteller:
    """How things are told.

    Attributes:
        style: how cards look.
        boards: when whole boards are shown.
        is_alone: whether one starts at once and alone, so that the lobby is not worth a word.
    """

    style: Style
    boards: Boards
    is_alone: bool = False

    def tell(self, heard: Heard, now_ms: int) -> list[str]:
        """What to print, in order; each may have several lines."""
        before, after = heard.before, heard.step.session
        match heard.event:
            case Created(_, race):
                return [tr("Race code: {race}").format(race=race)]
            case Seat() as event:
                return self._seat(before, event, after)
            case Watching() as event:
                return _watching(before, event)
            case Snapshot() as event if event.feed == after.feed and after.picture is not None:
                return self._snapshot(before, event, after)
            case Update() as event if event.feed == after.feed and not after.broken:
                return [*self._changes(before, event, after), *self._moved_boards(event, after)]
            case Ack() as event:
                return self._ack(before, event, after, now_ms)
            case Refused() as event:
                # The moves before it in its line were told without the board that they led to.
                is_due = self.boards is Boards.AFTER_MOVES and before.speech.is_mid_line
                return [
                    *_refused(before, event, heard, self.style),
                    *([self.board(before)] if is_due else []),
                ]
            case Verdict() as event if event.feed == after.feed == "watch":
                return verdict_lines(before, event, after)
            case Presence():
                return presence_lines(before, after)
            case Hinted() | Calculated() | Reported() as event:
                return self._answer(event, after)
            case _:
                return []

    def _answer(self, event: Hinted | Calculated | Reported, session: Session) -> list[str]:
        match event:
            case Hinted(move=move):
                return [tr("Hint: {move}").format(move=move) if move else tr("There is no hint here.")]
            case Calculated():
                return [calculated_text(event, self.style)]
            case Reported():
                return report_lines(event, session)

    def board(self, session: Session) -> str:
        """One's own board."""
        if session.board is None:
            return tr("There is no board before the start.")
        return f"\n{board_text(session.board, self.style)}\n"

    def read_out(self, session: Session, pile: str) -> str:
        """One's own board pile by pile, or one pile of it."""
        if session.board is None:
            return tr("There is no board before the start.")
        return board_read_out(session.board, self.style, pile)

    def read_all(self, session: Session, pile: str) -> list[str]:
        """The boards of all racers pile by pile, or one pile of each."""
        boards = session.picture.boards if session.picture else {}
        return [
            f"{heading(session, player)}\n{board_read_out(board, self.style, pile)}"
            for player, board in boards.items()
        ] or [tr("No board is shown to you.")]

    def all_boards(self, session: Session) -> list[str]:
        """The boards of all racers, as far as this viewer gets them."""
        return self._all_boards(session) or [tr("No board is shown to you.")]

    # The race as a whole.

    def _seat(self, before: Session, event: Seat, after: Session) -> list[str]:
        if before.following is None:
            is_own = isinstance(before.entrance, Create)  # its code was told
            return (
                []
                if before.broken or is_own
                else [tr("You have a seat in race {race}.").format(race=event.race)]
            )
        told = [tr("Back in race {race}.").format(race=event.race)]
        if after.is_racing and self.boards is Boards.AFTER_MOVES:
            told.append(self.board(after))
        return told

    def _snapshot(self, before: Session, event: Snapshot, after: Session) -> list[str]:
        told = [*map(chat_text, unread(before, after))]
        if event.rewound or before.following is None or event.to >= before.following.to:
            told += _other_promise(before, after)  # else it is what was before
        if event.rewound:
            told.append(tr("The server has lost the newest moves; this is how things stand there."))
        elif before.phase == event.life.phase:
            return told
        match event.life.phase:
            case "lobby" if not self.is_alone:
                told.append(lobby_text(after))
            case "countdown":
                told += [lobby_text(after), _countdown_text(after, event.clock)]
            case "running":
                told += [*self._deal(after, event.life, whole=True), *_clock_line(event)]
                told += [standings_text(after), *self._dealt(after)]
            case "over":
                told.append(standings_text(after))
            case _:
                pass
        return told

    def _changes(self, before: Session, event: Update, after: Session) -> list[str]:
        told: list[str] = []
        picture = before.picture
        if picture is None:
            return told
        for change in event.changes:
            told += self._change(before, picture, change, after)
            picture = apply(picture, change)  # the next move is one on the board that this one left
        return told

    def _change(self, before: Session, picture: Picture, change: Change, after: Session) -> list[str]:
        match change:
            case LifeChanged(life):
                return self._life(before, life, after)
            case RacerChanged(racer):
                has_just_ended = after.phase == "over" != before.phase  # the standings tell it all
                return [] if has_just_ended else racer_lines(before, racer, after)
            case RacerLeft(player, kicked):
                text = tr("The host has sent {name} out.") if kicked else tr("{name} has left.")
                return [text.format(name=name_of(before, player))]
            case Dealt():
                return [standings_text(after), *self._dealt(after)]
            case BoardMoved(player, _, moves):
                if after.feed != "watch":
                    return []
                return [f"{name_of(after, player)}: {moves_text(picture.boards[player], moves, self.style)}"]
            case BoardReset(player):
                back = tr("{name} is back at the deal.").format(name=name_of(after, player))
                return [back] if after.feed == "watch" else []
            case ChatSaid(line):
                return [chat_text(line)]
            case _:
                assert_never(change)

    def _life(self, before: Session, life: Life, after: Session) -> list[str]:
        was = before.picture.life if before.picture else None
        if was is None:
            return []
        told: list[str] = []
        if was.phase != life.phase:
            match life.phase:
                case "countdown" if life.countdown_ms:
                    told.append(_countdown_text(after, None))
                case "running":
                    told += self._deal(after, life, whole=False)
                case "over":
                    told.append(standings_text(after))
                case _:
                    pass
        elif was.settings != life.settings or was.commitment != life.commitment:
            changed = tr("The host has changed the settings ({changes}); everybody must be ready anew.")
            told += [
                changed.format(changes=changes_in_words(was, life)),
                *rules_in_words(life, own_deal(after)),
            ]
        if was.host != life.host:
            told.append(tr("{name} is the host now.").format(name=name_of(after, life.host)))
        if (
            life.rematch
            and not was.rematch
            and not any(isinstance(own, Rematch) for own in before.speech.accepted)
        ):
            told.append(rematch_text(life.rematch, after))
        return told

    def _deal(self, session: Session, life: Life, *, whole: bool) -> list[str]:
        code = f" ({life.deal_code})" if life.deal_code else ""
        promise = _promise_text(kept(session.promise, life, whole=whole))
        text = tr("Race {race}: deal {deal}, {promise}") if promise else tr("Race {race}: deal {deal}")
        deal = text.format(race=session.race, deal=f"{life.deal}{code}", promise=promise)
        return [deal, *rules_in_words(life)]

    def _dealt(self, session: Session) -> list[str]:
        """The cards are on the table."""
        if self.boards is not Boards.NEVER:
            return self._all_boards(session)
        is_shown = session.board is not None or bool(session.picture and session.picture.boards)
        if not is_shown:
            return []
        if session.feed == "watch":
            return [tr("b shows the boards.")]
        return [tr("Your cards are dealt: b shows the board, l reads it pile by pile.")]

    def _all_boards(self, session: Session) -> list[str]:
        if session.feed == "seat":
            return [self.board(session)] if session.board else []
        boards = session.picture.boards if session.picture else {}
        return [self._board_of(session, player, board) for player, board in boards.items()]

    def _moved_boards(self, event: Update, session: Session) -> list[str]:
        """The boards on which something was done, to one who watches and wants them after each move."""
        if self.boards is not Boards.AFTER_MOVES or session.feed != "watch" or session.picture is None:
            return []
        changed = [change.player for change in event.changes if isinstance(change, BoardMoved | BoardReset)]
        boards = session.picture.boards
        return [self._board_of(session, player, boards[player]) for player in dict.fromkeys(changed)]

    def _board_of(self, session: Session, player: str, board: Board) -> str:
        return f"{heading(session, player)}\n{board_text(board, self.style)}\n"

    # One's own board.

    def _ack(self, before: Session, event: Ack, after: Session, now_ms: int) -> list[str]:
        command = before.speech.command(event.c)
        if not isinstance(command, BoardDraft) or after.board is None or before.board is None:
            return []
        what = self._what_changed(command, event, before)
        facts = [
            tr("{home} of 52 home").format(home=home_of(after.board)),
            trn("{n} action", "{n} actions", after.board.actions),
        ]
        race_ms = after.race_ms(now_ms)
        if race_ms is not None:
            facts.append(clock_text(max(0, race_ms)))
        told = [f"{what} ({', '.join(facts)})", *_offers(before, event)]
        if self.boards is Boards.AFTER_MOVES and not after.speech.is_mid_line:
            told.append(self.board(after))
        return told

    def _what_changed(self, command: BoardDraft, event: Ack, before: Session) -> str:
        if event.repeated or before.board is None:
            return tr("{command} had been taken").format(command=command_text(command))
        if event.board is not None:
            whole = tr("The board has changed as a whole")
            return tr("Back to the deal") if isinstance(command, Restart) else whole
        moves = moves_text(before.board, event.moves, self.style)
        match command:
            case Undo():
                return tr("Undone: {moves}").format(moves=moves)
            case Redo():
                return tr("Redone: {moves}").format(moves=moves)
            case _:
                return moves


def rematch_text(race: str, session: Session) -> str:
    """That there is a rematch, and how to be in it; for one who watches, to watch it."""
    if isinstance(session.entrance, Watch):
        text = tr("There is a rematch, race {race}: type rematch to watch it.")
    else:
        text = tr("There is a rematch, race {race}: type rematch to be in it.")
    return text.format(race=race)


def _offers(before: Session, event: Ack) -> list[str]:
    """What has become possible by it, or impossible."""
    if event.won:
        return [tr("All 52 cards are home: you have finished!")]
    told: list[str] = []
    if event.finish and not before.options.finish:
        told.append(tr("The rest can go home by itself: type f."))
    if event.blocked:
        told.append(tr("No move is left: undo (u), restart (R) or resign."))
    if event.stuck and not before.options.stuck:
        text = tr("Every move left leads only to where you have been: undo (u), restart (R) or resign.")
        told.append(text)
    return told


def _watching(before: Session, event: Watching) -> list[str]:
    if before.inside:
        return [tr("From now on: {what}").format(what=event.why)] if event.why else []
    watching = tr("Watching race {race}").format(race=event.race)
    return [f"{watching}: {event.why}" if event.why else watching]


def command_text(command: Numbered) -> str:
    """A command as it was, or could have been, typed; what a terminal would obey in it is left out."""
    match command:
        case Move(move=move):
            return clean(move)
        case Send(pile=pile):
            return f"s {clean(pile)}"
        case AutoFinish():
            return "finish"
        case Configure():
            return "set"
        case AddRobot():
            return "robot"
        case _:
            return str(command.__struct_config__.tag)


def _refused(before: Session, event: Refused, heard: Heard, style: Style) -> list[str]:
    after = heard.step.session
    if after.refusal is not None or after.has_left or after.found != before.found:
        return []  # The end of the conversation says it, or what becomes of a race that was found.
    command = before.speech.command(event.c)
    what = f"{command_text(command)}: " if command is not None else ""
    if heard.step.retry_ms is not None:
        why = sentence(event.detail, event.phrases, style)
        again = tr("{what}; again in {seconds:.0f} s").format(
            what=f"{what}{why}", seconds=heard.step.retry_ms / 1000
        )
        return [again] if heard.step.retry_ms >= WORTH_A_WORD_MS else []
    if event.code is ErrorCode.STALE_COMMAND:
        told = [tr("Refused before the connection was lost: {what}").format(what=what.removesuffix(": "))]
    else:
        told = [tr("Refused: {what}").format(what=f"{what}{reason(event, style)}")]
    if heard.step.dropped:
        moves = " ".join(command_text(draft) for draft in heard.step.dropped)
        told.append(tr("Not tried: {moves}").format(moves=moves))
    return told


def _countdown_text(session: Session, clock: int | None) -> str:
    life = session.picture.life if session.picture else None
    left_ms = -clock if clock is not None else (life.countdown_ms or 0) if life else 0
    return tr("The race starts in {seconds:.0f} s.").format(seconds=max(0, left_ms) / 1000)


def _clock_line(event: Snapshot) -> list[str]:
    """How much of the time has passed, to one who comes into a race that runs."""
    clock = event.clock or 0
    if clock < WORTH_A_WORD_MS:
        return []
    limit = clock_text(event.life.settings.time_limit_s * 1000)
    return [tr("the clock shows {time} of {limit}").format(time=clock_text(clock), limit=limit)]


def _promise_text(promise: Promise) -> str:
    match promise:
        case Promise.UNSEEN:
            return ""
        case Promise.KEPT:
            return tr("as promised before the start")
        case Promise.OTHER:
            return tr("NOT the one promised when you last saw the lobby")
        case Promise.BROKEN:
            return tr("NOT the one promised before the start!")


def _other_promise(before: Session, after: Session) -> list[str]:
    """That another deal is promised now, where that happened unseen."""
    if before.promise in {"", after.promise}:
        return []
    return [tr("Meanwhile another deal was promised: the settings have changed.")]
