"""Windows above a screen: how they close, what they tell without colour, and how they look in ASCII."""

from pathlib import Path

import pytest
from textual.widgets import Checkbox

from client_cli.language import tr
from client_cli.screens.dialogs import MOUSE, LookWindow, Question, Reading
from client_cli.screens.forms import KickWindow, RobotWindow, SettingsWindow
from client_cli.screens.home import HomeScreen
from client_cli.screens.key_texts import help_rows
from client_cli.screens.lobby import LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.room import Room
from tests.client_cli.screens.house import Person, hosting, person
from tests.server.gateway.house import House


async def opens(ann: Person, key: str, window: type) -> None:
    await ann.press(key)
    await ann.until(lambda: isinstance(ann.app.screen, window), f"no {window.__name__}")
    await ann.pilot.pause()


async def closes(ann: Person, key: str) -> None:
    await ann.press(key)
    await ann.until(lambda: isinstance(ann.app.screen, Room), f"{key} closes nothing")


@pytest.mark.parametrize(
    ("opening", "closing"), [("question_mark", "?qQ"), ("f2", "?q2"), ("f3", "q3")], ids=["?", "F2", "F3"]
)
async def test_a_window_to_read_is_closed_by_its_key_and_the_usual_ones(
    tmp_path: Path, opening: str, closing: str
) -> None:
    names = {"?": "question_mark", "2": "f2", "3": "f3", "Q": "escape", "q": "q"}
    async with person(tmp_path, "ann", size=(80, 24)) as ann:
        await ann.reaches(HomeScreen)
        ann.app.set_focus(None)
        for key in closing:
            await opens(ann, opening, LookWindow if opening == "f3" else Reading)
            await closes(ann, names[key])


async def test_the_keys_of_all_screens_are_seen_in_the_help_of_a_race(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), size=(80, 24)) as ann:
        await ann.reaches(RaceScreen)
        await opens(ann, "question_mark", Reading)
        for text in ("F2 ", "F3 ", "Ctrl+Q ", "from, to: 1-8 the columns"):
            await ann.reads(text)


LANGUAGES = ("en", "pt")


@pytest.mark.parametrize("code", LANGUAGES)
async def test_the_help_says_that_there_is_more_until_its_end_is_seen(
    tmp_path: Path, server: House, code: str
) -> None:
    options = ("--no-color", "--lang", code)
    async with person(
        tmp_path, "ann", *options, seating=hosting(server.url, starts=True), size=(80, 24)
    ) as ann:
        await ann.reaches(RaceScreen)
        await opens(ann, "question_mark", Reading)
        more, last = tr("Page Down: more"), tr("watch the others, once your own board is done")
        await ann.reads(f"{more}   {tr('Esc closes this window')}")
        assert last not in ann.text
        await ann.press("pagedown")
        await ann.until(lambda: more not in ann.text)
        await ann.reads(last)
        await ann.press("up")
        await ann.reads(more)


async def test_the_help_takes_the_rows_there_are(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", seating=hosting(server.url, starts=True), size=(120, 40)) as ann:
        await ann.reaches(RaceScreen)
        await opens(ann, "question_mark", Reading)
        for height, is_whole in ((40, True), (24, False), (40, True)):
            await ann.pilot.resize_terminal(120, height)
            await ann.reads(f"│ {'' if is_whole else 'Page Down: more   '}Esc closes this window")
            assert ("double-click to send it where it fits." in ann.text) is is_whole


@pytest.mark.parametrize("code", LANGUAGES)
async def test_what_wraps_in_the_help_does_not_fall_under_the_keys(
    tmp_path: Path, server: House, code: str
) -> None:
    options = ("--lang", code)
    async with person(
        tmp_path, "ann", *options, seating=hosting(server.url, starts=True), size=(80, 24)
    ) as ann:
        await ann.reaches(RaceScreen)
        await opens(ann, "question_mark", Reading)
        beside = f"{tr('Keys')} {tr('Page Down: more')}   {tr('Esc closes this window')} {tr(MOUSE)}"
        keys = {shown for shown, _ in help_rows("race")}
        width = max(map(len, keys))
        first = set()
        for key in ("home", "pagedown", "end"):
            await ann.press(key)
            await ann.pilot.pause()
            rows = [line.split("│")[1][1:] for line in ann.text.splitlines() if line.count("│") == 2]
            first |= {row[: width + 2].strip() for row in rows if row.strip() not in beside}
        assert first == {*keys, ""}


async def test_a_box_tells_without_colour_whether_it_is_ticked(tmp_path: Path) -> None:
    async with person(tmp_path, "ann", "--no-color", size=(80, 24)) as ann:
        await ann.reaches(HomeScreen)
        await opens(ann, "f3", LookWindow)
        await ann.reads("[ ] high contrast")
        await ann.reads("[x] show cards going one by one")
        ann.app.screen.query_one("#contrast", Checkbox).focus()
        await ann.press("space")
        await ann.reads("[x] high contrast")
        await ann.press("space")
        await ann.reads("[ ] high contrast")


async def test_windows_are_ascii_where_that_is_asked_for(tmp_path: Path, server: House) -> None:
    async with person(tmp_path, "ann", "--ascii", seating=hosting(server.url), size=(80, 24)) as ann:
        await ann.reaches(LobbyScreen)
        await ann.reads("ann (you")
        await (await server.guest("bob")).sit(ann.session.race)
        await ann.reads("bob")
        windows = {
            "question_mark": Reading,
            "f2": Reading,
            "f3": LookWindow,
            "e": SettingsWindow,
            "o": RobotWindow,
            "k": KickWindow,
        }
        for key, window in windows.items():
            await opens(ann, key, window)
            assert "+----" in ann.text, key
            assert ann.text.isascii(), key
            await closes(ann, "escape")
        await ann.press("s")
        await ann.reaches(RaceScreen)
        await opens(ann, "x", Question)
        assert "+----" in ann.text
        assert ann.text.isascii()


async def test_the_frame_changes_with_the_letters(tmp_path: Path) -> None:
    async with person(tmp_path, "ann", size=(80, 24)) as ann:
        await ann.reaches(HomeScreen)
        await opens(ann, "f3", LookWindow)
        await ann.reads("╭──")
        ann.app.screen.query_one("#letters", Checkbox).toggle()
        await ann.reads("+--")
        assert "╭" not in ann.text
