"""What a session makes of what it is told of its race."""

from msgspec.structs import replace

from client_cli.mind import ask, disconnected, receive
from client_cli.session import Clock, Session
from protocol.commands import Join, Leave, Watch
from protocol.errors import ErrorCode
from protocol.events import Presence, RaceLost, Refused, Watching
from protocol.views import RacerChanged
from tests.client_cli.samples import (
    BOB,
    LAYOUT,
    ME,
    RACE,
    ack,
    hear,
    in_lobby,
    racer,
    racing,
    seat,
    snapshot,
    start_of_race,
    update,
    welcome,
)

CLEO = "c" * 16


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

    def test_leaving_the_lobby(self) -> None:
        asked = ask(in_lobby(), Leave("", 0)).session
        assert hear(asked, ack(1, 0)).has_left

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


def test_what_is_shown_late_begins_in_the_past_and_has_no_clock_of_now() -> None:
    shown = replace(snapshot("running", feed="watch"), clock=20_000)
    live = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"), shown)
    assert live.race_ms(0) == 20_000
    late = hear(live, Watching(RACE, "boards", delay_ms=30_000))
    assert late.race_ms(0) is None
