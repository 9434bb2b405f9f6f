from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from server.freecell.game import Game, can_redo, can_undo, new_game, push, push_restart, redo, undo
from server.freecell.moves import Move, carry, legal_moves
from server.freecell.position import Position
from server.freecell.stuck import MAX_BEEN, is_stuck
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move

KINGS = ("KC", "KD", "KH", "KS")
ROUND = board("5H", "6S", "6C", *KINGS, "9D", cells="")
"""The five goes onto one six, onto the other, and to the cascade that it has left."""


def played(position: Position, *moves: Move) -> Game:
    game = new_game(position, RACE)
    for made in moves:
        game = push(game, (made,))
    return game


def in_any_order(position: Position) -> object:
    return sorted(position.cascades), sorted(map(str, position.cells)), position.foundations


def leads_back(position: Position, visited: list[Position], returns: bool) -> bool:
    """The rule, word for word."""
    rules = WITH_RETURNS if returns else RACE
    known = [in_any_order(one) for one in visited]
    ahead = [in_any_order(carry(position, made)) for made in legal_moves(position, rules)]
    return bool(ahead) and all(after in known for after in ahead)


def test_going_round_is_told_once_every_way_was_tried() -> None:
    first, second, third = move("1", "2"), move("2", "3"), move("3", "1")
    assert not is_stuck(played(ROUND))
    assert not is_stuck(played(ROUND, first))
    assert is_stuck(played(ROUND, first, second))
    assert is_stuck(played(ROUND, first, second, third))
    assert is_stuck(undo(played(ROUND, first, second)))
    forgetful = push(undo(played(ROUND, first, second)), (move("4", "1"),))
    assert not is_stuck(forgetful)


def test_piles_in_another_order_are_no_progress() -> None:
    assert is_stuck(played(board(*["KS"] * 7, cells="")))
    assert not is_stuck(played(board(*["KS"] * 7, cells="9S 9C")))
    assert not is_stuck(played(board(*["KS"] * 7, "KD QC", cells="9S -"), move("a", "b")))


def test_a_board_without_moves_is_blocked_instead() -> None:
    assert not is_stuck(played(board(*["KS"] * 8, cells="9S")))


def test_a_card_that_can_go_home_leads_on() -> None:
    position = board("5H", "6S", "6C", *KINGS, "AD", cells="")
    game = played(position, move("1", "2"), move("2", "3"))
    assert not is_stuck(game)
    assert not is_stuck(push(game, (move("8", "hd"),)))
    assert not is_stuck(push_restart(push(game, (move("8", "hd"),))))


def test_a_game_without_end_is_looked_through_only_so_far() -> None:
    game = played(board("5H", "6S", "6C", *KINGS, "9D", cells="9S -"), move("1", "b"))
    for _ in range(MAX_BEEN):
        game = push(push(game, (move("a", "1"),)), (move("1", "a"),))
    assert not is_stuck(game)


SMALL = ["5H", "6S", "7D", "4C", "8S", "9D", "AC", "2C", *KINGS]


@st.composite
def small_boards(draw: st.DrawFn) -> Position:
    """A board of a few cards and hardly a cell, where one soon has been everywhere."""
    cards = draw(st.permutations(SMALL))
    heights = draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    columns, rest = [], list(cards)
    for height in heights:
        columns.append(" ".join(rest[:height]))
        rest = rest[height:]
    cells = draw(st.sampled_from(["", "-", "9S", "9S -"]))
    return board(*columns, cells=cells)


Doing = Callable[[Game], Game]


@given(small_boards(), st.booleans(), st.lists(st.integers(0, 1000), max_size=25))
@settings(max_examples=150)
def test_it_is_what_the_rule_says(start: Position, returns: bool, choices: list[int]) -> None:
    game = new_game(start, WITH_RETURNS if returns else RACE)
    before, ahead = [start], list[Position]()
    for choice in choices:
        moves = legal_moves(game.position, game.rules)
        kind = choice % 8
        if kind == 0 and can_undo(game):
            game = undo(game)
            ahead.append(before.pop())
        elif kind == 1 and can_redo(game):
            game = redo(game)
            before.append(ahead.pop())
        elif kind == 2 and returns:
            game = push_restart(game)
            before.append(game.position)
            ahead.clear()
        elif moves:
            game = push(game, (moves[choice % len(moves)],))
            before.append(game.position)
            ahead.clear()
        assert is_stuck(game) == leads_back(game.position, [*before, *ahead], returns)
