from dataclasses import replace

import pytest

from server.race.commands import Leave
from server.race.state import (
    LOBBY_LIFE_MS,
    SEATED,
    ChatLine,
    Ending,
    Life,
    Member,
    Phase,
    Race,
    Rematch,
    Standing,
)
from tests.server.race.races import ANN, BEN, CEC, CODE, NEXT_CODE, SETUP, T0, accepted, lobby, setup

LIFE = Life(CODE, "first", ANN, ANN, SETUP, T0)
NEXT = Rematch(NEXT_CODE, SETUP, ANN, "Ann")


@pytest.mark.parametrize(
    ("life", "deadline"),
    [
        (LIFE, T0 + LOBBY_LIFE_MS),
        (replace(LIFE, phase=Phase.COUNTDOWN, countdown_at=T0 + 7), T0 + 7 + 5_000),
        (replace(LIFE, phase=Phase.RUNNING, started_at=T0 + 9), T0 + 9 + 1_800_000),
        (replace(LIFE, phase=Phase.OVER, over_at=T0 + 11), None),
        (replace(LIFE, phase=Phase.OVER, over_at=T0 + 11, rematch=NEXT), T0 + 11),
        (replace(LIFE, phase=Phase.OVER, over_at=T0 + 11, rematch=replace(NEXT, made=True)), None),
    ],
)
def test_every_phase_has_its_deadline(life: Life, deadline: int | None) -> None:
    assert Race(1, life, {}).next_deadline == deadline


def test_the_end_is_the_first_millisecond_that_is_too_late() -> None:
    life = replace(LIFE, started_at=T0, setup=setup(time_limit_ms=60_000))
    assert life.ends_at == T0 + 60_000


def test_a_race_has_started_once_there_is_a_layout() -> None:
    assert not LIFE.has_started
    assert not replace(LIFE, phase=Phase.OVER, ending=Ending.EXPIRED).has_started


@pytest.mark.parametrize("standing", Standing)
def test_those_who_race_or_raced_have_a_seat(standing: Standing) -> None:
    member = Member(ANN, "Ann", standing)
    assert member.seated == (standing in SEATED)
    assert member.seated != (standing in (Standing.GONE, Standing.KICKED, Standing.WATCHING))


def test_racers_are_those_with_a_seat_in_the_order_of_taking_it() -> None:
    table = lobby(ANN, BEN, CEC)
    accepted(table.run(Leave(*table.who(BEN))))
    assert [racer.player for racer in table.race.racers] == [ANN, CEC]
    assert list(table.race.members) == [ANN, BEN, CEC]


def test_a_race_is_made_of_values_that_cannot_be_changed() -> None:
    race = lobby(ANN).race
    with pytest.raises(AttributeError):
        race.life.host = BEN  # type: ignore[misc]  # what is tested
    with pytest.raises(AttributeError):
        race.seq = 9  # type: ignore[misc]  # what is tested
    with pytest.raises(AttributeError):
        race.members[ANN].n = 9  # type: ignore[misc]  # what is tested
    with pytest.raises(AttributeError):
        ChatLine(1, ANN, "Ann", "hello", watcher=False).text = ""  # type: ignore[misc]  # what is tested
