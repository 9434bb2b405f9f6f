"""Every button of every screen by the mouse: what it leads to comes, and the program goes on from there."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from textual.widgets import Button

from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.home import HomeScreen
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.room import Room
from client_cli.screens.window import Window
from tests.client_cli.screens import daily_scenes, scenes
from tests.client_cli.screens.house import Person, person
from tests.server.gateway.house import house

SIZE: Final = (120, 40)
Opened = Callable[..., AbstractAsyncContextManager[tuple[Person, object]]]


@asynccontextmanager
async def home(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Person, object]]:
    """The first screen, where a server is named."""
    async with house(folder) as server, person(folder, "ann", "--server", server.url, size=size) as ann:
        await ann.reaches(HomeScreen)
        yield ann, server


@asynccontextmanager
async def boards(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Person, object]]:
    """A leaderboard, and on it one's own attempt, of which there is a replay."""
    async with daily_scenes.boards(folder, size) as (ann, server):
        await ann.press("down")
        yield ann, server


@asynccontextmanager
async def record(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Person, object]]:
    """What one has done on all days."""
    async with daily_scenes.daily(folder, size, played=False) as (ann, server):
        await ann.press("m")
        await ann.reaches(MeScreen)
        yield ann, server


@asynccontextmanager
async def question(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Person, object]]:
    """Whether to resign."""
    async with scenes.race(folder, size) as (ann, bob):
        await ann.press("escape", "x")
        await ann.until(lambda: shown(ann))
        yield ann, bob


def window(key: str) -> Opened:
    """A window above the lobby."""

    @asynccontextmanager
    async def scene(folder: Path, size: tuple[int, int]) -> AsyncIterator[tuple[Person, object]]:
        async with scenes.lobby(folder, size) as (ann, bob):
            await ann.press(key)
            await ann.until(lambda: isinstance(ann.app.screen, Window))
            yield ann, bob

    return scene


class Scene(NamedTuple):
    """A screen; which of its buttons stay there, maybe with a window, and where each of the others leads.

    None is out of the program.
    """

    scene: Opened
    stays: tuple[str, ...]
    leads: dict[str, type[Room] | None]


SCENES: Final[dict[str, Scene]] = {
    "home": Scene(home, ("join", "look_on"), {"play": RaceScreen, "host": LobbyScreen, "daily": DailyScreen}),
    "lobby": Scene(
        scenes.lobby, ("settings", "copy"), {"ready": RaceScreen, "start": RaceScreen, "give_up": None}
    ),
    "settings": Scene(window("e"), (), {"apply": LobbyScreen, "close": LobbyScreen}),
    "kick": Scene(window("k"), (), {"close": LobbyScreen}),
    "question": Scene(question, (), {"yes": RaceScreen, "no": RaceScreen}),
    "after": Scene(
        scenes.after,
        ("board", "lines", "copy"),
        {"rematch": LobbyScreen, "replay": ReplayScreen, "home": HomeScreen},
    ),
    "daily": Scene(
        daily_scenes.daily,
        ("ghost", "archive"),
        {"practise": RaceScreen, "boards": BoardsScreen, "me": MeScreen},
    ),
    "boards": Scene(
        boards, ("month", "cells"), {"replay": ReplayScreen, "ghost": DailyScreen, "back": DailyScreen}
    ),
    "record": Scene(record, (), {"boards": BoardsScreen, "back": DailyScreen}),
}
DESK: Final = ("boards", "back", "me", "back", "me", "boards", "ghost")
"""A way from the deal of the day by all buttons of the desk that lead to and fro: one start for them all."""

LEADING: Final = [
    (name, action)
    for name, scene in SCENES.items()
    for action in scene.leads
    if name not in {"daily", "boards", "record"} or action not in DESK
]


def shown(somebody: Person) -> list[str]:
    """What the buttons that are there do."""
    return [str(one.id).removeprefix("do-") for one in somebody.app.screen.query(Button) if one.display]


async def goes_on(somebody: Person) -> None:
    """See that keys do what they should: a window comes, and goes."""
    somebody.app.screen.set_focus(None)
    await somebody.press("question_mark")
    await somebody.reads("Keys")
    await somebody.press("escape")
    await somebody.until(lambda: isinstance(somebody.app.screen, Room))


async def leads_to(somebody: Person, action: str, room: type[Room] | None) -> None:
    """Click on the button for that, and see that one is there; None is out of the program."""
    assert await somebody.pilot.click(f"#do-{action}")
    if room is None:
        await somebody.until(lambda: somebody.app.return_value is not None)
        return
    await somebody.reaches(room)
    await somebody.until(lambda: somebody.app.room is not None and somebody.app.room.is_drawn)
    await goes_on(somebody)


@pytest.mark.parametrize(("name", "action"), LEADING)
async def test_a_button_leads_where_its_key_does(tmp_path: Path, name: str, action: str) -> None:
    scene, _, leads = SCENES[name]
    async with scene(tmp_path, SIZE) as (ann, _):
        await leads_to(ann, action, leads[action])


async def test_the_buttons_of_the_desk_lead_to_and_fro(tmp_path: Path) -> None:
    names: dict[type[object], str] = {DailyScreen: "daily", BoardsScreen: "boards", MeScreen: "record"}
    pressed = set[tuple[str, str]]()
    async with daily_scenes.daily(tmp_path, SIZE) as (ann, _):
        for action in DESK:
            name = names[type(ann.app.screen)]
            await ann.until(lambda: action in shown(ann), f"no button {action}")  # noqa: B023 - awaited here
            await leads_to(ann, action, SCENES[name].leads[action])
            pressed.add((name, action))
    desk = {(name, action) for name in names.values() for action in SCENES[name].leads}
    assert pressed == desk - set(LEADING)


@pytest.mark.parametrize("name", [name for name, scene in SCENES.items() if scene.stays])
async def test_a_button_that_leads_nowhere_does_its_work_here(tmp_path: Path, name: str) -> None:
    scene, stays, leads = SCENES[name]
    async with scene(tmp_path, SIZE) as (ann, _):
        assert sorted(shown(ann)) == sorted((*stays, *leads))
        room = ann.app.screen
        for action in stays:
            assert await ann.pilot.click(f"#do-{action}")
            await ann.pilot.pause()
            if ann.app.screen is not room:
                await ann.press("escape")
                await ann.until(lambda: ann.app.screen is room)
        await goes_on(ann)
