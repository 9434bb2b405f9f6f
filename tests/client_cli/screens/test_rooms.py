import pytest
from msgspec.structs import replace

from client_cli.screens.after import AfterScreen
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.room import Room
from client_cli.screens.rooms import room_for, whose_replay
from client_cli.screens.wall import WallScreen
from client_cli.session import Session
from protocol.commands import Watch
from protocol.events import Watching
from protocol.views import Phase
from tests.client_cli.samples import BOB, ME, RACE, hear, in_lobby, racer, racing, snapshot, welcome

WATCHING = hear(Session(Watch(RACE)), welcome(), Watching(RACE, "boards"))
DONE = hear(
    in_lobby(), snapshot("running", racers=(racer(state="resigned"), racer(BOB, "bob", state="racing")))
)


def shown(
    session: Session, phase: Phase, *, has_more: bool = False, is_replaying: bool = False
) -> type[Room]:
    return room_for(session, phase, has_more=has_more, is_replaying=is_replaying)


@pytest.mark.parametrize(
    ("phase", "at_the_seat", "watching"),
    [
        ("lobby", LobbyScreen, WallScreen),
        ("countdown", CountdownScreen, WallScreen),
        ("running", RaceScreen, WallScreen),
        ("over", AfterScreen, AfterScreen),
    ],
)
def test_by_the_phase_and_whether_one_has_a_seat(
    phase: Phase, at_the_seat: type[Room], watching: type[Room]
) -> None:
    assert shown(racing(), phase) is at_the_seat
    assert shown(WATCHING, phase) is watching


def test_several_races_stay_on_the_wall() -> None:
    assert shown(WATCHING, "over", has_more=True) is WallScreen


def test_a_seat_comes_before_the_wall_until_ones_own_board_is_done() -> None:
    assert shown(racing(), "running", has_more=True) is RaceScreen
    assert shown(DONE, "running", has_more=True) is WallScreen
    assert shown(DONE, "running") is RaceScreen


def test_a_replay_is_there_once_the_race_is_over() -> None:
    for session in (racing(), WATCHING):
        assert shown(session, "over", is_replaying=True) is ReplayScreen
        assert shown(session, "running", is_replaying=True) is not ReplayScreen


def test_whose_replay() -> None:
    first = replace(racer(BOB, "Bob"), state="finished", home=52, rank=1)
    session = hear(in_lobby(), snapshot("over", racers=(racer(), first)))
    for name, player in (("", BOB), ("BOB", BOB), ("ann", ME)):
        found = whose_replay(session, name)
        assert found is not None
        assert found.player == player
    assert whose_replay(session, "zoe") is None
    assert whose_replay(Session(Watch(RACE)), "") is None
