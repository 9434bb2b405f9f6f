"""What a racer may ask without changing anything: the move calculator and, where allowed, a hint."""

from dataclasses import dataclass
from typing import Final, assert_never

from server.freecell import calculate, hint, notation
from server.freecell.game import Game, where_been
from server.freecell.moves import Illegal, Move, check
from server.freecell.piles import is_foundation
from server.race.decision import Refusal
from server.race.state import Member, PlayerId, Race, Standing

MAX_BEEN: Final = 1000
"""How many positions that a board has had are looked through for a hint: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Calculate:
    """How many cards of `pile` could move where?"""

    player: PlayerId
    pile: str


@dataclass(frozen=True, slots=True)
class AskHint:
    """Name a legal move; `advice` is that of one who has thought about version `n` of the board."""

    player: PlayerId
    n: int = 0
    advice: Move | None = None


@dataclass(frozen=True, slots=True)
class Destinations:
    """The answer to `Calculate`, for board version `n`."""

    n: int
    pile: str
    destinations: tuple[calculate.Destination, ...]


@dataclass(frozen=True, slots=True)
class HintGiven:
    """The answer to `AskHint`, for board version `n`: a move in notation, or None."""

    n: int
    move: str | None


_NOT_WRITTEN_DOWN: Final = Refusal(
    "unavailable", "the server cannot store anything just now; send it again in a moment"
)

Question = Calculate | AskHint
Answer = Destinations | HintGiven | Refusal


def answer(race: Race, question: Question) -> Answer:
    """The answer on this state of the race; nothing changes."""
    member = race.members.get(question.player)
    if member is None or member.game is None or member.standing is not Standing.RACING:
        return Refusal("not_racing", "only one who is racing can ask that")
    match question:
        case AskHint() if race.life.setup.ranked and member.game.rules.hints and not member.hinted:
            # It counts, so it is given only once it is written down that one was asked for.
            return _NOT_WRITTEN_DOWN
        case AskHint():
            return _hint(member, question)
        case Calculate(_, pile):
            return _calculate(member, pile)
        case _:
            assert_never(question)


def _hint(member: Member, question: AskHint) -> HintGiven | Refusal:
    game = member.game
    assert game is not None  # checked by `answer`
    if not game.rules.hints:
        return Refusal("not_in_rules", "this race is without hints")
    move = question.advice if question.n == member.n else None
    if move is None or check(game.position, move, game.rules):
        move = _by_rule(game)
    return HintGiven(member.n, None if move is None else notation.write_move(move, game.position))


def _by_rule(game: Game) -> Move | None:
    """A hint that does not lead back; only a card home, where there may be more than is looked through."""
    been = tuple(where_been(game, MAX_BEEN))
    move = hint.hint(game.position, game.rules, been)
    if move is not None and len(been) >= MAX_BEEN and not is_foundation(move.dest):
        return None
    return move


def _calculate(member: Member, text: str) -> Destinations | Refusal:
    game = member.game
    assert game is not None  # checked by `answer`
    pile = notation.read_pile(text)
    if isinstance(pile, Illegal):
        return Refusal("illegal_move", pile.detail)
    return Destinations(member.n, text, calculate.destinations(game.position, pile, game.rules))
