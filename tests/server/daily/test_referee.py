from dataclasses import replace

import pytest

from server.daily.referee import CURVE_POINTS, Referee, Result, Unsound, sampled
from server.freecell.moves import Move
from server.freecell.piles import Pile
from server.race.curves import Point
from server.race.events import Ended, Finished, Moved, Stamped, Undone
from server.race.state import Ending
from tests.server.daily.attempts import ANN, BEN, DAILY, Attempt
from tests.server.race.races import SOLVED

MOVES = SOLVED[617, 4]


def judged(attempt: Attempt, log: list[Stamped] | None = None) -> Result | None:
    referee = Referee(attempt.code)
    for stamped in attempt.log if log is None else log:
        referee.take(stamped)
    return referee.result()


def test_a_win_is_told_with_all_that_counts() -> None:
    attempt = Attempt().win()
    result = judged(attempt)
    assert result is not None
    assert replace(result, curve=()) == Result(
        DAILY, ANN, "Aaa", True, 1000 * len(MOVES), len(MOVES), 0, False, ()
    )
    assert len(result.curve) == CURVE_POINTS
    assert list(result.curve) == sorted(result.curve)
    assert result.curve[-1] == 52


def test_what_was_taken_back_counts_and_so_does_a_hint() -> None:
    attempt = Attempt().play("3a").undo().hint().win()
    result = judged(attempt)
    assert result is not None
    assert (result.actions, result.taken_back, result.hinted) == (len(MOVES) + 1, 1, True)


def test_an_auto_finish_is_a_win() -> None:
    attempt = Attempt().play(*MOVES[:-1])
    member = attempt.race.members[ANN]
    assert member.game is not None
    assert judged(attempt.finish()) is not None


@pytest.mark.parametrize("end", [Attempt.resign, Attempt.run_out])
def test_one_that_was_given_up_or_ran_out_of_time_is_not_won(end: object) -> None:
    attempt = Attempt().play(*MOVES[:50])
    assert callable(end)
    result = judged(end(attempt))
    assert result is not None
    assert not result.won
    assert result.curve[-1] < 52


def test_there_is_nothing_to_tell_while_it_is_not_over() -> None:
    assert judged(Attempt().play(*MOVES[:50])) is None
    assert Referee(Attempt().code).result() is None


def test_what_comes_after_the_end_changes_nothing() -> None:
    attempt = Attempt().win()
    before = judged(attempt)
    attempt.now_ms += 5_000_000
    again = attempt.log[3]._replace(seq=len(attempt.log) + 1)
    assert before == judged(attempt, [*attempt.log, Stamped(again.seq, attempt.now_ms, attempt.log[4].event)])


def test_a_log_of_something_else_is_unsound() -> None:
    with pytest.raises(Unsound, match="no name of an attempt"):
        Referee("KMNPQRST")
    with pytest.raises(Unsound, match="the log is that of"):
        judged(Attempt(BEN), Attempt(ANN).log)


@pytest.mark.parametrize(
    ("forged", "words"),
    [
        (Moved(ANN, 1, Move(Pile(0), Pile(12), 1)), "illegal move"),
        (Moved(BEN, 1, Move(Pile(0), Pile(8), 1)), "a move of b"),
        (Undone(BEN, 1), "a move of b"),
    ],
)
def test_a_move_that_no_rule_allows_is_unsound(forged: Moved | Undone, words: str) -> None:
    attempt = Attempt()
    with pytest.raises(Unsound, match=words):
        judged(attempt, [*attempt.log, Stamped(len(attempt.log) + 1, attempt.now_ms, forged)])


def test_a_win_that_is_none_is_unsound() -> None:
    attempt = Attempt().play(*MOVES[:-1])
    seq = len(attempt.log)
    ending = [
        Stamped(seq + 1, attempt.now_ms, Finished(ANN)),
        Stamped(seq + 2, attempt.now_ms, Ended(Ending.FINISHED)),
    ]
    with pytest.raises(Unsound, match="not as it is said"):
        judged(attempt, [*attempt.log, *ending])


def test_an_end_before_the_cards_were_shown_is_unsound() -> None:
    attempt = Attempt()
    log = [*attempt.log[:2], Stamped(3, attempt.now_ms, Ended(Ending.EXPIRED))]
    with pytest.raises(Unsound, match="nobody has played"):
        judged(attempt, log)


def test_a_curve_is_read_at_even_times() -> None:
    points = [Point(0, 0), Point(100, 10), Point(650, 30), Point(1200, 52)]
    assert sampled(points, 1200) == (10, 10, 10, 10, 10, 10, 30, 30, 30, 30, 30, 52)
    assert sampled([Point(0, 0)], 0) == (0,) * CURVE_POINTS
