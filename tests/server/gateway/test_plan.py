"""Which commands of a batch go into one append, and how each is answered afterwards."""

from dataclasses import replace

import pytest

from server.gateway.plan import (
    MAX_EVENTS,
    Answered,
    Done,
    DoneBefore,
    Outcome,
    Plan,
    Refused,
    Request,
    make_plan,
    settle,
)
from server.race import commands as core
from server.race.decision import Decision, Refusal, Repeated
from server.race.events import Attached, Ended, Joined, Moved, Said, Stamped, TimeUp
from server.race.evolve import evolve
from server.race.questions import Calculate, Question
from server.race.state import Race
from server.store.base import CLEAR, KEEP
from tests.server.gateway.races import ANA, BEN, EVE, SETUP, Scribe, move, next_c, say, session

NOW = 1_700_000_000_000


def plan_for(race: Race, *commands: core.Command | Question, now_ms: int = NOW) -> Plan:
    return make_plan(race, [Request(command, lambda _: None) for command in commands], now_ms)


def stamp(race: Race, plan: Plan, at_ms: int = NOW) -> list[Stamped]:
    return [Stamped(race.seq + 1 + i, at_ms, event) for i, event in enumerate(plan.events)]


def outcomes_of(race: Race, plan: Plan) -> list[Outcome]:
    return [outcome for _, outcome in settle(race, plan, stamp(race, plan))[0]]


@pytest.fixture
def race() -> Race:
    return Scribe().start(BEN).race


def test_each_command_is_decided_on_the_state_that_those_before_it_lead_to(race: Race) -> None:
    plan = plan_for(race, *(move(race, ANA, text, ahead=i) for i, text in enumerate(["5a", "5b", "5b"])))
    assert [type(verdict) for _, verdict in plan.verdicts] == [Decision, Decision, Refusal]
    assert [type(event) for event in plan.events] == [Moved, Moved]


def test_a_command_twice_in_one_batch_is_decided_once_and_repeated(race: Race) -> None:
    plan = plan_for(race, move(race, ANA, "5a"), move(race, ANA, "5a"))
    assert [type(verdict) for _, verdict in plan.verdicts] == [Decision, Repeated]
    first, second = outcomes_of(race, plan)
    assert isinstance(first, Done)
    assert isinstance(second, DoneBefore)
    assert second.answer.seq == first.events[0].seq == race.seq + 1


def test_an_outcome_is_told_on_the_states_right_before_and_after_it(race: Race) -> None:
    batch: list[core.Command | Question] = [
        move(race, ANA, "5a"),
        move(race, BEN, "1h"),
        say(race, BEN, "oh"),
        Calculate(ANA, "a"),
    ]
    plan = plan_for(race, *batch)
    outcomes, states = settle(race, plan, stamp(race, plan))
    moved, refused, said, answered = (outcome for _, outcome in outcomes)
    assert isinstance(moved, Done)
    assert (moved.before, moved.after) == (race, states[0])
    assert isinstance(refused, Refused)
    assert refused.race == states[0]
    assert isinstance(said, Done)
    assert (said.before, said.after) == (states[0], states[1])
    assert isinstance(answered, Answered)
    assert answered.answer.n == 1
    assert len(states) == 2


def test_what_is_kept_is_folded_from_the_stamps_and_not_from_the_guessed_time() -> None:
    lobby = Scribe(replace(SETUP, countdown_ms=0)).race
    start = core.Start(ANA, session(lobby, ANA), 1)
    plan = plan_for(lobby, start, say(lobby, ANA, "go", ahead=1))
    _, states = settle(lobby, plan, stamp(lobby, plan, at_ms=NOW + 12_345))
    assert states[-1].life.started_at == NOW + 12_345


def test_two_joins_for_the_last_seat_seat_one() -> None:
    lobby = Scribe(replace(SETUP, max_racers=2)).race
    plan = plan_for(lobby, core.Join(BEN, "Ben"), core.Join(EVE, "Eve"))
    first, second = outcomes_of(lobby, plan)
    assert isinstance(first, Done)
    assert isinstance(second, Refused)
    assert second.refusal.code == "race_full"
    assert [type(event) for event in plan.events] == [Joined, Attached]


# Windows.


def test_the_window_of_a_plan_is_the_intersection_of_its_decisions() -> None:
    scribe = Scribe(replace(SETUP, time_limit_ms=10_000)).start(BEN)
    plan = plan_for(scribe.race, say(scribe.race, BEN, "hi"), move(scribe.race, ANA, "5a"))
    assert (plan.not_before, plan.not_after) == (None, scribe.race.life.ends_at - 1)
    assert plan.rest == ()


def test_at_the_end_of_time_a_batch_holds_either_moves_or_the_end(race: Race) -> None:
    ends_at = race.life.ends_at
    batch: list[core.Command | Question] = [
        move(race, ANA, "5a"),
        say(race, ANA, "phew", ahead=1),
        core.Tick(),
        move(race, BEN, "5a"),
    ]
    in_time = plan_for(race, *batch, now_ms=ends_at - 1)
    assert [type(event) for event in in_time.events] == [Moved, Said, Moved]
    assert (in_time.not_before, in_time.not_after) == (None, ends_at - 1)
    late = plan_for(race, *batch, now_ms=ends_at)
    assert [type(event) for event in late.events] == [Said, TimeUp, Ended]
    assert (late.not_before, late.not_after) == (ends_at, None)


@pytest.mark.parametrize(
    ("windows", "joint", "taken"),
    [
        ([(None, 10), (5, None)], (5, 10), 2),
        ([(5, 20), (10, None), (None, 10)], (10, 10), 3),
        ([(None, 10), (11, None), (None, None)], (None, 10), 1),
        ([(11, None), (None, 12), (None, 10)], (11, 12), 2),
        ([(None, None), (None, None)], (None, None), 2),
    ],
)
def test_decisions_whose_windows_exclude_each_other_go_into_appends_of_their_own(
    race: Race,
    monkeypatch: pytest.MonkeyPatch,
    windows: list[tuple[int | None, int | None]],
    joint: tuple[int | None, int | None],
    taken: int,
) -> None:
    decisions = iter(windows)

    def decide(race: Race, command: core.Say, now_ms: int) -> Decision:
        return Decision((Said(BEN, command.c, "Ben", command.text),), *next(decisions))

    monkeypatch.setattr("server.gateway.plan.decide", decide)
    batch = [say(race, BEN, f"line {i}", ahead=i) for i in range(len(windows))]
    plan = plan_for(race, *batch)
    assert (plan.not_before, plan.not_after) == joint
    assert len(plan.events) == taken
    assert [request.command for request in plan.rest] == batch[taken:]


def test_an_append_has_256_events_at_most_and_the_rest_comes_next(race: Race) -> None:
    batch = [say(race, BEN, f"line {i}", ahead=i) for i in range(MAX_EVENTS + 10)]
    plan = plan_for(race, *batch)
    assert len(plan.events) == len(plan.verdicts) == MAX_EVENTS
    assert [request.command for request in plan.rest] == batch[MAX_EVENTS:]


def test_a_batch_of_questions_and_refusals_appends_nothing(race: Race) -> None:
    plan = plan_for(race, Calculate(ANA, "1"), move(race, ANA, "1h"), core.Tick())
    assert (plan.events, plan.not_before, plan.not_after, plan.wake) == ((), None, None, KEEP)
    assert settle(race, plan, [])[1] == []


# Deadlines.


def test_the_newest_wish_for_a_deadline_counts(race: Race) -> None:
    lobby = Scribe().race
    start = core.Start(ANA, session(lobby, ANA), 1)
    plan = plan_for(
        lobby, say(lobby, ANA, "now", ahead=0), replace(start, c=2), say(lobby, ANA, "go", ahead=2)
    )
    assert plan.wake == SETUP.time_limit_ms
    resigning = [core.Resign(player, session(race, player), next_c(race, player)) for player in (ANA, BEN)]
    assert plan_for(race, *resigning).wake is CLEAR
    assert plan_for(race, move(race, ANA, "5a")).wake is KEEP


def test_an_ending_in_the_middle_of_a_batch_refuses_what_comes_after_it(race: Race) -> None:
    resigning = [core.Resign(player, session(race, player), next_c(race, player)) for player in (ANA, BEN)]
    plan = plan_for(race, *resigning, move(race, ANA, "5a", ahead=1), core.Tick())
    assert [type(outcome) for outcome in outcomes_of(race, plan)] == [Done, Done, Refused, Refused]


def test_settling_is_the_same_as_folding_one_event_after_another(race: Race) -> None:
    plan = plan_for(race, *(move(race, ANA, text, ahead=i) for i, text in enumerate(["5a", "5b", "5c"])))
    stamped = stamp(race, plan)
    expected: list[Race] = []
    for one in stamped:
        expected.append(evolve(expected[-1] if expected else race, one))
    assert settle(race, plan, stamped)[1] == expected
