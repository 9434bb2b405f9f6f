from client_cli.ghosts import Ghost, Haunt, ghost_line, ghost_of, ghost_state, margin_line
from protocol.events import Curve, Traced
from tests.client_cli.samples import BOB, ME, OTHER_RACE, RACE

BOBS = Curve(BOB, "bob", ((0, 0), (1000, 1), (5000, 52)))
MINE = Curve(ME, "ann", ((0, 0), (2000, 4), (3000, 2), (9000, 2)))


def page(*curves: Curve, race: str = RACE) -> Traced:
    return Traced(race, 1, 0, curves, 9000)


def test_it_is_whose_was_asked_for_else_who_did_best() -> None:
    assert ghost_of(page(BOBS, MINE), Haunt(RACE, ME)) == Ghost("ann", MINE.points)
    assert ghost_of(page(MINE, BOBS), Haunt(RACE)) == Ghost("bob", BOBS.points)
    sooner = Curve("c" * 16, "cleo", ((0, 0), (4000, 52)))
    assert ghost_of(page(BOBS, sooner), Haunt(RACE)) == Ghost("cleo", sooner.points)


def test_where_there_is_nobody_there_is_none() -> None:
    assert ghost_of(page(BOBS), Haunt(RACE, ME)) is None
    assert ghost_of(page(BOBS, race=OTHER_RACE), Haunt(RACE)) is None
    assert ghost_of(page(Curve(BOB, "bob", ())), Haunt(RACE)) is None


def test_it_goes_by_the_clock_alone() -> None:
    ghost = Ghost("ann", MINE.points)
    assert [ghost.home(ms) for ms in (0, 1999, 2000, 3000, 99_000)] == [0, 0, 4, 2, 2]
    assert [ghost.is_over(ms) for ms in (8999, 9000)] == [False, True]


def test_in_words() -> None:
    bob, ann = Ghost("bob", BOBS.points), Ghost("ann", MINE.points)
    assert ghost_line(bob, 1500) == "ghost of bob: 1 of 52 home"
    assert ghost_line(bob, 5000) == "ghost of bob: won in 0:05.000"
    assert ghost_state(ann, 100) == "racing"
    assert ghost_state(ann, 9000) == "gave up, or ran out of time"


def test_by_how_much_one_has_beaten_it_or_not() -> None:
    bob, ann = Ghost("bob", BOBS.points), Ghost("ann", MINE.points)
    assert margin_line(bob, 3793) == "0:01.207 ahead of ghost of bob"
    assert margin_line(bob, 6000) == "0:01.000 behind ghost of bob"
    assert margin_line(ann, 6000) == ""
