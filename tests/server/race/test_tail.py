"""The note in a log that events which some had seen are lost."""

import pytest

from server.race.commands import NoteTailLoss
from server.race.decision import Decision, Wake
from server.race.events import Ended, Stamped, TailLost
from server.race.state import LOBBY_LIFE_MS, Ending
from server.race.views import View, update
from tests.server.race.races import Table


def test_the_note_sets_the_deadline_anew_which_may_be_lost_as_well() -> None:
    table = Table()
    table.now_ms += 1000
    assert table.run(NoteTailLoss()) == Decision((TailLost(),), wake=LOBBY_LIFE_MS - 1000)


def test_the_note_in_a_race_that_is_over_clears_the_deadline() -> None:
    table = Table()
    table.append(Ended(Ending.ABANDONED))
    assert table.run(NoteTailLoss()) == Decision((TailLost(),), wake=Wake.CLEAR)


@pytest.mark.parametrize("view", View)
def test_the_note_changes_nothing_that_is_shown(view: View) -> None:
    table = Table()
    before = table.race
    table.append(TailLost())
    assert table.race == before._replace(seq=before.seq + 1)
    assert update(before, Stamped(table.race.seq, table.now_ms, TailLost()), table.race, view) == ()
