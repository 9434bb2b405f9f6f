from server.race.robot import PLAN_WITHIN_MS, Level, Robot
from tests.server.race.races import SETUP, line_of

LINE = line_of(SETUP)


def test_a_robot_makes_the_moves_of_its_line_at_their_times() -> None:
    robot = Robot(Level.EVEN, LINE[:3], (700, 1900, 2000))
    assert [robot.move(played) for played in range(4)] == [*LINE[:3], None]
    assert [robot.due_ms(played) for played in range(3)] == [700, 1900, 2000]


def test_one_that_has_played_its_line_to_the_end_has_nothing_to_wait_for() -> None:
    assert Robot(Level.FAST, LINE[:2], (1, 2)).due_ms(2) == 0
    assert Robot(Level.FAST, ()).due_ms(0) == 0
    assert Robot(Level.FAST, ()).move(0) is None


def test_one_that_has_no_line_yet_waits_a_while_for_it() -> None:
    robot = Robot(Level.EASY)
    assert robot.move(0) is None
    assert robot.due_ms(0) == PLAN_WITHIN_MS
