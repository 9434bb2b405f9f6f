"""What a session asks, and what it says again on the next connection."""

from client_cli.mind import ask, disconnected, receive
from client_cli.session import Session
from protocol.commands import Calc, Hint, Join, Move, Replay, Resign, Say, Trace, Watch
from protocol.errors import ErrorCode
from protocol.events import Hinted, Presence, Refused, Traced, Watching
from protocol.views import BoardMoved
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    RACE,
    ack,
    hear,
    move,
    racing,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)


class TestQuestions:
    def test_a_question_about_the_board_waits_for_the_moves_before_it(self) -> None:
        step = ask(racing(), move("5a"), move("5b"))
        step = ask(step.session, Hint("", 0))
        assert step.send == ()
        step = receive(step.session, ack(1, 1, ("5", "a", 1)), 0)
        # The server takes them in this order, so that the hint is for the board after both.
        assert step.send == (Move(RACE, 2, 1, "5b"), Hint(RACE, 1))
        assert not step.session.is_settled
        again = receive(disconnected(step.session), welcome(), 0).session
        assert receive(again, seat(1, n=1, board=LAYOUT), 0).send[-1] == Hint(RACE, 1)

    def test_it_is_asked_all_the_same_where_a_move_is_refused(self) -> None:
        step = ask(racing(), move("5a"), move("5b"))
        step = ask(step.session, Hint("", 0), Calc("", 0, "3"))
        assert receive(step.session, refused(1), 0).send == (Hint(RACE, 1), Calc(RACE, 2, "3"))

    def test_nothing_is_asked_about_a_board_that_is_closed(self) -> None:
        step = ask(racing(), move("5a"), move("5b"))
        session = ask(step.session, Hint("", 0)).session
        session = hear(session, snapshot("over", to=9))
        assert session.speech.held == ()

    def test_they_are_numbered_and_answered(self) -> None:
        step = ask(racing(), Hint("", 0), Calc("", 0, "3"))
        assert step.send == (Hint(RACE, 1), Calc(RACE, 2, "3"))
        session = hear(step.session, Hinted(RACE, 1, 0, "5a"))
        assert session.speech.questions == (Calc(RACE, 2, "3"),)
        assert hear(session, Refused(ErrorCode.NOT_RACING, "no", RACE, q=2)).is_settled

    def test_how_far_everybody_was_is_asked_and_answered(self) -> None:
        step = ask(racing(), Trace("", 0), Trace("", 0, 20))
        assert step.send == (Trace(RACE, 1), Trace(RACE, 2, 20))
        session = hear(step.session, Traced(RACE, 1, 0, (), 5), Traced(RACE, 2, 20, (), 5))
        assert session.is_settled

    def test_they_are_asked_again_after_a_reconnect(self) -> None:
        session = disconnected(ask(racing(), Replay("", 0, BOB)).session)
        assert not session.is_settled
        step = receive(hear(session, welcome()), seat(board=LAYOUT), 0)
        assert step.send == (Replay(RACE, 1, BOB),)


class TestReconnecting:
    def test_what_is_asked_without_a_connection_waits_for_the_seat(self) -> None:
        session = disconnected(racing())
        step = ask(session, move("5a"), Say("", 0, "hi"), Hint("", 0))
        assert step.send == ()
        step = receive(hear(step.session, welcome()), seat(board=LAYOUT), 0)
        assert step.send == (Say(RACE, 1, "hi"), Move(RACE, 2, 0, "5a"), Hint(RACE, 1))

    def test_an_unanswered_move_that_did_not_arrive_is_said_again_unchanged(self) -> None:
        session = disconnected(ask(racing(), move("5a"), move("5b")).session)
        step = receive(hear(session, welcome()), seat(last_c=0, board=LAYOUT), 0)
        assert step.send == (Move(RACE, 1, 0, "5a"),)

    def test_an_unanswered_move_that_did_arrive_is_only_answered_again(self) -> None:
        session = disconnected(ask(racing(), move("5a"), move("5b")).session)
        moved = hear(ask(racing(), move("5a")).session, ack(1, 1, ("5", "a", 1))).board
        step = receive(hear(session, welcome()), seat(last_c=1, n=1, board=moved), 0)
        assert step.send == (Move(RACE, 1, 0, "5a"),)
        step = receive(step.session, ack(1, 1, repeated=True), 0)
        assert step.session.board == moved
        assert step.send == (Move(RACE, 2, 1, "5b"),)

    def test_a_refusal_that_was_lost_is_told_after_all(self) -> None:
        session = ask(ask(racing(), move("5h"), move("5a")).session, Say("", 0, "hi")).session
        step = receive(hear(disconnected(session), welcome()), seat(last_c=2, board=LAYOUT), 0)
        assert step.send == (Move(RACE, 1, 0, "5h"), Say(RACE, 2, "hi"))
        step = receive(step.session, refused(1, ErrorCode.STALE_COMMAND), 0)
        assert step.dropped == (move("5a"),)
        assert hear(step.session, ack(2, 0, seq=3, repeated=True), snapshot("running")).is_settled

    def test_refused_commands_are_never_said_again(self) -> None:
        session = hear(ask(racing(), move("5h")).session, refused(1))
        session = disconnected(session)
        assert receive(hear(session, welcome()), seat(last_c=0, board=LAYOUT), 0).send == ()

    def test_a_rewound_log_gets_again_what_it_lost(self) -> None:
        session = ask(racing(), move("5a")).session
        session = hear(session, ack(1, 1, ("5", "a", 1)), update(4, 5))
        step = receive(session, snapshot("running", to=4, rewound=True), 0)
        assert step.send == (Join(RACE, 0, 4, f"{4:016x}"),)
        step = receive(step.session, seat(last_c=0, board=LAYOUT), 0)
        assert step.send == (Move(RACE, 1, 0, "5a"),)

    def test_nothing_waits_for_events_that_a_rewound_log_has_lost(self) -> None:
        session = ask(racing(), move("5a")).session
        session = hear(session, ack(1, 1, ("5", "a", 1), seq=9), update(4, 9))
        board = session.board
        session = hear(session, snapshot("running", to=6, rewound=True), seat(last_c=1, n=1, board=board))
        assert session.is_settled

    def test_a_race_that_starts_before_the_first_picture_gives_its_layout_for_a_board(self) -> None:
        session = hear(Session(Join(RACE)), welcome(), seat(), snapshot("running", layout=LAYOUT))
        assert session.board == LAYOUT

    def test_a_repeated_answer_does_not_move_the_cards_twice(self) -> None:
        session = disconnected(ask(racing(), Resign("", 0)).session)
        session = hear(session, welcome(), seat(last_c=0, board=LAYOUT))
        assert hear(session, ack(1, 0, repeated=True)).board == LAYOUT

    def test_a_watcher_says_everything_unanswered_again(self) -> None:
        session = hear(
            Session(Watch(RACE)), welcome(), Watching(RACE, "progress", last_c=99), snapshot(feed="watch")
        )
        step = ask(session, Say("", 0, "hi"))
        assert step.send == (Say(RACE, 100, "hi"),)
        step = receive(hear(disconnected(step.session), welcome()), Watching(RACE, "progress", last_c=99), 0)
        assert step.send == (Say(RACE, 100, "hi"),)

    def test_that_a_watcher_is_shown_another_thing_now_says_nothing_again(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), snapshot(feed="watch"))
        session = hear(ask(session, Say("", 0, "hi")).session, Presence(RACE, (BOB,), watchers=2))
        late = Watching(RACE, "boards", delay_ms=5_000)
        step = receive(session, late, 0)
        assert step.send == ()
        assert step.session.watching == late
        assert (step.session.here, step.session.watchers) == (None, 0), "nobody is told that late"
        live = receive(session, Watching(RACE, "boards"), 0).session
        assert (live.here, live.watchers) == (frozenset({BOB}), 2)

    def test_boards_of_a_watcher_follow_their_updates(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        session = hear(session, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        session = hear(session, update(3, 4, BoardMoved(BOB, 1, (("5", "a", 1),)), feed="watch"))
        assert session.picture is not None
        assert session.picture.boards[BOB].cells[0] == "6C"
