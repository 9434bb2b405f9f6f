"""Decisions on a racer's board while the race runs."""

from typing import Final, assert_never

from server.freecell import finish, notation, send
from server.freecell.game import Game, can_redo, can_undo
from server.freecell.moves import Illegal, check
from server.freecell.moves import Move as CardMove
from server.freecell.piles import is_foundation
from server.freecell.wording import counted, say
from server.race.commands import AutoFinish, BoardCommand, Move, Redo, Restart, Send, Undo
from server.race.decision import Decision, Refusal, Verdict, Wake
from server.race.events import (
    AutoFinished,
    Ended,
    Event,
    Finished,
    Moved,
    Redone,
    Resigned,
    Restarted,
    Undone,
)
from server.race.state import MAX_BOARD_COMMANDS, Ending, Member, Phase, Race, Standing

_ALL_BUT_ONE: Final = 51


def decide_board(race: Race, member: Member, command: BoardCommand, now_ms: int) -> Verdict:
    """A command for the board of a seated member. It counts only if stored before the time limit."""
    refusal = _not_racing(race, member, now_ms)
    if refusal is not None:
        return refusal
    game = member.game
    assert game is not None  # a racing member has a board
    if command.n != member.n:
        text = "meant for version {n} of your board, which is at {newest}"
        return Refusal("stale_board", say(text, n=command.n, newest=member.n))
    if member.n >= MAX_BOARD_COMMANDS:
        return Refusal(
            "too_many_actions", say("a board takes {most} commands at most", most=MAX_BOARD_COMMANDS)
        )
    match command:
        case Move():
            move = notation.read_move(command.text, game.position, game.rules)
            return _moved(race, command, game, move, sent=False)
        case Send():
            return _moved(race, command, game, _sent(command, game), sent=True)
        case Undo():
            return _undo(race, command, game)
        case Redo():
            return _redo(race, command, game)
        case Restart():
            return _in_time(race, (Restarted(command.player, command.c),))
        case AutoFinish():
            return _auto_finish(race, command, game)
        case _:
            assert_never(command)


def play(race: Race, member: Member, c: int, move: CardMove, *, sent: bool = False) -> tuple[Event, ...]:
    """A legal move of one who is racing, and what it leads to."""
    assert member.game is not None  # a racing member has a board
    wins = is_foundation(move.dest) and member.game.position.home == _ALL_BUT_ONE
    return (Moved(member.player, c, move, sent), *(_win(race, member) if wins else ()))


def resign(race: Race, member: Member, c: int, now_ms: int) -> Verdict:
    """Give up; the race is over if nobody else is racing."""
    refusal = _not_racing(race, member, now_ms)
    if refusal is not None:
        return refusal
    return _in_time(race, (Resigned(member.player, c), *_ending_without(race, member)))


def _not_racing(race: Race, member: Member, now_ms: int) -> Refusal | None:
    phase = race.life.phase
    if phase in (Phase.LOBBY, Phase.COUNTDOWN):
        return Refusal("not_running", "the race has not started yet")
    if phase is Phase.OVER:
        return Refusal("race_over", "the race is over")
    if member.standing is Standing.FINISHED:
        return Refusal("not_racing", "you have finished; your board is closed")
    if member.standing is not Standing.RACING:
        return Refusal("not_racing", "you have resigned; your board is closed")
    if now_ms >= race.life.ends_at:
        return Refusal("not_racing", "the time limit has passed")
    return None


def _sent(command: Send, game: Game) -> CardMove | Illegal:
    pile = notation.read_pile(command.pile)
    if isinstance(pile, Illegal):
        return pile
    return send.send(game.position, pile, game.rules, command.count)


def _moved(
    race: Race, command: Move | Send, game: Game, move: CardMove | Illegal, *, sent: bool
) -> Decision | Refusal:
    if isinstance(move, Illegal):
        return Refusal("illegal_move", move.detail)
    illegal = check(game.position, move, game.rules)
    if illegal is not None:
        return Refusal("illegal_move", illegal.detail)
    return _in_time(race, play(race, race.members[command.player], command.c, move, sent=sent))


def _undo(race: Race, command: Undo, game: Game) -> Decision | Refusal:
    if not can_undo(game):
        detail, limit = say("there is nothing to take back"), game.rules.undo_limit
        if limit is not None:
            one, many = "; undo reaches back {n} action at most", "; undo reaches back {n} actions at most"
            detail += counted(one, many, limit)
        return Refusal("nothing_to_undo", detail)
    return _in_time(race, (Undone(command.player, command.c),))


def _redo(race: Race, command: Redo, game: Game) -> Decision | Refusal:
    if not game.rules.redo:
        return Refusal("not_in_rules", say("the rules {ruleset} have no redo", ruleset=game.rules.name))
    if not can_redo(game):
        return Refusal("nothing_to_redo", "there is nothing to do again")
    return _in_time(race, (Redone(command.player, command.c),))


def _auto_finish(race: Race, command: AutoFinish, game: Game) -> Decision | Refusal:
    if not game.rules.auto_finish:
        return Refusal(
            "not_in_rules", say("the rules {ruleset} have no auto-finish", ruleset=game.rules.name)
        )
    if not finish.is_offered(game.position):
        return Refusal(
            "illegal_move", "a higher card still lies on a lower one; auto-finish is not offered yet"
        )
    finished = AutoFinished(command.player, command.c, finish.finish_moves(game.position))
    return _in_time(race, (finished, *_win(race, race.members[command.player])))


def _win(race: Race, member: Member) -> tuple[Event, ...]:
    return (Finished(member.player), *_ending_without(race, member))


def _ending_without(race: Race, member: Member) -> tuple[Event, ...]:
    """The end of the race, if `member` was the last one racing: robots do not race among themselves."""
    racing = [other for other in race.members.values() if other.standing is Standing.RACING]
    others = [other for other in racing if other is not member]
    if any(other.robot is None for other in others):
        return ()
    return (*(Resigned(other.player, other.last_c + 1) for other in others), Ended(Ending.FINISHED))


def _in_time(race: Race, events: tuple[Event, ...]) -> Decision:
    ended = isinstance(events[-1], Ended)
    return Decision(events, not_after=race.life.ends_at - 1, wake=Wake.CLEAR if ended else Wake.KEEP)
