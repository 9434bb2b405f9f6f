"""The fine print of the log, a promise a test: what keeps commands, time and sessions straight."""

from collections.abc import Callable
from dataclasses import fields
from typing import get_args

import pytest

from server.gateway.plan import Done, DoneBefore, Outcome, Request, make_plan, settle
from server.race.commands import (
    AskRematch,
    AutoFinish,
    Board,
    BoardCommand,
    Command,
    Create,
    Join,
    Leave,
    Move,
    NoteTailLoss,
    Numbered,
    Ready,
    Redo,
    Resign,
    Restart,
    Say,
    SeatCommand,
    Send,
    Start,
    Tick,
    Undo,
)
from server.race.decide import create, decide, rematch_of
from server.race.decision import NOT_DUE, Decision, Refusal
from server.race.events import (
    Attached,
    AutoFinished,
    Finished,
    Moved,
    RematchAsked,
    Rematched,
    Stamped,
    Started,
    TimeUp,
)
from server.race.evolve import begin, evolve, fold
from server.race.replays import steps
from server.race.state import (
    KEPT_ANSWERS,
    MAX_BOARD_COMMANDS,
    MAX_CHAT_LINES,
    Answer,
    Phase,
    PlayerId,
    RaceCode,
    Standing,
)
from tests.server.freecell.boards import board, move
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    CODE,
    NEXT_CODE,
    SETUP,
    T0,
    accepted,
    lobby,
    refused,
    repeated,
    running,
    setup,
)


def window(verdict: object) -> tuple[int | None, int | None]:
    assert isinstance(verdict, Decision)
    return verdict.not_before, verdict.not_after


# Freshness.


def test_all_answers_of_a_batch_are_decided_again_on_the_state_that_was_missed() -> None:
    table = running(ANN, BEN)
    outcomes: list[Outcome] = []
    stale = table.race
    batch = [Request(Move(*table.at(ANN), "3a"), outcomes.append)]
    assert make_plan(stale, batch, table.now_ms).events
    # Meanwhile another node appended: the batch meets the state that holds it, and has no effect twice.
    table.play(ANN, "3a")
    plan = make_plan(table.race, batch, table.now_ms)
    assert plan.events == ()
    ((_, outcome),), states = settle(table.race, plan, ())
    assert states == []
    assert isinstance(outcome, DoneBefore)


def test_a_batch_is_decided_in_order_of_arrival_each_on_what_those_before_lead_to() -> None:
    table = running(ANN, BEN)
    player, session, c, n = table.at(ANN)
    commands: list[Command] = [
        Move(player, session, c, n, "3a"),
        Move(player, session, c + 1, n + 1, "3b"),
        Undo(player, session, c + 2, n + 1),
        Undo(player, session, c + 3, n + 2),
    ]
    plan = make_plan(table.race, [Request(command, lambda _: None) for command in commands], table.now_ms)
    stamped = [Stamped(table.race.seq + place, T0, event) for place, event in enumerate(plan.events, start=1)]
    outcomes, states = settle(table.race, plan, stamped)
    assert [type(outcome).__name__ for _, outcome in outcomes] == ["Done", "Done", "Refused", "Done"]
    assert len(states) == 3
    last = outcomes[-1][1]
    assert isinstance(last, Done)
    assert last.after == states[-1]


# Time.


@pytest.mark.parametrize("late_ms", [0, 1, 250_000])
def test_the_start_is_the_time_of_started_even_if_late(late_ms: int) -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Start(*table.who(ANN))))
    table.now_ms = table.race.life.starts_at + late_ms
    accepted(table.run(Tick()))
    assert table.race.life.started_at == table.now_ms
    assert table.race.life.ends_at == table.now_ms + SETUP.time_limit_ms


def test_the_clock_runs_on_through_an_outage() -> None:
    table = running(ANN, BEN)
    table.now_ms = table.race.life.started_at + 1_700_000
    table.play(ANN, "3a")
    assert [step.ms for step in steps(table.log, ANN)] == [1_700_000]
    table.now_ms = table.race.life.ends_at + 5_000_000
    assert refused(table.run(Move(*table.at(ANN), "3b"))) == "not_racing"
    accepted(table.run(Tick()))
    assert table.member(BEN).standing is Standing.OUT_OF_TIME


def test_whatever_a_racer_does_counts_only_until_a_millisecond_before_the_end() -> None:
    last_ms = running(ANN, BEN).race.life.ends_at - 1
    makers: list[Callable[[tuple[PlayerId, int, int, int]], SeatCommand]] = [
        lambda at: Move(*at, "3b"),
        lambda at: Send(*at, "3", 1),
        lambda at: Undo(*at),
        lambda at: Restart(*at),
        lambda at: Resign(*at[:3]),
        lambda at: Leave(*at[:3]),
    ]
    for make in makers:
        table = running(ANN, BEN)
        table.play(ANN, "3a")
        table.now_ms = last_ms
        assert window(table.run(make(table.at(ANN)))) == (None, last_ms)
    redoing = running(ANN, BEN)
    redoing.play(ANN, "3a")
    accepted(redoing.run(Undo(*redoing.at(ANN))))
    assert window(redoing.run(Redo(*redoing.at(ANN)))) == (None, last_ms)
    winning = running(ANN, BEN)
    winning.solve(ANN, but=1)
    assert window(winning.run(AutoFinish(*winning.at(ANN)))) == (None, last_ms)


def test_started_and_time_up_count_only_from_their_deadline_on() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Start(*table.who(ANN))))
    starts_at = table.race.life.starts_at
    verdict = decide(table.race, Tick(), starts_at + 30)
    assert window(verdict) == (starts_at, None)
    table.now_ms = starts_at + 30
    assert accepted(table.run(Tick())) == (Started(),)
    ends_at = table.race.life.ends_at
    verdict = decide(table.race, Tick(), ends_at + 30)
    assert window(verdict) == (ends_at, None)
    assert accepted(verdict)[0] == TimeUp()


def test_a_batch_uses_the_intersection_of_its_windows_and_is_cut_where_there_is_none() -> None:
    table = running(ANN, BEN)
    ends_at = table.race.life.ends_at
    chat = Request(Say(*table.who(BEN), "Ben", "hurry"), lambda _: None)
    last = Request(Move(*table.at(ANN), "3a"), lambda _: None)
    plan = make_plan(table.race, [chat, last], ends_at - 1)
    assert (plan.not_before, plan.not_after) == (None, ends_at - 1)
    # Decided at the end itself, the move is refused; then nothing stands in the way of the tick.
    plan = make_plan(table.race, [chat, last, Request(Tick(), lambda _: None)], ends_at)
    assert [type(verdict).__name__ for _, verdict in plan.verdicts] == ["Decision", "Refusal", "Decision"]
    assert (plan.not_before, plan.not_after) == (ends_at, None)


def test_nothing_depends_on_the_time_at_which_it_was_decided() -> None:
    """What is appended later than it was decided folds by its stamp alone."""
    table = lobby(ANN, BEN, countdown_ms=0)
    verdict = decide(table.race, Start(*table.who(ANN)), T0)
    assert isinstance(verdict, Decision)
    table.now_ms = T0 + 777
    table.append(*verdict.events)
    assert table.race.life.started_at == T0 + 777


def test_a_deadline_is_set_in_time_of_the_append() -> None:
    table = lobby(ANN, BEN, time_limit_ms=60_000)
    for command in (Start(*table.who(ANN)), Tick()):
        verdict = decide(table.race, command, table.race.next_deadline or T0)
        assert isinstance(verdict, Decision)
        table.now_ms += 5_123
        table.append(*verdict.events)
        assert isinstance(verdict.wake, int)
        assert table.race.next_deadline == table.now_ms + verdict.wake


# Commands.


def test_the_fold_keeps_the_highest_c_and_the_last_32_answers() -> None:
    table = running(ANN, BEN)
    table.fidget(ANN, KEPT_ANSWERS + 8)
    member = table.member(ANN)
    assert member.last_c == KEPT_ANSWERS + 9
    assert len(member.answers) == 32
    newest = member.last_c
    player, session, _, n = table.at(ANN)
    for c in range(newest - 31, newest + 1):
        answer = repeated(table.run(Move(player, session, c, n, "3a")))
        assert answer.c == c
        assert answer.n == c - 1
        assert table.log[answer.seq - 1].event == Moved(ANN, c, move(*("ba" if c % 2 == 0 else "ab")))


def test_c_not_above_the_highest_and_no_longer_kept_is_stale() -> None:
    table = running(ANN, BEN)
    table.fidget(ANN, KEPT_ANSWERS + 1)
    player, session, _, n = table.at(ANN)
    assert refused(table.run(Move(player, session, 2, n, "3b"))) == "stale_command"
    assert repeated(table.run(Move(player, session, 3, n, "3b"))).c == 3


def test_gaps_are_allowed() -> None:
    table = running(ANN, BEN)
    player, session, c, n = table.at(ANN)
    accepted(table.run(Move(player, session, c + 1000, n, "3a")))
    assert table.member(ANN).last_c == c + 1000
    assert refused(table.run(Move(player, session, c, n + 1, "3b"))) == "stale_command"


def test_a_refusal_leaves_no_trace_and_may_be_decided_anew() -> None:
    table = running(ANN, BEN)
    player, session, c, n = table.at(ANN)
    undo = Undo(player, session, c + 1, n)
    before = table.race
    assert refused(table.run(undo)) == "nothing_to_undo"
    assert table.race is before
    # A number that was refused is as good as new; with what it lacked now there, the same command is taken.
    accepted(table.run(Move(player, session, c, n, "3a")))
    assert refused(table.run(undo)) == "stale_board"
    accepted(table.run(Undo(player, session, c + 1, n + 1)))


def test_a_number_means_the_command_that_was_taken_under_it_whatever_is_sent_later() -> None:
    table = running(ANN, BEN)
    player, session, c, n = table.at(ANN)
    accepted(table.run(Move(player, session, c, n, "3a")))
    seq = table.race.seq
    assert repeated(table.run(Resign(player, session, c))) == Answer(c, 1, seq)
    assert table.member(ANN).standing is Standing.RACING


def test_every_kind_of_numbered_command_is_answered_once_and_then_repeated() -> None:
    table = lobby(ANN, BEN)
    numbered: list[Numbered] = []

    def run(command: Command) -> None:
        accepted(table.run(command))
        if isinstance(command, Numbered):
            numbered.append(command)
            answer = repeated(table.run(command))
            assert answer.c == command.c
            assert answer.seq <= table.race.seq

    run(Ready(*table.who(BEN), ready=True))
    run(Say(*table.who(BEN), "Ben", "hello"))
    run(Start(*table.who(ANN)))
    table.now_ms = table.race.life.starts_at
    run(Tick())
    run(Move(*table.at(ANN), "3a"))
    run(Send(*table.at(ANN), "3", 1))
    run(Undo(*table.at(ANN)))
    run(Redo(*table.at(ANN)))
    run(Restart(*table.at(ANN)))
    table.put(BEN, board("KS", "KH", home="QS QH KD KC"))
    run(AutoFinish(*table.at(BEN)))
    run(Resign(*table.who(ANN)))
    run(AskRematch(*table.who(BEN), NEXT_CODE, SETUP))
    run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP))
    seq = table.race.seq
    for command in numbered:
        assert isinstance(command, get_args(Command))
        repeated(table.run(command))
    assert table.race.seq == seq


def test_a_race_keeps_whose_it_is_and_the_id_it_was_created_by_so_that_it_is_found_again() -> None:
    command = Create(CODE, "as the client says", BEN, "Ben", SETUP)
    created, _ = create(command).events
    race = begin(Stamped(1, T0, created))
    assert (race.life.code, race.life.creator, race.life.create_id) == (CODE, BEN, "as the client says")


# n, the version of a board.


def test_n_grows_by_one_for_everything_accepted_and_never_shrinks() -> None:
    table = running(ANN, BEN)
    versions = [table.member(ANN).n]
    makers: list[type[Undo | Redo | Restart]] = [Undo, Redo, Restart, Undo, Undo]
    table.play(ANN, "3a")
    versions.append(table.member(ANN).n)
    accepted(table.run(Send(*table.at(ANN), "3", 1)))
    versions.append(table.member(ANN).n)
    for make in makers:
        accepted(table.run(make(*table.at(ANN))))
        versions.append(table.member(ANN).n)
    table.put(ANN, board("KS", "KH", home="QS QH KD KC"))
    accepted(table.run(AutoFinish(*table.at(ANN))))
    versions.append(table.member(ANN).n)
    assert versions == list(range(9))


def test_a_board_command_for_another_n_is_refused_and_n_stays() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    player, session, c, n = table.at(ANN)
    commands: list[BoardCommand] = [
        Move(player, session, c, n - 1, "3b"),
        Send(player, session, c, n + 1, "3", 1),
        Undo(player, session, c, n - 1),
        Redo(player, session, c, n + 1),
        Restart(player, session, c, n - 1),
        AutoFinish(player, session, c, n + 1),
    ]
    assert {type(command) for command in commands} == set(get_args(BoardCommand))
    for command in commands:
        assert refused(table.run(command)) == "stale_board"
    assert table.member(ANN).n == n


def test_nothing_but_board_commands_changes_n() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    accepted(table.run(Say(*table.who(ANN), "Ann", "hello")))
    accepted(table.run(Join(ANN, "Ann")))
    accepted(table.run(Resign(*table.who(ANN))))
    assert table.member(ANN).n == 1


# Fencing.


def test_the_seq_of_attached_is_the_session() -> None:
    table = lobby(ANN, BEN)
    for _ in range(3):
        accepted(table.run(Join(BEN, "Ben")))
        assert table.log[-1].event == Attached(BEN)
        assert table.member(BEN).session == table.log[-1].seq


def test_every_command_of_an_older_session_is_refused() -> None:
    table = running(ANN, BEN)
    table.play(BEN, "3a")
    player, session, c, n = table.at(BEN)
    accepted(table.run(Join(BEN, "Ben")))
    seq = table.race.seq
    older: list[Command] = [
        Move(player, session, c, n, "3b"),
        Undo(player, session, c, n),
        Leave(player, session, c),
        Resign(player, session, c),
        Say(player, session, c, "Ben", "hello"),
        Move(player, session, c - 1, n - 1, "3a"),
    ]
    for command in older:
        assert refused(table.run(command)) == "superseded"
    assert table.race.seq == seq


def test_the_newest_session_goes_on_where_the_older_one_was() -> None:
    table = running(ANN, BEN)
    table.play(BEN, "3a")
    taken = Move(*table.at(BEN), "3b")
    accepted(table.run(taken))
    accepted(table.run(Join(BEN, "Ben")))
    resent = Move(BEN, table.member(BEN).session, taken.c, taken.n, taken.text)
    assert repeated(table.run(resent)).c == taken.c
    table.play(BEN, "3c")
    assert table.member(BEN).n == 3


# A lost tail.


def test_after_a_lost_tail_what_is_sent_again_from_last_c_on_is_taken_again() -> None:
    table = running(ANN, BEN)
    sent = []
    for text in ("3a", "ab", "ba", "ab"):
        sent.append(Move(*table.at(ANN), text))
        accepted(table.run(sent[-1]))
    whole = table.race
    del table.log[-2:]
    table.race = fold(table.log)
    accepted(table.run(NoteTailLoss()))
    for command in sent:
        verdict = table.run(command)
        if command.c <= sent[1].c:
            repeated(verdict)
        else:
            accepted(verdict)
    assert table.member(ANN).game == whole.members[ANN].game
    assert table.member(ANN).last_c == sent[-1].c


# What events hold.


def test_events_record_outcomes_and_never_notation() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("5H 4S 3D", "6C"))
    table.play(ANN, "12")
    assert table.log[-1].event == Moved(ANN, 2, move("1", "2", 3))
    table.play(ANN, "21v2")
    assert table.log[-1].event == Moved(ANN, 3, move("2", "1", 2))
    texts = [field.name for kind in (Moved, AutoFinished) for field in fields(kind)]
    assert set(texts) == {"player", "c", "move", "sent", "moves"}


def test_evolve_never_judges() -> None:
    table = running(ANN, BEN)
    state = evolve(table.race, Stamped(table.race.seq + 1, T0, Moved(ANN, 7, move("3", "1", 2))))
    game = state.members[ANN].game
    assert game is not None
    assert len(game.position.cascades[0]) == 9


# Two logs.


def test_rematched_holds_everything_that_the_new_races_log_begins_with() -> None:
    table = running(ANN, BEN)
    accepted(table.run(Resign(*table.who(ANN))))
    accepted(table.run(Resign(*table.who(BEN))))
    again = setup(deal=99, nonce="00" * 16, max_racers=5)
    (rematched,) = accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, again)))
    assert isinstance(rematched, Rematched)
    # Whoever folds the old log knows it, whatever else he knows.
    for race in (table.race, fold(table.log)):
        following = rematch_of(race)
        assert following is not None
        new = begin(Stamped(1, T0, following.events[0]))
        new = evolve(new, Stamped(2, T0, following.events[1]))
        life = new.life
        assert (life.code, life.host, life.setup, life.phase) == (NEXT_CODE, BEN, again, Phase.LOBBY)
        assert [(racer.player, racer.name) for racer in new.racers] == [(BEN, "Ben")]


def test_it_begins_the_same_way_however_often_and_by_whomever_it_is_carried_over() -> None:
    table = running(ANN, BEN, CEC)
    for player in (ANN, BEN, CEC):
        accepted(table.run(Resign(*table.who(player))))
    accepted(table.run(AskRematch(*table.who(BEN), NEXT_CODE, SETUP)))
    first = rematch_of(table.race)
    asked = accepted(table.run(AskRematch(*table.who(ANN), RaceCode("ZZZZZZZZ"), setup(deal=4))))
    assert isinstance(asked[0], RematchAsked)
    assert rematch_of(table.race) == first


# Size.


def test_a_racer_makes_3000_board_commands_at_most() -> None:
    assert MAX_BOARD_COMMANDS == 3000
    table = running(ANN, BEN)
    table.fidget(ANN, MAX_BOARD_COMMANDS)
    verdict = table.run(Move(*table.at(ANN), "3a"))
    assert refused(verdict) == "too_many_actions"
    assert isinstance(verdict, Refusal)
    assert "3000" in verdict.detail
    assert refused(table.run(Undo(*table.at(ANN)))) == "too_many_actions"
    table.play(BEN, "3a")
    assert fold(table.log) == table.race


def test_a_race_has_500_chat_lines_at_most() -> None:
    assert MAX_CHAT_LINES == 500
    table = lobby(ANN, BEN)
    for place in range(MAX_CHAT_LINES):
        player = (ANN, BEN, CEC)[place % 3]
        accepted(table.run(Say(*table.who(player), player.title(), "hello")))
    assert refused(table.run(Say(*table.who(ANN), "Ann", "hello"))) == "chat_full"


def test_undo_history_is_kept_packed_and_not_as_whole_positions() -> None:
    table = running(ANN, BEN)
    table.fidget(ANN, 100)
    game = table.member(ANN).game
    assert game is not None
    past, depth = game.past, 0
    while past is not None:
        assert isinstance(past.action, int)
        assert past.action < 2**13
        past, depth = past.below, depth + 1
    assert depth == 100


def test_one_nodes_tick_and_anothers_are_twice_harmless() -> None:
    table = lobby(ANN, BEN)
    accepted(table.run(Start(*table.who(ANN))))
    table.now_ms = table.race.life.starts_at
    accepted(table.run(Tick()))
    assert table.run(Tick()) is NOT_DUE


def test_finish_order_is_log_order_even_within_one_millisecond() -> None:
    table = running(ANN, BEN)
    for player in (ANN, BEN):
        table.solve(player, but=1)
    batch = [Request(AutoFinish(*table.at(player)), lambda _: None) for player in (BEN, ANN)]
    plan = make_plan(table.race, batch, table.now_ms)
    table.append(*plan.events)
    finished = [stamped.event.player for stamped in table.log if isinstance(stamped.event, Finished)]
    assert finished == [BEN, ANN]
    assert (table.member(BEN).rank, table.member(ANN).rank) == (1, 2)
    assert table.member(BEN).ended_at == table.member(ANN).ended_at


def test_every_board_command_carries_its_n_and_every_numbered_one_its_session_and_c() -> None:
    for kind in get_args(BoardCommand):
        assert issubclass(kind, Board)
        assert [field.name for field in fields(kind)][:4] == ["player", "session", "c", "n"]
    for kind in get_args(Command):
        if issubclass(kind, Numbered):
            assert [field.name for field in fields(kind)][:3] == ["player", "session", "c"]
