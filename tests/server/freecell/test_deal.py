from random import Random

import pytest
from pysol_cards.cards import CardRenderer
from pysol_cards.deal_game import Game
from pysol_cards.random import RandomBase

from server.freecell.deal import MAX_DEAL, MIN_DEAL, UNWINNABLE_WITH_4, DealError, check_deal, deal
from server.freecell.position import position_text
from tests.server.freecell.boards import LAYOUTS


def layout(number: int, cells: int = 4) -> list[str]:
    return position_text(deal(number, cells)).splitlines()[:8]


@pytest.mark.parametrize("number", LAYOUTS)
def test_the_layouts_of_the_vectors(number: str) -> None:
    assert layout(int(number)) == LAYOUTS[number]


def test_two_thousand_deals_over_the_whole_range_equal_those_of_pysol_cards() -> None:
    random = Random(617)
    borders = [near + step for near in (1, 32000, 2**31, 2**32) for step in (-2, -1, 0, 1, 2)]
    numbers = {number for number in (*borders, MAX_DEAL - 1, MAX_DEAL) if number >= MIN_DEAL}
    while len(numbers) < 2000:
        numbers.add(random.randint(MIN_DEAL, 2 ** random.randint(4, 33) - 1))
    oracle = Game("freecell", 1, RandomBase.DEALS_MS)
    renderer = CardRenderer(print_ts=True)
    for number in sorted(numbers):
        assert layout(number) == oracle.calc_deal_string(number, renderer).splitlines(), number


def test_rosettacode_a_deal_beyond_2_to_the_31_is_not_an_earlier_one_again() -> None:
    assert layout(2**31 + 1) != layout(1)
    assert layout(2**32 + 1) != layout(1)
    assert len({tuple(layout(border + step)) for border in (1, 2**31, 2**32) for step in (0, 1)}) == 6


NO_DEALS: list[object] = [0, -1, 2**33, 10**30, 1.5, 1.0, "1e3", "1", "x" * 100, True, False, None]


@pytest.mark.parametrize("number", [*NO_DEALS, pytest.param(-(10**5000), id="a number too long to print")])
def test_stdlib_2952_what_is_no_deal_is_refused_with_the_range(number: object) -> None:
    with pytest.raises(DealError, match="a whole number from 1 to 8589934591, not ") as refused:
        check_deal(number)
    assert len(str(refused.value)) < 100


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("x" * 22, f"'{'x' * 22}'"),
        ("x" * 23, f"'{'x' * 23}..."),
        (10**20 - 1, "9" * 20),
        (10**20, "one that long"),
    ],
)
def test_the_refusal_shows_what_was_given_if_it_is_short(number: object, shown: str) -> None:
    with pytest.raises(DealError) as refused:
        check_deal(number)
    assert str(refused.value).endswith(f", not {shown}")


@pytest.mark.parametrize("number", [0, -1, 2**33])
def test_a_number_out_of_range_is_never_dealt(number: int) -> None:
    with pytest.raises(DealError):
        deal(number)


def test_the_number_shown_is_the_number_dealt() -> None:
    for number in (MIN_DEAL, 617, MAX_DEAL):
        assert check_deal(number) == number


def test_t_games_580_one_number_has_one_layout_for_every_number_of_cells() -> None:
    for cells in range(5):
        assert deal(617, cells).cascades == deal(617).cascades
        assert deal(617, cells).cells == (None,) * cells


@pytest.mark.parametrize("cells", [-1, 5])
def test_there_are_at_most_four_cells(cells: int) -> None:
    with pytest.raises(ValueError, match="0 to 4 free cells"):
        deal(617, cells)


def test_the_unwinnable_deals_are_the_eight() -> None:
    assert sorted(UNWINNABLE_WITH_4) == [11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948]
    assert 495340 not in UNWINNABLE_WITH_4
