"""People at the desk: where one looks at the deal of the day, and what they do there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client_cli.screens.after import AfterScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.race import RaceScreen
from tests.client_cli.screens.daily_scenes import calendar
from tests.client_cli.screens.house import Person, person
from tests.server.gateway.house import House


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[House]:
    async with calendar(tmp_path) as built:
        yield built


@asynccontextmanager
async def at_the_desk(
    tmp_path: Path,
    server: House,
    name: str = "ann",
    size: tuple[int, int] = (120, 40),
    url: str | None = None,
) -> AsyncIterator[Person]:
    """Somebody who looks at the deal of the day; at `url`, if the way there is not straight."""
    here = ("--server", url or server.url)
    async with person(tmp_path, name, *here, size=size, now_ms=server.clock.now_ms) as somebody:
        await somebody.reaches(HomeScreen)
        await somebody.press("d")
        await somebody.reaches(DailyScreen)
        await answered(somebody)
        yield somebody


@pytest.fixture
async def ann(tmp_path: Path, server: House) -> AsyncIterator[Person]:
    async with at_the_desk(tmp_path, server) as somebody:
        yield somebody


async def answered(somebody: Person) -> None:
    """Wait until nothing is asked any more."""
    await somebody.until(lambda: len(somebody.app.desk.answers.records) == 2)
    link = somebody.app.desk.link
    await somebody.until(lambda: link.session and not link.session.speech.questions)
    await somebody.ticks()


async def begins(somebody: Person) -> None:
    """Begin the ranked attempt."""
    await somebody.press("s", "y")
    await somebody.reaches(RaceScreen)
    await somebody.settled()


async def loses(somebody: Person) -> None:
    """Begin it and give it up; then back to the day."""
    await begins(somebody)
    await somebody.press("x", "y")
    await somebody.reaches(AfterScreen)
    await back(somebody)


async def back(somebody: Person) -> None:
    await somebody.press("q")
    await somebody.reaches(DailyScreen)
    await answered(somebody)


def board_of(somebody: Person) -> tuple[str, ...]:
    board = somebody.app.desk.shown_board
    return tuple(line.name for line in board.lines) if board else ()


async def lists(somebody: Person, *names: str) -> None:
    """Wait until these are on the board, in this order, and drawn."""
    await somebody.until(lambda: board_of(somebody) == names and all(name in somebody.text for name in names))
