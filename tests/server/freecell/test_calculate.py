from hypothesis import given
from hypothesis import strategies as st

from server.freecell.calculate import destinations
from server.freecell.moves import Move, check, legal_moves
from server.freecell.piles import PILES, Pile, is_cascade, pile_name
from server.freecell.position import Position
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions


def told(position: Position, pile: str) -> dict[str, int | str]:
    """The most by destination, or why not."""
    found = destinations(position, move(pile, "8").source, RACE)
    return {pile_name(place.dest): place.most or place.why for place in found}


@given(positions, st.booleans())
def test_it_agrees_with_the_legal_moves(position: Position, returns: bool) -> None:
    rules = WITH_RETURNS if returns else RACE
    most: dict[tuple[Pile, Pile], int] = {}
    for source, dest, count in legal_moves(position, rules):
        most[source, dest] = max(count, most.get((source, dest), 0))
    found = {(pile, place.dest): place for pile in PILES for place in destinations(position, pile, rules)}
    assert {places: place.most for places, place in found.items() if place.most} == most
    for (source, dest), place in found.items():
        assert source != dest
        assert bool(place.why) == (place.most == 0)
        if not place.most:
            assert check(position, Move(source, dest), rules) is not None or is_cascade(dest)


def test_two_cells_and_an_empty_cascade_give_six_or_three_into_it() -> None:
    run = "9S 8D 7S 6D 5S 4D"
    position = board(run, "TH", "", *["KC"] * 5, cells="KD KH - -")
    found = told(position, "1")
    assert found["2"] == 6
    assert found["3"] == 3


def test_why_not_is_said_in_words() -> None:
    position = board("9S 8D 7S", "9C", "", "TC", "8H", "TH", "KC", "KC", cells="KD - ", home="6S")
    found = told(position, "1")
    assert found == {
        "2": 2,
        "3": 2,
        "4": "9S does not go on TC: it takes 9D or 9H",
        "5": 1,
        "6": 3,
        "7": "7S does not go on KC: it takes QD or QH",
        "8": "7S does not go on KC: it takes QD or QH",
        "a": "cell a holds KD, and a cell holds one card",
        "b": 1,
        "hs": 1,
    }


def test_too_many_cards_is_said_with_the_numbers() -> None:
    position = board("9S 8D 7S", "TH", *["KC"] * 6, cells="KD -")
    assert str(told(position, "1")["2"]).startswith("3 cards need 2 free cells; you have 1")


def test_a_card_on_a_foundation_stays_or_may_go() -> None:
    position = board("3H", cells="-", home="2S")
    assert {place.most for place in destinations(position, move("hs", "1").source, RACE)} == {0}
    free = destinations(position, move("hs", "1").source, WITH_RETURNS)
    assert [(pile_name(place.dest), place.most) for place in free] == [(name, 1) for name in "12345678a"]


def test_an_empty_pile_has_no_destinations() -> None:
    position = board("3H", cells="-")
    for pile in (Pile(1), Pile(8), Pile(9), Pile(12), Pile(16), Pile(-1)):
        assert destinations(position, pile, WITH_RETURNS) == ()
