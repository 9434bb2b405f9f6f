from pathlib import Path

from server import deals
from server.deals.certified import is_certified
from server.solver.given import play_given

LINES = Path(deals.__file__).with_name("lines.txt")


def test_the_lines_that_no_search_of_ours_finds_win_by_our_rules() -> None:
    cases = [answer.case for answer in play_given(LINES.read_text(encoding="ascii").splitlines())]
    assert len(set(cases)) == len(cases) > 40
    assert all(is_certified(case.deal, case.cells) for case in cases)
