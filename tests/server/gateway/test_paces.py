from itertools import pairwise
from random import Random
from statistics import mean, median

import pytest

from server.gateway.paces import GAME_MS, LEAST_MS, times
from server.race.robot import Level
from tests.server.gateway.coaching import LINE


def waits(level: Level, seed: int) -> list[int]:
    """The times between moves, the one before the first left out."""
    return [after - before for before, after in pairwise(times(LINE, level, Random(seed)))]


@pytest.mark.parametrize("level", Level)
def test_a_game_takes_about_as_long_as_its_level_says_and_not_always_the_same(level: Level) -> None:
    games = [times(LINE, level, Random(seed))[-1] for seed in range(200)]
    assert mean(games) == pytest.approx(GAME_MS[level], rel=0.05)
    assert min(games) > GAME_MS[level] / 2
    assert max(games) < GAME_MS[level] * 2
    assert len(set(games)) > 190


@pytest.mark.parametrize("level", Level)
def test_every_move_comes_after_the_one_before(level: Level) -> None:
    for seed in range(50):
        made = times(LINE, level, Random(seed))
        assert len(made) == len(LINE)
        assert all(after - before >= LEAST_MS for before, after in pairwise((0, *made)))


def test_most_moves_come_soon_and_some_after_a_pause() -> None:
    for seed in range(20):
        between = waits(Level.EVEN, seed)
        assert max(between) > 4 * median(between)
        assert median(between) < mean(between)


def test_the_first_move_takes_the_longest_look() -> None:
    firsts = [times(LINE, Level.EVEN, Random(seed))[0] for seed in range(300)]
    assert mean(firsts) > 3 * mean(mean(waits(Level.EVEN, seed)) for seed in range(100))
    assert max(firsts) < GAME_MS[Level.EVEN] / 8, "nobody is to think that it does not play at all"


def test_the_same_luck_gives_the_same_times() -> None:
    assert times(LINE, Level.EASY, Random(3)) == times(LINE, Level.EASY, Random(3))


def test_the_whole_pace_can_be_set_but_for_what_no_hand_can_do() -> None:
    slow, usual, quick = (times(LINE, Level.EVEN, Random(3), speed) for speed in (0.5, 1, 2))
    assert slow[-1] == pytest.approx(2 * usual[-1], rel=0.01)
    assert quick[-1] == pytest.approx(usual[-1] / 2, rel=0.01)
    frantic = (0, *times(LINE, Level.FAST, Random(3), 20))
    assert min(after - before for before, after in pairwise(frantic)) == LEAST_MS


def test_no_line_takes_no_time() -> None:
    assert times((), Level.FAST, Random(1)) == ()
