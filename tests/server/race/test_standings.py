from server.race.commands import Leave, Move, Resign, Restart, Say
from server.race.standings import standings
from server.race.state import Standing
from tests.server.freecell.boards import board
from tests.server.race.races import ANN, BEN, CEC, DAN, Table, accepted, lobby, running


def order(table: Table) -> list[str]:
    return [member.player for member in standings(table.race)]


def test_before_the_start_racers_stand_as_they_sit() -> None:
    table = lobby(BEN, ANN, CEC)
    accepted(table.run(Leave(*table.who(ANN))))
    accepted(table.run(Say(DAN, 0, 1, "Dan", "hello")))
    assert order(table) == [BEN, CEC]


def test_who_finished_comes_first_in_the_order_of_the_log() -> None:
    table = running(ANN, BEN, CEC)
    for player in (CEC, ANN):
        table.put(player, board("KS", home="QS KH KD KC"))
        table.play(player, "1h")
    assert order(table) == [CEC, ANN, BEN]


def test_the_rest_by_cards_home_then_by_the_fewest_actions() -> None:
    table = running(ANN, BEN, CEC, DAN)
    table.put(BEN, board("2S", home="AS"))
    table.put(CEC, board("2S", "9D", home="AS"))
    table.put(DAN, board("KS", "9D"))
    table.play(CEC, "2a")
    table.play(BEN, "1h")
    table.play(CEC, "1h")
    table.play(DAN, "2a")
    assert order(table) == [BEN, CEC, ANN, DAN]


def test_who_resigned_keeps_the_place_his_cards_give_him() -> None:
    table = running(ANN, BEN)
    table.put(BEN, board("2S", home="AS"))
    table.play(BEN, "1h")
    accepted(table.run(Resign(*table.who(BEN))))
    assert table.member(BEN).standing is Standing.RESIGNED
    assert order(table) == [BEN, ANN]


def test_a_restart_sends_the_cards_and_the_place_back() -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=20)
    assert order(table)[0] == ANN
    accepted(table.run(Restart(*table.at(ANN))))
    accepted(table.run(Move(*table.at(BEN), "3a")))
    assert order(table) == [BEN, ANN]
