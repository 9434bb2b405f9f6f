from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.freecell.autoplay import safe_moves
from server.freecell.deal import deal
from server.freecell.game import (
    Game,
    can_redo,
    can_undo,
    lately,
    new_game,
    push,
    push_restart,
    redo,
    redo_moves,
    undo,
    undo_moves,
)
from server.freecell.movement import carry_all
from server.freecell.moves import Illegal, Move, apply, carry, check, legal_moves
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS, Rules, customise
from tests.server.freecell.boards import RACE, WITH_RETURNS, board, move, positions

CARDEMS = RULESETS["cardems"]
APP = RULESETS["app"]
LIMITED = [customise("race", undo_limit=limit) for limit in (0, 3)]
ALL_RULES = [*RULESETS.values(), WITH_RETURNS, *LIMITED]
ROUND = (move("1", "a"), move("a", "8"), move("8", "1"))


def shown(game: Game) -> tuple[Position, int]:
    return game.position, game.score


def pushed(game: Game, *made: Move) -> Game:
    """One action of moves that are legal, as a decision would have found out."""
    position = game.position
    for step in made:
        after = apply(position, step, game.rules)
        assert not isinstance(after, Illegal)
        position = after
    return push(game, made)


def count_undos(game: Game) -> int:
    count = 0
    while can_undo(game):
        game = undo(game)
        count += 1
    return count


class Model:
    """A board as a person would describe it: every state kept whole, with what can be undone and redone."""

    def __init__(self, game: Game) -> None:
        self.now = shown(game)
        self.past: list[tuple[Position, int]] = []
        self.future: list[tuple[Position, int]] = []

    def act(self, after: tuple[Position, int], limit: int | None) -> None:
        self.past.append(self.now)
        if limit is not None:
            self.past = self.past[len(self.past) - min(limit, len(self.past)) :]
        self.now, self.future = after, []

    def undo(self) -> None:
        self.future.append(self.now)
        self.now = self.past.pop()

    def redo(self) -> None:
        self.past.append(self.now)
        self.now = self.future.pop()


def random_action(game: Game, random: Random) -> tuple[Move, ...]:
    """A legal move, sometimes with more moves in the same action, as autoplay or auto-finish make."""
    made: list[Move] = []
    position = game.position
    for _ in range(random.choice((1, 1, 1, 3))):
        if choices := legal_moves(position, game.rules):
            made.append(random.choice(choices))
            position = carry(position, made[-1])
    return tuple(made)


@given(
    positions,
    st.sampled_from(ALL_RULES),
    st.lists(st.sampled_from("pppppuuurrs"), max_size=60),
    st.randoms(use_true_random=False),
)
def test_any_sequence_of_actions_undos_redos_and_restarts(
    start: Position, rules: Rules, steps: list[str], random: Random
) -> None:
    game = new_game(start, rules)
    model = Model(game)
    actions = 0
    for step in steps:
        if step == "p":
            game = push(game, random_action(game, random))
        elif step == "s":
            game = push_restart(game)
        elif step == "u" and can_undo(game):
            moves = undo_moves(game)
            model.undo()
            assert moves is None or carry_all(game.position, moves) == model.now[0]
            game = undo(game)
        elif step == "r" and can_redo(game):
            moves = redo_moves(game)
            model.redo()
            assert moves is None or carry_all(game.position, moves) == model.now[0]
            game = redo(game)
        if step in "ps":
            actions += 1
            model.act(shown(game), rules.undo_limit)
        assert shown(game) == model.now
        assert game.actions == actions
        assert game.score >= 0
        assert can_undo(game) == bool(model.past)
        assert can_redo(game) == (bool(model.future) and rules.redo)
    while can_undo(game):
        game = undo(game)
        model.undo()
        assert shown(game) == model.now
    if rules.undo_limit is None:
        assert shown(game) == shown(new_game(start, rules))


def test_a_new_board() -> None:
    game = new_game(deal(617), RACE)
    assert shown(game) == (deal(617), 0)
    assert (game.actions, can_undo(game), can_redo(game)) == (0, False, False)
    assert (undo_moves(game), redo_moves(game)) == ((), ())


def test_with_nothing_there_undo_and_redo_say_so() -> None:
    game = new_game(deal(617), RACE)
    with pytest.raises(ValueError, match="nothing to undo"):
        undo(game)
    with pytest.raises(ValueError, match="nothing to redo"):
        redo(game)


def test_shenzhen_solitaire_1_a_supermove_of_ten_is_taken_back_by_one_undo() -> None:
    start = board("JD TS 9D 8S 7D 6S 5D 4S 3D 2S", "QS", *["KC"] * 5)
    game = pushed(new_game(start, RACE), move("1", "2", 10))
    assert undo_moves(game) == (move("2", "1", 10),)
    back = undo(game)
    assert back.position == start
    assert not can_undo(back)
    assert redo_moves(back) == (move("1", "2", 10),)


def test_t_games_72_a_move_that_set_off_autoplay_is_taken_back_by_one_undo() -> None:
    start = board("AS KC", "AH 2S", home="AD")
    first = move("1", "a")
    made = (first, *safe_moves(carry(start, first)))
    assert len(made) == 4
    game = pushed(new_game(start, RACE), *made)
    assert game.actions == 1
    assert undo(game).position == start
    assert count_undos(game) == 1


def test_pysolfc_278_undo_k_redo_k_gives_the_same_position_and_score() -> None:
    random = Random(278)
    for name, rules in RULESETS.items():
        # Redo puts back what undo took, whether or not a ruleset lets a player ask for it.
        game = new_game(deal(278), rules)
        states = [game]
        for _ in range(60):
            game = push(game, random_action(game, random))
            states.append(game)
        for k in (1, 7, 60):
            back = game
            for _ in range(k):
                back = undo(back)
            assert shown(back) == shown(states[-k - 1]), name
            for _ in range(k):
                back = redo(back)
            assert back == game, name


def test_sudoku_227_after_undo_and_another_move_there_is_nothing_to_redo() -> None:
    game = pushed(new_game(deal(1), RACE), move("1", "a"))
    game = undo(game)
    assert can_redo(game)
    game = pushed(game, move("2", "a"))
    assert not can_redo(game)
    assert not can_redo(push_restart(undo(game)))


@pytest.mark.parametrize(("rules", "limit"), [(APP, 100), (RULESETS["solitarium"], 200)])
def test_with_a_limit_of_100_a_hundred_undos_are_taken_and_one_more_refused(rules: Rules, limit: int) -> None:
    game = new_game(board("KC QD"), rules)
    states = []
    for number in range(limit + 50):
        states.append(game)
        game = pushed(game, ROUND[number % 3])
    assert count_undos(game) == limit
    back = game
    for _ in range(limit):
        back = undo(back)
    assert shown(back) == shown(states[50])
    assert not can_undo(back)
    for _ in range(limit):
        back = redo(back)
    assert back == game


def test_redo_puts_back_what_the_limit_held_and_what_fell_off_is_gone() -> None:
    rules = customise("race", undo_limit=2)
    game = new_game(board("KC", "KD", "KH", "KS"), rules)
    for made in (move("1", "a"), move("2", "b"), move("3", "c")):
        game = pushed(game, made)
    back = undo(undo(game))
    assert back.position == board("", "KD", "KH", "KS", cells="KC - - -")
    assert not can_undo(back)
    assert count_undos(redo(back)) == 1
    assert redo(redo(back)) == game
    assert count_undos(pushed(back, move("4", "d"))) == 1


@pytest.mark.parametrize(("limit", "kept"), [(None, 500), (0, 0), (1, 1)])
def test_a_limit_of_none_keeps_everything_and_of_0_nothing(limit: int | None, kept: int) -> None:
    game = new_game(board("KC QD"), customise("race", undo_limit=limit))
    for number in range(500):
        game = pushed(game, ROUND[number % 3])
    assert count_undos(game) == kept


def test_the_floor_of_cardems_a_withdrawal_at_5_gives_0_and_its_undo_5_again() -> None:
    game = new_game(board("3H", home="2S"), CARDEMS)._replace(score=5)
    taken = pushed(game, move("hs", "1"))
    assert taken.score == 0
    assert undo(taken).score == 5
    home = pushed(taken, move("1", "hs"))
    assert home.score == 10
    assert [undo(home).score, undo(undo(home)).score] == [0, 5]


def test_what_app_gave_an_undo_takes_back() -> None:
    game = new_game(board("2S AS", "3H"), APP)
    scores = [game.score]
    for made in (move("1", "a"), move("a", "8"), move("8", "hs"), move("1", "hs")):
        game = pushed(game, made)
        scores.append(game.score)
    assert scores == [0, 0, 5, 15, 25]
    while can_undo(game):
        assert game.score == scores.pop()
        game = undo(game)
    assert scores == [0]


def test_a_restart_is_an_action_that_can_be_undone() -> None:
    start = board("2S AS", "3H")
    game = pushed(new_game(start, RACE), move("1", "hs"))
    fresh = push_restart(game)
    assert shown(fresh) == (start, 0)
    assert fresh.actions == 2
    assert undo_moves(fresh) is None
    back = undo(fresh)
    assert shown(back) == shown(game)
    assert redo_moves(back) is None
    assert redo(back) == fresh
    assert count_undos(pushed(fresh, move("1", "a"))) == 3


def test_actions_counts_those_made_and_no_undo_or_redo() -> None:
    game = pushed(new_game(deal(1), RACE), move("1", "a"))
    game = pushed(redo(undo(game)), move("2", "b"))
    assert undo(game).actions == 2


def test_a_ruleset_without_redo_never_offers_it() -> None:
    for name, rules in RULESETS.items():
        game = undo(pushed(new_game(deal(1), rules), move("1", "a")))
        assert can_redo(game) == (name in ("solitarium", "race"))


def test_triple_solitaire_2_a_card_taken_off_a_foundation_stays_off() -> None:
    position = board("6S", "7D", home="KC KD 5H KS")
    for rules in (APP, RULESETS["solitarium"], CARDEMS):
        assert check(position, move("hh", "1"), rules) is None
        game = pushed(new_game(position, rules), move("hh", "1"))
        assert game.position == board("6S 5H", "7D", home="KC KD 4H KS")
        later = pushed(game, move("2", "a"))
        assert later.position == board("6S 5H", "", cells="7D - - -", home="KC KD 4H KS")


def test_boards_of_three_thousand_actions_are_compared_without_recursion() -> None:
    def long(last: Move) -> Game:
        game = new_game(deal(1), RACE)
        for _ in range(1499):
            game = push(push(game, (move("1", "a"),)), (move("a", "1"),))
        return push(push(game, (move("1", "a"),)), (last,))

    assert long(move("a", "1")) == long(move("a", "1"))
    assert long(move("a", "1")) != long(move("a", "b"))
    assert hash(long(move("a", "1"))) == hash(long(move("a", "1")))
    assert len(repr(long(move("a", "1")))) < 2000


def test_boards_with_other_rules_differ() -> None:
    assert new_game(deal(1), RACE) != new_game(deal(1), replace(RACE, hints=True))


def test_where_a_board_has_been_since_the_cards_home_last_changed() -> None:
    start = board("2S AS", "3H", *["KC"] * 6, cells="- -")
    game = new_game(start, RACE)
    game = pushed(game, move("2", "a"))
    game = pushed(game, move("1", "hs"))
    game = pushed(game, move("a", "b"))
    game = push_restart(pushed(game, move("1", "hs")))
    assert list(lately(game)) == [start]
    game = push_restart(pushed(game, move("2", "a")))
    assert list(lately(game)) == [start, carry(start, move("2", "a")), start]
    game = pushed(pushed(pushed(game, move("2", "b")), move("1", "hs")), move("b", "a"))
    after = carry(carry(start, move("2", "b")), move("1", "hs"))
    assert list(lately(game)) == [carry(after, move("b", "a")), after]
    assert list(lately(undo(game))) == [after]
