from server.freecell.deal import deal
from server.freecell.movement import Move, carry
from server.freecell.piles import FOUNDATIONS, Pile
from server.freecell.position import Position, parse_position
from server.solver.canonical import key_of
from server.solver.memory import Memory, steps_of
from server.solver.verdict import Lost, Unknown, Winnable

KINGS = parse_position("KC\nKD\nKH\nKS\n" + "-\n" * 4 + "cells: - -\nhome: QC QD QH QS\n")
HOME = tuple(Move(Pile(place), home) for place, home in enumerate(FOUNDATIONS))


def test_every_position_of_a_line_is_known() -> None:
    memory = Memory()
    memory.keep_line(steps_of(KINGS, HOME))
    position = KINGS
    for place, move in enumerate(HOME):
        assert memory.look(position, 0) == Winnable(move, 4 - place)
        position = carry(position, move)
    assert memory.look(position, 0) == Winnable(None, 0)


def test_a_line_is_known_in_every_arrangement() -> None:
    memory = Memory()
    memory.keep_line(steps_of(KINGS, HOME))
    turned = Position(tuple(reversed(KINGS.cascades)), KINGS.cells, KINGS.foundations)
    assert memory.look(turned, 0) == Winnable(Move(Pile(7), FOUNDATIONS[0]), 4)


def test_the_shorter_way_is_kept() -> None:
    memory = Memory()
    detour = (Move(Pile(0), Pile(8)), Move(Pile(8), Pile(4)), Move(Pile(4), FOUNDATIONS[0]), *HOME[1:])
    memory.keep_line(steps_of(KINGS, detour))
    # The detour comes back to where it began, which is known with the fewest moves left.
    assert memory.look(KINGS, 0) == Winnable(HOME[0], 4)
    memory.keep_line(steps_of(KINGS, HOME))
    memory.keep_line(steps_of(KINGS, detour))
    assert memory.look(KINGS, 0) == Winnable(HOME[0], 4)


def test_lost_stays_lost() -> None:
    memory = Memory()
    memory.keep_undecided(key_of(deal(1)), 10)
    memory.keep_lost(key_of(deal(1)))
    memory.keep_undecided(key_of(deal(1)), 10**9)
    assert memory.look(deal(1), 10**9) == Lost()


def test_what_was_not_decided_is_worth_another_search_with_more_states() -> None:
    memory = Memory()
    assert memory.look(deal(1), 0) is None
    memory.keep_undecided(key_of(deal(1)), 100)
    memory.keep_undecided(key_of(deal(1)), 10)
    assert memory.look(deal(1), 100) == Unknown()
    assert memory.look(deal(1), 101) is None


def test_what_was_not_looked_at_for_longest_is_forgotten() -> None:
    memory = Memory(size=2)
    memory.keep_lost(key_of(deal(1)))
    memory.keep_lost(key_of(deal(2)))
    memory.look(deal(1), 0)
    memory.keep_lost(key_of(deal(3)))
    assert len(memory) == 2
    assert memory.look(deal(1), 0) == Lost()
    assert memory.look(deal(2), 0) is None
