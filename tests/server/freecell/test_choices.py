from hypothesis import given, settings
from hypothesis import strategies as st

from server.freecell.moves import Illegal, Move, apply, is_blocked, legal_moves
from server.freecell.piles import CASCADES, CELLS, PILES, is_foundation
from server.freecell.position import Position
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions


def every_move() -> list[Move]:
    """All sources, destinations and counts: 13 is the longest run there is, 14 one more."""
    return [Move(source, dest, count) for source in PILES for dest in PILES for count in range(15)]


@given(positions, st.booleans())
@settings(max_examples=60)
def test_legal_moves_is_exactly_what_apply_takes(position: Position, returns: bool) -> None:
    rules = WITH_RETURNS if returns else RACE
    taken = [made for made in every_move() if not isinstance(apply(position, made, rules), Illegal)]
    found = legal_moves(position, rules)
    assert len(found) == len(set(found))
    assert sorted(found) == sorted(taken)
    assert is_blocked(position, rules) == (not taken and not position.is_won)


def test_each_count_and_each_empty_place_is_a_move_of_its_own() -> None:
    position = board("KD 5H 4S", "6C", "5S", "9C", "9D", "9H", cells="2C - -")
    assert legal_moves(position, RACE) == (
        move("1", "2", 2),
        move("1", "7", 1),
        move("1", "7", 2),
        move("1", "8", 1),
        move("1", "8", 2),
        move("1", "b"),
        move("1", "c"),
        *(move(source, dest) for source in "23456" for dest in "78bc"),
        *(move("a", dest) for dest in "78bc"),
    )


def test_withdrawals_are_moves_only_where_the_rules_have_them() -> None:
    position = board("3D", cells="-", home="2S")
    assert not any(is_foundation(made.source) for made in legal_moves(position, RACE))
    taken = {made for made in legal_moves(position, WITH_RETURNS) if is_foundation(made.source)}
    assert taken == {move("hs", dest) for dest in "12345678a"}


def test_a_board_without_moves_is_blocked() -> None:
    columns = ("KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S")
    assert is_blocked(board(*columns, cells="KC QC"), RACE)
    assert not is_blocked(board(*columns, cells="KC -"), RACE)
    assert not is_blocked(board(*columns[1:], "5D", cells="KC QC"), RACE)
    assert not is_blocked(board(*columns[:7], cells="KC QC"), RACE)
    assert not is_blocked(board(*columns, cells="KC AD"), RACE)


def test_a_withdrawal_keeps_a_board_from_being_blocked() -> None:
    position = board("KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", cells="KC QC", home="5D")
    assert is_blocked(position, RACE)
    assert not is_blocked(position, WITH_RETURNS)


@given(positions)
def test_pysolfc_565_an_empty_cell_and_a_card_in_a_cascade_are_never_blocked(position: Position) -> None:
    if None in position.cells and any(position.cascades):
        assert not is_blocked(position, RACE)


def test_a_won_board_is_not_blocked() -> None:
    won = board(home="KC KD KH KS")
    assert not is_blocked(won, RACE)
    assert legal_moves(won, RACE) == ()
    assert len(legal_moves(won, WITH_RETURNS)) == 4 * (len(CASCADES) + len(CELLS))
