"""What is different where the deal is that of the day."""

from dataclasses import replace

import pytest

from server.race.commands import AskRematch, Configure, Create, Join, Leave, NoteHint, Resign, Start, Tick
from server.race.daily import begin_attempt
from server.race.decide import decide
from server.race.decision import NOT_DUE, Decision, Refusal
from server.race.events import HintTaken, Resigned, Stamped, Started
from server.race.evolve import fold
from server.race.questions import AskHint, HintGiven, answer
from server.race.state import PlayerId, RaceCode, Standing
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    NEXT_CODE,
    T0,
    Table,
    accepted,
    lobby,
    refused,
    running,
    setup,
)

DAILY = "2026-11-30:4"
NAME = RaceCode(f"daily:{DAILY}:{'a' * 16}")


def ranked(*, hints: bool = True) -> Table:
    """An attempt of Ann's that runs."""
    rules = replace(setup().rules, hints=hints)
    return running(ANN, daily=DAILY, ranked=True, countdown_ms=0, rules=rules)


def test_an_attempt_runs_from_its_first_append_on_and_ends_an_hour_later() -> None:
    settings = setup(daily=DAILY, ranked=True, time_limit_ms=3_600_000, countdown_ms=0)
    decision = begin_attempt(Create(NAME, "attempt", ANN, "Ann", settings))
    assert decision.wake == 3_600_000
    race = fold([Stamped(seq, T0, event) for seq, event in enumerate(decision.events, 1)])
    assert isinstance(decision.events[-1], Started)
    assert race.life.code == NAME
    assert race.members[ANN].standing is Standing.RACING
    assert race.next_deadline == T0 + 3_600_000
    assert refused(decide(race, Join(BEN, "Ben", daily=DAILY), T0)) == "race_started"
    assert isinstance(decide(race, Join(ANN, "Ann"), T0), Decision)


# Who may come into a race on it.


def test_a_seat_is_for_those_who_may_see_the_cards() -> None:
    table = lobby(ANN, daily=DAILY)
    assert refused(table.run(Join(BEN, "Ben"))) == "daily_first"
    assert refused(table.run(Join(BEN, "Ben", daily="2026-11-29:4"))) == "daily_first"
    accepted(table.run(Join(BEN, "Ben", daily=DAILY)))
    accepted(table.run(Start(*table.who(ANN))))
    assert refused(table.run(Join(CEC, "Cec"))) == "daily_first"
    accepted(table.run(Join(CEC, "Cec", daily=DAILY)))


def test_who_has_a_seat_comes_back_to_it_unasked() -> None:
    table = lobby(ANN, daily=DAILY)
    accepted(table.run(Join(BEN, "Ben", daily=DAILY)))
    accepted(table.run(Join(BEN, "Ben")))


def test_where_no_seat_is_to_be_had_anyway_that_is_said() -> None:
    table = running(ANN, BEN, daily="")
    assert refused(table.run(Join(CEC, "Cec"))) == "race_started"
    table = ranked()
    assert refused(table.run(Join(BEN, "Ben"))) == "race_started"
    accepted(table.run(Resign(*table.who(ANN))))
    assert refused(table.run(Join(BEN, "Ben"))) == "race_over"


@pytest.mark.parametrize("before", ["", "2026-11-29:4"])
def test_no_open_race_becomes_one_on_a_daily(before: str) -> None:
    table = lobby(ANN, daily=before)
    assert refused(table.run(Configure(*table.who(ANN), setup(daily=DAILY)))) == "bad_settings"
    accepted(table.run(Configure(*table.who(ANN), setup(daily=before))))
    accepted(table.run(Configure(*table.who(ANN), setup())))
    assert table.race.life.setup.daily == ""


# What cannot be done in an attempt.


def test_an_attempt_is_not_left_but_may_be_given_up() -> None:
    table = ranked()
    assert refused(table.run(Leave(*table.who(ANN)))) == "not_in_rules"
    assert table.member(ANN).standing is Standing.RACING
    assert isinstance(accepted(table.run(Resign(*table.who(ANN))))[0], Resigned)
    assert refused(table.run(Leave(*table.who(ANN)))) == "race_over"


def test_there_is_no_second_attempt() -> None:
    table = ranked()
    accepted(table.run(Resign(*table.who(ANN))))
    assert refused(table.run(AskRematch(*table.who(ANN), NEXT_CODE, setup()))) == "not_in_rules"


def test_an_attempt_ends_by_its_limit() -> None:
    table = ranked()
    table.now_ms = table.race.life.ends_at
    accepted(table.run(Tick()))
    assert table.member(ANN).standing is Standing.OUT_OF_TIME


# Hints.


def note(table: Table, player: PlayerId = ANN) -> NoteHint:
    member = table.race.members.get(player)
    return NoteHint(player, member.session if member else 0)


def test_the_first_hint_is_written_down_and_no_other() -> None:
    table = ranked()
    assert accepted(table.run(note(table))) == (HintTaken(ANN),)
    assert table.member(ANN).hinted
    assert table.run(note(table)) is NOT_DUE
    table.play(ANN, "3a")
    assert table.member(ANN).hinted


def test_no_hint_is_given_that_is_not_written_down() -> None:
    table = ranked()
    told = answer(table.race, AskHint(ANN))
    assert isinstance(told, Refusal)
    assert told.code == "unavailable"
    accepted(table.run(note(table)))
    assert isinstance(answer(table.race, AskHint(ANN)), HintGiven)
    told = answer(ranked(hints=False).race, AskHint(ANN))
    assert isinstance(told, Refusal)
    assert told.code == "not_in_rules"


def test_a_hint_that_is_not_given_is_not_written_down() -> None:
    for table in (ranked(hints=False), running(ANN)):
        assert table.run(note(table)) is NOT_DUE
    table = ranked()
    assert table.run(note(table, BEN)) is NOT_DUE
    assert table.run(NoteHint(ANN, 0)) is NOT_DUE
    accepted(table.run(Resign(*table.who(ANN))))
    assert table.run(note(table)) is NOT_DUE
