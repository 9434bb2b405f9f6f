from typing import Any, get_args

import pytest
from textual.keys import Keys, _character_to_key

from client_cli import language
from client_cli.screens.after import AfterScreen
from client_cli.screens.app import RaceApp
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.dialogs import LookWindow, Question, Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.key_texts import bar_rows, button, help_rows
from client_cli.screens.keys import KEYS, PLACES, WINDOWS, Where, bindings, keys_of
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.wall import WallScreen
from client_cli.screens.window import Window

SCREENS = {
    "home": HomeScreen,
    "lobby": LobbyScreen,
    "race": RaceScreen,
    "watch": WallScreen,
    "replay": ReplayScreen,
    "after": AfterScreen,
    "daily": DailyScreen,
    "boards": BoardsScreen,
    "me": MeScreen,
    "all": CountdownScreen,
}


@pytest.mark.parametrize("where", SCREENS)
def test_every_key_of_a_screen_does_something_there(where: Where) -> None:
    missing = [
        key.action
        for key in keys_of(where)
        if not hasattr(RaceApp if key.action == "leave" else SCREENS[where], f"action_{key.action}")
    ]
    assert missing == []


def connected(action: str) -> bool:
    """What is offered while there is a connection."""
    return action != "try_now"


def test_every_key_of_a_window_does_something_there() -> None:
    windows: tuple[tuple[Where, type[Window[Any]]], ...] = (
        ("reading", Reading),
        ("looks", LookWindow),
        ("question", Question),
    )
    for where, window in windows:
        assert all(hasattr(window, f"action_{key.action}") for key in keys_of(where))


@pytest.mark.parametrize("where", get_args(Where))
def test_no_key_means_two_things(where: Where) -> None:
    keys = [name for key in keys_of(where) for name in key.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert len(bindings(where)) == len(keys) - len([key for key in keys if key in {"ctrl+q", "ctrl+c"}])


FOLLOWING = (
    ("home", "lobby"),
    ("home", "race"),
    ("lobby", "race"),
    ("race", "after"),
    ("watch", "after"),
    ("watch", "race"),
    ("after", "lobby"),
)
"""Screens that follow one another by themselves: as one gets into a race, as it begins, ends, or is closed to
watchers, and as a rematch comes that was asked for."""

HARMLESS = {
    ("home", "lobby", "o"): "Esc closes the window that asks how fast the robot is",
    ("home", "race", "d"): "no cell has a card yet",
    **{("home", "race", digit): "what it picks up, Esc puts back" for digit in "12345678"},
    ("lobby", "race", "s"): "with nothing picked up it explains itself",
    ("lobby", "race", "c"): "no cell has a card yet",
    ("lobby", "race", "q"): "while one races it says how else to leave",
    ("watch", "after", "tab"): "the next board, there as here",
    ("race", "after", "left"): "a moment of the lines is looked at and nothing done",
    ("race", "after", "right"): "a moment of the lines is looked at and nothing done",
    ("race", "after", "escape"): "it leads back a moment sooner; the code gives the race back",
    ("watch", "after", "escape"): "it leads back, there as here",
    ("watch", "race", "left"): "a board that is done has no cursor",
    ("watch", "race", "right"): "a board that is done has no cursor",
    ("watch", "race", "escape"): "a board that is done has nothing picked up",
    ("after", "lobby", "e"): "Esc closes the window with the settings",
    ("after", "lobby", "o"): "Esc closes the window that asks how fast the robot is",
    ("after", "lobby", "k"): "Esc closes the window that asks whom to send out",
    ("after", "lobby", "q"): "who leaves meanwhile wants no seat in it; its code gives it back",
}


@pytest.mark.parametrize(("before", "after"), FOLLOWING)
def test_no_key_comes_to_mean_something_else_by_itself(before: Where, after: Where) -> None:
    meant = {name: key.action for key in keys_of(before) for name in key.keys.split(",")}
    now = {name: key.action for key in keys_of(after) for name in key.keys.split(",")}
    turned = {name for name in meant.keys() & now.keys() if meant[name] != now[name]}
    assert turned == {name for one, other, name in HARMLESS if (one, other) == (before, after)}


@pytest.mark.parametrize("where", get_args(Where))
@pytest.mark.parametrize("width", [10, 78, 200])
def test_the_bar_fits_and_always_names_help_and_the_way_out(where: Where, width: int) -> None:
    rows = bar_rows(where, width)
    assert len(rows) <= 2
    assert all(len(row) <= width for row in rows)
    assert where in WINDOWS or rows[0].startswith("? help")
    assert where in WINDOWS or width == 10 or rows[-1].endswith("Ctrl+Q quit")


@pytest.mark.parametrize("language_code", ["en", "pt"])
@pytest.mark.parametrize("where", get_args(Where))
def test_the_bar_names_all_that_can_be_done_at_80_cells(where: Where, language_code: str) -> None:
    language.use(language_code)
    bar = "  ".join(bar_rows(where, 78, connected))
    for key in keys_of(where):
        named = f"{language.tr(key.shown)} {language.tr(key.label)}" in bar
        assert named == (bool(key.label) and connected(key.action))


@pytest.mark.parametrize("language_code", ["en", "pt"])
def test_so_it_does_with_an_attempt_that_runs(language_code: str) -> None:
    language.use(language_code)
    bar = bar_rows("daily", 78, connected, lambda key: "go on" if key.action == "begin" else key.label)
    labelled = [key for key in keys_of("daily") if key.label and connected(key.action)]
    assert all(f"{language.tr(key.shown)} " in "  ".join(bar) for key in labelled)
    assert f"s {language.tr('go on')}" in "  ".join(bar)


@pytest.mark.parametrize("language_code", ["en", "pt"])
@pytest.mark.parametrize("where", SCREENS)
def test_without_a_connection_it_names_how_to_try_again(where: Where, language_code: str) -> None:
    language.use(language_code)
    bar = bar_rows(where, 78)
    assert bar[0].startswith(f"? {language.tr('help')}  F5 {language.tr('try now')}")
    assert bar[-1].endswith(f"Ctrl+Q {language.tr('quit')}")


@pytest.mark.parametrize("language_code", ["en", "pt"])
@pytest.mark.parametrize("behind", PLACES)
@pytest.mark.parametrize("where", ["race", "after"])
def test_so_it_does_wherever_a_race_was_entered_from(where: Where, behind: Where, language_code: str) -> None:
    language.use(language_code)
    bar = bar_rows(where, 78, connected, lambda key: PLACES[behind] if key.action == "home" else key.label)
    assert f"q {language.tr(PLACES[behind])}  Ctrl+Q" in bar[-1]
    labelled = [key for key in keys_of(where) if key.label and connected(key.action)]
    assert all(f"{language.tr(key.shown)} " in "  ".join(bar) for key in labelled)


@pytest.mark.parametrize("behind", PLACES)
def test_a_place_is_called_as_the_key_is_that_leads_there(behind: Where) -> None:
    assert PLACES[behind] in {key.label for key in KEYS if key.action in {behind, "home"}}


def test_the_bar_takes_one_row_where_that_is_enough() -> None:
    assert len(bar_rows("after", 200, connected)) == 1
    first, second = bar_rows("after", 78, connected)
    assert first.startswith("? help  p replay  e report")
    assert second.endswith("q home  Ctrl+Q quit")


def test_the_bar_leaves_out_what_cannot_be_done() -> None:
    withheld = {"start", "settings", "kick", "robot", "try_now"}
    shown = bar_rows("lobby", 200, lambda action: action not in withheld)
    assert shown == ("? help  y ready  c copy invitation  t talk  q leave race  Ctrl+Q quit",)


def test_a_button_names_its_key() -> None:
    assert button("after", "home") == ("home (q)", "home")
    language.use("pt")
    assert button("boards", "back") == ("voltar (Esc)", "back")


def test_the_help_has_every_key() -> None:
    assert {key.shown for key in KEYS if key.where in {"race", "all"}} == {
        shown for shown, _ in help_rows("race")
    }


def test_names_of_keys_that_are_words_are_in_the_language_too() -> None:
    language.use("pt")
    bar = "  ".join(bar_rows("replay", 200))
    assert "Espaço" in bar
    assert "setas" in bar
    assert "arrows" not in [shown for where in get_args(Where) for shown, _ in help_rows(where)]


def test_every_key_is_named_as_a_terminal_names_it() -> None:
    """A name that no key has would be bound in vain: `period` is `full_stop` to Textual."""
    words = {name for key in KEYS for name in key.keys.split(",") if len(name) > 1}
    plain = {word.rpartition("+")[2] for word in words}
    signs = {_character_to_key(chr(code)) for code in range(32, 127)}
    assert plain <= signs | {key.value for key in Keys}
