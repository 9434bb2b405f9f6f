import pytest

from server.deals.certified import Known
from server.solver.verdict import Lost, Unknown, Verdict, Winnable, known_of


@pytest.mark.parametrize(
    ("verdict", "without", "with_returns"),
    [
        (Winnable(None, 0), Known.WINNABLE, Known.WINNABLE),
        (Lost(), Known.UNWINNABLE, Known.LOST_WITHOUT_RETURN),
        (Unknown(), Known.UNKNOWN, Known.UNKNOWN),
    ],
)
def test_a_lost_position_is_proved_unwinnable_only_where_nothing_comes_back(
    verdict: Verdict, without: Known, with_returns: Known
) -> None:
    assert known_of(verdict, returns=False) is without
    assert known_of(verdict, returns=True) is with_returns
