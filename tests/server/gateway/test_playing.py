"""Playing over real sockets: moves and their answers, hints, the replay, the end."""

import msgspec

from protocol import commands, events, picture
from server.race.state import KEPT_ANSWERS
from tests.server.gateway.house import AT_ONCE, House
from tests.server.gateway.told import SOLUTION, refused, shown


async def test_every_board_command_and_the_board_stays_in_step(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    chair = ana.chair(race)
    ack = await ana.did(commands.Move, race, move="5a")
    assert (ack.n, ack.actions, ack.undo, ack.redo, ack.moves) == (1, 1, True, False, (("5", "a", 1),))
    ack = await ana.did(commands.Undo, race)
    assert (ack.n, ack.actions, ack.undo, ack.redo) == (2, 1, False, True)
    ack = await ana.did(commands.Redo, race)
    ack = await ana.did(commands.Send, race, pile="5")
    assert (ack.n, ack.actions) == (4, 2)
    ack = await ana.did(commands.Restart, race)
    assert ack.board is not None
    assert chair.board == ack.board
    assert ack.board.cells == (None,) * 4
    ack = await ana.did(commands.Undo, race)
    assert ack.board is not None
    assert ack.board.cells[0] is not None
    assert (chair.n, ack.n) == (6, 6)
    await home.check()


async def test_an_illegal_move_is_refused_with_why_and_where_the_board_stands(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    before = ana.chair(race).board
    answer = refused(await ana.do(commands.Move, race, move="5a"), "illegal_move")
    assert (answer.n, answer.race, answer.c) == (1, race, 3)
    assert "cell a" in answer.detail
    assert ana.chair(race).board == before


async def test_a_run_too_long_is_refused_with_the_numbers_and_nothing_changes(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    # The next move of the solution takes three cards at once; two cards in the cells stand in its way.
    for move in (*SOLUTION[:12], "1a", "1b"):
        await ana.did(commands.Move, race, move=move)
    before, log = ana.chair(race).board, await home.log(race)
    answer = refused(await ana.do(commands.Move, race, move=SOLUTION[12]), "illegal_move")
    assert answer.detail.startswith("3 cards need 2 free cells; you have 0")
    assert answer.n == 14
    assert (ana.chair(race).board, await home.log(race)) == (before, log)


async def test_a_run_that_moves_is_told_card_by_card_too(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    for move in SOLUTION[:12]:
        assert (await ana.did(commands.Move, race, move=move)).singles == ()
    before = ana.chair(race).board
    assert before is not None
    ack = await ana.did(commands.Move, race, move=SOLUTION[12])
    assert [count for _, _, count in ack.moves] == [3]
    assert {count for _, _, count in ack.singles} == {1}
    after = picture.carry(before, ack.singles, n=ack.n, score=ack.score, actions=ack.actions)
    assert after == ana.chair(race).board


async def test_a_command_for_another_version_of_the_board_is_refused(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    for n in (0, 2, 1000):
        answer = refused(await ana.do(commands.Move, race, n=n, move="5b"), "stale_board")
        assert answer.n == 1


async def test_several_commands_may_be_sent_ahead(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    sent = [await ana.start(commands.Move, race, move=move) for move in SOLUTION[:KEPT_ANSWERS]]
    answers = [await ana.answer_to(race, c) for c in sent]
    assert [answer.n for answer in answers] == list(range(1, KEPT_ANSWERS + 1))
    acks = [event.c for event in ana.heard if isinstance(event, events.Ack)][1:]
    assert acks == sent, "they are acknowledged in order"


async def test_of_commands_sent_ahead_those_behind_a_refused_one_are_refused_too(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    sent = [await ana.start(commands.Move, race, move=move) for move in ("5a", "5a", "5b")]
    first, second, third = [await ana.answer_to(race, c) for c in sent]
    assert isinstance(first, events.Ack)
    assert refused(second, "illegal_move").n == 1
    assert refused(third, "stale_board").n == 1


async def test_the_same_number_again_is_answered_again_and_has_no_second_effect(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    ack = await ana.did(commands.Move, race, move="5a")
    length = len(await home.log(race))
    for _ in range(3):
        mark = len(ana.heard)
        await ana.send(commands.Move(race, ack.c, 0, "5a"))
        again = await ana.hear(events.Ack, mark)
        assert (again.c, again.n, again.seq, again.repeated, again.moves) == (ack.c, ack.n, ack.seq, True, ())
    # Even with another move under the same number.
    await ana.send(commands.Move(race, ack.c, 1, "5b"))
    assert len(await home.log(race)) == length


async def test_a_number_too_far_back_is_stale(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    await ana.did(commands.Move, race, move="5a")
    for _ in range(KEPT_ANSWERS):
        await ana.did(commands.Say, race, text="hello")
    mark = len(ana.heard)
    await ana.send(commands.Move(race, 2, 0, "5a"))
    refused(await ana.hear(events.Refused, mark), "stale_command")


async def test_private_messages_come_before_the_update_that_covers_them(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    for move in SOLUTION[:40]:
        await ana.start(commands.Move, race, move=move)
        await ben.did(commands.Say, race, text=move)
    await ana.answer_to(race, ana.chair(race).used_c)
    await ana.until(lambda: ana.pictures[race, "seat"].to >= ana.chair(race).acks[41].seq, "the updates")
    shown = 0
    for event in ana.heard:
        if isinstance(event, events.Update | events.Snapshot):
            shown = event.to
        elif isinstance(event, events.Ack | events.Seat):
            assert event.seq > shown


async def test_hints_and_the_calculator_as_the_race_allows(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, settings=msgspec.structs.replace(AT_ONCE, hints=True))
    hinted = await ana.ask(commands.Hint(race, 0))
    assert isinstance(hinted, events.Hinted)
    assert hinted.move is not None
    assert isinstance(await ana.do(commands.Move, race, move=hinted.move), events.Ack)
    calculated = await ana.ask(commands.Calc(race, 0, "5"))
    assert isinstance(calculated, events.Calculated)
    assert all(bool(place.most) != bool(place.why) for place in calculated.destinations)
    refused(await ana.ask(commands.Calc(race, 0, "9")), "illegal_move")
    without = await home.race(ben)
    refused(await ben.ask(commands.Hint(without, 0)), "not_in_rules")
    refused(await ben.ask(commands.Hint(race, 0)), "not_seated")


async def test_a_race_from_hello_to_replay_and_rematch(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ben.did(commands.Say, race, text="Glück auf!")
    started = home.clock.now_ms()
    for turn, move in enumerate(SOLUTION):
        await home.clock.advance(100)
        ack = await ana.did(commands.Move, race, move=move)
        assert ack.won == (turn == len(SOLUTION) - 1)
    refused(await ana.do(commands.Undo, race), "not_racing")
    finished = home.clock.now_ms() - started
    await ben.until(lambda: ben.racer(race, ana.id).rank == 1, "Ana's place")
    assert ben.racer(race, ana.id).ended_ms == finished
    await ben.did(commands.Resign, race)
    for racer in (ana, ben):
        over = await racer.reach(race, "over")
        assert over.view == "boards"
        assert [(one.name, one.state, one.rank) for one in over.picture.racers] == [
            ("Ana", "finished", 1),
            ("Ben", "resigned", None),
        ]
        assert sum(over.picture.boards[ana.id].home) == 52
        assert [line.text for line in over.picture.chat] == ["Glück auf!"]

    steps: list[events.Step] = []
    while True:
        page = await ben.ask(commands.Replay(race, 0, ana.id, len(steps)))
        assert isinstance(page, events.Replayed)
        steps += page.steps
        if not page.more:
            break
    assert [step.notation for step in steps] == [(move,) for move in SOLUTION]
    assert [step.ms for step in steps] == list(range(100, 100 * len(SOLUTION) + 1, 100))
    refused(await ben.ask(commands.Replay(race, 0, "a" * 16)), "no_such_racer")

    for racer in (ana, ben):
        await racer.did(commands.Rematch, race)
    nexts = {(await racer.hear(events.RematchReady)).next for racer in (ana, ben)}
    assert len(nexts) == 1
    for racer in (ana, ben):
        await shown(racer, race, lambda life: life.rematch in nexts)
        await racer.sit(*nexts)
    again = await home.fold(*nexts)
    assert [racer.name for racer in again.racers] == ["Ana", "Ben"]
    assert again.life.setup.deal_named is False


async def test_a_replay_is_closed_while_the_race_runs(home: House) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    refused(await ana.ask(commands.Replay(race, 0, ana.id)), "not_over")
    refused(await ana.do(commands.Rematch, race), "not_over")


async def test_when_time_is_up_all_who_race_are_out_of_time(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben, settings=msgspec.structs.replace(AT_ONCE, time_limit_s=60))
    await ben.did(commands.Resign, race)
    await home.clock.advance(59_999)
    await ana.did(commands.Move, race, move="5a")
    await home.clock.advance(1)
    over = await ana.reach(race, "over")
    assert [racer.state for racer in over.picture.racers] == ["out_of_time", "resigned"]
    refused(await ana.do(commands.Move, race, move="5b"), "race_over")


async def test_leaving_a_race_that_runs_is_resigning(home: House) -> None:
    ana, ben = await home.guest("Ana"), await home.guest("Ben")
    race = await home.race(ana, ben)
    await ana.did(commands.Leave, race)
    await ben.until(lambda: ben.racer(race, ana.id).state == "resigned", "it to be seen")
    assert ana.racer(race, ana.id).name == "Ana", "she still sees the race from her seat"
