"""What holds of every race there can be."""

from random import Random
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from server.freecell.cards import DECK
from server.freecell.game import can_redo, can_undo, redo, undo
from server.race.commands import Redo, Restart, Undo
from server.race.decision import Decision
from server.race.events import Event
from server.race.evolve import fold
from server.race.state import Member, Phase, Standing
from server.race.views import View, board_of, merge, update
from tests.server.freecell.boards import all_cards
from tests.server.race.crowd import any_race
from tests.server.race.pictures import changed, changes_between, picture_of
from tests.server.race.races import ANN, BEN, SOLVED, Table, accepted, running
from tests.server.race.sound import assert_sound, assert_sound_log

races = st.builds(
    lambda seed, steps: any_race(Random(seed), steps), st.integers(0, 2**32), st.integers(0, 150)
)
"""Races in which anything was tried up to 150 times."""


@given(races)
@settings(max_examples=100)
def test_the_fold_of_the_log_is_the_live_state(table: Table) -> None:
    assert fold(table.log) == table.race


@given(races, st.sampled_from(View))
@settings(max_examples=80)
def test_the_changes_of_an_event_lead_from_the_picture_before_it_to_the_picture_after_it(
    table: Table, view: View
) -> None:
    pictures = [picture_of(state, view) for state in table.states]
    for place, stamped in enumerate(table.log[1:], start=1):
        changes = update(table.states[place - 1], stamped, table.states[place], view)
        assert changed(pictures[place - 1], changes) == pictures[place], stamped


@given(races, st.integers(0, 2**32))
@settings(max_examples=80)
def test_the_merged_changes_of_any_range_lead_from_its_first_picture_to_its_last(
    table: Table, seed: int
) -> None:
    random = Random(seed)
    for place in range(20):
        first = random.randint(1, table.race.seq) if place else 1
        last = min(first + random.choice((0, 1, 5, 20)), table.race.seq) if place else table.race.seq
        for view in View:
            changes = changes_between(table, first, last, view)
            merged = merge(changes)
            assert len(merged) <= len(changes)
            before = picture_of(table.states[first - 1], view)
            assert changed(before, merged) == picture_of(table.states[last - 1], view)


@given(races)
@settings(max_examples=80)
def test_merging_loses_no_move_and_nothing_of_the_races_life(table: Table) -> None:
    for view in View:
        changes = changes_between(table, 1, table.race.seq, view)
        kinds = [type(change).__name__ for change in changes if type(change).__name__ != "RacerChange"]
        merged = [
            type(change).__name__ for change in merge(changes) if type(change).__name__ != "RacerChange"
        ]
        assert merged == kinds


def shown(member: Member) -> object:
    """A board as it is shown, but for its version and the count of its actions."""
    board = board_of(member)
    assert board is not None
    return board.position, board.score


@given(races)
@settings(max_examples=100)
def test_undoing_all_a_racer_did_and_doing_it_again_goes_back_and_forth_the_same_way(table: Table) -> None:
    if table.race.life.phase is not Phase.RUNNING:
        return
    for racer in table.race.racers:
        if racer.standing is not Standing.RACING or table.now_ms >= table.race.life.ends_at:
            continue
        seen = [shown(racer)]
        while isinstance(table.run(Undo(*table.at(racer.player))), Decision):
            seen.append(shown(table.member(racer.player)))
        rules = table.race.life.setup.rules
        if rules.undo_limit is not None:
            assert len(seen) - 1 <= rules.undo_limit
        for before in reversed(seen[:-1]):
            if rules.redo:
                accepted(table.run(Redo(*table.at(racer.player))))
                assert shown(table.member(racer.player)) == before


@given(races)
@settings(max_examples=100)
def test_every_board_has_its_52_cards_and_every_history_leads_back_over_such_boards(table: Table) -> None:
    for member in table.race.members.values():
        game = member.game
        if game is None:
            continue
        assert sorted(all_cards(game.position)) == list(DECK)
        while can_undo(game):
            game = undo(game)
            assert sorted(all_cards(game.position)) == list(DECK)
        while can_redo(game):
            game = redo(game)
        assert sorted(all_cards(game.position)) == list(DECK)


@given(races)
@settings(max_examples=100)
def test_seats_ranks_and_times_hold_together_in_every_state(table: Table) -> None:
    for state in table.states:
        assert_sound(state)
    assert_sound_log(table.log, table.states)


def test_the_crowd_gets_races_somewhere() -> None:
    """Were the random races all alike, the properties above would show little."""
    seen = [any_race(Random(seed), seed) for seed in range(150)]
    phases = {state.life.phase for table in seen for state in table.states}
    endings = {table.race.life.ending for table in seen}
    kinds = {type(stamped.event).__name__ for table in seen for stamped in table.log}
    assert phases == set(Phase)
    assert len(endings) >= 3
    assert kinds == {kind.__name__ for kind in get_args(Event)}
    assert max(table.race.life.finishers for table in seen) >= 2
    assert sum(len(table.log) for table in seen) > 10_000


def test_a_whole_solution_undone_and_redone_through_the_race() -> None:
    for (deal, cells), moves in SOLVED.items():
        if (deal, cells) != (617, 4):
            continue
        table = running(ANN, BEN)
        table.solve(ANN, but=1)
        end = shown(table.member(ANN))
        for _ in moves[1:]:
            accepted(table.run(Undo(*table.at(ANN))))
        assert shown(table.member(ANN)) == shown(table.member(BEN))
        for _ in moves[1:]:
            accepted(table.run(Redo(*table.at(ANN))))
        assert shown(table.member(ANN)) == end
        accepted(table.run(Restart(*table.at(ANN))))
        accepted(table.run(Undo(*table.at(ANN))))
        assert shown(table.member(ANN)) == end
