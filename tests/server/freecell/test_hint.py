import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server.freecell.deal import MAX_DEAL, deal
from server.freecell.game import Game, can_redo, can_undo, new_game, push, redo, undo, where_been
from server.freecell.hint import hint
from server.freecell.moves import Move, carry, check, legal_moves
from server.freecell.piles import is_cell, is_foundation
from server.freecell.position import Position
from server.freecell.rulesets import customise
from server.freecell.stuck import is_stuck
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions

ALL = 10_000
"""More than any board here has had."""


def is_idle(made: Move) -> bool:
    return is_foundation(made.source) or (is_cell(made.source) and is_cell(made.dest))


def in_any_order(position: Position) -> tuple[object, ...]:
    return *sorted(position.cascades), *sorted(map(str, position.cells))


@given(positions)
def test_pysolfc_521_every_hint_is_legal(position: Position) -> None:
    chosen = hint(position, WITH_RETURNS)
    others = [made for made in legal_moves(position, WITH_RETURNS) if not is_idle(made)]
    if chosen is None:
        assert others == []
    else:
        assert check(position, chosen, WITH_RETURNS) is None
        assert chosen in others


@given(positions)
def test_the_same_position_has_the_same_hint_with_returns_or_without(position: Position) -> None:
    assert hint(position, RACE) == hint(Position(*position), RACE) == hint(position, WITH_RETURNS)


@given(positions)
def test_a_move_home_comes_first(position: Position) -> None:
    if any(is_foundation(made.dest) for made in legal_moves(position, RACE)):
        chosen = hint(position, RACE)
        assert chosen is not None
        assert is_foundation(chosen.dest)


def test_there_is_no_hint_where_only_withdrawals_are_left_or_nothing() -> None:
    columns = ("KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S")
    assert hint(board(*columns, cells="KC QC", home="5D"), WITH_RETURNS) is None
    assert hint(board(*[""] * 8, cells="-", home="KC KD KH KS"), RACE) is None


@pytest.mark.parametrize(
    ("position", "best"),
    [
        (board("9C", "3H", "2S", home="AS 2H"), move("3", "hs")),
        (board("9C", "KC", "KC", "KC", "KC", "KC", "KC", "KC", cells="8D - -"), move("a", "1")),
        (board("9C", "KC 8D", *["KC"] * 6, cells="-"), move("2", "1")),
        (board("KD 9C 8D", "TH", *["KC"] * 6, cells="-"), move("1", "2", 2)),
        (board("AS 9C", "KD 9S", *["KC"] * 6, cells="-"), move("1", "a")),
    ],
)
def test_a_hint_looks_like_progress(position: Position, best: Move) -> None:
    assert hint(position, RACE) == best


def test_a_lone_card_or_run_is_not_moved_to_another_empty_cascade_while_anything_else_is_there() -> None:
    assert hint(board("KD QS", "KC 3H", cells=""), RACE) == move("2", "3")


def test_a_run_is_not_taken_apart_only_to_be_put_together_again() -> None:
    assert hint(board("9C 8D", "KH 9S", "KC AH QD 2S", *["KC QC"] * 5, cells="-"), RACE) == move("3", "a")


def test_a_hint_is_not_what_the_next_hint_would_take_back() -> None:
    # 8D to 9S looks as good as QD to KS, but then nothing would look better than 8D back to 9C.
    assert hint(board("9C 8D", "9S", "KC QD", "KS", *["KD"] * 4, cells=""), RACE) == move("3", "4")


def test_where_every_move_would_be_taken_back_one_is_given_all_the_same() -> None:
    assert hint(board("9C 8D", "9S", *["KC"] * 6, cells=""), RACE) == move("1", "2")
    assert hint(board("KC", *["KD"] * 6, cells=""), RACE) == move("1", "8")


def test_a_hint_does_not_lead_to_where_one_has_been_in_whatever_order() -> None:
    position = board("9C 8D", "9S", *["KC"] * 6, cells="")
    before = board("9C", "9S 8D", *["KC"] * 6, cells="")
    assert hint(position, RACE, [position]) == move("1", "2")
    assert hint(position, RACE, [before, position]) is None
    turned_round = board(*["KC"] * 6, "9S 8D", "9C", cells="")
    assert hint(position, RACE, [turned_round]) is None
    king = board("KC", *["KD"] * 6, cells="")
    assert hint(king, RACE, [king]) is None


def wandered(game: Game, choice: int) -> Game:
    """One step on, or back, or on again after one back."""
    moves = legal_moves(game.position, game.rules)
    if choice % 5 == 0 and can_undo(game):
        return undo(game)
    if choice % 5 == 1 and can_redo(game):
        return redo(game)
    return push(game, (moves[choice % len(moves)],)) if moves else game


@pytest.mark.parametrize(
    ("ruleset", "cells"), [("race", 1), ("race", 2), ("race", 3), ("race", 4), ("solitarium", 4)]
)
@given(number=st.integers(1, MAX_DEAL), wander=st.lists(st.integers(0, 99), max_size=30))
@example(number=45, wander=[0, 23, 99, 49, 9, 0, 0])  # the second hint leads to what was undone
def test_who_follows_hints_comes_to_an_end_and_nowhere_twice(
    ruleset: str, cells: int, number: int, wander: list[int]
) -> None:
    """From a deal, and from wherever one has gone, or gone back to, before asking.

    The first hint leads to nothing that was undone; with the action that follows, that is forgotten.
    """
    rules = customise(ruleset, cells, hints=True)
    game = new_game(deal(number, cells), rules)
    for choice in wander:
        game = wandered(game, choice)
    undone = {in_any_order(one) for one in where_been(game, ALL)}
    seen = {in_any_order(one) for one in where_been(game._replace(future=None), ALL)}
    while (chosen := hint(game.position, rules, where_been(game, ALL))) is not None:
        assert not is_stuck(game)
        assert check(game.position, chosen, rules) is None
        game = push(game, (chosen,))
        assert in_any_order(game.position) not in seen | undone
        undone = set()
        seen.add(in_any_order(game.position))


@pytest.mark.parametrize("number", [3, 5])
def test_some_deals_are_won_by_hints_alone(number: int) -> None:
    position = deal(number)
    while (chosen := hint(position, RACE)) is not None:
        position = carry(position, chosen)
    assert position.is_won
