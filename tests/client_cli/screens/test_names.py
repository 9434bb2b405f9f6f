"""Names where room is short."""

import pytest
from rich.cells import cell_len

from client_cli import language
from client_cli.screens.names import fitted_name
from protocol.views import Racer
from tests.client_cli.samples import BOB, ME, hear, in_lobby, racer, snapshot


def shown(who: Racer, width: int) -> str:
    session = hear(in_lobby(), snapshot("running", racers=(racer(state="racing"), who), to=9))
    name = fitted_name(who, session, width)
    assert name.cells == cell_len(name.text) <= width
    return name.text


@pytest.mark.parametrize(
    ("width", "text"),
    [
        (18, "Robot (even robot)"),
        (17, "Robot (even)"),
        (12, "Robot (even)"),
        (11, "Rob~ (even)"),
        (10, "Ro~ (even)"),
        (9, "Robot"),
        (4, "Rob~"),
    ],
)
def test_a_robots_level_is_there_as_long_as_there_is_room_for_it(width: int, text: str) -> None:
    assert shown(racer(BOB, "Robot", robot="even"), width) == text


def test_a_robots_level_fits_beside_a_result_at_80_cells() -> None:
    language.use("pt")
    assert (
        shown(racer(BOB, "Robot 2", robot="even"), 31 - len(" 1.\u00ba 12:34.567") - len("B "))
        == "Robot 2 (m\u00e9dio)"
    )


@pytest.mark.parametrize(
    ("width", "text"), [(21, f"{'w' * 15} (you)"), (20, "w" * 15), (15, "w" * 15), (14, f"{'w' * 13}~")]
)
def test_a_persons_name_is_cut_last(width: int, text: str) -> None:
    assert shown(racer(ME, "w" * 15, state="racing"), width) == text


def test_in_the_lobby_it_is_said_who_the_host_is_where_there_is_room() -> None:
    session = hear(in_lobby(), snapshot("lobby", racers=(racer(name="root"),), to=9))
    shown = [fitted_name(racer(name="root"), session, width).text for width in (16, 15, 10, 9, 4)]
    assert shown == ["root (you, host)", "root (you)", "root (you)", "root", "root"]
    language.use("pt")
    assert fitted_name(racer(name="root"), session, 17).text == "root (voc\u00ea)"
