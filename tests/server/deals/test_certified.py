import pytest

from server.deals.certified import KNOWN_WITH_4, Known, count, draw, is_certified, is_proved_unwinnable, known
from server.deals.table import DEALS
from server.freecell.deal import MAX_DEAL, UNWINNABLE_WITH_4, DealError


def test_with_four_cells_the_first_million_is_known() -> None:
    assert count(4) == 999_992
    assert [deal for deal in range(1, KNOWN_WITH_4 + 1) if not is_certified(deal, 4)] == sorted(
        UNWINNABLE_WITH_4
    )
    assert all(is_proved_unwinnable(deal, 4) for deal in UNWINNABLE_WITH_4)


def test_beyond_the_facts_nothing_is_known() -> None:
    for deal in (KNOWN_WITH_4 + 1, MAX_DEAL):
        for cells in (1, 2, 3, 4):
            assert known(deal, cells, returns=False) is Known.UNKNOWN


@pytest.mark.parametrize(("cells", "total"), [(3, 31_801), (2, 25_381), (1, 6_289)])
def test_with_fewer_cells_as_many_of_the_first_32000_can_be_won_as_is_published(
    cells: int, total: int
) -> None:
    certified = [deal for deal in range(1, DEALS + 1) if is_certified(deal, cells)]
    assert len(certified) == count(cells) == total
    lost = [deal for deal in range(1, DEALS + 1) if is_proved_unwinnable(deal, cells)]
    assert sorted(certified + lost) == list(range(1, DEALS + 1))
    assert [draw(cells, number) for number in range(total)] == certified
    assert draw(cells, total) == certified[0]


def test_a_cell_more_never_makes_a_deal_harder() -> None:
    for deal in range(1, DEALS + 1):
        winnable = [is_certified(deal, cells) for cells in (1, 2, 3, 4)]
        assert winnable == sorted(winnable)


@pytest.mark.parametrize(("deal", "cells"), [(575, 3), (2240, 3), (13584, 3), (125, 1), (200, 1), (345, 1)])
def test_what_returns_can_save_is_only_lost_without_them(deal: int, cells: int) -> None:
    assert known(deal, cells, returns=False) is Known.UNWINNABLE
    assert known(deal, cells, returns=True) is Known.LOST_WITHOUT_RETURN


def test_what_can_be_won_can_be_won_by_every_ruleset() -> None:
    assert {known(1, cells, returns=returns) for cells in (3, 4) for returns in (False, True)} == {
        Known.WINNABLE
    }


def test_with_four_cells_every_certified_deal_is_drawn_once() -> None:
    drawn = [draw(4, number) for number in range(count(4))]
    assert drawn == [deal for deal in range(1, KNOWN_WITH_4 + 1) if deal not in UNWINNABLE_WITH_4]
    assert draw(4, count(4)) == 1
    assert draw(4, 2**256 - 1) == draw(4, (2**256 - 1) % count(4))


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
@pytest.mark.parametrize("returns", [False, True])
def test_what_is_lost_with_four_cells_is_lost_with_fewer_and_with_returns(cells: int, returns: bool) -> None:
    assert {known(deal, cells, returns=returns) for deal in UNWINNABLE_WITH_4} == {Known.UNWINNABLE}


@pytest.mark.parametrize("cells", [0, 5, -1])
def test_there_are_one_to_four_cells(cells: int) -> None:
    with pytest.raises(ValueError, match="1 to 4 free cells"):
        count(cells)
    with pytest.raises(ValueError, match="1 to 4 free cells"):
        draw(cells, 0)
    with pytest.raises(ValueError, match="1 to 4 free cells"):
        is_certified(1, cells)


@pytest.mark.parametrize("deal", [0, -1, MAX_DEAL + 1])
def test_what_is_no_deal_is_refused(deal: int) -> None:
    with pytest.raises(DealError):
        is_certified(deal, 4)
    with pytest.raises(DealError):
        is_proved_unwinnable(deal, 4)


def test_a_negative_number_draws_nothing() -> None:
    with pytest.raises(ValueError, match="not negative"):
        draw(4, -1)
