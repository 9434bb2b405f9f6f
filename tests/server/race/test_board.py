from collections.abc import Callable

import pytest

from server.freecell.deal import deal
from server.freecell.moves import Move as CardMove
from server.freecell.rulesets import RULESETS, customise
from server.race.commands import (
    AskRematch,
    AutoFinish,
    BoardCommand,
    Join,
    Leave,
    Move,
    Redo,
    Resign,
    Restart,
    Send,
    Tick,
    Undo,
)
from server.race.decide import decide
from server.race.decision import Decision, Refusal, Wake
from server.race.events import (
    AutoFinished,
    Ended,
    Finished,
    Moved,
    Redone,
    Resigned,
    Restarted,
    Undone,
)
from server.race.state import MAX_BOARD_COMMANDS, Ending, Member, PlayerId, Standing
from tests.server.freecell.boards import board, move
from tests.server.race.races import (
    ANN,
    BEN,
    CEC,
    NEXT_CODE,
    SETUP,
    Table,
    accepted,
    lobby,
    refused,
    running,
)

COMMANDS: list[Callable[[tuple[PlayerId, int, int, int]], BoardCommand]] = [
    lambda at: Move(*at, "3a"),
    lambda at: Send(*at, "3", 1),
    lambda at: Undo(*at),
    lambda at: Redo(*at),
    lambda at: Restart(*at),
    lambda at: AutoFinish(*at),
]

# Two cards from the end, and auto-finish offered.
NEARLY = board("KS", "KH", home="QS QH KD KC")


def over() -> Table:
    table = running(ANN)
    accepted(table.run(Resign(*table.who(ANN))))
    return table


# When a board takes commands.


@pytest.mark.parametrize("make", COMMANDS)
@pytest.mark.parametrize(("table", "code"), [(lobby(ANN), "not_running"), (over(), "race_over")])
def test_a_board_is_open_only_while_the_race_runs(
    table: Table, code: str, make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand]
) -> None:
    assert refused(table.run(make(table.at(ANN)))) == code


@pytest.mark.parametrize("make", COMMANDS)
def test_after_a_win_a_board_is_closed_to_every_command(
    make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand],
) -> None:
    table = running(ANN, BEN)
    table.solve(ANN)
    assert table.member(ANN).standing is Standing.FINISHED
    assert refused(table.run(make(table.at(ANN)))) == "not_racing"
    assert refused(table.run(Resign(*table.who(ANN)))) == "not_racing"


@pytest.mark.parametrize("make", COMMANDS)
def test_after_resigning_a_board_is_closed_to_every_command(
    make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand],
) -> None:
    table = running(ANN, BEN)
    accepted(table.run(Resign(*table.who(ANN))))
    assert refused(table.run(make(table.at(ANN)))) == "not_racing"


@pytest.mark.parametrize("make", [*COMMANDS, lambda at: Resign(*at[:3])])
def test_at_the_end_of_the_time_a_board_is_closed_before_anyone_has_looked(
    make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand | Resign],
) -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    at = table.at(ANN)
    verdict = decide(table.race, make(at), table.race.life.ends_at)
    assert isinstance(verdict, Refusal)
    assert verdict.code == "not_racing"
    assert "time" in verdict.detail


@pytest.mark.parametrize("make", COMMANDS)
@pytest.mark.parametrize("off", [-1, 1, 1000])
def test_a_command_for_another_version_of_the_board_is_refused(
    off: int, make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand]
) -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a", "3b")
    player, session, c, n = table.at(ANN)
    assert refused(table.run(make((player, session, c, n + off)))) == "stale_board"


@pytest.mark.parametrize("make", COMMANDS)
def test_a_board_takes_3000_commands_and_then_only_resigning(
    make: Callable[[tuple[PlayerId, int, int, int]], BoardCommand],
) -> None:
    table = running(ANN, BEN)
    full: Member = table.member(ANN)._replace(n=MAX_BOARD_COMMANDS)
    table.race = table.race._replace(members={**table.race.members, ANN: full})
    assert refused(table.run(make(table.at(ANN)))) == "too_many_actions"
    accepted(table.run(Resign(*table.who(ANN))))


# Moves.


def test_a_move_is_stored_as_its_outcome() -> None:
    table = running(ANN, BEN)
    command = Move(*table.at(ANN), "3A")
    moved = Moved(ANN, command.c, move("3", "a"))
    assert table.run(command) == Decision((moved,), not_after=table.race.life.ends_at - 1)
    assert table.position(ANN).cells[0] is not None
    assert table.position(BEN) == deal(617)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "is not a move"), ("3x", "is not a move"), ("31", "goes on"), ("3h", "KC cannot go home yet")],
)
def test_an_illegal_move_is_refused_with_the_reason(text: str, reason: str) -> None:
    table = running(ANN, BEN)
    verdict = table.run(Move(*table.at(ANN), text))
    assert refused(verdict) == "illegal_move"
    assert isinstance(verdict, Refusal)
    assert reason in verdict.detail
    assert table.position(ANN) == deal(617)


def test_a_card_sent_goes_where_the_server_says() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("AS", "9S", "TD"))
    command = Send(*table.at(ANN), "1", 1)
    assert accepted(table.run(command)) == (Moved(ANN, command.c, move("1", "hs"), sent=True),)
    accepted(table.run(Send(*table.at(ANN), "2", 1)))
    assert table.position(ANN) == board("", "", "TD 9S", home="AS")


def test_a_run_is_sent_by_its_head() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("TD 9S 8H", "TH"))
    command = Send(*table.at(ANN), "1", 2)
    assert accepted(table.run(command)) == (Moved(ANN, command.c, move("1", "2", 2), sent=True),)


@pytest.mark.parametrize(("pile", "count"), [("9", 1), ("", 1), ("a", 1), ("3", 13), ("3", 0)])
def test_what_cannot_be_sent_is_refused(pile: str, count: int) -> None:
    table = running(ANN, BEN)
    assert refused(table.run(Send(*table.at(ANN), pile, count))) == "illegal_move"


def test_where_the_rules_have_no_send_it_is_refused() -> None:
    table = running(ANN, BEN, rules=RULESETS["classic"])
    assert refused(table.run(Send(*table.at(ANN), "3", 1))) == "illegal_move"


# Undo, redo, restart.


def test_undo_and_redo() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    played = table.position(ANN)
    undo = Undo(*table.at(ANN))
    assert accepted(table.run(undo)) == (Undone(ANN, undo.c),)
    assert table.position(ANN) == deal(617)
    redo = Redo(*table.at(ANN))
    assert accepted(table.run(redo)) == (Redone(ANN, redo.c),)
    assert table.position(ANN) == played


def test_with_nothing_to_take_back_or_do_again_they_are_refused() -> None:
    table = running(ANN, BEN)
    assert refused(table.run(Undo(*table.at(ANN)))) == "nothing_to_undo"
    assert refused(table.run(Redo(*table.at(ANN)))) == "nothing_to_redo"


def test_beyond_its_limit_an_undo_is_refused_and_the_limit_told() -> None:
    table = running(ANN, BEN, rules=customise("race", undo_limit=2))
    table.play(ANN, "3a", "3b", "3c")
    for _ in range(2):
        accepted(table.run(Undo(*table.at(ANN))))
    verdict = table.run(Undo(*table.at(ANN)))
    assert refused(verdict) == "nothing_to_undo"
    assert isinstance(verdict, Refusal)
    assert "2 actions" in verdict.detail


def test_where_the_rules_have_no_redo_it_is_refused() -> None:
    table = running(ANN, BEN, rules=RULESETS["classic"])
    table.play(ANN, "3a")
    accepted(table.run(Undo(*table.at(ANN))))
    assert refused(table.run(Redo(*table.at(ANN)))) == "not_in_rules"


def test_a_restart_is_an_action_that_can_be_undone() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a", "3b")
    played = table.position(ANN)
    restart = Restart(*table.at(ANN))
    assert accepted(table.run(restart)) == (Restarted(ANN, restart.c),)
    assert table.position(ANN) == deal(617)
    accepted(table.run(Undo(*table.at(ANN))))
    assert table.position(ANN) == played


# Winning.


def test_the_last_card_home_finishes_the_race_for_its_racer() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("KS", home="QS KH KD KC"))
    command = Move(*table.at(ANN), "1h")
    moved = Moved(ANN, command.c, move("1", "hs"))
    assert table.run(command) == Decision((moved, Finished(ANN)), not_after=table.race.life.ends_at - 1)
    assert (table.member(ANN).rank, table.member(ANN).ended_at) == (1, table.now_ms)


def test_a_card_sent_home_can_win_too() -> None:
    table = running(ANN, BEN)
    table.put(ANN, board("KS", home="QS KH KD KC"))
    assert accepted(table.run(Send(*table.at(ANN), "1", 1)))[1:] == (Finished(ANN),)


def test_the_last_but_one_card_home_is_no_win() -> None:
    table = running(ANN, BEN)
    table.put(ANN, NEARLY)
    assert len(accepted(table.run(Move(*table.at(ANN), "1h")))) == 1
    assert len(accepted(table.run(Move(*table.at(ANN), "2a")))) == 1


def test_auto_finish_sends_the_rest_home_and_wins() -> None:
    table = running(ANN, BEN)
    table.put(ANN, NEARLY)
    command = AutoFinish(*table.at(ANN))
    moves: tuple[CardMove, ...] = (move("1", "hs"), move("2", "hh"))
    assert accepted(table.run(command)) == (AutoFinished(ANN, command.c, moves), Finished(ANN))
    assert table.position(ANN).is_won


def test_auto_finish_is_refused_while_not_offered() -> None:
    table = running(ANN, BEN)
    assert refused(table.run(AutoFinish(*table.at(ANN)))) == "illegal_move"


def test_where_the_rules_have_no_auto_finish_it_is_refused() -> None:
    table = running(ANN, BEN, rules=RULESETS["classic"])
    table.put(ANN, NEARLY)
    assert refused(table.run(AutoFinish(*table.at(ANN)))) == "not_in_rules"


def test_the_race_is_over_when_the_last_racer_has_finished() -> None:
    table = running(ANN, BEN)
    table.put(ANN, NEARLY)
    table.put(BEN, NEARLY)
    accepted(table.run(AutoFinish(*table.at(BEN))))
    verdict = table.run(AutoFinish(*table.at(ANN)))
    assert isinstance(verdict, Decision)
    assert verdict.events[1:] == (Finished(ANN), Ended(Ending.FINISHED))
    assert verdict.wake is Wake.CLEAR
    assert (table.member(BEN).rank, table.member(ANN).rank) == (1, 2)


# Resigning.


def test_resigning_closes_the_board_and_keeps_the_seat() -> None:
    table = running(ANN, BEN)
    command = Resign(*table.who(ANN))
    assert table.run(command) == Decision((Resigned(ANN, command.c),), not_after=table.race.life.ends_at - 1)
    assert (table.member(ANN).standing, table.member(ANN).ended_at) == (Standing.RESIGNED, table.now_ms)
    assert table.member(ANN).seated


def test_the_race_is_over_when_the_last_racer_resigns() -> None:
    table = running(ANN, BEN, CEC)
    table.put(BEN, NEARLY)
    accepted(table.run(AutoFinish(*table.at(BEN))))
    accepted(table.run(Resign(*table.who(CEC))))
    command = Resign(*table.who(ANN))
    ended = (Resigned(ANN, command.c), Ended(Ending.FINISHED))
    not_after = table.race.life.ends_at - 1
    assert table.run(command) == Decision(ended, not_after=not_after, wake=Wake.CLEAR)


def test_there_is_nothing_to_resign_before_the_start_or_after_the_end() -> None:
    assert refused((before := lobby(ANN)).run(Resign(*before.who(ANN)))) == "not_running"
    assert refused((after := over()).run(Resign(*after.who(ANN)))) == "race_over"


def test_who_is_out_of_time_can_come_back_and_ask_for_another_race() -> None:
    table = running(ANN, BEN)
    table.now_ms = table.race.life.ends_at
    accepted(table.run(Tick()))
    accepted(table.run(Join(ANN, "Ann")))
    assert refused(table.run(Leave(*table.who(ANN)))) == "race_over"
    accepted(table.run(AskRematch(*table.who(ANN), NEXT_CODE, SETUP)))
