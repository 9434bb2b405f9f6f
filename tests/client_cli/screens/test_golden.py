"""Golden screens: what is drawn is what was looked at and found good.

`CELLRACE_UPDATE_GOLDEN=1` writes them anew; `cat` shows one in its colours.
"""

import os
from pathlib import Path

import pytest

from client_cli.folders import config_folder
from client_cli.screens.preferences import Preferences, save
from tests.client_cli.screens import scenes
from tests.client_cli.screens.house import Person
from tests.client_cli.screens.scenes import LOOKS, SIZES, STARTS, drawn, looks

GOLDEN = Path(__file__).parent / "golden"


def check(name: str, shown: str) -> None:
    path = GOLDEN / f"{name}.ansi"
    if os.environ.get("CELLRACE_UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


async def check_all(somebody: Person, name: str, start: str) -> None:
    """A screen in every look and size."""
    async for look in looks(somebody, start):
        for width, height in SIZES:
            await somebody.pilot.resize_terminal(width, height)
            await somebody.ticks()
            check(f"{name}-{width}x{height}-{look}", drawn(somebody))


@pytest.mark.parametrize("start", STARTS)
async def test_the_race(tmp_path: Path, start: str) -> None:
    async with scenes.race(tmp_path, SIZES[0], *LOOKS[start]) as (ann, _):
        await check_all(ann, "race", start)


@pytest.mark.parametrize("look", ["four-colours", "contrast", "ascii"])
async def test_a_look_that_is_asked_for_is_there_from_the_start(tmp_path: Path, look: str) -> None:
    async with scenes.race(tmp_path, SIZES[0], *LOOKS[look]) as (ann, _):
        check(f"race-80x24-{look}", drawn(ann))


async def test_so_is_one_that_was_kept(tmp_path: Path) -> None:
    folder = config_folder({"CELLRACE_HOME": str(tmp_path / "ann")})
    folder.mkdir(parents=True)
    assert save(folder, Preferences(contrast=True)) == ""
    async with scenes.race(tmp_path, SIZES[0]) as (ann, _):
        check("race-80x24-contrast", drawn(ann))


async def test_the_lobby_in_portuguese(tmp_path: Path) -> None:
    async with scenes.lobby(tmp_path, (80, 24), "--lang", "pt") as (ann, _):
        check("lobby-80x24-pt", drawn(ann))


async def test_the_end(tmp_path: Path) -> None:
    async with scenes.after(tmp_path, (80, 24)) as (ann, _):
        check("after-80x24", drawn(ann))


def test_letters_are_all_that_ascii_shows() -> None:
    for width, height in SIZES:
        shown = (GOLDEN / f"race-{width}x{height}-ascii.ansi").read_text(encoding="utf-8")
        assert shown.isascii()


def test_no_color_means_no_colour() -> None:
    for width, height in SIZES:
        shown = (GOLDEN / f"race-{width}x{height}-no-color.ansi").read_text(encoding="utf-8")
        assert "38;2" not in shown
        assert "48;2" not in shown
        assert "\x1b[1;" in shown
