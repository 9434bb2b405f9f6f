from collections.abc import Callable

import pytest

from server.race.commands import (
    Configure,
    Join,
    Kick,
    Leave,
    LobbyCommand,
    PassHost,
    Ready,
    Start,
    Tick,
)
from server.race.decision import NOT_DUE, Decision, Refusal, Wake
from server.race.events import (
    Configured,
    CountdownBegun,
    Ended,
    HostPassed,
    Kicked,
    Left,
    Readied,
    Resigned,
    Started,
)
from server.race.state import LOBBY_LIFE_MS, MAX_OTHER_COMMANDS, Ending, Phase, PlayerId, Standing
from server.race.views import View, snapshot
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    DAN,
    NONCE,
    Table,
    accepted,
    lobby,
    refused,
    running,
    setup,
)

NOBODY = PlayerId("")

COMMANDS: list[Callable[[Table, PlayerId], LobbyCommand]] = [
    lambda table, player: Configure(*table.who(player), setup(deal=1)),
    lambda table, player: Ready(*table.who(player), ready=True),
    lambda table, player: Start(*table.who(player)),
    lambda table, player: Kick(*table.who(player), BEN),
]


def counting_down(*players: PlayerId) -> Table:
    table = lobby(*players)
    accepted(table.run(Start(*table.who(players[0]))))
    return table


def expired() -> Table:
    table = lobby(ANN, BEN)
    table.now_ms += LOBBY_LIFE_MS
    accepted(table.run(Tick()))
    return table


def ready(table: Table, player: PlayerId) -> Decision:
    verdict = table.run(Ready(*table.who(player), ready=True))
    assert isinstance(verdict, Decision)
    return verdict


@pytest.mark.parametrize("make", COMMANDS)
@pytest.mark.parametrize("table", [counting_down(ANN, BEN), running(ANN, BEN), expired()])
def test_a_lobbys_commands_are_refused_once_it_is_none(
    table: Table, make: Callable[[Table, PlayerId], LobbyCommand]
) -> None:
    before = table.race
    assert refused(table.run(make(table, ANN))) == "not_lobby"
    assert table.race is before


@pytest.mark.parametrize("make", COMMANDS)
def test_only_the_host_configures_starts_and_kicks(
    make: Callable[[Table, PlayerId], LobbyCommand],
) -> None:
    table = lobby(ANN, BEN, CEC)
    command = make(table, CEC)
    if isinstance(command, Ready):
        accepted(table.run(command))
    else:
        assert refused(table.run(command)) == "not_host"


# Ready, and the start.


def test_ready_and_not_after_all() -> None:
    table = lobby(ANN, BEN)
    command = Ready(*table.who(BEN), ready=True)
    assert accepted(table.run(command)) == (Readied(BEN, command.c, ready=True),)
    assert table.member(BEN).ready
    command = Ready(*table.who(BEN), ready=False)
    assert accepted(table.run(command)) == (Readied(BEN, command.c, ready=False),)
    assert not table.member(BEN).ready
    ready(table, ANN)
    assert table.race.life.phase is Phase.LOBBY


def test_the_countdown_begins_when_two_or_more_are_all_ready() -> None:
    table = lobby(ANN, BEN, CEC)
    assert ready(table, CEC).wake is Wake.KEEP
    assert ready(table, ANN).wake is Wake.KEEP
    decision = ready(table, BEN)
    assert decision.events == (Readied(BEN, 1, ready=True), CountdownBegun(NOBODY, 0))
    assert decision.wake == 5_000
    assert (decision.not_before, decision.not_after) == (None, None)


def test_readying_twice_begins_the_countdown_no_sooner() -> None:
    table = lobby(ANN, BEN)
    ready(table, ANN)
    assert len(ready(table, ANN).events) == 1
    assert table.race.life.phase is Phase.LOBBY


def test_one_alone_who_is_ready_waits_for_others() -> None:
    table = lobby(ANN)
    ready(table, ANN)
    assert table.race.life.phase is Phase.LOBBY


def test_the_host_may_start_alone_and_without_anyone_ready() -> None:
    table = lobby(ANN)
    command = Start(*table.who(ANN))
    assert table.run(command) == Decision((CountdownBegun(ANN, command.c),), wake=5_000)
    assert table.member(ANN).last_c == command.c


def test_without_a_countdown_the_race_starts_at_once() -> None:
    table = lobby(ANN, BEN, countdown_ms=0, time_limit_ms=60_000)
    ready(table, BEN)
    decision = ready(table, ANN)
    assert decision.events == (Readied(ANN, 1, ready=True), CountdownBegun(NOBODY, 0), Started())
    assert decision.wake == 60_000
    assert table.race.life.phase is Phase.RUNNING


def test_who_comes_during_the_countdown_need_not_be_ready() -> None:
    table = counting_down(ANN, BEN)
    accepted(table.run(Join(CEC, "Cec")))
    table.now_ms = table.race.life.starts_at
    assert accepted(table.run(Tick())) == (Started(),)
    assert [racer.standing for racer in table.race.racers] == [Standing.RACING] * 3


# Settings.


def test_other_settings_clear_ready_and_bring_another_deal() -> None:
    table = lobby(ANN, BEN)
    ready(table, BEN)
    again = setup(deal=618, nonce=NONCE[::-1], max_racers=2)
    command = Configure(*table.who(ANN), again)
    assert accepted(table.run(command)) == (Configured(ANN, command.c, again),)
    assert table.race.life.setup == again
    assert not any(racer.ready for racer in table.race.racers)


def test_deals_are_counted_and_not_settings() -> None:
    table = lobby(ANN, BEN)
    counted = [table.race.life.deals]
    for deal, nonce in ((618, NONCE), (618, NONCE[::-1]), (617, NONCE)):
        accepted(table.run(Configure(*table.who(ANN), setup(deal=deal, nonce=nonce))))
        counted.append(table.race.life.deals)
        assert snapshot(table.race, View.RACER).life.deals == counted[-1]
    assert counted == [1, 2, 2, 3]


def test_there_cannot_be_fewer_seats_than_are_taken() -> None:
    table = lobby(ANN, BEN, CEC)
    assert refused(table.run(Configure(*table.who(ANN), setup(max_racers=2)))) == "bad_settings"
    accepted(table.run(Leave(*table.who(CEC))))
    accepted(table.run(Configure(*table.who(ANN), setup(max_racers=2))))


# Kicking.


def test_the_host_sends_a_racer_away() -> None:
    table = lobby(ANN, BEN, CEC)
    command = Kick(*table.who(ANN), BEN)
    assert accepted(table.run(command)) == (Kicked(ANN, command.c, BEN),)
    assert table.member(BEN).standing is Standing.KICKED
    assert table.member(BEN).session == 0
    assert table.member(ANN).last_c == command.c


@pytest.mark.parametrize("target", [ANN, CEC, DAN])
def test_nobody_else_can_be_sent_away(target: PlayerId) -> None:
    table = lobby(ANN, BEN, CEC)
    accepted(table.run(Leave(*table.who(CEC))))
    assert refused(table.run(Kick(*table.who(ANN), target))) == "no_such_racer"


def test_when_the_one_all_waited_for_is_sent_away_the_countdown_begins() -> None:
    table = lobby(ANN, BEN, CEC)
    ready(table, ANN)
    ready(table, BEN)
    verdict = table.run(Kick(*table.who(ANN), CEC))
    assert isinstance(verdict, Decision)
    assert verdict.events[1:] == (CountdownBegun(NOBODY, 0),)
    assert verdict.wake == 5_000


def test_when_only_the_host_is_left_he_waits_for_others() -> None:
    table = lobby(ANN, BEN)
    ready(table, ANN)
    assert len(accepted(table.run(Kick(*table.who(ANN), BEN)))) == 1


# Leaving.


def test_leaving_frees_the_seat() -> None:
    table = lobby(ANN, BEN)
    command = Leave(*table.who(BEN))
    assert table.run(command) == Decision((Left(BEN, command.c),))
    assert not table.member(BEN).seated
    assert refused(table.run(Ready(*table.who(BEN), ready=True))) == "not_seated"


def test_the_hosts_seat_passes_to_the_earliest_of_the_rest() -> None:
    table = lobby(ANN, BEN, CEC)
    accepted(table.run(Leave(*table.who(BEN))))
    accepted(table.run(Join(BEN, "Ben")))
    assert accepted(table.run(Leave(*table.who(ANN))))[1:] == (HostPassed(CEC),)
    assert table.race.life.host == CEC


def test_a_lobby_that_all_left_is_over() -> None:
    table = lobby(ANN)
    verdict = table.run(Leave(*table.who(ANN)))
    assert verdict == Decision((Left(ANN, 1), Ended(Ending.ABANDONED)), wake=Wake.CLEAR)


def test_when_the_one_all_waited_for_leaves_the_countdown_begins() -> None:
    table = lobby(ANN, BEN, CEC)
    ready(table, BEN)
    ready(table, CEC)
    left, passed, begun = accepted(table.run(Leave(*table.who(ANN))))
    assert (passed, begun) == (HostPassed(BEN), CountdownBegun(NOBODY, 0))
    assert isinstance(left, Left)


def test_a_countdown_goes_on_for_those_who_stay() -> None:
    table = counting_down(ANN, BEN)
    deadline = table.race.next_deadline
    assert table.run(Leave(*table.who(ANN))) == Decision((Left(ANN, 2), HostPassed(BEN)))
    assert table.race.next_deadline == deadline
    assert accepted(table.run(Leave(*table.who(BEN))))[1:] == (Ended(Ending.ABANDONED),)
    assert not table.race.life.has_started


def test_leaving_a_running_race_is_resigning() -> None:
    table = running(ANN, BEN)
    command = Leave(*table.who(ANN))
    assert accepted(table.run(command)) == (Resigned(ANN, command.c),)
    assert refused(table.run(Leave(*table.who(ANN)))) == "not_racing"
    accepted(table.run(Leave(*table.who(BEN))))
    assert refused(table.run(Leave(*table.who(BEN)))) == "race_over"


# An absent host.


def test_the_earliest_who_is_there_becomes_the_host_in_place_of_one_who_is_not() -> None:
    table = lobby(ANN, BEN, CEC, DAN)
    assert table.run(PassHost(frozenset({DAN, CEC}))) == Decision((HostPassed(CEC),))


@pytest.mark.parametrize(
    ("table", "present"),
    [
        (lobby(ANN, BEN), {ANN, BEN}),
        (lobby(ANN, BEN), set()),
        (lobby(ANN, BEN), {DAN}),
        (counting_down(ANN, BEN), {BEN}),
        (running(ANN, BEN), {BEN}),
    ],
)
def test_otherwise_the_host_stays(table: Table, present: set[PlayerId]) -> None:
    assert table.run(PassHost(frozenset(present))) is NOT_DUE


def test_a_lobby_takes_so_many_commands_from_one_player_and_then_only_start_and_leave() -> None:
    table = lobby(ANN, BEN)
    for number in range(MAX_OTHER_COMMANDS):
        accepted(table.run(Ready(*table.who(ANN), ready=number % 2 == 0)))
    assert refused(table.run(Ready(*table.who(ANN), ready=True))) == "too_many"
    assert refused(table.run(Configure(*table.who(ANN), setup(deal=1)))) == "too_many"
    assert refused(table.run(Kick(*table.who(ANN), BEN))) == "too_many"
    accepted(table.run(Leave(*table.who(ANN))))
    accepted(table.run(Join(ANN, "Ann")))
    assert refused(table.run(Ready(*table.who(ANN), ready=True))) == "too_many"
    accepted(table.run(Ready(*table.who(BEN), ready=True)))
    accepted(table.run(Start(*table.who(BEN))))


def test_one_who_left_gets_no_seat_by_resuming_but_by_joining_anew() -> None:
    table = Table()
    table.run(Join(BEN, "Ben"))
    table.run(Leave(*table.who(BEN)))
    refusal = table.run(Join(BEN, "Ben", resuming=True))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not_seated"
    assert isinstance(table.run(Join(BEN, "Ben")), Decision)
