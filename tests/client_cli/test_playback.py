"""A replay: its boards one by one, and the moves that count in the end."""

import pytest

from client_cli.playback import counting_notation, frames, joined, notation_text
from protocol.events import Replayed, Step
from protocol.picture import Hole
from tests.client_cli.samples import BOB, LAYOUT, RACE


def move(text: str) -> Step:
    return Step(1, "move", (text,))


UNDO = Step(2, "undo")
REDO = Step(3, "redo")
RESTART = Step(4, "restart", board=LAYOUT)


@pytest.mark.parametrize(
    ("steps", "counting"),
    [
        ([], []),
        ([move("5a"), move("5b")], ["5a", "5b"]),
        ([move("5a"), UNDO, move("5b")], ["5b"]),
        ([move("5a"), UNDO, REDO], ["5a"]),
        ([move("5a"), move("5b"), UNDO, UNDO, REDO], ["5a"]),
        ([move("5a"), RESTART, move("5b")], ["5b"]),
        ([move("5a"), RESTART, UNDO, move("5b")], ["5a", "5b"]),
        ([move("5a"), RESTART, move("5b"), UNDO, UNDO, REDO], []),
        ([move("5a"), Step(5, "auto_finish", ("6h", "7h"))], ["5a", "6h", "7h"]),
        ([Step(5, "send", ("26v1",))], ["26v1"]),
    ],
)
def test_only_what_led_to_the_last_board_counts(steps: list[Step], counting: list[str]) -> None:
    assert counting_notation(steps) == counting


def test_boards_one_by_one() -> None:
    steps = (
        Step(10, "move", ("5a",), (("5", "a", 1),)),
        Step(20, "undo", (), (("a", "5", 1),)),
        RESTART,
    )
    film = frames(LAYOUT, steps)
    assert [frame.number for frame in film] == [1, 2, 3]
    assert film[0].before == LAYOUT
    assert film[0].after.cells[0] == "6C"
    assert film[1].after.cascades == LAYOUT.cascades
    assert film[2].after == LAYOUT


def test_steps_of_another_deal_do_not_fit() -> None:
    with pytest.raises(Hole):
        frames(LAYOUT, [Step(10, "move", ("a5",), (("a", "5", 1),))])


def test_ten_moves_to_a_line() -> None:
    assert notation_text([str(i) for i in range(12)]) == "0 1 2 3 4 5 6 7 8 9\n10 11"


def test_pages_are_joined() -> None:
    pages = [
        Replayed(RACE, 1, BOB, "bob", 1, 4, "race", LAYOUT, 0, (move("5a"),), more=True),
        Replayed(RACE, 2, BOB, "bob", 1, 4, "race", LAYOUT, 1, (move("5b"),)),
    ]
    assert joined(pages) == (move("5a"), move("5b"))
