"""Running the full screen: how it ends."""

import argparse
from functools import partialmethod
from pathlib import Path

import pytest
from textual.app import ComposeResult

from client_cli.cli import build_parser
from client_cli.errors import ClientError
from client_cli.screens.app import RaceApp
from client_cli.screens.dialogs import Question
from client_cli.screens.home import HomeScreen
from client_cli.screens.running import run_screen
from client_cli.world import World
from tests.client_cli.screens.house import Utf8, person


def around(folder: Path, name: str = "ann") -> tuple[argparse.Namespace, World]:
    args = build_parser().parse_args(["home", "--name", name, "--ascii"])
    return args, World({"CELLRACE_HOME": str(folder), "TERM": "xterm"}, 0, Utf8(), is_interactive=True)


async def test_a_fault_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(_: RaceApp) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(RaceApp, "run_async", partialmethod(RaceApp.run_async, headless=True))
    monkeypatch.setattr(RaceApp, "on_mount", fails)
    assert await run_screen(*around(tmp_path)) == 1


@pytest.mark.parametrize("name", ["  ", "a" * 201])
async def test_a_name_that_cannot_be_one_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ClientError, match="a name has 1 to 24 visible characters"):
        await run_screen(*around(tmp_path, name))


class LateHome(HomeScreen):
    """One that opens while the program ends."""

    def compose(self) -> ComposeResult:
        self._pruning = True  # as an app that ends leaves it
        yield from super().compose()


class LateQuestion(Question):
    """The same for a window."""

    def compose(self) -> ComposeResult:
        self._pruning = True
        yield from super().compose()


async def test_what_opens_while_the_program_ends_fails_at_nothing(tmp_path: Path) -> None:
    async with person(tmp_path, "ann") as ann:
        await ann.app.push_screen(LateHome())
        await ann.app.push_screen(LateQuestion("?", "yes"))
        assert ann.app._exception is None
