import pytest
from hypothesis import given

from server.freecell.autoplay import safe_moves
from server.freecell.deal import deal
from server.freecell.movement import carry_all
from server.freecell.moves import Illegal, apply
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from tests.server.freecell.boards import board, move, positions


@given(positions)
def test_every_safe_move_is_a_legal_move_home_and_none_is_left(position: Position) -> None:
    reached = position
    for made in safe_moves(position):
        assert made.dest >= 12
        after = apply(reached, made, RULESETS["classic"])
        assert not isinstance(after, Illegal)
        reached = after
    assert safe_moves(reached) == ()


def test_aisleriot_5_any_two_goes() -> None:
    assert safe_moves(board("2H", home="AH")) == (move("1", "hh"),)
    assert safe_moves(board("2S", home="AS")) == (move("1", "hs"),)


def test_aisleriot_5_a_red_three_stays_while_a_black_two_is_out() -> None:
    assert safe_moves(board("3H", home="2H 2S AC")) == ()
    assert safe_moves(board("3H", home="2H 2S 2C")) == (move("1", "hh"),)


@pytest.mark.parametrize(
    ("home", "goes"), [("4S 4D 4H AC", True), ("4S 4D 3H KC", False), ("4S 3D KH KC", False)]
)
def test_a_higher_card_waits_for_both_foundations_of_the_other_colour(home: str, goes: bool) -> None:
    assert bool(safe_moves(board("5S", home=home))) is goes


def test_aces_go_at_the_deal_and_what_they_free_follows() -> None:
    position = board("9C 2D AS", "2S AD", cells="- AH")
    made = safe_moves(position)
    assert made == (move("1", "hs"), move("2", "hd"), move("1", "hd"), move("2", "hs"), move("b", "hh"))
    assert carry_all(position, made) == board("9C", "", cells="- -", home="2S 2D AH")


def test_at_the_deal_an_available_ace_goes_and_nothing_else() -> None:
    assert safe_moves(deal(617)) == ()
    assert safe_moves(deal(24)) == (move("4", "hs"),)
