import pytest

from server.freecell.capacity import capacity, check_run, landing_count, most_at_once, run_length
from server.freecell.moves import Illegal, apply, check
from tests.server.freecell.boards import RACE, board, cards, move

# The table of the published rules: empty cells; to an occupied cascade with 0, 1, 2 empty ones; to an empty
# one with 1, 2 in all.
TABLE = [
    (0, 1, 2, 4, 1, 2),
    (1, 2, 4, 8, 2, 4),
    (2, 3, 6, 12, 3, 6),
    (3, 4, 8, 16, 4, 8),
    (4, 5, 10, 20, 5, 10),
]

QUEEN_TO_ACE = "QS JD TS 9D 8S 7D 6S 5D 4S 3D 2S AD"


def run_of(count: int, head: str) -> str:
    """A run of a number of cards, from the queen-to-ace run."""
    names = QUEEN_TO_ACE.split()
    first = names.index(head)
    assert first + count <= len(names)
    return " ".join(names[first : first + count])


@pytest.mark.parametrize(("cells", "none", "one", "two", "into_one", "into_two"), TABLE)
def test_the_table_of_the_rules(
    cells: int, none: int, one: int, two: int, into_one: int, into_two: int
) -> None:
    assert [capacity(cells, empty) for empty in (0, 1, 2)] == [none, one, two]
    assert [capacity(cells, empty, to_empty=True) for empty in (1, 2)] == [into_one, into_two]


@pytest.mark.parametrize(
    ("free", "empty", "wrong"), [(-1, 0, "free"), (5, 0, "free"), (0, -1, "empty"), (0, 9, "empty")]
)
def test_what_no_board_has_is_refused(free: int, empty: int, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        capacity(free, empty)


def test_a_move_to_an_empty_cascade_needs_one() -> None:
    with pytest.raises(ValueError, match="needs at least 1 empty cascade"):
        capacity(4, 0, to_empty=True)


@pytest.mark.parametrize(("count", "taken"), [(10, True), (11, False)])
def test_simple_solitaire_78_four_cells_and_one_empty_cascade_move_ten(count: int, taken: bool) -> None:
    run = run_of(count, "QS")
    position = board(run, "KD", "2C", "2C", "2C", "2C", "2C")
    assert most_at_once(position, to_empty=False) == 10
    assert (check(position, move("1", "2", count), RACE) is None) is taken


def test_stilldeck_four_cells_and_two_empty_cascades_move_twenty() -> None:
    position = board(QUEEN_TO_ACE, "KD", "2C", "2C", "2C", "2C")
    assert most_at_once(position, to_empty=False) == capacity(4, 2) == 20
    assert check(position, move("1", "2", 12), RACE) is None


@pytest.mark.parametrize(("count", "taken"), [(5, True), (6, False)])
def test_freecell_faq_into_the_only_empty_cascade_go_five(count: int, taken: bool) -> None:
    position = board(run_of(count, "QS"), "", "2C", "2C", "2C", "2C", "2C", "2C")
    assert (check(position, move("1", "2", count), RACE) is None) is taken


@pytest.mark.parametrize(("count", "taken"), [(10, True), (11, False)])
def test_freecell_faq_into_one_of_two_empty_cascades_go_ten(count: int, taken: bool) -> None:
    position = board(run_of(count, "QS"), "", "", "2C", "2C", "2C", "2C", "2C")
    assert (check(position, move("1", "2", count), RACE) is None) is taken


def test_freecell_with_friends_58_six_with_four_cells_are_refused_with_the_numbers() -> None:
    position = board(run_of(6, "QS"), "KD", "2C", "2C", "2C", "2C", "2C", "2C")
    refused = apply(position, move("1", "2", 6), RACE)
    assert isinstance(refused, Illegal)
    assert refused.code == "too_many_cards"
    assert refused.detail.startswith("6 cards need 5 free cells; you have 4, so at most 5 at once")
    assert position == board(run_of(6, "QS"), "KD", "2C", "2C", "2C", "2C", "2C", "2C")


@pytest.mark.parametrize(
    ("cells", "others", "said"),
    [
        ("KS - KC KH", ["2C"] * 6, "3 cards need 2 free cells; you have 1, so at most 2 at once"),
        (
            "KS",
            ["2C"] * 5,
            "3 cards need 1 free cell; you have 0 and 1 empty cascade to spare, so at most 2 at once",
        ),
        ("KS", ["2C"] * 6, "3 cards need 2 free cells; you have 0, so at most 1 at once"),
    ],
)
def test_the_refusal_says_what_is_needed_and_what_is_there(cells: str, others: list[str], said: str) -> None:
    position = board(run_of(3, "9D"), "TS", *others, cells=cells)
    refused = check(position, move("1", "2", 3), RACE)
    assert isinstance(refused, Illegal)
    assert refused.detail == f"{said} (counting empty space only: card by card, other cards may help)"


def test_the_refusal_counts_several_empty_cascades() -> None:
    position = board(QUEEN_TO_ACE, "KD", "2C", "2C", "2C", "2C", cells="KC")
    refused = check(position, move("1", "2", 12), RACE)
    assert isinstance(refused, Illegal)
    assert refused.detail.startswith("12 cards need 2 free cells; you have 0 and 2 empty cascades to spare")


def test_the_cascade_a_run_leaves_never_counts_as_empty() -> None:
    position = board("4S 3D", "5H", "2C", "2C", "2C", "2C", "2C", "2C", cells="KC")
    refused = check(position, move("1", "2", 2), RACE)
    assert isinstance(refused, Illegal)
    assert refused.code == "too_many_cards"


def test_cells_a_ruleset_has_taken_away_do_not_count() -> None:
    position = board("4S 3D 2S", "5H", "2C", "2C", "2C", "2C", "2C", "2C", cells="-")
    assert most_at_once(position, to_empty=False) == 2


@pytest.mark.parametrize(
    ("cascade", "length"),
    [
        ("", 0),
        ("KS", 1),
        ("KS QS", 1),
        ("KS QH", 2),
        ("2C KS QH JC", 3),
        ("KS QH JC 9H", 1),
        ("5H 4S 3H 2H", 1),
    ],
)
def test_a_run_is_counted_from_the_end(cascade: str, length: int) -> None:
    assert run_length(cards(cascade)) == length


def test_a_broken_sequence_cannot_be_carried_whatever_the_space() -> None:
    position = board("QS JD TS 8D", "KD")
    refused = check(position, move("1", "2", 4), RACE)
    assert refused == Illegal(
        "not_a_run", "the last 4 cards are not one run: 8D does not follow TS, so at most 1 can move together"
    )
    assert check_run(position, position.cascades[0], 2, to_empty=True) is not None


def test_the_count_that_would_land_goes_by_rank_alone() -> None:
    cascade = cards("9S 2H 7C")
    counts = [landing_count(cascade, card) for card in cards("7H 8S TD KD")]
    assert counts == [0, 1, 3, 6]
