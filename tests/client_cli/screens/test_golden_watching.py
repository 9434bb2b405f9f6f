"""Golden screens of those who watch; see `test_golden`."""

from pathlib import Path

import pytest

from tests.client_cli.screens import watching_scenes as scenes
from tests.client_cli.screens.scenes import LOOKS, SIZES, STARTS, drawn
from tests.client_cli.screens.test_golden import GOLDEN, check, check_all


@pytest.mark.parametrize("start", STARTS)
async def test_the_wall(tmp_path: Path, start: str) -> None:
    async with scenes.wall(tmp_path, SIZES[0], *LOOKS[start]) as (walt, _):
        await check_all(walt, "wall", start)


@pytest.mark.parametrize("start", STARTS)
async def test_the_end(tmp_path: Path, start: str) -> None:
    async with scenes.after(tmp_path, SIZES[0], *LOOKS[start]) as (walt, _):
        await walt.press(*["left"] * 20)
        await check_all(walt, "decided", start)


@pytest.mark.parametrize("start", STARTS)
async def test_the_replay(tmp_path: Path, start: str) -> None:
    async with scenes.replay(tmp_path, SIZES[0], *LOOKS[start]) as (walt, _):
        await check_all(walt, "replay", start)


async def test_the_replay_in_portuguese(tmp_path: Path) -> None:
    async with scenes.replay(tmp_path, SIZES[0], "--lang", "pt") as (walt, _):
        check("replay-80x24-pt", drawn(walt))


async def test_the_race_as_lines_in_portuguese(tmp_path: Path) -> None:
    async with scenes.wall(tmp_path, SIZES[0], "--lang", "pt") as (walt, _):
        await walt.press("l", "left")
        check("lines-80x24-pt", drawn(walt))


def test_letters_are_all_that_ascii_shows() -> None:
    for path in GOLDEN.glob("*-ascii.ansi"):
        assert path.read_text(encoding="utf-8").isascii(), path.name
