import pytest

from client_cli.screens.chart_view import GHOST, SMALLEST, Chart, Plot, chart_lines, letter_of
from client_cli.screens.look import Look

ANN = Plot("A", ((0, 0), (30_000, 26), (60_000, 52)), 60_000)
BOB = Plot("B", ((0, 0), (90_000, 13)), 120_000)
RACE = Chart((ANN, BOB), 120_000)
ASCII = Look(symbols=False)


def drawn(chart: Chart, look: Look = ASCII, width: int = 45, height: int = 16) -> list[str]:
    return ["".join(span.text for span in line) for line in chart_lines(chart, look, width, height)]


@pytest.mark.parametrize("look", [Look(), ASCII])
@pytest.mark.parametrize("size", [SMALLEST, (45, 16), (156, 56)])
def test_it_fills_the_room_it_has(look: Look, size: tuple[int, int]) -> None:
    lines = drawn(RACE, look, *size)
    assert len(lines) == size[1]
    assert {len(line) for line in lines} == {size[0]}


def test_where_there_is_too_little_room_there_is_nothing() -> None:
    assert drawn(RACE, width=SMALLEST[0] - 1) == []
    assert drawn(RACE, height=SMALLEST[1] - 1) == []


def test_each_line_has_its_letter_all_along_and_at_its_end() -> None:
    lines = drawn(RACE)
    assert lines[0].startswith("52|")
    assert lines[0].rstrip(" .").endswith("A")
    assert "aaaaa" in "".join(lines)
    assert lines[13].startswith(" 0|bbbb"), "both begin there, and the later is drawn over the earlier"
    bob = next(line for line in lines if "B" in line)
    assert bob.endswith("bB ")
    assert lines[-1].startswith(" 0:00")
    assert lines[-1].endswith("2:00")


def test_dots_where_there_are_symbols_and_none_without() -> None:
    assert any("\u2800" < letter <= "\u28ff" for line in drawn(RACE, Look()) for letter in line)
    assert "".join(drawn(RACE)).isascii()


def test_without_colour_every_line_is_dashed_in_its_own_way() -> None:
    plain = Look(colour=False)
    levels = [
        "".join(drawn(Chart((Plot(letter_of(place), ((0, 26),), 60_000),), 60_000), plain))
        for place in range(8)
    ]
    dots = [[letter for letter in level if "\u2800" < letter <= "\u28ff"] for level in levels]
    assert len({"".join(line) for line in dots}) == 8
    coloured = [
        drawn(Chart((Plot(letter_of(place), ((0, 26),), 60_000),), 60_000), Look()) for place in (1, 2)
    ]
    assert "".join(coloured[0]).replace("B", "C") == "".join(coloured[1])


@pytest.mark.parametrize("look", [Look(), Look(colour=False), ASCII])
def test_a_ghost_is_told_from_every_racer_without_colour(look: Look) -> None:
    flat = [
        drawn(Chart((Plot(letter, ((0, 26),), 60_000),), 60_000), look)
        for letter in (GHOST, *map(letter_of, range(8)))
    ]
    ghost, *racers = ["".join("".join(lines).split()) for lines in flat]
    assert all(ghost != line.replace(letter_of(place), GHOST) for place, line in enumerate(racers))
    assert "@" in ghost


def test_a_ghost_gives_way_to_racers() -> None:
    ghost = Plot(GHOST, ANN.points, ANN.end_ms)
    lines = drawn(Chart((ghost, ANN), 60_000))
    assert lines[0].endswith("A@")
    assert "@" not in "".join(lines[1:])


def test_lines_that_end_at_one_place_have_letters_beside_each_other() -> None:
    plots = tuple(Plot(letter_of(place), ((0, 0),), 50) for place in range(8))
    lines = drawn(Chart(plots, 50))
    ends = "".join(line[-2:] for line in lines[:-2])
    assert set("ABCDEFGH") <= set(ends)


def test_a_moment_that_is_pointed_at_and_where_the_race_was_decided() -> None:
    lines = drawn(Chart((ANN, BOB), 120_000, at_ms=60_000, decided_ms=30_000))
    assert lines[-2].count("^") == 1
    assert lines[-2].count("*") == 1
    assert lines[-2].index("*") < lines[-2].index("^")
    assert "1:00" in lines[-1]
    assert "0:00" in lines[-1]


def test_a_time_that_would_run_into_another_is_left_out() -> None:
    lines = drawn(Chart((ANN,), 60_000, at_ms=1_000))
    assert "0:01" in lines[-1]
    assert "0:00" not in lines[-1]


def test_before_anything_is_known_there_are_axes_only() -> None:
    lines = drawn(Chart((Plot("A", (), 0),), 0))
    assert "a" not in "".join(lines).lower()


def test_letters() -> None:
    assert [letter_of(place) for place in (0, 1, 25, 26)] == ["A", "B", "Z", "A"]
