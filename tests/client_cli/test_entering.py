"""Getting into a race, and back into it."""

from msgspec.structs import replace

from client_cli.going_on import Found, Intent
from client_cli.mind import ask, concerns, disconnected, receive, resume
from client_cli.session import Session
from protocol.commands import Create, Hint, Join, Move, Report, Say, Settings, Trace, Watch
from protocol.errors import ErrorCode
from protocol.events import Bye, Created, Event, Presence, RaceLost, Refused, Traced, Unwatched, Watching
from tests.client_cli.samples import (
    LAYOUT,
    ME,
    OTHER_RACE,
    RACE,
    alone,
    hear,
    move,
    racing,
    refused,
    seat,
    snapshot,
    update,
    welcome,
)


class TestEntering:
    def test_what_is_said_before_the_race_has_a_code_is_about_it(self) -> None:
        session = Session(Create("create-id-1"))
        for draft in (Say("", 0, "hello"), Report("", 0, ME), Hint("", 0), move("5a")):
            session = ask(session, draft).session
        session = hear(session, welcome(), Created("create-id-1", RACE))
        step = receive(session, seat(board=LAYOUT), 0)
        assert step.send == (
            Say(RACE, 1, "hello"),
            Move(RACE, 2, 0, "5a"),
            Hint(RACE, 2),
            Report(RACE, 1, ME),
        )

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

    def test_nor_is_one_in_place_of_one_that_was_left_and_is_gone(self) -> None:
        wants = Session(Create("create-id-1"), intent=Intent("alone"), if_no_robots="no robot here")
        left = welcome(RACE, seats=(alone(RACE),))
        gone = Refused(ErrorCode.NO_SUCH_RACE, "no such race", RACE, q=0)
        step = receive(hear(wants, replace(left, robots=False)), gone, 0)
        assert (step.send, step.session.found) == ((), None)
        assert step.session.refusal == Refused(ErrorCode.NO_ROBOT, "no robot here")
        assert receive(hear(wants, left), gone, 0).send == (Create("create-id-1", q=0),)

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
