"""Golden screens of the deal of the day; see `test_golden`."""

from pathlib import Path

import pytest

from client_cli.screens.boards import BoardsScreen
from tests.client_cli.screens import daily_scenes as scenes
from tests.client_cli.screens.scenes import LOOKS, SIZES, STARTS, drawn
from tests.client_cli.screens.test_golden import check, check_all


@pytest.mark.parametrize("start", STARTS)
async def test_the_day_and_its_leaderboard(tmp_path: Path, start: str) -> None:
    async with scenes.daily(tmp_path, SIZES[0], *LOOKS[start]) as (ann, _):
        await check_all(ann, "daily", start)
        await ann.pilot.resize_terminal(*SIZES[0])
        await ann.press("b")
        await ann.reaches(BoardsScreen)
        await ann.until(lambda: ann.app.desk.shown_board)
        await ann.press("down", "down")
        await ann.ticks()
        await check_all(ann, "boards", start)


async def test_the_record(tmp_path: Path) -> None:
    async with scenes.me(tmp_path, SIZES[0]) as (ann, _):
        check("me-80x24", drawn(ann))


@pytest.mark.parametrize("language", ["en", "pt"])
async def test_a_race_against_a_ghost(tmp_path: Path, language: str) -> None:
    async with scenes.haunted(tmp_path, SIZES[0], "--lang", language) as (ann, _):
        check(f"ghost-80x24-{language}", drawn(ann))


async def test_the_end_of_an_attempt(tmp_path: Path) -> None:
    async with scenes.ended(tmp_path, SIZES[0]) as (ann, _):
        check("attempt-over-80x24", drawn(ann))


async def test_the_day_in_portuguese(tmp_path: Path) -> None:
    async with scenes.daily(tmp_path, SIZES[0], "--lang", "pt") as (ann, _):
        check("daily-80x24-pt", drawn(ann))
