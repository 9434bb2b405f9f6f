import pytest

from server.freecell.deal import deal
from server.freecell.moves import Illegal, Move, check
from server.freecell.notation import read_move
from server.freecell.piles import Pile, pile_name
from server.freecell.rulesets import RULESETS, customise
from server.race.commands import Resign, Undo
from server.race.decision import Refusal
from server.race.questions import MAX_BEEN, AskHint, Calculate, Destinations, HintGiven, Question, answer
from server.race.state import PlayerId
from tests.server.freecell.boards import board
from tests.server.race.races import ANN, BEN, CEC, DAN, Table, accepted, lobby, running

HINTING = customise("race", hints=True)


def refusal(table: Table, question: Question) -> str:
    found = answer(table.race, question)
    assert isinstance(found, Refusal)
    assert found.detail
    return found.code


@pytest.mark.parametrize("question", [AskHint(ANN), Calculate(ANN, "3")])
def test_only_one_who_is_racing_can_ask(question: Question) -> None:
    assert refusal(lobby(ANN, BEN), question) == "not_racing"
    table = running(ANN, BEN, rules=HINTING)
    accepted(table.run(Resign(*table.who(ANN))))
    assert refusal(table, question) == "not_racing"


@pytest.mark.parametrize("player", [CEC, DAN])
def test_nobody_else_can_ask(player: PlayerId) -> None:
    table = running(ANN, BEN, rules=HINTING)
    assert refusal(table, AskHint(player)) == "not_racing"
    assert refusal(table, Calculate(player, "3")) == "not_racing"


def test_a_question_changes_nothing() -> None:
    table = running(ANN, BEN, rules=HINTING)
    before = table.race
    answer(table.race, AskHint(ANN))
    answer(table.race, Calculate(ANN, "3"))
    assert table.race is before


def test_a_hint_is_a_legal_move_in_notation_for_the_board_as_it_stands() -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.play(ANN, "3a")
    found = answer(table.race, AskHint(ANN))
    assert isinstance(found, HintGiven)
    assert found.n == 1
    assert found.move is not None
    position = table.position(ANN)
    move = read_move(found.move, position, HINTING)
    assert not isinstance(move, Illegal)
    assert check(position, move, HINTING) is None


ADVICE = Move(Pile(0), Pile(11))  # 1d


def test_good_advice_is_the_hint() -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.play(ANN, "3a")
    assert answer(table.race, AskHint(ANN, 1, ADVICE)) == HintGiven(1, "1d")


@pytest.mark.parametrize(
    ("n", "advice"), [(0, ADVICE), (2, ADVICE), (1, Move(Pile(0), Pile(8))), (1, Move(Pile(99), Pile(0)))]
)
def test_advice_for_another_board_or_against_the_rules_is_none(n: int, advice: Move) -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.play(ANN, "3a")
    assert answer(table.race, AskHint(ANN, n, advice)) == answer(table.race, AskHint(ANN))


def test_where_there_is_no_hint_the_answer_says_so() -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.put(ANN, board(cells="KS - - -"))
    table.play(ANN, "ab")
    table.put(ANN, board("KS", "KC", "KD", "KH", *["JS"] * 4, cells="9S 9S 9S 9S"))
    assert answer(table.race, AskHint(ANN)) == HintGiven(1, None)


def test_a_hint_by_the_rule_does_not_lead_back() -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.put(ANN, board("9C 8D", "9S", *["KC"] * 6, cells=""))
    assert answer(table.race, AskHint(ANN)) == HintGiven(0, "12")
    table.play(ANN, "12")
    assert answer(table.race, AskHint(ANN)) == HintGiven(1, None)
    accepted(table.run(Undo(*table.at(ANN))))
    assert answer(table.race, AskHint(ANN)) == HintGiven(2, None)


def test_after_very_long_without_a_card_home_only_such_a_one_is_hinted() -> None:
    table = running(ANN, BEN, rules=HINTING)
    table.put(ANN, board("AS 3D", *["KC"] * 7, cells="KS - - -"))
    for _ in range(MAX_BEEN // 2):
        table.play(ANN, "ab", "ba")
    assert answer(table.race, AskHint(ANN)) == HintGiven(MAX_BEEN, None)
    table.play(ANN, "1b")
    assert answer(table.race, AskHint(ANN)) == HintGiven(MAX_BEEN + 1, "1h")


@pytest.mark.parametrize("rules", [RULESETS["race"], RULESETS["classic"]])
def test_where_the_host_allows_no_hints_there_are_none(rules: object) -> None:
    assert refusal(running(ANN, BEN, rules=rules), AskHint(ANN)) == "not_in_rules"


def test_the_calculator_says_how_many_cards_could_move_where_and_why_not() -> None:
    table = running(ANN, BEN)
    assert table.position(ANN) == deal(617)
    table.play(ANN, "3a")
    found = answer(table.race, Calculate(ANN, "8"))
    assert isinstance(found, Destinations)
    assert (found.n, found.pile) == (1, "8")
    places = {pile_name(place.dest): (place.most, place.why) for place in found.destinations}
    assert set(places) == {*"1234567", *"abcd", "hh"}
    assert places["b"] == (1, "")
    assert places["a"] == (0, "cell a holds KC, and a cell holds one card")
    assert all(why for most, why in places.values() if not most)


def test_a_calculation_for_what_is_no_pile_is_refused() -> None:
    assert refusal(running(ANN, BEN), Calculate(ANN, "9")) == "illegal_move"
