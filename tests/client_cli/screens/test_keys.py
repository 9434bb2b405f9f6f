from typing import get_args

import pytest
from textual.keys import Keys, _character_to_key

from client_cli import language
from client_cli.screens.after import AfterScreen
from client_cli.screens.app import RaceApp
from client_cli.screens.boards import BoardsScreen
from client_cli.screens.daily import DailyScreen
from client_cli.screens.dialogs import LookWindow, Reading
from client_cli.screens.home import HomeScreen
from client_cli.screens.keys import KEYS, Where, bar_text, bindings, help_rows, keys_of
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.me import MeScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.wall import WallScreen

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


def test_every_key_of_a_window_does_something_there() -> None:
    for window in (Reading, LookWindow):
        assert all(hasattr(window, f"action_{key.action}") for key in keys_of("dialog"))


@pytest.mark.parametrize("where", get_args(Where))
def test_no_key_means_two_things(where: Where) -> None:
    keys = [name for key in keys_of(where) for name in key.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert len(bindings(where)) == len(keys) - len([key for key in keys if key in {"ctrl+q", "ctrl+c"}])


@pytest.mark.parametrize("where", get_args(Where))
@pytest.mark.parametrize("width", [10, 78, 200])
def test_the_bar_fits_and_always_names_help_and_the_way_out(where: Where, width: int) -> None:
    bar = bar_text(where, width)
    assert len(bar) <= width
    assert where == "dialog" or bar.startswith("? help")
    assert where == "dialog" or width == 10 or bar.endswith("Ctrl+Q quit")


def test_the_bar_always_names_the_ways_out() -> None:
    assert bar_text("after", 60).endswith("Esc home  Ctrl+Q quit")


def test_the_bar_leaves_out_what_cannot_be_done() -> None:
    shown = bar_text("lobby", 200, lambda action: action not in {"start", "settings", "kick", "robot"})
    assert shown == "? help  y ready  c copy invitation  t talk  x leave  Ctrl+Q quit"


def test_the_help_has_every_key() -> None:
    assert {key.shown for key in KEYS if key.where in {"race", "all"}} == {
        shown for shown, _ in help_rows("race")
    }


def test_names_of_keys_that_are_words_are_in_the_language_too() -> None:
    language.use("pt")
    bar = bar_text("replay", 200)
    assert "Espaço" in bar
    assert "setas" in bar
    assert "arrows" not in [shown for where in get_args(Where) for shown, _ in help_rows(where)]


def test_every_key_is_named_as_a_terminal_names_it() -> None:
    """A name that no key has would be bound in vain: `period` is `full_stop` to Textual."""
    words = {name for key in KEYS for name in key.keys.split(",") if len(name) > 1}
    plain = {word.rpartition("+")[2] for word in words}
    signs = {_character_to_key(chr(code)) for code in range(32, 127)}
    assert plain <= signs | {key.value for key in Keys}
