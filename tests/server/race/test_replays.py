from server.freecell.deal import deal
from server.freecell.movement import carry_all
from server.freecell.moves import Move as CardMove
from server.freecell.moves import apply, carry
from server.freecell.notation import read_move
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS, customise
from server.race.commands import AutoFinish, Join, Redo, Resign, Restart, Say, Send, Undo
from server.race.replays import Step, steps
from server.race.views import BoardView
from tests.server.freecell.boards import move
from tests.server.race.races import ANN, BEN, CEC, SOLVED, Table, accepted, running

RULES = RULESETS["race"]


def replay(table: Table) -> list[Step]:
    return list(steps(table.log, ANN))


def test_every_kind_of_step_at_its_time() -> None:
    table = running(ANN, BEN)
    start = table.race.life.started_at
    table.play(ANN, "3a")
    played = table.position(ANN)
    commands: list[type[Undo | Redo | Restart]] = [Undo, Redo, Restart, Undo, Redo]
    for place, command in enumerate(commands, start=1):
        table.now_ms = start + 2000 * place
        accepted(table.run(command(*table.at(ANN))))
    accepted(table.run(Send(*table.at(ANN), "3", 1)))
    assert replay(table) == [
        Step(1000, "move", ("3a",), (move("3", "a"),), None),
        Step(2000, "undo", (), (move("a", "3"),), None),
        Step(4000, "redo", (), (move("3", "a"),), None),
        Step(6000, "restart", (), (), BoardView(deal(617), 4, 0, 2)),
        Step(8000, "undo", (), (), BoardView(played, 5, 0, 2)),
        Step(10000, "redo", (), (), BoardView(deal(617), 6, 0, 2)),
        Step(10000, "send", ("3a",), (move("3", "a"),), None),
    ]


def test_cards_that_moved_together_are_replayed_card_by_card_too() -> None:
    table = running(ANN, BEN)
    table.solve(ANN)
    for step in replay(table):
        together = [made for made in step.moves if made.count > 1]
        assert bool(step.singles) == bool(together)
        assert all(made.count == 1 for made in step.singles)
    assert any(step.singles for step in replay(table))


def test_a_solution_replayed_is_the_solution_again_and_wins() -> None:
    table = running(ANN, BEN)
    table.solve(ANN)
    position = deal(617)
    for step in replay(table):
        for text in step.notation:
            made = read_move(text, position, RULES)
            after = apply(position, made, RULES) if isinstance(made, CardMove) else made
            assert isinstance(after, Position)
            position = after
    assert position.is_won
    assert len(replay(table)) == len(SOLVED[617, 4])


def test_an_auto_finish_is_written_out_as_its_single_moves() -> None:
    table = running(ANN, BEN)
    table.solve(ANN, but=13)
    position = table.position(ANN)
    accepted(table.run(AutoFinish(*table.at(ANN))))
    last = replay(table)[-1]
    assert (last.what, last.board, len(last.notation)) == ("auto_finish", None, 52 - position.home)
    assert carry_all(position, last.moves).is_won
    for text, made in zip(last.notation, last.moves, strict=True):
        assert read_move(text, position, RULES) == made
        position = carry(position, made)


def test_other_boards_and_all_else_are_passed_over() -> None:
    table = running(ANN, BEN)
    table.play(ANN, "3a")
    table.play(BEN, "3b", "3c")
    accepted(table.run(Join(BEN, "Ben")))
    accepted(table.run(Say(CEC, 0, 1, "Cec", "hello")))
    accepted(table.run(Undo(*table.at(BEN))))
    accepted(table.run(Resign(*table.who(BEN))))
    table.play(ANN, "3b")
    assert [step.notation for step in replay(table)] == [("3a",), ("3b",)]
    assert list(steps(table.log, CEC)) == []


def test_a_card_taken_off_a_foundation_is_written_too() -> None:
    table = running(ANN, BEN, rules=customise("race", returns=True))
    for text in SOLVED[617, 4]:
        table.play(ANN, text)
        if text == "7h":
            break
    withdrawal = "hs" + "abcd"[table.position(ANN).cells.index(None)]
    table.play(ANN, withdrawal)
    assert replay(table)[-1].notation == (withdrawal,)
