import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.cards import DECK, Card, rank
from server.freecell.deal import deal
from server.freecell.finish import check_finish, finish_moves, is_offered
from server.freecell.game import can_undo, new_game, push, undo
from server.freecell.movement import carry_all
from server.freecell.moves import Illegal, apply
from server.freecell.piles import pile_name
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from tests.server.freecell.boards import RACE, all_cards, board, cards, positions

SORTED = board(
    "KC QC JC TC 9C 8C 7C 6C 5C",
    "KD QD JD TD 9D 8D 7D 6D 5D",
    "KH QH JH TH 9H 8H 7H 6H 5H",
    "KS QS JS TS 9S 8S 7S 6S 5S",
    "4C 4D 4H 4S",
    cells="3C 3D 3H 3S",
    home="2C 2D 2H 2S",
)


@st.composite
def finishable(draw: st.DrawFn) -> Position:
    """A whole board on which every cascade goes down and any cards lie in the cells."""
    places = draw(st.lists(st.integers(0, 7), min_size=52, max_size=52))
    held = draw(st.lists(st.sampled_from(DECK), max_size=4, unique=True))
    columns: list[list[Card]] = [[] for _ in range(8)]
    for card, place in zip(reversed(DECK), places, strict=True):
        if card not in held:
            columns[place].append(card)
    return Position(tuple(map(tuple, columns)), (*held, *[None] * (4 - len(held))), (0, 0, 0, 0))


@given(finishable())
def test_where_it_is_offered_it_wins_by_legal_moves_lowest_rank_first(position: Position) -> None:
    assert sorted(all_cards(position)) == list(DECK)
    assert is_offered(position)
    reached = position
    ranks = []
    for made in finish_moves(position):
        after = apply(reached, made, RULESETS["classic"])
        assert not isinstance(after, Illegal)
        reached = after
        ranks.append(reached.foundations[made.dest - 12])
    assert reached.is_won
    assert ranks == sorted(rank(card) for card in DECK)


@given(positions)
def test_it_is_offered_exactly_when_every_cascade_goes_down(position: Position) -> None:
    falling = all(
        list(map(rank, cascade)) == sorted(map(rank, cascade), reverse=True) for cascade in position.cascades
    )
    assert is_offered(position) == (falling and not position.is_won)


def test_modern_apps_730_an_ace_under_a_two_is_not_offered() -> None:
    assert not is_offered(board("AC 2C"))
    assert is_offered(board("2C AC"))


def test_modern_apps_730_four_full_cells_do_not_matter() -> None:
    assert is_offered(SORTED)
    assert carry_all(SORTED, finish_moves(SORTED)).is_won


def test_suit_and_colour_do_not_matter_nor_do_equal_ranks() -> None:
    assert is_offered(board("9C 8C 8S 3H"))


def test_among_equals_cascades_come_in_their_order_and_then_cells() -> None:
    made = finish_moves(SORTED)
    assert "".join(pile_name(step.source) for step in made[:14]) == "abcd5555123412"
    cascades = (*SORTED.cascades[:4], (*SORTED.cascades[4], *cards("3S")), *SORTED.cascades[5:])
    made = finish_moves(SORTED._replace(cascades=cascades, cells=(*SORTED.cells[:3], None)))
    assert "".join(pile_name(step.source) for step in made[:5]) == "5abc5"


def test_a_deal_is_not_offered_and_has_no_such_moves() -> None:
    assert not is_offered(deal(1))
    with pytest.raises(ValueError, match="not offered"):
        finish_moves(deal(1))


def test_a_won_board_is_not_offered() -> None:
    won = board(home="KC KD KH KS")
    assert not is_offered(won)
    assert check_finish(won, RACE) == Illegal("already_won", "the game is already won")


@pytest.mark.parametrize("name", RULESETS)
def test_only_some_rulesets_have_it(name: str) -> None:
    refused = check_finish(SORTED, RULESETS[name])
    assert (refused is None) == (name in ("solitarium", "race"))
    assert refused is None or refused.code == "no_auto_finish"


def test_it_is_refused_when_it_is_not_offered() -> None:
    refused = check_finish(deal(1), RACE)
    assert refused is not None
    assert refused.code == "no_auto_finish"


def test_one_undo_takes_all_of_it_back() -> None:
    finished = push(new_game(SORTED, RACE), finish_moves(SORTED))
    assert finished.position.is_won
    assert finished.actions == 1
    back = undo(finished)
    assert (back.position, back.score, can_undo(back)) == (SORTED, 8, False)
