"""A whole server on a machine without the solver: what needs it is unknown, and nothing else changes."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from client_cli.installing import no_solver_here
from protocol import commands, events
from server.freecell.deal import deal
from server.freecell.hint import hint
from server.freecell.notation import write_move
from server.freecell.rulesets import customise
from tests.end_to_end.account import read_races
from tests.end_to_end.player import Player
from tests.end_to_end.program import Home
from tests.end_to_end.server_process import ROOT, running_server
from tests.solutions import moves_of

MISSING = 'raise ModuleNotFoundError("No module named freecell_solver", name="freecell_solver")\n'
WITH_2 = commands.Settings(cells=2, countdown_s=0, watch="live", hints=True)


@pytest.fixture
def python_path(tmp_path: Path) -> str:
    """Where the solver is not."""
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "freecell_solver.py").write_text(MISSING, encoding="utf-8")
    return f"{hidden}:{ROOT}"


@pytest.fixture
async def server(tmp_path: Path, python_path: str) -> AsyncIterator[str]:
    async with running_server(tmp_path, PYTHONPATH=python_path) as url:
        yield url
    told = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert told.count("the Python package freecell_solver is not installed") == 1


@pytest.fixture
async def ana(server: str) -> AsyncIterator[Player]:
    player = Player(server, "Ana")
    await player.connect()
    yield player
    await player.close()


async def test_a_race_is_raced_as_ever(server: str, ana: Player) -> None:
    settings = commands.Settings(deal=1, countdown_s=0, watch="live", hints=True)
    race = await ana.create(settings)
    assert ana.pictures[race, "seat"].picture.life.certified
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")

    hinted = await ana.ask(commands.Hint(race, ana.next_q()))
    assert isinstance(hinted, events.Hinted)
    by_rule = hint(deal(1), customise("race", hints=True))
    assert by_rule is not None
    assert hinted.move == write_move(by_rule, deal(1))

    eve = Player(server, "Eve")
    await eve.connect()
    await eve.watch(race)
    for move in moves_of(1)[:20]:
        await ana.did(commands.Move, race, move=move)
    await eve.until(lambda: eve.racer(race, ana.id, "watch").actions == 20, "Ana's moves")
    assert eve.last(events.Verdict) is None
    await eve.close()


async def test_a_random_race_with_two_cells_can_be_won(ana: Player) -> None:
    race = await ana.create(WITH_2)
    assert ana.pictures[race, "seat"].picture.life.certified
    await ana.did(commands.Start, race)
    await ana.reach(race, "running")
    hinted = await asyncio.wait_for(ana.ask(commands.Hint(race, ana.next_q())), 20)
    assert isinstance(hinted, events.Hinted)
    assert isinstance(await ana.do(commands.Move, race, move=hinted.move), events.Ack)


async def test_play_says_in_one_line_that_there_is_no_robot(tmp_path: Path, python_path: str) -> None:
    home = Home(tmp_path, "ann", PYTHONPATH=python_path)
    status, shown = await home.run("play", "--robot", "even", "--lang", "en")
    assert status == 1
    why = no_solver_here(python=Path(sys.executable))
    assert shown == f"cellrace: No race without the robot: {why}\n"
    assert await read_races(home.folder / "races.sqlite") == {}


async def test_no_robot_can_race(ana: Player) -> None:
    race = await ana.create(WITH_2)
    refused = await ana.do(commands.AddRobot, race)
    assert isinstance(refused, events.Refused)
    assert refused.code == "no_robot"
