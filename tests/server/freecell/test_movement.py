from hypothesis import given

from server.freecell.movement import carry_all, top_card
from server.freecell.moves import Move, carry, legal_moves, reverse
from server.freecell.piles import PILES
from server.freecell.position import Position
from tests.server.freecell.boards import WITH_RETURNS, board, cards, move, positions


@given(positions)
def test_a_reversed_move_puts_everything_back(position: Position) -> None:
    for made in legal_moves(position, WITH_RETURNS):
        after = carry(position, made)
        assert after != position
        assert carry(after, reverse(made)) == position


def test_reverse_swaps_the_piles_and_keeps_the_count() -> None:
    assert reverse(move("1", "2", 3)) == move("2", "1", 3)
    assert Move(PILES[0], PILES[1]).count == 1


def test_each_kind_of_move() -> None:
    position = board("9S 8D 7S", "9C", "3S", cells="8H - -", home="2S")
    after = {
        move("1", "2", 2): board("9S", "9C 8D 7S", "3S", cells="8H - -", home="2S"),
        move("1", "b"): board("9S 8D", "9C", "3S", cells="8H 7S -", home="2S"),
        move("3", "hs"): board("9S 8D 7S", "9C", "", cells="8H - -", home="3S"),
        move("a", "2"): board("9S 8D 7S", "9C 8H", "3S", cells="- - -", home="2S"),
        move("a", "c"): board("9S 8D 7S", "9C", "3S", cells="- - 8H", home="2S"),
        move("hs", "4"): board("9S 8D 7S", "9C", "3S", "2S", cells="8H - -", home="AS"),
        move("hs", "b"): board("9S 8D 7S", "9C", "3S", cells="8H 2S -", home="AS"),
    }
    assert {made: carry(position, made) for made in after} == after


def test_a_card_goes_home_from_a_cell() -> None:
    assert carry(board(cells="AD"), move("a", "hd")) == board(cells="-", home="AD")


def test_several_moves_are_carried_in_order() -> None:
    made = (move("1", "a"), move("1", "2"), move("a", "2"))
    assert carry_all(board("4S 3D", "5H"), made) == board("", "5H 4S 3D")


def test_the_top_card_of_every_kind_of_pile() -> None:
    position = board("4S 3D", cells="8H -", home="2S")
    tops = [top_card(position, move(name, "8").source) for name in ("1", "2", "a", "b", "hs", "hd")]
    assert tops == [*cards("3D"), None, *cards("8H"), None, *cards("2S"), None]
