from collections.abc import Callable
from typing import Final, cast

from hypothesis import given
from hypothesis import strategies as st

from server.freecell.cards import Card
from server.freecell.deal import deal
from server.freecell.moves import Move
from server.freecell.piles import FIRST_CELL, FIRST_FOUNDATION, Pile
from server.freecell.position import Position
from server.race.commands import Redo, Restart, Undo
from server.race.replays import Step, steps
from server.race.reports import Finding, Trail, parting, search, trail
from server.race.state import PlayerId
from tests.server.race.races import ANN, BEN, Table, accepted, running

Oracle = Callable[[Position], bool | None]

ENOUGH: Final = 10_000
TAKE_BACK: Final = Move(Pile(FIRST_FOUNDATION), Pile(FIRST_CELL))


def board(number: int) -> Position:
    """A board that differs from those of other numbers; no more is asked of it here."""
    return Position(((Card(number),),), (), (0, 0, 0, 0))


def number_of(position: Position) -> int:
    return position.cascades[0][0]


def walk(numbers: list[int], taking_back: frozenset[int] = frozenset()) -> Trail:
    """A trail over these boards; those in `taking_back` are reached by taking a card off a foundation."""
    done = tuple(
        Step(0, "move", (), (TAKE_BACK,) if number in taking_back else (), None) for number in numbers[1:]
    )
    return Trail(done, tuple(map(board, numbers)))


def found(walked: Trail, oracle: Oracle, most: int = ENOUGH) -> tuple[Finding, list[Position]]:
    """What a search finds, and what it asked about: nothing twice."""
    asked: list[Position] = []
    finding = _searched(walked, oracle, most, asked)
    assert len(asked) == len(set(asked)) <= most
    return finding, asked


def _searched(walked: Trail, oracle: Oracle, most: int, asked: list[Position]) -> Finding:
    searching = search(walked, most)
    answer: bool | None = None
    while True:
        try:
            asked.append(searching.send(answer))
        except StopIteration as end:
            return cast("Finding", end.value)
        answer = oracle(asked[-1])


def below(limit: int, unknown: frozenset[int] = frozenset()) -> Oracle:
    """Boards with lower numbers can be won."""
    return lambda one: None if number_of(one) in unknown else number_of(one) < limit


def test_a_straight_game_is_halved_and_halved_again() -> None:
    finding, asked = found(walk(list(range(1000))), below(617))
    assert finding == Finding(616, 617)
    assert len(asked) <= 11


def test_a_game_that_could_be_won_to_the_end_takes_one_question() -> None:
    assert found(walk(list(range(1000))), below(1000)) == (Finding(999, None), [board(999)])


def test_a_deal_that_cannot_be_won_was_lost_from_the_deal_on() -> None:
    assert found(walk(list(range(100))), below(0))[0] == Finding(None, 0)


def test_a_won_game_needs_no_question() -> None:
    won = Position(((),), (), (13, 13, 13, 13))
    assert found(Trail(walk([0, 1]).steps, (board(0), won)), below(0)) == (Finding(1, None), [])


def test_nobody_knows_anything() -> None:
    assert found(walk(list(range(9))), lambda _: None)[0] == Finding(None, None)


def test_no_questions_allowed() -> None:
    assert found(walk(list(range(9))), below(5), most=0) == (Finding(None, None), [])


def test_between_what_is_known_there_may_be_a_gap() -> None:
    finding, _ = found(walk(list(range(20))), below(10, unknown=frozenset(range(8, 13))))
    assert finding == Finding(7, 13)


def test_a_dead_end_that_was_undone_does_not_count() -> None:
    # 3 to 5 are a dead end; back at 2 the game goes on by 6, and that is lost from 7 on.
    winnable = {0, 1, 2, 6}
    finding, asked = found(walk([0, 1, 2, 3, 4, 5, 4, 3, 2, 6, 7, 8]), lambda one: number_of(one) in winnable)
    assert finding == Finding(9, 10)
    assert not {3, 4, 5} & set(map(number_of, asked))


def test_going_back_to_where_it_could_still_be_won_is_the_last_chance() -> None:
    # 2 is lost; the undo to 1 gives a chance, 3 takes it.
    finding, _ = found(walk([0, 1, 2, 1, 3]), below(2))
    assert finding == Finding(3, 4)


def test_a_card_taken_back_may_make_a_lost_game_winnable() -> None:
    # Without taking a card back nothing wins after 2; after taking one back, 4 can be won, and then 6 not.
    finding, _ = found(walk(list(range(8)), frozenset({4})), lambda one: number_of(one) in {0, 1, 4, 5})
    assert finding == Finding(5, 6)


def test_what_follows_from_a_lost_board_is_lost_unless_a_card_is_taken_back() -> None:
    lost = {1, 2, 3, 4}
    finding, asked = found(walk([0, 1, 3, 4, 3, 1, 2]), lambda one: number_of(one) not in lost)
    assert finding == Finding(0, 1)
    assert not {3, 4} & set(map(number_of, asked))
    branch = walk([0, 1, 3, 4, 3, 1, 2], frozenset({3}))
    assert found(branch, lambda one: number_of(one) not in {1, 2, 4})[0] == Finding(4, 5)


@st.composite
def trails(draw: st.DrawFn) -> tuple[Trail, list[bool], list[bool]]:
    """A game with undos, which boards can be won, and which of them nobody knows about, by number."""
    before: list[int | None] = [None]
    numbers, at = [0], 0
    for back in draw(st.lists(st.integers(0, 4), max_size=40)):
        if back > 1:
            for _ in range(back - 1):
                at = before[at] or 0
                numbers.append(at)
        else:
            before.append(at)
            at = len(before) - 1
            numbers.append(at)
    chances = draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before)))
    taking_back = frozenset(draw(st.sets(st.integers(1, len(before)), max_size=3)))
    winnable = list(chances)
    for number in range(1, len(before)):
        parent = before[number]
        assert parent is not None
        # Lost stays lost, unless a card is taken back.
        winnable[number] = chances[number] and (winnable[parent] or number in taking_back)
    unknown = draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before)))
    return walk(numbers, taking_back), winnable, unknown


@given(trails())
def test_with_all_known_it_is_exact(case: tuple[Trail, list[bool], list[bool]]) -> None:
    walked, winnable, _ = case
    finding, _ = found(walked, lambda one: winnable[number_of(one)])
    states = [winnable[number_of(one)] for one in walked.positions]
    last = max((place for place, can in enumerate(states) if can), default=None)
    lost = 0 if last is None else last + 1
    assert finding == Finding(last, lost if lost < len(states) else None)


@given(trails(), st.integers(0, 12))
def test_with_gaps_it_claims_nothing_that_is_not_so(
    case: tuple[Trail, list[bool], list[bool]], most: int
) -> None:
    walked, winnable, unknown = case
    finding, _ = found(
        walked, lambda one: None if unknown[number_of(one)] else winnable[number_of(one)], most
    )
    states = [winnable[number_of(one)] for one in walked.positions]
    if finding.winnable_to is not None:
        assert states[finding.winnable_to]
    if finding.lost_from is not None:
        assert not any(states[finding.lost_from :])
        assert finding.winnable_to is None or finding.winnable_to < finding.lost_from


def trail_of(table: Table, player: PlayerId) -> Trail:
    layout = table.race.life.layout
    assert layout is not None
    return trail(layout, steps(table.log, player))


def test_a_trail_has_every_board_a_racer_has_had() -> None:
    table = running(ANN, BEN)
    expected = [deal(617)]
    table.play(ANN, "3a")
    expected.append(table.position(ANN))
    commands: list[type[Undo | Redo | Restart]] = [Undo, Redo, Restart, Undo]
    for command in commands:
        accepted(table.run(command(*table.at(ANN))))
        expected.append(table.position(ANN))
    walked = trail_of(table, ANN)
    assert list(walked.positions) == expected
    assert [step.what for step in walked.steps] == ["move", "undo", "redo", "restart", "undo"]


def test_where_two_boards_part() -> None:
    table = running(ANN, BEN)
    for player in (ANN, BEN):
        table.play(player, "3a", "3b")
    assert parting(trail_of(table, ANN), trail_of(table, BEN)) is None
    table.play(ANN, "3c")
    assert parting(trail_of(table, ANN), trail_of(table, BEN)) == 3
    table.play(BEN, "3d")
    assert parting(trail_of(table, ANN), trail_of(table, BEN)) == 3
    assert parting(trail_of(table, BEN), trail_of(table, ANN)) == 3
