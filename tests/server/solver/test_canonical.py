from random import Random

from hypothesis import given
from hypothesis import strategies as st

from server.freecell.choices import legal_moves
from server.freecell.deal import deal
from server.freecell.movement import carry
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from server.solver.canonical import arrange, key_of

RULES = RULESETS["classic"]


def wander(seed: int) -> Position:
    random = Random(seed)
    position = deal(random.randrange(1, 32_000), random.choice([1, 2, 3, 4]))
    for _ in range(random.randrange(80)):
        moves = legal_moves(position, RULES)
        if not moves:
            break
        position = carry(position, random.choice(moves))
    return position


def shuffled(position: Position, random: Random) -> Position:
    cascades, cells = list(position.cascades), list(position.cells)
    random.shuffle(cascades)
    random.shuffle(cells)
    return Position(tuple(cascades), tuple(cells), position.foundations)


@given(st.integers(0, 10_000))
def test_the_order_of_piles_does_not_matter(seed: int) -> None:
    position = wander(seed)
    other = shuffled(position, Random(seed))
    assert key_of(position) == key_of(other)


@given(st.integers(0, 10_000))
def test_a_move_means_the_same_in_every_arrangement(seed: int) -> None:
    position = wander(seed)
    other = shuffled(position, Random(seed))
    here, there = arrange(position), arrange(other)
    for move in legal_moves(position, RULES):
        translated = there.own_move(here.sorted_move(move))
        assert translated in legal_moves(other, RULES)
        assert key_of(carry(other, translated)) == key_of(carry(position, move))


def test_different_cards_have_different_keys() -> None:
    keys = {key_of(deal(number, cells)) for number in range(1, 1001) for cells in (1, 2, 3, 4)}
    assert len(keys) == 4000
