import pytest
from hypothesis import given

from server.freecell.moves import Illegal, Move, apply, carry, expand, expand_all, legal_moves, reverse
from server.freecell.notation import write_move
from server.freecell.piles import is_cell
from server.freecell.position import Position
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions


def steps(position: Position, made: Move) -> str:
    written = []
    for step in expand(position, made):
        written.append(write_move(step, position))
        position = carry(position, step)
    return " ".join(written)


def check_expansion(position: Position, made: Move) -> tuple[Move, ...]:
    """Each step is legal where it is made, and all of them end where the supermove does."""
    expanded = expand(position, made)
    reached = position
    for step in expanded:
        assert step.count == 1
        after = apply(reached, step, WITH_RETURNS)
        assert not isinstance(after, Illegal)
        reached = after
    assert reached == carry(position, made)
    return expanded


@given(positions)
def test_an_expansion_is_legal_step_by_step_and_ends_in_the_same_position(position: Position) -> None:
    for made in legal_moves(position, WITH_RETURNS):
        check_expansion(position, made)


@given(positions)
def test_what_was_moved_goes_back_card_by_card_too(position: Position) -> None:
    for made in legal_moves(position, WITH_RETURNS):
        reached = carry(position, made)
        for step in expand_all(reached, (reverse(made),)):
            assert step.count == 1
            reached = carry(reached, step)
        assert reached == position


def test_moves_one_after_the_other() -> None:
    position = board("8S 7H", "9D", "TC", cells="- - - -")
    expanded = expand_all(position, (move("1", "2", 2), move("2", "3", 3)))
    assert [step.count for step in expanded] == [1] * 8
    for step in expanded:
        position = carry(position, step)
    assert position.cascades[2] == board("TC 9D 8S 7H").cascades[0]


@pytest.mark.parametrize("cells", range(5))
@pytest.mark.parametrize("empty", range(5))
def test_runs_of_every_length_for_every_amount_of_space(cells: int, empty: int) -> None:
    names = ["KD", "QS", "JD", "TS", "9D", "8S", "7D", "6S", "5D", "4S", "3D", "2S", "AD"]
    for count in range(1, min(12, (cells + 1) << empty) + 1):
        onto, *run = names[-count - 1 :]
        spaces = [""] * empty + ["KC"] * (6 - empty)
        position = board(" ".join(run), onto, *spaces, cells=" ".join("-" * cells))
        check_expansion(position, move("1", "2", count))
        if empty and count <= (cells + 1) << (empty - 1):
            check_expansion(position, move("1", "3", count))


def test_the_worked_example_of_the_rules() -> None:
    position = board("8S 7H 6C", "9D", "KC", "KC", "KC", "KC", "KC", "KC", cells="KC - KC -")
    assert steps(position, move("1", "2", 3)) == "1b 1d 12 d2 b2"


def test_a_single_card_is_its_own_expansion() -> None:
    assert expand(board("8S"), move("1", "2")) == (move("1", "2"),)


def test_cells_are_used_before_cascades_and_no_more_than_needed() -> None:
    position = board("8S 7H 6C", "9D", cells="- - - -")
    assert steps(position, move("1", "2", 3)) == "1a 1b 12 b2 a2"


def test_without_cells_the_empty_cascades_do_it() -> None:
    position = board("8S 7H 6C", "9D", "KC", "KC", "KC", "KC", cells="")
    assert steps(position, move("1", "2", 3)) == "18v1 17v1 12 72 82"


def test_only_as_many_cascades_as_needed_take_part() -> None:
    position = board("8S 7H", "9D", cells="")
    used = {pile for step in expand(position, move("1", "2", 2)) for pile in step[:2]}
    assert used == {0, 1, 2}


def test_nothing_stays_behind() -> None:
    position = board("QS JD TS 9D 8S 7D 6S 5D 4S 3D", "KD", "KC", "KC", "KC", "KC", "KC")
    expanded = check_expansion(position, move("1", "2", 10))
    left = sum(is_cell(step.dest) for step in expanded) - sum(is_cell(step.source) for step in expanded)
    assert left == 0


def test_what_is_beyond_capacity_has_no_expansion() -> None:
    with pytest.raises(ValueError, match="no room to move 3 cards"):
        expand(board("8S 7H 6C", "9D", *["KC"] * 6, cells="-"), move("1", "2", 3))
    assert not isinstance(apply(board("8S 7H", "9D"), move("1", "2", 2), RACE), Illegal)
