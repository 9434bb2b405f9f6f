"""What a session says, and what it makes of the answers."""

import pytest
from msgspec.structs import replace

from client_cli.answering import LONGEST_WAIT_MS
from client_cli.mind import ask, disconnected, receive, resume
from client_cli.session import Session
from client_cli.speech import MAX_UNANSWERED
from protocol.commands import (
    Configure,
    Create,
    Hint,
    Join,
    Leave,
    Move,
    Ready,
    Restart,
    Say,
    Settings,
    Start,
    Undo,
    Watch,
)
from protocol.errors import ErrorCode
from protocol.events import Refused, Watching
from tests.client_cli.samples import (
    LAYOUT,
    RACE,
    ack,
    hear,
    in_lobby,
    move,
    racing,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)


class TestCommands:
    def test_numbers_go_up_from_the_last_one(self) -> None:
        session = hear(Session(Join(RACE)), welcome(), seat(last_c=7), snapshot())
        step = ask(session, Ready("", 0), Say("", 0, "hi"))
        assert step.send == (Ready(RACE, 8), Say(RACE, 9, "hi"))

    def test_moves_of_a_line_go_one_by_one_each_on_the_board_of_the_one_before(self) -> None:
        step = ask(racing(), move("5a"), move("5b"), Undo("", 0, 0))
        assert step.send == (Move(RACE, 1, 0, "5a"),)
        step = receive(step.session, ack(1, 1, ("5", "a", 1)), 0)
        assert step.send == (Move(RACE, 2, 1, "5b"),)
        step = receive(step.session, ack(2, 2, ("5", "b", 1)), 0)
        assert step.send == (Undo(RACE, 3, 2),)

    def test_a_refused_move_drops_the_rest_of_its_line(self) -> None:
        step = ask(racing(), move("5a"), move("5h"), move("3a"))
        step = receive(step.session, refused(1), 0)
        assert step.dropped == (move("5h"), move("3a"))
        assert step.send == ()
        assert ask(step.session, move("5b")).send == (Move(RACE, 2, 0, "5b"),)

    def test_chat_does_not_wait_for_moves(self) -> None:
        step = ask(ask(racing(), move("5a"), move("5b")).session, Say("", 0, "hi"))
        assert step.send == (Say(RACE, 2, "hi"),)
        assert receive(step.session, ack(1, 1, ("5", "a", 1)), 0).send == (Move(RACE, 3, 1, "5b"),)

    def test_an_ack_moves_the_cards(self) -> None:
        session = hear(ask(racing(), move("5a")).session, ack(1, 1, ("5", "a", 1), finish=True, undo=True))
        assert session.board is not None
        assert session.board.cells == ("6C", None, None, None)
        assert session.board.n == session.board.actions == 1
        assert session.options.finish

    def test_an_ack_may_bring_a_whole_board(self) -> None:
        session = hear(ask(racing(), Restart("", 0, 0)).session, ack(1, 1, board=LAYOUT, score=3))
        assert session.board is not None
        assert (session.board.n, session.board.score) == (1, 3)

    def test_answers_nobody_asked_for_change_nothing(self) -> None:
        assert hear(racing(), ack(9, 9), refused(9)) == racing()

    def test_at_most_32_are_unanswered(self) -> None:
        says = [Say("", 0, str(i)) for i in range(40)]
        step = ask(racing(), *says)
        assert [command.c for command in step.send if isinstance(command, Say)] == list(range(1, 33))
        assert len(step.session.speech.unanswered) == MAX_UNANSWERED
        step = receive(step.session, ack(1, 0), 0)
        assert step.send == (Say(RACE, 33, "32"),)

    def test_settled_means_answered_and_seen(self) -> None:
        assert racing().is_settled
        asked = ask(racing(), move("5a")).session
        assert not asked.is_settled
        answered = hear(asked, ack(1, 1, ("5", "a", 1), seq=5))
        assert not answered.is_settled
        assert hear(answered, update(4, 5)).is_settled

    def test_the_end_of_the_race_ends_the_line(self) -> None:
        session = ask(racing(), move("5a"), move("5b")).session
        session = hear(session, snapshot("over", to=9))
        assert session.speech.line == ()

    def test_a_move_that_cannot_be_carried_out_is_mended(self) -> None:
        step = receive(ask(racing(), move("5a")).session, ack(1, 1, ("a", "5", 1)), 0)
        assert step.session.broken
        assert step.send == (Join(RACE, 0),)

    def test_a_stale_board_is_fetched_anew(self) -> None:
        step = receive(
            ask(racing(), move("5a"), move("5b")).session, refused(1, ErrorCode.STALE_BOARD, n=4), 0
        )
        assert step.send == (Join(RACE, 0),)
        assert step.dropped == (move("5b"),)

    def test_superseded_is_the_end(self) -> None:
        session = hear(ask(racing(), move("5a")).session, refused(1, ErrorCode.SUPERSEDED))
        assert session.refusal is not None


class TestPostponing:
    @pytest.mark.parametrize("code", [ErrorCode.TOO_FAST, ErrorCode.RESTARTING])
    def test_a_postponed_move_is_made_before_the_rest_of_its_line(self, code: ErrorCode) -> None:
        step = receive(ask(racing(), move("5a"), move("5b")).session, refused(1, code, retry_ms=50), 0)
        assert step.retry_ms == 50
        assert step.send == ()
        assert step.dropped == ()
        step = resume(step.session)
        assert step.send == (Move(RACE, 2, 0, "5a"),)
        assert receive(step.session, ack(2, 1, ("5", "a", 1)), 0).send == (Move(RACE, 3, 1, "5b"),)

    def test_what_was_unavailable_is_said_again_unchanged_and_first(self) -> None:
        step = ask(racing(), move("5a"), move("5b"))
        step = receive(step.session, refused(1, ErrorCode.UNAVAILABLE, retry_ms=50), 0)
        assert (step.retry_ms, step.send, step.dropped) == (50, (), ())
        waiting = ask(step.session, Say("", 0, "later"))
        assert waiting.send == ()
        step = resume(waiting.session)
        assert step.send == (Move(RACE, 1, 0, "5a"), Say(RACE, 2, "later"))
        assert receive(step.session, ack(1, 1, ("5", "a", 1)), 0).send == (Move(RACE, 3, 1, "5b"),)

    def test_a_move_that_was_taken_although_unavailable_moves_the_cards_once(self) -> None:
        moved = hear(ask(racing(), move("5a")).session, ack(1, 1, ("5", "a", 1))).board
        session = ask(racing(), move("5a"), move("5b")).session
        session = resume(hear(session, refused(1, ErrorCode.UNAVAILABLE, retry_ms=50))).session
        session = hear(session, seat(last_c=1, n=1, board=moved))
        step = receive(session, ack(1, 1, repeated=True), 0)
        assert step.session.board == moved
        assert step.send == (Move(RACE, 2, 1, "5b"),)

    def test_an_unavailable_chat_line_keeps_its_number(self) -> None:
        step = ask(racing(), Say("", 0, "one"), Say("", 0, "two"))
        both = [refused(c, ErrorCode.UNAVAILABLE, retry_ms=50) for c in (2, 1)]
        step = resume(hear(step.session, *both))
        assert step.send == (Say(RACE, 1, "one"), Say(RACE, 2, "two"))
        assert hear(step.session, ack(1, 0), ack(2, 0, repeated=True)).speech.is_over

    def test_an_unavailable_command_keeps_its_number_even_if_it_is_too_fast_the_next_time(self) -> None:
        session = ask(racing(), Say("", 0, "one")).session
        session = hear(session, refused(1, ErrorCode.UNAVAILABLE, retry_ms=5))
        session = hear(resume(session).session, refused(1, ErrorCode.TOO_FAST, retry_ms=5))
        assert resume(session).send == (Say(RACE, 1, "one"),)

    def test_an_unavailable_command_is_said_unchanged_on_the_next_connection(self) -> None:
        session = ask(racing(), Say("", 0, "one"), move("5a")).session
        session = disconnected(hear(session, refused(1, ErrorCode.UNAVAILABLE, retry_ms=5)))
        step = receive(hear(session, welcome()), seat(last_c=0, board=LAYOUT), 0)
        assert step.send == (Say(RACE, 1, "one"), Move(RACE, 2, 0, "5a"))
        # One that is sent for the second time may have been taken the first time.
        session = hear(step.session, refused(2, ErrorCode.TOO_FAST, retry_ms=5))
        assert resume(session).send == (Move(RACE, 2, 0, "5a"),)

    def test_a_postponed_chat_line_gets_a_number_above_all_others(self) -> None:
        step = ask(racing(), Say("", 0, "one"), Say("", 0, "two"))
        step = receive(step.session, refused(1, ErrorCode.TOO_FAST, retry_ms=50), 0)
        assert resume(step.session).send == (Say(RACE, 3, "one"),)

    def test_nothing_new_goes_out_before_it(self) -> None:
        session = hear(ask(racing(), move("5a")).session, refused(1, ErrorCode.TOO_FAST, retry_ms=50))
        step = ask(session, move("5b"))
        assert step.send == ()
        assert resume(step.session).send == (Move(RACE, 2, 0, "5a"),)

    def test_what_is_to_be_said_again_while_the_picture_is_mended_goes_out_with_the_new_seat(self) -> None:
        session = ask(racing(), Say("", 0, "one")).session
        session = hear(session, refused(1, ErrorCode.UNAVAILABLE, retry_ms=50), update(7, 8))
        step = resume(session)
        assert step.send == (Join(RACE, 0),)
        asked = ask(step.session, move("5a")).session
        step = receive(asked, seat(board=LAYOUT), 0)
        assert step.send == (Say(RACE, 1, "one"), Move(RACE, 2, 0, "5a"))

    def test_what_would_wait_for_long_is_given_up_and_holds_nothing_up(self) -> None:
        session = ask(in_lobby(), Configure("", 0, Settings(deal=618))).session
        step = receive(session, refused(1, ErrorCode.TOO_FAST, retry_ms=250_000), 0)
        assert (step.retry_ms, step.session.speech.is_over) == (None, True)
        assert ask(step.session, Start("", 0), Leave("", 0)).send == (Start(RACE, 2), Leave(RACE, 3))
        assert receive(disconnected(step.session), welcome(), 0).session.speech.outbox == ()

    def test_a_race_that_could_be_made_only_much_later_is_not_waited_for(self) -> None:
        named = hear(Session(Create("create-id-1", Settings(deal=618))), welcome())
        slower = Refused(ErrorCode.TOO_FAST, "slower", q=0, retry_ms=250_000)
        step = receive(named, slower, 0)
        assert (step.session.refusal, step.retry_ms) == (slower, None)
        assert receive(named, replace(slower, retry_ms=LONGEST_WAIT_MS), 0).retry_ms == LONGEST_WAIT_MS

    def test_a_postponed_question_is_asked_again(self) -> None:
        session = ask(racing(), Hint("", 0)).session
        step = receive(session, Refused(ErrorCode.TOO_FAST, "slower", RACE, q=1, retry_ms=9), 0)
        assert step.retry_ms == 9
        assert resume(step.session).send == (Hint(RACE, 1),)

    def test_who_was_sent_out_and_watches_is_refused_a_line_and_watches_on(self) -> None:
        shown = snapshot("lobby", feed="watch")
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards", 7), shown)
        said = ask(session, Say("", 0, "hi"))
        (line,) = said.send
        assert isinstance(line, Say)
        step = receive(said.session, refused(line.c, ErrorCode.KICKED), 0)
        assert step.session.refusal is None
        assert step.session.speech.is_over
