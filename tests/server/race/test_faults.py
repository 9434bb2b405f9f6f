"""Faults seen in public in other games of this kind, tried on a race; each named after where it was seen."""

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import cycle
from typing import get_args

import pytest

from server.freecell.cards import DECK
from server.freecell.deal import deal
from server.freecell.moves import Illegal, check
from server.freecell.notation import read_move
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS, customise
from server.race.commands import (
    AddRobot,
    AskRematch,
    AutoFinish,
    Command,
    Configure,
    Join,
    Kick,
    Leave,
    Move,
    NumberedCommand,
    PlanRobot,
    Ready,
    Redo,
    Resign,
    Restart,
    Say,
    Send,
    Start,
    Tick,
    Undo,
)
from server.race.decide import decide
from server.race.decision import Decision, Refusal, Verdict
from server.race.events import Ended, Rematched
from server.race.evolve import evolve, fold
from server.race.questions import AskHint, HintGiven, answer
from server.race.robot import Level
from server.race.state import Phase, PlayerId, Policy, Standing
from server.race.views import Access, View, seat_of, snapshot, watch_access
from tests.server.freecell.boards import all_cards, board
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    DAN,
    NEXT_CODE,
    SETUP,
    SOLVED,
    Table,
    accepted,
    lobby,
    refused,
    repeated,
    running,
    setup,
)

KINGS = ["KC", "KD", "KH", "KS", "KC", "KD"]
"""Kings to fill cascades with, so that they are neither empty nor take anything but a queen."""

LONG_RUN = "QS JD TS 9D 8S 7D 6S 5D 4S 3D 2S"


def on(position: Position, **changes: object) -> Table:
    """A race in which Ann has this board."""
    table = running(ANN, BEN, **changes)
    table.put(ANN, position)
    return table


def detail(verdict: Verdict) -> str:
    assert isinstance(verdict, Refusal)
    return verdict.detail


class Node:
    """A server among several on one log: it decides on what it knows, and learns when it fails to append."""

    def __init__(self, table: Table) -> None:
        self._log = table
        self._race = table.race

    def run(self, command: Command) -> Verdict:
        """Decide until an append takes effect, or a refusal is shown to be the newest."""
        while True:
            verdict = decide(self._race, command, self._log.now_ms)
            if self._race.seq == self._log.race.seq:
                if isinstance(verdict, Decision):
                    self._log.append(*verdict.events)
                return verdict
            for stamped in self._log.log[self._race.seq :]:
                self._race = evolve(self._race, stamped)


# Rules.


@pytest.mark.parametrize(("run", "taken"), [(LONG_RUN[3:], True), (LONG_RUN, False)])
def test_simple_solitaire_78_with_four_cells_and_an_empty_cascade_ten_move_and_eleven_do_not(
    run: str, taken: bool
) -> None:
    target = "QS" if taken else "KH"
    table = on(board(run, target, "", *KINGS[:5]))
    before = table.position(ANN)
    verdict = table.run(Move(*table.at(ANN), "12"))
    if taken:
        accepted(verdict)
        assert len(table.position(ANN).cascades[1]) == 11
    else:
        assert refused(verdict) == "illegal_move"
        assert table.position(ANN) == before


def test_freecell_with_friends_58_a_move_of_six_beyond_any_client_is_refused_with_the_numbers() -> None:
    table = on(board("7D 6S 5D 4S 3D 2S", "8S", *KINGS))
    before = table.race
    verdict = table.run(Move(*table.at(ANN), "12"))
    assert refused(verdict) == "illegal_move"
    assert "6 cards need 5 free cells; you have 4" in detail(verdict)
    assert table.race is before


@pytest.mark.parametrize("text", ["1hv2", "1hv1", "1h2", "1hhs", "1hh"])
def test_react_solitaire_6_no_two_cards_and_no_buried_one_go_home(text: str) -> None:
    table = on(board("AS 2S", *KINGS))
    assert refused(table.run(Move(*table.at(ANN), text))) == "illegal_move"
    assert "2S cannot go home yet" in detail(table.run(Move(*table.at(ANN), "1h")))


def test_react_solitaire_6_there_are_always_52_cards() -> None:
    table = running(ANN, BEN)
    for text in SOLVED[617, 4]:
        table.play(ANN, text)
        assert sorted(all_cards(table.position(ANN))) == list(DECK)


WITHDRAWALS: list[Callable[[Table], Verdict]] = [
    lambda table: table.run(Move(*table.at(ANN), "hs1")),
    lambda table: table.run(Move(*table.at(ANN), "hsa")),
    lambda table: table.run(Move(*table.at(ANN), "HSA")),
    lambda table: table.run(Send(*table.at(ANN), "hs", 1)),
]


@pytest.mark.parametrize("name", ["race", "classic"])
@pytest.mark.parametrize("withdraw", WITHDRAWALS)
def test_kpat_396882_without_returns_no_command_takes_a_card_off_a_foundation(
    name: str, withdraw: Callable[[Table], Verdict]
) -> None:
    table = on(board("4H", home="3S"), rules=RULESETS[name])
    assert refused(withdraw(table)) == "illegal_move"
    assert table.position(ANN).home == 3


def test_triplesolitaire_2_a_card_taken_off_a_foundation_stays_where_it_was_put() -> None:
    table = on(board("6S", "2H", home="5H 4D"), rules=RULESETS["solitarium"])
    table.play(ANN, "hh1")
    table.now_ms += 60_000
    assert isinstance(table.run(Tick()), Refusal)
    table.play(ANN, "2a")
    assert table.position(ANN) == board("6S 5H", cells="2H - - -", home="4H 4D")


def test_modern_apps_730_auto_finish_waits_for_an_ace_under_a_two_but_not_for_full_cells() -> None:
    waiting = on(board("AS 2S", "KH", home="QH KD KC"))
    assert not seat_of(waiting.member(ANN)).finish
    assert refused(waiting.run(AutoFinish(*waiting.at(ANN)))) == "illegal_move"
    ready = on(board("KS QS", "JS TS", "9S 8S", cells="7S 6S 5S 4S", home="3S KH KD KC"))
    assert seat_of(ready.member(ANN)).finish
    accepted(ready.run(AutoFinish(*ready.at(ANN))))
    assert ready.member(ANN).standing is Standing.FINISHED


def test_nuclearmonster_a_win_by_auto_finish_is_timed_when_it_is_asked_for() -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=13)
    table.now_ms = table.race.life.started_at + 90_000
    accepted(table.run(AutoFinish(*table.at(ANN))))
    table.now_ms += 30_000
    (ann, _) = snapshot(table.race, View.RACER).racers
    assert (ann.ended_ms, ann.rank) == (90_000, 1)


# Undo, redo, score, hints.


def test_shenzhen_solitaire_1_one_undo_takes_back_a_supermove_of_ten() -> None:
    table = on(board(LONG_RUN[3:], "QS", "", *KINGS[:5]))
    before = table.position(ANN)
    table.play(ANN, "12")
    accepted(table.run(Undo(*table.at(ANN))))
    assert table.position(ANN) == before
    assert refused(table.run(Undo(*table.at(ANN)))) == "nothing_to_undo"


def test_pysolfc_278_undo_k_redo_k_gives_the_same_position_and_score() -> None:
    for rules in (RULESETS["race"], RULESETS["solitarium"]):
        table = running(ANN, BEN, rules=rules)
        table.solve(ANN, but=2)
        game = table.member(ANN).game
        for k in (1, 9, 60):
            for _ in range(k):
                accepted(table.run(Undo(*table.at(ANN))))
            for _ in range(k):
                accepted(table.run(Redo(*table.at(ANN))))
            assert table.member(ANN).game == game


def test_sudoku_227_after_undo_and_another_move_there_is_nothing_to_redo() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    accepted(table.run(Undo(*table.at(ANN))))
    table.play(ANN, "4a")
    assert refused(table.run(Redo(*table.at(ANN)))) == "nothing_to_redo"
    assert not seat_of(table.member(ANN)).redo


def test_with_a_limit_of_100_a_hundred_undos_are_taken_and_one_more_is_refused() -> None:
    table = running(ANN, BEN, rules=RULESETS["app"])
    table.fidget(ANN, 120)
    for _ in range(100):
        accepted(table.run(Undo(*table.at(ANN))))
    verdict = table.run(Undo(*table.at(ANN)))
    assert refused(verdict) == "nothing_to_undo"
    assert "100" in detail(verdict)


def test_the_floor_of_cardems_holds_and_undo_gives_back_what_was_there() -> None:
    table = on(board("3H", "5C", home="2S AH"), rules=RULESETS["cardems"])

    def score() -> int:
        own = seat_of(table.member(ANN)).board
        assert own is not None
        return own.score

    table.play(ANN, "hs1")
    assert score() == 0
    table.play(ANN, "1h")
    assert score() == 10
    table.play(ANN, "hs1")
    assert score() == 0
    accepted(table.run(Undo(*table.at(ANN))))
    assert score() == 10


def test_pysolfc_565_with_an_empty_cell_and_a_card_in_a_cascade_nobody_is_blocked() -> None:
    table = on(board("KS", "KC", "KD", "KH", *["JS"] * 4, cells="9S 9S 9S -"))
    assert not seat_of(table.member(ANN)).blocked


def test_pysolfc_521_every_hint_is_taken_by_the_judge_of_moves() -> None:
    rules = customise("race", hints=True)
    table = running(ANN, BEN, rules=rules)
    for text in SOLVED[617, 4]:
        found = answer(table.race, AskHint(ANN))
        assert isinstance(found, HintGiven)
        assert found.move is not None
        position = table.position(ANN)
        move = read_move(found.move, position, rules)
        assert not isinstance(move, Illegal)
        assert check(position, move, rules) is None
        table.play(ANN, text)


# Coming back.


def test_lila_9662_a_racer_who_comes_back_has_the_same_board_and_the_clock_ran_on() -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=40)
    before = table.member(ANN)
    table.now_ms += 300_000
    accepted(table.run(Join(ANN, "Ann")))
    after = table.member(ANN)
    assert (after.game, after.n, after.last_c) == (before.game, before.n, before.last_c)
    table.play(ANN, SOLVED[617, 4][-40])
    assert table.log[-1].at_ms - table.race.life.started_at == 301_000


def test_lila_9642_a_join_in_the_last_50_ms_is_seated_with_the_deal_or_too_late() -> None:
    for early_ms in range(50, -1, -10):
        table = lobby(ANN, BEN)
        accepted(table.run(Start(*table.who(ANN))))
        table.now_ms = table.race.life.starts_at - early_ms
        node = Node(table)
        if early_ms <= 20:
            table.now_ms = table.race.life.starts_at
            accepted(table.run(Tick()))
        verdict = node.run(Join(CEC, "Cec"))
        table.now_ms = table.race.next_deadline or 0
        accepted(table.run(Tick()))
        member = table.race.members.get(CEC)
        if early_ms <= 20:
            assert refused(verdict) == "race_started"
            assert member is None
        else:
            assert member is not None
            assert member.standing is Standing.RACING
            assert table.position(CEC) == deal(617)


def test_openfrontio_2547_who_resumes_into_a_full_race_takes_his_own_seat_back() -> None:
    table = lobby(ANN, BEN, max_racers=2)
    old = table.who(BEN)
    assert len(accepted(table.run(Join(BEN, "Ben")))) == 1
    assert len(table.race.racers) == 2
    assert refused(table.run(Ready(*old, ready=True))) == "superseded"


def test_lila_16599_a_move_sent_again_after_resuming_has_one_effect() -> None:
    table = running(ANN, BEN)
    lost = Move(*table.at(ANN), "3a")
    accepted(table.run(lost))  # and the connection is cut before the answer
    accepted(table.run(Join(ANN, "Ann")))
    resent = Move(ANN, table.member(ANN).session, lost.c, lost.n, lost.text)
    assert repeated(table.run(resent)).n == 1
    assert table.member(ANN).n == 1


def test_lila_16599_a_move_that_never_arrived_is_taken_when_it_is_sent_again() -> None:
    table = running(ANN, BEN)
    lost = Move(*table.at(ANN), "3a")
    accepted(table.run(Join(ANN, "Ann")))
    resent = Move(ANN, table.member(ANN).session, lost.c, lost.n, lost.text)
    accepted(table.run(resent))
    assert refused(table.run(lost)) == "superseded"


def test_bigbluebutton_5066_of_two_connections_the_newest_has_the_seat() -> None:
    table = running(ANN, BEN)
    first = table.at(BEN)
    accepted(table.run(Join(BEN, "Ben")))
    second = table.at(BEN)
    assert refused(table.run(Move(*first, "3a"))) == "superseded"
    accepted(table.run(Move(*second, "3a")))
    assert refused(table.run(Leave(*first[:3]))) == "superseded"
    assert table.member(BEN).standing is Standing.RACING


def test_colyseus_850_a_node_that_is_gone_leaves_races_that_go_on_from_their_log() -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=5)
    table.play(BEN, "3a")
    elsewhere = fold(table.log)
    assert elsewhere == table.race
    table.race = elsewhere
    table.play(ANN, *SOLVED[617, 4][-5:])
    assert table.member(ANN).rank == 1


# Races for one thing.


def test_colyseus_678_of_fifty_joins_for_one_seat_over_three_nodes_one_is_seated() -> None:
    table = lobby(ANN, max_racers=2)
    nodes = cycle([Node(table), Node(table), Node(table)])
    people = [PlayerId(f"player{number}") for number in range(50)]
    verdicts = [next(nodes).run(Join(player, player)) for player in people]
    assert sum(isinstance(verdict, Decision) for verdict in verdicts) == 1
    assert {refused(verdict) for verdict in verdicts if isinstance(verdict, Refusal)} == {"race_full"}
    assert len(table.race.racers) == 2
    assert max(len(state.racers) for state in table.states) == 2


def test_lila_9978_two_who_ask_for_the_rematch_at_once_get_one_race() -> None:
    table = running(ANN, BEN)
    for player in (ANN, BEN):
        accepted(table.run(Resign(*table.who(player))))
    nodes = {ANN: Node(table), BEN: Node(table)}
    asks = {
        ANN: AskRematch(*table.who(ANN), NEXT_CODE, setup(deal=1)),
        BEN: AskRematch(*table.who(BEN), NEXT_CODE, setup(deal=2)),
    }
    for player, ask in asks.items():
        accepted(nodes[player].run(ask))
    assert len([stamped for stamped in table.log if isinstance(stamped.event, Rematched)]) == 1
    rematch = table.race.life.rematch
    assert rematch is not None
    assert (rematch.host, rematch.setup.deal) == (ANN, 1)


@pytest.mark.parametrize("win_first", [True, False])
def test_pychess_2010_a_win_at_the_very_end_and_the_time_limit_are_decided_once(win_first: bool) -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=1)
    ends_at = table.race.life.ends_at
    win = decide(table.race, AutoFinish(*table.at(ANN)), ends_at - 1)
    end = decide(table.race, Tick(), ends_at)
    assert isinstance(win, Decision)
    assert isinstance(end, Decision)
    # No moment takes both.
    assert win.not_after is not None
    assert end.not_before is not None
    assert win.not_after < end.not_before
    table.now_ms = ends_at - 1 if win_first else ends_at
    first, second = (win, end) if win_first else (end, win)
    loser = AutoFinish(*table.at(ANN)) if second is win else Tick()
    table.append(*first.events)
    table.now_ms = ends_at
    again = table.run(loser)
    assert table.member(ANN).rank == (1 if win_first else None)
    expected = Standing.FINISHED if win_first else Standing.OUT_OF_TIME
    assert table.member(ANN).standing is expected
    assert isinstance(again, Decision if win_first else Refusal)
    assert len([stamped for stamped in table.log if isinstance(stamped.event, Ended)]) == 1


def test_code_racer_582_when_the_last_racers_connection_goes_the_race_ends_by_its_time_limit() -> None:
    table = running(ANN)
    table.now_ms = table.race.next_deadline or 0
    accepted(table.run(Tick()))
    assert table.race.life.phase is Phase.OVER
    assert table.member(ANN).standing is Standing.OUT_OF_TIME


# Who may do and see what.


def test_boardgame_io_723_the_mover_is_told_why_and_where_the_board_stands() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    before = table.race
    verdict = table.run(Move(*table.at(ANN), "3h"))
    assert "cannot go home yet" in detail(verdict)
    assert table.race is before
    assert table.member(ANN).n == 1


def every_command(player: PlayerId) -> list[NumberedCommand]:
    """All that a racer can send, as `player` sends it."""
    who = (player, 0, 1)
    return [
        Configure(*who, setup(deal=1)),
        Ready(*who, ready=True),
        Start(*who),
        Kick(*who, BEN),
        AddRobot(*who, CEC, Level.EVEN),
        Leave(*who),
        Resign(*who),
        AskRematch(*who, NEXT_CODE, SETUP),
        Move(*who, 0, "3a"),
        Send(*who, 0, "3", 1),
        Undo(*who, 0),
        Redo(*who, 0),
        Restart(*who, 0),
        AutoFinish(*who, 0),
    ]


@pytest.mark.parametrize("table", [lobby(ANN, BEN), running(ANN, BEN)])
def test_cuttle_1247_every_command_of_a_racer_is_refused_to_a_watcher(table: Table) -> None:
    assert {type(command) for command in every_command(DAN)} == set(get_args(NumberedCommand)) - {Say}
    before = table.race
    for command in every_command(DAN):
        assert refused(table.run(command)) == "not_seated"
    assert table.race is before
    accepted(table.run(Say(DAN, 0, 1, "Dan", "hello")))
    seq = table.race.seq
    for command in every_command(DAN):
        assert refused(table.run(replace(command, c=2))) == "not_seated"
    assert table.race.seq == seq


@pytest.mark.parametrize("policy", Policy)
def test_govariants_500_a_racer_who_watches_in_a_second_connection_gets_progress_only(policy: Policy) -> None:
    table = lobby(ANN, BEN, policy=policy)
    assert watch_access(table.race, ANN) == Access(View.RACER)
    table = running(ANN, BEN, policy=policy)
    table.play(BEN, "3a")
    access = watch_access(table.race, ANN)
    assert access == Access(View.RACER)
    assert snapshot(table.race, access.view).boards == {}


def test_osu_17326_no_clients_clock_is_ever_asked() -> None:
    """No command of a client has a place for a time, so a clock that is an hour off has no effect."""
    for kind in set(get_args(Command)) - {PlanRobot}:
        assert not [field.name for field in fields(kind) if "ms" in field.name or "time" in field.name]
