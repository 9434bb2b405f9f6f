import os
from collections.abc import Iterator
from random import Random

import pytest

from server.deals.certified import is_certified, is_proved_unwinnable
from server.freecell.choices import legal_moves
from server.freecell.deal import UNWINNABLE_WITH_4, deal
from server.freecell.legality import apply
from server.freecell.movement import Move, carry, carry_all
from server.freecell.position import Position
from server.freecell.refusal import Illegal
from server.freecell.rulesets import RULESETS
from server.solver.search import PATIENT, USUAL, Line, NoLine, Undecided, find
from tests.server.solver.exhaustive import can_be_won
from tests.server.solver.needs import QUICK, needs_solver

pytestmark = needs_solver

RULES = RULESETS["classic"]

DEALS = int(os.environ.get("CELLRACE_SOLVED_DEALS") or 100)
"""How many are solved with fewer than four cells; `make lines` says 500, which takes a minute."""


def wins(position: Position, moves: tuple[Move, ...]) -> bool:
    """Whether every move is legal and the last one wins."""
    for move in moves:
        after = apply(position, move, RULES)
        assert not isinstance(after, Illegal), (position, move, after)
        position = after
    return position.is_won


@pytest.mark.parametrize(("cells", "deals"), [(4, 500), (3, DEALS), (2, DEALS), (1, DEALS)])
def test_every_line_wins_by_our_rules(cells: int, deals: int) -> None:
    undecided = 0
    for number in range(1, deals + 1):
        match find(deal(number, cells), USUAL):
            case Line(moves):
                assert wins(deal(number, cells), moves)
                assert is_certified(number, cells)
            case NoLine():
                assert is_proved_unwinnable(number, cells)
            case Undecided():
                undecided += 1
    assert undecided <= deals * 3 // 100


def test_all_eight_deals_lost_with_four_cells_are_found_so() -> None:
    assert all(find(deal(number), USUAL) == NoLine() for number in UNWINNABLE_WITH_4)


def test_a_search_that_was_too_short_knows_nothing() -> None:
    assert find(deal(11982), QUICK) == Undecided()
    assert find(deal(11982), QUICK, above=QUICK) == Undecided()


def test_steps_that_were_taken_before_can_be_left_out() -> None:
    assert find(deal(11982), USUAL, above=QUICK) == NoLine()
    assert find(deal(1), QUICK, above=QUICK) == Undecided()


def test_a_won_position_has_the_empty_line() -> None:
    won = Position(((),) * 8, (None,) * 2, (13, 13, 13, 13))
    assert find(won, QUICK) == Line(())


@pytest.mark.parametrize(("number", "cells"), [(657, 3), (169, 3), (575, 3), (11982, 2), (146692, 1)])
def test_what_it_calls_lost_our_own_exhaustive_search_does_too(number: int, cells: int) -> None:
    assert find(deal(number, cells), PATIENT) == NoLine()
    assert not can_be_won(deal(number, cells), most=30_000)


def wanderings(seed: int) -> Iterator[Position]:
    """Positions in the middle of games, with cards in cells and on foundations."""
    random = Random(seed)
    for number in range(1, 41):
        position = deal(number, random.choice([1, 2, 3, 4]))
        for _ in range(random.randrange(60)):
            moves = legal_moves(position, RULES)
            if not moves:
                break
            position = carry(position, random.choice(moves))
        yield position


def test_from_anywhere_in_a_game_a_line_wins() -> None:
    found = [(position, find(position, USUAL)) for position in wanderings(seed=5)]
    lines = [(position, result.moves) for position, result in found if isinstance(result, Line)]
    assert len(lines) > 10
    assert all(carry_all(position, moves).is_won and wins(position, moves) for position, moves in lines)
