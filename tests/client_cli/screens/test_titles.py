"""Titles in the room there is."""

from pathlib import Path

import pytest

from client_cli.screens.race import RaceScreen
from client_cli.screens.titles import fitting
from tests.client_cli.screens import daily_scenes
from tests.client_cli.screens.daily_scenes import DAY

TITLES = ("race", "deal", "late"), ("deal", "late"), ("late",)


@pytest.mark.parametrize(
    ("room", "title"),
    [(16, "race  deal  late"), (15, "deal  late"), (9, "late"), (4, "late"), (3, "la~")],
)
def test_the_longest_title_that_fits_is_taken(room: int, title: str) -> None:
    assert fitting(room, *TITLES) == title


def test_an_empty_part_takes_no_room() -> None:
    assert fitting(10, ("race", "", "late")) == "race  late"


def test_letters_that_take_two_cells_count_as_two() -> None:
    assert fitting(4, ("\u30a2\u30a2\u30a2",), ("a",)) == "a"


@pytest.mark.parametrize(
    ("language", "race", "waits"),
    [
        ("en", f"daily {DAY}, 4 free cells", "waiting for the server ..."),
        ("pt", f"diária de {DAY}, 4 células livres", "esperando o servidor ..."),
    ],
)
async def test_in_a_daily_there_is_room_for_that_one_has_to_wait(
    tmp_path: Path, language: str, race: str, waits: str
) -> None:
    async with daily_scenes.haunted(tmp_path, (80, 24), "--lang", language) as (ann, _):
        screen = ann.app.screen
        assert isinstance(screen, RaceScreen)
        assert ann.text.splitlines()[0].startswith(f" {race}  ")
        screen._is_late = True
        screen._show_title()
        await ann.reads(waits)
