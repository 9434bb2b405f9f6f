import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from protocol import commands, events
from server.freecell.deal import deal
from server.freecell.hint import hint
from server.freecell.movement import Move
from server.freecell.piles import Pile
from server.freecell.rulesets import customise
from server.gateway import hinting
from server.solver.crew import Crew
from server.solver.solver import Solver
from server.solver.verdict import Lost, Unknown, Verdict, Winnable
from tests.end_to_end.player import Player
from tests.server.gateway.house import AT_ONCE, House, house
from tests.server.gateway.judging import Oracle
from tests.server.solver.needs import needs_solver

HINTS = msgspec.structs.replace(AT_ONCE, hints=True)
BY_RULE = hint(deal(1), customise("race", hints=True))
ADVICE = Move(Pile(0), Pile(11))  # 1d, which the rule would never choose


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


@pytest.fixture
async def home(tmp_path: Path, oracle: Oracle) -> AsyncIterator[House]:
    async with house(tmp_path, assessor=oracle) as built:
        yield built


async def hinted(player: Player, race: str) -> str | None:
    answer = await player.ask(commands.Hint(race, player.next_q()))
    assert isinstance(answer, events.Hinted), answer
    return answer.move


async def test_the_next_move_of_a_line_that_wins_is_the_hint(home: House, oracle: Oracle) -> None:
    oracle.word = lambda _: Winnable(ADVICE, 80)
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=HINTS)
    assert await hinted(ana, race) == "1d"


@pytest.mark.parametrize(
    "verdict", [Unknown(), Lost(), Winnable(Move(Pile(0), Pile(0)), 3)], ids=["unknown", "lost", "illegal"]
)
async def test_else_it_is_one_by_the_rule(home: House, oracle: Oracle, verdict: Verdict) -> None:
    oracle.word = lambda _: verdict
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=HINTS)
    assert BY_RULE is not None
    assert BY_RULE != ADVICE
    assert await hinted(ana, race) is not None
    assert await hinted(ana, race) != "1d"


async def test_what_is_not_found_in_time_is_not_waited_for(
    home: House, oracle: Oracle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hinting, "IN_TIME_S", 0.01)
    oracle.word = lambda _: Winnable(ADVICE, 80)
    oracle.gate.clear()
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=HINTS)
    assert await hinted(ana, race) not in (None, "1d")


async def test_advice_for_a_board_that_has_changed_meanwhile_is_not_given(
    home: House, oracle: Oracle
) -> None:
    oracle.word = lambda _: Winnable(ADVICE, 80)
    oracle.gate.clear()
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=HINTS)
    asking = asyncio.ensure_future(hinted(ana, race))
    while not oracle.asked:  # noqa: ASYNC110 - nothing tells that the oracle is asked
        await asyncio.sleep(0)
    assert isinstance(await ana.do(commands.Move, race, move="5a"), events.Ack)
    oracle.gate.set()
    assert await asking not in (None, "1d")


async def test_a_hint_asked_for_right_behind_a_move_is_for_the_board_after_it(
    home: House, oracle: Oracle
) -> None:
    oracle.word = lambda _: Winnable(ADVICE, 80)
    ana = await home.guest("Ana")
    race = await home.race(ana, settings=HINTS)
    c = await ana.start(commands.Move, race, move="5a")
    assert await hinted(ana, race) == "1d"
    assert isinstance(await ana.answer_to(race, c), events.Ack)
    await home.check()
    assert [position.cells[0] is not None for position in oracle.asked] == [True]


async def test_nobody_is_asked_where_there_are_no_hints(home: House, oracle: Oracle) -> None:
    ana = await home.guest("Ana")
    race = await home.race(ana)
    answer = await ana.ask(commands.Hint(race, 0))
    assert isinstance(answer, events.Refused)
    assert answer.code == "not_in_rules"
    assert not oracle.asked


@needs_solver
@pytest.mark.parametrize("settings", [{"cells": 4}, {"cells": 2, "deal": 7}, {"ruleset": "solitarium"}])
async def test_who_follows_the_hints_wins(
    tmp_path: Path, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hinting, "IN_TIME_S", 20.0)  # a busy machine is not what this is about
    solver = Solver(Crew(1))
    async with house(tmp_path, assessor=solver) as home:
        ana = await home.guest("Ana")
        race = await home.race(ana, settings=msgspec.structs.replace(HINTS, **settings))
        for _ in range(400):
            move = await hinted(ana, race)
            assert move is not None
            answer = await ana.do(commands.Move, race, move=move)
            assert isinstance(answer, events.Ack)
            if answer.won:
                break
        else:
            pytest.fail("the hints led round in circles")
    await solver.close()
