"""Entering an attempt, asking without a race, and asking about another one."""

import pytest
from msgspec.structs import replace

from client_cli.mind import ask, concerns, disconnected, receive, resume
from client_cli.session import Session, Visit
from protocol.commands import Attempt, Commitments, Daily, Join, Ranking, Record, Replay, Trace
from protocol.errors import ErrorCode
from protocol.events import (
    Attempted,
    Committed,
    DayTold,
    Event,
    Ranks,
    Recorded,
    Refused,
    Replayed,
    Traced,
)
from tests.client_cli.samples import LAYOUT, ME, OTHER_RACE, RACE, hear, racing, seat, snapshot, welcome

DAY = "2026-11-30"
ATTEMPT = f"daily:{DAY}:4:{ME}"


class TestAttempt:
    def test_it_is_asked_for_until_it_was_answered_and_joined_then(self) -> None:
        step = receive(Session(Attempt(DAY, 2)), welcome(), 0)
        assert step.send == (Attempt(DAY, 2, q=0),)
        assert receive(disconnected(step.session), welcome(), 0).send == step.send
        session = hear(step.session, Attempted(ATTEMPT, DAY, 2, q=0))
        assert session.race == ATTEMPT
        assert receive(disconnected(session), welcome(), 0).send == (Join(ATTEMPT, 0),)
        session = hear(session, replace(seat(), race=ATTEMPT), snapshot(race=ATTEMPT, to=4))
        assert session.inside
        assert receive(disconnected(session), welcome(), 0).send == (Join(ATTEMPT, 0, 4, f"{4:016x}"),)

    def test_what_was_not_asked_for_is_not_entered(self) -> None:
        session = hear(Session(Attempt(DAY)), welcome(), Attempted(ATTEMPT, DAY, 4, q=7))
        assert session.race == ""
        session = hear(Session(Join(RACE)), welcome(), Attempted(ATTEMPT, DAY, 4, q=0))
        assert session.race == ""

    def test_a_refusal_is_the_end(self) -> None:
        refused = Refused(ErrorCode.NOT_TODAY, "a new day has begun", q=0)
        assert hear(Session(Attempt(DAY)), welcome(), refused).refusal == refused


class TestVisit:
    def test_questions_go_out_once_welcome_and_again_until_they_are_answered(self) -> None:
        step = ask(Session(Visit()), Daily(0), Record(0, 2))
        assert step.send == ()
        step = receive(step.session, welcome(), 0)
        assert step.send == (Daily(1), Record(2, 2))
        assert ask(step.session, Commitments(0)).send == (Commitments(3),)
        again = receive(disconnected(step.session), welcome(), 0)
        assert again.send == (Daily(1), Record(2, 2))

    @pytest.mark.parametrize(
        "answer",
        [
            DayTold(1, DAY, 4, DAY, "", 1),
            Ranks(1, DAY, 4, "time", 0),
            Recorded(1, 4),
            Committed(1, 4, 1, ()),
            Refused(ErrorCode.NO_SUCH_DAY, "there is none", q=1),
        ],
    )
    def test_an_answer_settles_its_question(self, answer: Event) -> None:
        session = hear(ask(Session(Visit()), Ranking(0)).session, welcome(), answer)
        assert session.speech.questions == ()

    def test_what_is_too_fast_is_asked_again(self) -> None:
        session = hear(ask(Session(Visit()), Daily(0)).session, welcome())
        step = receive(session, Refused(ErrorCode.TOO_FAST, "wait", q=1, retry_ms=300), 0)
        assert step.retry_ms == 300
        assert resume(step.session).send == (Daily(1),)


class TestAnotherRace:
    def test_a_question_may_be_about_another_race(self) -> None:
        step = ask(racing(), Trace(OTHER_RACE, 0), Trace("", 0))
        assert step.send == (Trace(OTHER_RACE, 1), Trace(RACE, 2))
        session = hear(step.session, Traced(OTHER_RACE, 1, 0, ()))
        assert session.speech.questions == (Trace(RACE, 2),)
        assert hear(session, Traced(RACE, 2, 0, ())).speech.is_over

    def test_and_so_may_its_refusal(self) -> None:
        session = ask(racing(), Trace(OTHER_RACE, 0)).session
        refused = Refused(ErrorCode.DAILY_FIRST, "play first", OTHER_RACE, q=1)
        assert hear(session, refused).speech.is_over

    def test_another_page_than_was_asked_for_is_no_answer(self) -> None:
        session = ask(racing(), Trace("", 0, 20), Replay("", 0, ME)).session
        for other in (
            Traced(RACE, 1, 0, ()),
            Traced(RACE, 3, 20, ()),
            Replayed(RACE, 2, ME, "ann", 1, 4, "race", LAYOUT, 50, ()),
        ):
            assert hear(session, other) == session
            assert not concerns(session, other)

    def test_an_answer_about_a_race_that_was_not_asked_about_changes_nothing(self) -> None:
        session = ask(racing(), Replay("", 0, ME)).session
        assert hear(session, Replayed(OTHER_RACE, 1, ME, "ann", 1, 4, "race", LAYOUT, 0, ())) == session
