"""What to tell a person about what was heard: pure, from the sessions before and after it."""

import hashlib
from dataclasses import dataclass
from typing import Final, assert_never

from client_cli.connection import Heard, Lost, NewPlayer
from client_cli.lines import BoardDraft
from client_cli.render import board_text, calculated_text, home_of, moves_text
from client_cli.session import Session
from client_cli.speech import Numbered
from client_cli.standings import (
    clock_text,
    lobby_text,
    progress_line,
    rules_text,
    standings_text,
)
from client_cli.style import Style
from protocol.commands import (
    AutoFinish,
    Configure,
    Create,
    Move,
    Redo,
    Rematch,
    Restart,
    Send,
    Undo,
)
from protocol.errors import ErrorCode
from protocol.events import (
    Ack,
    Calculated,
    Created,
    Hinted,
    Presence,
    Refused,
    Seat,
    Snapshot,
    Update,
    Watching,
)
from protocol.views import (
    BoardMoved,
    BoardReset,
    Change,
    ChatLine,
    ChatSaid,
    Dealt,
    Life,
    LifeChanged,
    Racer,
    RacerChanged,
    RacerLeft,
)

WORTH_A_WORD_MS: Final = 1000
"""A command that has to wait for less is only sent again."""


def link_text(news: Lost | NewPlayer) -> str:
    """What to tell about the connection."""
    match news:
        case Lost(why, wait_s):
            return f"{why}; trying again in {wait_s:.1f} s"
        case NewPlayer():
            return "This server does not know your token; you are a new player here."


@dataclass(frozen=True, slots=True)
class Storyteller:
    """How things are told.

    Attributes:
        style: how cards look.
        with_boards: whether the whole board is shown after each move.
        is_alone: whether one starts at once and alone, so that the lobby is not worth a word.
    """

    style: Style
    with_boards: bool
    is_alone: bool = False

    def tell(self, heard: Heard, now_ms: int) -> list[str]:
        """What to print, in order; each may have several lines."""
        before, after = heard.before, heard.step.session
        match heard.event:
            case Created(_, race):
                return [f"Race code: {race}"]
            case Seat() as event:
                return self._seat(before, event, after)
            case Watching() as event:
                return [f"Watching race {event.race}. {event.why}".rstrip()] if not before.inside else []
            case Snapshot() as event if event.feed == after.feed and after.picture is not None:
                return self._snapshot(before, event, after)
            case Update() as event if event.feed == after.feed and not after.broken:
                return [text for change in event.changes for text in self._change(before, change, after)]
            case Ack() as event:
                return self._ack(before, event, after, now_ms)
            case Refused() as event:
                # The moves before it in its line were told without the board that they led to.
                board = [self.board(before)] if self.with_boards and before.speech.is_mid_line else []
                return [*board, *_refused(before, event, heard)]
            case Presence():
                return _presence(before, after)
            case Hinted(move=move):
                return [f"Hint: {move}" if move else "There is no hint here."]
            case Calculated() as event:
                return [calculated_text(event, self.style)]
            case _:
                return []

    def board(self, session: Session) -> str:
        """One's own board."""
        if session.board is None:
            return "There is no board before the start."
        return f"\n{board_text(session.board, self.style)}\n"

    def boards(self, session: Session) -> list[str]:
        """The boards of all racers, as far as this viewer gets them."""
        return self._all_boards(session) or ["No board is shown to you."]

    # The race as a whole.

    def _seat(self, before: Session, event: Seat, after: Session) -> list[str]:
        if before.following is None:
            is_own = isinstance(before.entrance, Create)  # its code was told
            return [] if before.broken or is_own else [f"You have a seat in race {event.race}."]
        told = [f"Back in race {event.race}."]
        if after.is_racing and self.with_boards:
            told.append(self.board(after))
        return told

    def _snapshot(self, before: Session, event: Snapshot, after: Session) -> list[str]:
        told = [_chat_line(line) for line in _unread(before, after)]
        if event.rewound:
            told.append("The server has lost the newest moves; this is how things stand there.")
        elif before.phase == event.life.phase:
            return told
        match event.life.phase:
            case "lobby" if not self.is_alone:
                told.append(lobby_text(after))
            case "countdown":
                told += [lobby_text(after), _countdown_text(after, event.clock)]
            case "running":
                told += self._deal(after, event.life)
                told += [*self._all_boards(after), standings_text(after)]
            case "over":
                told.append(standings_text(after))
            case _:
                pass
        return told

    def _change(self, before: Session, change: Change, after: Session) -> list[str]:
        match change:
            case LifeChanged(life):
                return self._life(before, life, after)
            case RacerChanged(racer):
                has_just_ended = after.phase == "over" != before.phase  # the standings tell it all
                return [] if has_just_ended else _racer_lines(before, racer, after)
            case RacerLeft(player):
                return [f"{_name_of(before, player)} has left."]
            case Dealt():
                return [*self._all_boards(after), standings_text(after)]
            case BoardMoved(player, _, moves):
                board = before.picture.boards.get(player) if before.picture else None
                text = moves_text(board, moves, self.style) if board else ""
                return [f"{_name_of(after, player)}: {text}"] if text and after.feed == "watch" else []
            case BoardReset(player):
                return [f"{_name_of(after, player)} is back at the deal."] if after.feed == "watch" else []
            case ChatSaid(line):
                return [_chat_line(line)]
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
                    told += self._deal(after, life)
                case "over":
                    told.append(standings_text(after))
                case _:
                    pass
        elif was.settings != life.settings or was.commitment != life.commitment:
            told += ["The host has changed the settings; everybody must be ready anew.", rules_text(life)]
        if was.host != life.host:
            told.append(f"{_name_of(after, life.host)} is the host now.")
        if (
            life.rematch
            and not was.rematch
            and not any(isinstance(own, Rematch) for own in before.speech.accepted)
        ):
            told.append(f"There is a rematch, race {life.rematch}: type rematch to be in it.")
        return told

    def _deal(self, session: Session, life: Life) -> list[str]:
        fair = _keeps_promise(life)
        promise = "as promised before the start" if fair else "NOT the one promised before the start!"
        code = f" ({life.deal_code})" if life.deal_code else ""
        return [f"Race {session.race}: deal {life.deal}{code}, {promise}", rules_text(life)]

    def _all_boards(self, session: Session) -> list[str]:
        if session.feed == "seat":
            return [self.board(session)] if session.board else []
        boards = session.picture.boards if session.picture else {}
        return [
            f"{_name_of(session, player)}:\n{board_text(board, self.style)}\n"
            for player, board in boards.items()
        ]

    # One's own board.

    def _ack(self, before: Session, event: Ack, after: Session, now_ms: int) -> list[str]:
        command = before.speech.command(event.c)
        if not isinstance(command, BoardDraft) or after.board is None or before.board is None:
            return []
        what = self._what_changed(command, event, before)
        home, actions = home_of(after.board), after.board.actions
        race_ms = after.race_ms(now_ms)
        clock = f"{clock_text(max(0, race_ms))}  " if race_ms is not None else ""
        made = "1 action" if actions == 1 else f"{actions} actions"
        told = [f"{clock}{what} ({home} of 52 home, {made})"]
        if self.with_boards and not after.speech.is_mid_line:
            told.append(self.board(after))
        if event.won:
            told.append("All 52 cards are home: you have finished!")
        elif event.finish and not before.options.finish:
            told.append("The rest can go home by itself: type f.")
        if event.blocked:
            told.append("No move is left: undo (u), restart (R) or resign.")
        return told

    def _what_changed(self, command: BoardDraft, event: Ack, before: Session) -> str:
        if event.repeated or before.board is None:
            return f"{command_text(command)} had been taken"
        if event.board is not None:
            return "Back to the deal" if isinstance(command, Restart) else "The board has changed as a whole"
        moves = moves_text(before.board, event.moves, self.style)
        match command:
            case Undo():
                return f"Undone: {moves}"
            case Redo():
                return f"Redone: {moves}"
            case _:
                return moves


def command_text(command: Numbered) -> str:
    """A command as it was, or could have been, typed."""
    match command:
        case Move(move=move):
            return move
        case Send(pile=pile):
            return f"s {pile}"
        case AutoFinish():
            return "finish"
        case Configure():
            return "set"
        case _:
            return str(command.__struct_config__.tag)


def _refused(before: Session, event: Refused, heard: Heard) -> list[str]:
    if heard.step.session.refusal is not None or heard.step.session.has_left:
        return []  # The end of the conversation says it.
    command = before.speech.command(event.c)
    what = f"{command_text(command)}: " if command is not None else ""
    if heard.step.retry_ms is not None:
        is_worth_a_word = heard.step.retry_ms >= WORTH_A_WORD_MS
        return (
            [f"{what}{event.detail}; again in {heard.step.retry_ms / 1000:.0f} s"] if is_worth_a_word else []
        )
    if event.code is ErrorCode.STALE_COMMAND:
        told = [f"Refused before the connection was lost: {what.removesuffix(': ')}"]
    else:
        told = [f"Refused: {what}{event.detail}"]
    if heard.step.dropped:
        told.append(f"Not tried: {' '.join(command_text(draft) for draft in heard.step.dropped)}")
    return told


def _countdown_text(session: Session, clock: int | None) -> str:
    life = session.picture.life if session.picture else None
    left_ms = -clock if clock is not None else (life.countdown_ms or 0) if life else 0
    return f"The race starts in {max(0, left_ms) / 1000:.0f} s."


def _keeps_promise(life: Life) -> bool:
    """Whether the deal is the one that the commitment hid: SHA-256 of "nonce:deal"."""
    return hashlib.sha256(f"{life.nonce}:{life.deal}".encode()).hexdigest() == life.commitment


def _racer_lines(before: Session, racer: Racer, after: Session) -> list[str]:
    was = next((other for other in before.racers if other.player == racer.player), None)
    mine = racer.player == after.player
    if was is None:
        return [] if mine else [f"{racer.name} has a seat."]
    if was.ready != racer.ready and after.phase == "lobby":
        if _promise(before) != _promise(after):
            return []  # new settings: that nobody is ready any more was told with them
        who = "You are" if mine else f"{racer.name} is"
        return [f"{who} {'ready' if racer.ready else 'not ready'}."]
    if racer.state not in {was.state, "racing"}:
        return [progress_line(racer, after)]
    return [progress_line(racer, after)] if was.home != racer.home and not mine else []


def _presence(before: Session, after: Session) -> list[str]:
    others = [racer for racer in after.racers if racer.player != after.player and racer.ended_ms is None]
    gone = [racer.name for racer in others if racer.player in after.away - before.away]
    back = [racer.name for racer in others if racer.player in before.away - after.away]
    return [*(f"{name} is away." for name in gone), *(f"{name} is back." for name in back)]


def _promise(session: Session) -> str:
    """The commitment to the deal, which new settings renew."""
    return session.picture.life.commitment if session.picture else ""


def _name_of(session: Session, player: str) -> str:
    return next((racer.name for racer in session.racers if racer.player == player), "somebody")


def _unread(before: Session, after: Session) -> tuple[ChatLine, ...]:
    """What a snapshot holds of the chat that was not told yet; nothing of what was said before one came."""
    if before.picture is None or after.picture is None:
        return ()
    told = {line.seq for line in before.picture.chat}
    return tuple(line for line in after.picture.chat if line.seq not in told)


def _chat_line(line: ChatLine) -> str:
    return f"<{line.name}{', watching' if line.watcher else ''}> {line.text}"
