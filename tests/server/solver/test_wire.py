from server.freecell.deal import deal
from server.freecell.movement import carry
from server.solver import wire
from server.solver.memory import steps_of
from server.solver.search import Line, NoLine, Undecided
from tests.server.solver.test_memory import HOME, KINGS


def test_a_request_arrives_as_it_was_sent() -> None:
    for position in (deal(1), KINGS, carry(KINGS, HOME[0])):
        assert wire.read_request(wire.request(position, 123)) == (position, 123)


def test_a_reply_arrives_as_it_was_sent() -> None:
    line = Line(HOME)
    assert wire.read_reply(wire.reply(KINGS, line)) == (line, steps_of(KINGS, HOME))
    assert wire.read_reply(wire.reply(KINGS, NoLine())) == (NoLine(), ())
    assert wire.read_reply(wire.reply(KINGS, Undecided())) == (Undecided(), ())
