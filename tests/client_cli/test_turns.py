"""Which of the lines that were typed has its turn."""

import pytest

from client_cli.mind import ask, disconnected
from client_cli.session import Session
from client_cli.terminal import EndOfInput, Input, Typed
from client_cli.turns import Turns
from protocol.commands import Move
from tests.client_cli.samples import ack, hear, in_lobby, racing, snapshot, update

MOVING = ask(racing(), Move("", 0, 0, "5a")).session
MOVED = hear(MOVING, ack(1, 1, ("5", "a", 1), seq=5), update(4, 5))


def typed(*texts: str, is_interactive: bool = True, starts: bool = False) -> Turns:
    turns = Turns(is_interactive=is_interactive, starts=starts)
    for text in texts:
        turns.add(Typed(text))
    return turns


def taken(turns: Turns, session: Session) -> list[str]:
    """All whose turn it is, where none of them leads to a question."""
    lines: list[str] = []
    while (line := turns.next(session, is_asked=False)) is not None:
        lines.append(line.text if isinstance(line, Typed) else "the end")
    return lines


class TestInATerminal:
    def test_lines_come_in_their_order_where_nothing_is_unanswered(self) -> None:
        assert taken(typed("b", "5b", "q"), MOVED) == ["b", "5b", "q"]
        assert taken(typed("b", "5b", "q"), disconnected(MOVING)) == ["b", "5b", "q"]

    @pytest.mark.parametrize("line", ["q", "?", "rules", "say hi", "ready", "/kick bob", "/set cells 3"])
    def test_what_does_not_hang_on_moves_passes_what_does(self, line: str) -> None:
        assert taken(typed("b", line), MOVING) == [line]

    def test_the_end_of_input_passes_too(self) -> None:
        turns = typed("5b", "b")
        turns.add(EndOfInput())
        assert taken(turns, MOVING) == ["5b", "the end"]

    def test_moves_stay_behind_what_hangs_on_those_before_them(self) -> None:
        turns = typed("5b", "b", "5c", "l a", "5d")
        assert taken(turns, MOVING) == ["5b"]
        assert taken(turns, MOVED) == ["b", "5c", "l a", "5d"]

    def test_each_waits_for_the_moves_before_it_and_no_longer(self) -> None:
        turns = typed("b", "5b", "5c", "l a")
        assert taken(turns, MOVING) == []
        line = turns.next(MOVED, is_asked=False)
        assert line == Typed("b")
        assert taken(turns, MOVING) == ["5b", "5c"]
        assert taken(turns, MOVED) == ["l a"]

    @pytest.mark.parametrize("answer", ["y", "n", "", "sim"])
    def test_an_answer_stays_behind_what_will_ask_for_it(self, answer: str) -> None:
        turns = typed("resign", answer, "?")
        assert taken(turns, MOVING) == ["?"]
        assert turns.next(MOVED, is_asked=False) == Typed("resign")
        assert turns.next(MOVED, is_asked=True) == Typed(answer)

    def test_the_answer_is_what_was_typed_after_that_which_asks(self) -> None:
        turns = typed("b", "q", "y")
        assert turns.next(MOVING, is_asked=False) == Typed("q")
        assert turns.next(MOVING, is_asked=True) == Typed("y")
        turns = typed("b", "q")
        assert turns.next(MOVING, is_asked=False) == Typed("q")
        # The answer to the move comes first, and is none to the question.
        assert turns.next(MOVED, is_asked=True) is None
        turns.add(Typed("n"))
        assert turns.next(MOVED, is_asked=True) == Typed("n")
        assert turns.next(MOVED, is_asked=False) == Typed("b")


class TestInAPipe:
    @pytest.mark.parametrize("line", [Typed("q"), Typed("?"), EndOfInput()])
    def test_every_line_waits_for_the_answers_to_those_before_it(self, line: Input) -> None:
        turns = typed(is_interactive=False)
        turns.add(line)
        assert turns.next(MOVING, is_asked=False) is None
        assert turns.next(MOVED, is_asked=False) == line

    def test_moves_wait_for_the_cards(self) -> None:
        assert taken(typed("ready", "5a", is_interactive=False), in_lobby()) == ["ready"]
        assert taken(typed("ready", is_interactive=False, starts=True), in_lobby()) == []
        assert taken(typed("?", is_interactive=False), hear(in_lobby(), snapshot("countdown", to=9))) == []
