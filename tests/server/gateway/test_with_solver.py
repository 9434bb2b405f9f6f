"""Verdicts and reports with the solver itself."""

from pathlib import Path
from typing import Final

from protocol import commands, events
from server.freecell.deal import deal
from server.freecell.moves import Move, apply
from server.freecell.notation import read_move
from server.freecell.position import Position
from server.freecell.rulesets import RULESETS
from server.solver.search import USUAL, Line, find
from server.solver.solver import Solver
from tests.server.gateway.house import house
from tests.server.gateway.test_reports import play, reported
from tests.server.gateway.test_verdicts import knows
from tests.server.solver.needs import needs_solver

GIVEN_AWAY: Final = ("3a", "6d", "2b", "5c")
"""Moves of deal 1 after which it cannot be won any more."""


@needs_solver
async def test_a_deal_that_is_lost_from_the_beginning(tmp_path: Path) -> None:
    solver = Solver()
    async with house(tmp_path, assessor=solver) as judged:
        ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
        race = await judged.race(ana, settings=commands.Settings(deal=11982, countdown_s=0, watch="live"))
        await eve.watch(race)
        assert (await knows(eve, ana, 0)).what == "unwinnable"
        await play(judged, ana, race, "1a")
        told = await reported(ana, race, ana)
        assert (told.what, told.lost_from) == ("unwinnable", events.Mark(0))
    await solver.close()


@needs_solver
async def test_the_step_that_lost_a_game(tmp_path: Path) -> None:
    solver = Solver()
    async with house(tmp_path, assessor=solver) as judged:
        ana, eve = await judged.guest("Ana"), await judged.guest("Eve")
        race = await judged.race(ana)
        await eve.watch(race)
        verdict = await knows(eve, ana, 0)
        assert verdict.what == "winnable"
        assert verdict.moves
        await play(judged, ana, race, *GIVEN_AWAY)
        told = await reported(ana, race, ana)
        assert told.what == "unwinnable"
        assert told.lost_from is not None
        position, number = deal(1), told.lost_from.number
        for text in GIVEN_AWAY[: number - 1]:
            position = moved(position, text)
        assert isinstance(find(position, USUAL), Line)
        assert not isinstance(find(moved(position, GIVEN_AWAY[number - 1]), USUAL), Line)
    await solver.close()


def moved(position: Position, text: str) -> Position:
    move = read_move(text, position, RULESETS["race"])
    assert isinstance(move, Move)
    after = apply(position, move, RULESETS["race"])
    assert isinstance(after, Position)
    return after
