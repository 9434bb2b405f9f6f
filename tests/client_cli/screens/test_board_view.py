import pytest
from msgspec.structs import replace

from client_cli.screens.board_columns import board_lines
from client_cli.screens.board_view import (
    CASCADES,
    CELLS,
    HOMES,
    Shape,
    Spot,
    View,
    card_at,
    cascades_of,
    longest_of,
    shape_for,
    spot_at,
)
from client_cli.screens.look import Look
from protocol.views import Board
from tests.client_cli.samples import LAYOUT

LONG = replace(
    LAYOUT, cascades=("KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AC KC QD JC TD 9C 8D", *LAYOUT.cascades[1:])
)
BUSY = replace(LAYOUT, cells=("5H", None, "TD", None), home=(3, 0, 13, 10))

SHAPES = [
    shape_for(width, height, longest) for width, height, longest in ((48, 21, 8), (66, 37, 12), (99, 57, 12))
]


def text(view: View, shape: Shape, look: Look = Look()) -> str:  # noqa: B008 - a frozen value
    lines = ("".join(span.text for span in line).rstrip() for line in board_lines(view, shape, look))
    return "\n".join(lines).rstrip()


SMALLEST = """\
  a    b+1    c     d     ♣     ♦     ♥     ♠
  5♥    -    10♦    -     3♣    -     K♥   10♠
  1     2    3+2   4…     5     6     7     8
  J♦    2♦    9♥    J♣    5♦    7♥    7♣    5♥
  K♦    K♣    9♠    5♠    A♦    Q♣    K♥    3♥
  2♠    K♠    9♦    Q♦    J♠    A♠    A♥    3♣
  4♣    5♣   10♠    Q♥    4♥    A♣    4♦    7♠
  3♠   10♦    4♠   10♥  ▸ 8♥    2♣    J♥    7♦
  6♦    8♠    8♦    Q♠  ▸ 6♣    3♦    8♣   10♣
  6♠  [ 9♣]   2♥    6♥"""


def test_as_drawn_on_the_smallest_terminal() -> None:
    view = View(BUSY, picked=Spot("5", 2), cursor=Spot("2"), reach={"b": 1, "3": 2}, waiting=frozenset("4"))
    assert text(view, SHAPES[0]) == SMALLEST


def test_larger_terminals_get_larger_cards() -> None:
    small, medium, large = SHAPES
    assert small.width == 47
    assert small.width < medium.width < large.width
    assert small.face < medium.face


@pytest.mark.parametrize("width", range(48, 100, 7))
@pytest.mark.parametrize("height", range(19, 60, 5))
@pytest.mark.parametrize("longest", [1, 12, 19])
def test_what_is_drawn_fits(width: int, height: int, longest: int) -> None:
    shape = shape_for(width, height, longest)
    assert shape.width <= width
    lines = board_lines(View(LONG), shape, Look())
    assert len(lines) == height
    assert {sum(len(span.text) for span in line) for line in lines} == {shape.width}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("board", [LAYOUT, BUSY, LONG])
def test_whatever_is_drawn_is_found_again_by_the_mouse(shape: Shape, board: Board) -> None:
    lines = ["".join(span.text for span in line) for line in board_lines(View(board), shape, Look())]
    shown, found = "\n".join(lines), set()
    for y in range(shape.height):
        for x in range(shape.width):
            spot = spot_at(board, shape, x, y)
            card = card_at(board, spot) if spot else None
            if spot and card:
                found.add(spot)
                assert Look().card(card).strip() in shown
            elif spot:
                assert spot.count == 0
    cards = {
        Spot(CASCADES[place], n + 1)
        for place, column in enumerate(cascades_of(board))
        for n in range(len(column))
    }
    tops = {Spot(pile) for pile in (*CELLS, *HOMES) if card_at(board, Spot(pile))}
    hidden = cards - found
    assert found <= cards | tops
    assert tops <= found
    assert not hidden or longest_of(board) > 12


def test_a_column_too_long_loses_its_top_and_says_so() -> None:
    shape = shape_for(48, 16, 12)
    shown = text(View(LONG), shape)
    assert "⋮" in shown
    assert " 8♦" in shown.splitlines()[-1]
    assert " K♠ " not in shown.splitlines()[3]


def test_beside_the_board_and_between_columns_is_nothing() -> None:
    shape = SHAPES[0]
    assert spot_at(LAYOUT, shape, shape.width + 3, 5) is None
    assert spot_at(LAYOUT, shape, 5, 5) is None
    assert spot_at(LAYOUT, shape, -1, 5) is None
    three = replace(LAYOUT, cells=(None, None, None))
    assert spot_at(three, shape, 3 * shape.stride, 1) is None


def test_letters_only() -> None:
    view = View(BUSY, picked=Spot("1"), cursor=Spot("b", 0), waiting=frozenset("2"), hint=frozenset("3"))
    shown = text(view, SHAPES[0], Look(symbols=False))
    assert shown.isascii()
    assert "10D" in shown
    assert "[ - ]" in shown
    assert "3!" in shown


def test_no_two_states_look_the_same_without_colour() -> None:
    """Told apart by signs alone: picked, pointed at, reachable, waiting, hinted, or nothing of these."""
    views = [
        View(LAYOUT),
        View(LAYOUT, picked=Spot("1")),
        View(LAYOUT, cursor=Spot("1")),
        View(LAYOUT, reach={"1": 1}),
        View(LAYOUT, waiting=frozenset("1")),
        View(LAYOUT, hint=frozenset("1")),
    ]
    for shape in SHAPES:
        for look in (Look(colour=False), Look(symbols=False, colour=False)):
            assert len({text(view, shape, look) for view in views}) == len(views)


def test_every_card_leaves_its_last_cell_free() -> None:
    """A suit drawn two cells wide spills into it, and columns stay where they are."""
    for shape in SHAPES:
        for line in board_lines(View(BUSY), shape, Look()):
            joined = "".join(span.text for span in line)
            for x, letter in enumerate(joined):
                if letter in "♣♦♥♠" and x % shape.stride != shape.card // 2:
                    assert joined[x + 1 : x + 2] in {" ", ""}
