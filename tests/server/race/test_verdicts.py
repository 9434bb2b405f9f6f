import pytest

from server.race.commands import Resign
from server.race.verdicts import judged_boards
from server.race.views import View, seat_access, watch_access
from tests.server.race.races import ANN, BEN, CEC, accepted, lobby, running


def test_whoever_sees_boards_is_told_of_all_that_are_not_won() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    boards = judged_boards(table.race, View.BOARDS)
    assert {player: board.n for player, board in boards.items()} == {ANN: 1, BEN: 0}
    assert boards[ANN].position == table.position(ANN)
    table.solve(BEN)
    assert list(judged_boards(table.race, View.BOARDS)) == [ANN]


def test_before_the_deal_there_is_nothing_to_judge() -> None:
    assert judged_boards(lobby(ANN, BEN).race, View.BOARDS) == {}


@pytest.mark.parametrize("view", [View.RACER, View.PROGRESS])
def test_whoever_sees_progress_is_told_nothing(view: View) -> None:
    assert judged_boards(running(ANN, BEN).race, view) == {}


def test_a_racer_is_told_nothing_before_he_is_done_and_at_his_seat_before_all_are() -> None:
    table = running(ANN, BEN)

    def at_his_seat() -> bool:
        return bool(judged_boards(table.race, seat_access(table.race).view))

    def watching() -> bool:
        access = watch_access(table.race, ANN)
        return access is not None and bool(judged_boards(table.race, access.view))

    assert not at_his_seat()
    assert not watching()
    accepted(table.run(Resign(*table.who(ANN))))
    assert not at_his_seat()
    assert watching()
    accepted(table.run(Resign(*table.who(BEN))))
    assert at_his_seat()
    stranger = watch_access(table.race, CEC)
    assert stranger is not None
    assert list(judged_boards(table.race, stranger.view)) == [ANN, BEN]
