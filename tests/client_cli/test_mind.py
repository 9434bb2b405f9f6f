"""What a session says, and what it makes of what it hears."""

import pytest
from msgspec.structs import replace

from client_cli.answering import LONGEST_WAIT_MS
from client_cli.going_on import Found, Intent
from client_cli.lines import BoardDraft
from client_cli.mind import ask, concerns, disconnected, receive, resume
from client_cli.session import Clock, Session
from client_cli.speech import MAX_UNANSWERED
from protocol.commands import (
    Calc,
    Configure,
    Create,
    Hint,
    Join,
    Leave,
    Move,
    Ready,
    Replay,
    Resign,
    Restart,
    Say,
    Settings,
    Start,
    Trace,
    Undo,
    Watch,
)
from protocol.errors import ErrorCode
from protocol.events import (
    Bye,
    Created,
    Event,
    Hinted,
    Presence,
    RaceLost,
    Refused,
    Traced,
    Unwatched,
    Watching,
)
from protocol.views import BoardMoved, RacerChanged, RacerLeft
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    ack,
    alone,
    hear,
    in_lobby,
    racer,
    racing,
    refused,
    seat,
    snapshot,
    start_of_race,
    update,
    welcome,
)

CLEO = "c" * 16


def move(text: str) -> BoardDraft:
    return Move("", 0, 0, text)


class TestEntering:
    def test_create_is_sent_after_the_welcome_and_again_until_it_was_answered(self) -> None:
        session = Session(Create("create-id-1", Settings(cells=3)))
        wanted = (Create("create-id-1", Settings(cells=3), q=0),)
        step = receive(session, welcome(), 0)
        assert step.send == wanted
        assert receive(disconnected(step.session), welcome(), 0).send == wanted

    def test_what_was_created_is_joined_after_a_reconnect(self) -> None:
        session = hear(Session(Create("create-id-1")), welcome(), Created("create-id-1", RACE))
        assert receive(disconnected(session), welcome(), 0).send == (Join(RACE, 0),)
        session = hear(session, seat(), snapshot(to=3))
        assert receive(disconnected(session), welcome(), 0).send == (Join(RACE, 0, 3, f"{3:016x}"),)

    def test_another_creation_is_not_ours(self) -> None:
        session = hear(Session(Create("create-id-1")), welcome(), Created("create-id-2", RACE))
        assert session.race == ""

    def test_watch_says_how_far_it_is(self) -> None:
        session = hear(
            Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), snapshot(feed="watch", to=9)
        )
        assert session.inside
        assert receive(disconnected(session), welcome(), 0).send == (Watch(RACE, 0, 9, f"{9:016x}"),)

    def test_half_a_snapshot_is_nothing_to_go_on_from(self) -> None:
        session = hear(Session(Join(RACE)), welcome(), seat(), snapshot(pages=2))
        assert session.picture is None
        assert receive(disconnected(session), welcome(), 0).send == (Join(RACE, 0),)

    def test_a_running_race_is_gone_on_with_where_that_is_wished(self) -> None:
        fresh = Session(Create("create-id-1"), intent=Intent("alone"))
        step = receive(fresh, welcome(OTHER_RACE, RACE, seats=(alone(OTHER_RACE), alone(RACE))), 0)
        assert step.send == (Join(RACE, 0),)
        assert step.session.found == Found(RACE)
        assert receive(fresh, welcome(), 0).send == (Create("create-id-1", q=0),)
        assert receive(Session(Create("create-id-1")), welcome(RACE), 0).send == (Create("create-id-1", q=0),)

    def test_a_race_unlike_what_is_asked_for_is_left_alone(self) -> None:
        create = Create("create-id-1", Settings(cells=3))
        step = receive(
            Session(create, intent=Intent("alone", frozenset({"cells"}))),
            welcome(RACE, seats=(alone(RACE),)),
            0,
        )
        assert step.send == (replace(create, q=0),)
        assert step.session.found == Found(RACE, ("cells",))

    def test_no_race_is_made_where_a_robot_is_wanted_and_none_can_be_had(self) -> None:
        wants = Session(Create("create-id-1"), intent=Intent("alone"), if_no_robots="no robot here")
        without = replace(welcome(), robots=False)
        step = receive(wants, without, 0)
        assert step.send == ()
        assert step.session.refusal == Refused(ErrorCode.NO_ROBOT, "no robot here")
        assert receive(wants, welcome(), 0).send == (Create("create-id-1", q=0),)
        assert receive(Session(Create("create-id-1")), without, 0).send == (Create("create-id-1", q=0),)
        # One that was left has its robots already, and so has one that was made.
        left = replace(without, seats=(alone(RACE),))
        assert receive(wants, left, 0).send == (Join(RACE, 0),)
        made = hear(wants, welcome(), Created("create-id-1", RACE))
        assert receive(disconnected(made), without, 0).send == (Join(RACE, 0),)

    def test_where_a_race_that_was_left_is_gone_a_new_one_is_made(self) -> None:
        create = Create("create-id-1", Settings(cells=3))
        session = hear(Session(create, intent=Intent("alone")), welcome(RACE, seats=(alone(RACE),)))
        gone = Refused(ErrorCode.NO_SUCH_RACE, "no such race", RACE, q=0)
        step = receive(session, gone, 0)
        assert step.send == (replace(create, q=0),)
        assert step.session.found == Found(RACE, why_not="no such race")
        assert receive(disconnected(step.session), welcome(RACE, seats=(alone(RACE),)), 0).send == step.send
        # Once one was in it, it is no other race.
        back = hear(disconnected(hear(session, seat(), snapshot())), welcome(RACE))
        assert receive(back, gone, 0).session.refusal == gone

    def test_a_refusal_is_the_end(self) -> None:
        no_race = Refused(ErrorCode.NO_SUCH_RACE, "no such race", RACE, q=0)
        session = hear(Session(Join(RACE)), welcome(), no_race)
        assert session.refusal == no_race

    def test_a_passing_refusal_is_tried_again(self) -> None:
        busy = Refused(ErrorCode.UNAVAILABLE, "the disk is full", RACE, q=0, retry_ms=300)
        step = receive(hear(Session(Join(RACE)), welcome()), busy, 0)
        assert step.retry_ms == 300
        assert step.session.refusal is None
        assert resume(step.session).send == (Join(RACE, 0),)

    def test_events_of_other_races_change_nothing(self) -> None:
        session = racing()
        for event in (RaceLost(OTHER_RACE), Presence(OTHER_RACE, (ME,)), Unwatched(RACE), Bye("slow", "")):
            assert receive(session, event, 0).session == session

    def test_what_concerns_it(self) -> None:
        session = ask(racing(), Trace(OTHER_RACE, 0)).session
        asked = Traced(OTHER_RACE, 1, 0, ()), Refused(ErrorCode.DAILY_FIRST, "no", OTHER_RACE, q=1)
        ours: list[Event] = [
            welcome(),
            RaceLost(RACE),
            refused(1),
            Refused(ErrorCode.TOO_FAST, "slower"),
            *asked,
        ]
        others: list[Event] = [
            RaceLost(OTHER_RACE),
            Traced(OTHER_RACE, 2, 0, ()),
            Created("create-id-1", OTHER_RACE),
            Refused(ErrorCode.ILLEGAL_MOVE, "no", OTHER_RACE, 1),
        ]
        assert [event for event in (*ours, *others) if concerns(session, event)] == ours

    def test_the_other_feed_changes_nothing(self) -> None:
        session = racing()
        assert hear(session, snapshot("over", to=9, feed="watch"), update(9, 10, feed="watch")) == session


class TestPicture:
    def test_the_board_comes_with_the_deal(self) -> None:
        assert in_lobby().board is None
        assert racing().board == LAYOUT

    def test_a_watcher_has_no_board(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), snapshot(feed="watch"))
        dealt = start_of_race()
        watched = update(3, 4, *dealt.changes, feed="watch")
        assert hear(session, watched).board is None

    def test_the_clock_goes_on_by_itself(self) -> None:
        session = receive(in_lobby(), start_of_race(), 10_000).session
        assert session.clock == Clock(0, 10_000)
        assert session.race_ms(12_500) == 2500
        assert in_lobby().race_ms(5) is None

    def test_a_hole_is_mended_once(self) -> None:
        step = receive(racing(), update(7, 8), 0)
        assert step.send == (Join(RACE, 0),)
        assert step.session.broken
        assert not step.session.is_settled
        assert receive(step.session, update(8, 9), 0).send == ()
        mended = hear(step.session, seat(board=LAYOUT), snapshot("running", to=9))
        assert mended.is_settled
        assert mended.following is not None
        assert mended.following.to == 9

    def test_an_update_before_any_snapshot_is_a_hole(self) -> None:
        step = receive(hear(Session(Join(RACE)), welcome(), seat()), update(3, 4), 0)
        assert step.send == (Join(RACE, 0),)

    def test_presence(self) -> None:
        session = hear(racing(), Presence(RACE, (ME, BOB), watchers=2), Presence(RACE, (ME,)))
        assert session.here == frozenset({ME})
        assert session.away == frozenset({BOB})
        assert hear(session, Presence(RACE, (ME, BOB))).away == frozenset()

    def test_who_has_just_come_is_here(self) -> None:
        session = hear(in_lobby(), Presence(RACE, (ME, BOB)))
        cleo = RacerChanged(racer(CLEO, "cleo"))
        came = hear(session, update(3, 4, cleo))
        assert came.here == frozenset({ME, BOB, CLEO})
        # What was about to be told when she came does not know her yet.
        told = hear(came, Presence(RACE, (ME, BOB), watchers=1))
        assert told.here == frozenset({ME, BOB, CLEO})
        assert told.away == frozenset()
        gone = hear(told, Presence(RACE, (ME, BOB)))
        assert gone.here == frozenset({ME, BOB})
        assert gone.away == frozenset({CLEO})

    def test_a_lost_race_is_over(self) -> None:
        assert hear(racing(), RaceLost(RACE)).lost

    def test_leaving_the_lobby_and_being_sent_away(self) -> None:
        asked = ask(in_lobby(), Leave("", 0)).session
        assert hear(asked, ack(1, 0)).has_left
        assert hear(in_lobby(), update(3, 4, RacerLeft(ME))).was_kicked
        assert not hear(asked, ack(1, 0), update(3, 5, RacerLeft(ME))).was_kicked
        assert not hear(in_lobby(), update(3, 4, RacerLeft(BOB))).was_kicked

    def test_who_comes_back_to_a_seat_that_he_left_has_left_it(self) -> None:
        session = disconnected(ask(in_lobby(), Leave("", 0)).session)
        step = receive(session, welcome(), 0)
        assert step.send == (Join(RACE, 0, 3, f"{3:016x}"),)
        gone = Refused(ErrorCode.NOT_SEATED, "you have left this race", RACE, q=0)
        step = receive(step.session, gone, 0)
        assert step.session.has_left
        assert (step.session.refusal, step.send, step.retry_ms) == (None, (), None)
        assert step.session.speech.is_over
        # Nor does he take another seat by himself.
        assert receive(disconnected(step.session), welcome(), 0).send == ()

    def test_who_never_had_a_seat_is_not_let_in(self) -> None:
        nobody = Refused(ErrorCode.NOT_SEATED, "no", RACE, q=0)
        session = hear(Session(Join(RACE)), welcome(), nobody)
        assert (session.has_left, session.refusal) == (False, nobody)

    def test_leaving_a_running_race_is_resigning(self) -> None:
        assert not hear(ask(racing(), Leave("", 0)).session, ack(1, 0)).has_left


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

    def test_boards_of_a_watcher_follow_their_updates(self) -> None:
        session = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
        session = hear(session, snapshot("running", feed="watch", boards={BOB: LAYOUT}))
        session = hear(session, update(3, 4, BoardMoved(BOB, 1, (("5", "a", 1),)), feed="watch"))
        assert session.picture is not None
        assert session.picture.boards[BOB].cells[0] == "6C"
