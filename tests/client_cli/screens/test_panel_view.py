from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields
from rich.cells import cell_len

from client_cli.screens.look import Look
from client_cli.screens.panel_view import panel_lines, state_text
from client_cli.session import Session
from client_cli.text_width import cut
from protocol.views import ChatLine, Racer
from tests.client_cli.samples import BOB, LAYOUT, ME, hear, in_lobby, racer, snapshot

NAMES = [
    "bob",
    "\u592a\u90ce\u592a\u90ce\u592a\u90ce\u592a\u90ce",
    "Gr\u00f6\u00dfe",
    "\u0418\u0432\u0430\u043d",
    "[red]x[/red]",
    "w" * 24,
]
"""Plain, two cells wide, with marks, in other letters, what looks like markup, as long as may be."""


def session(*racers: Racer, chat: tuple[ChatLine, ...] = ()) -> Session:
    return hear(in_lobby(), snapshot("running", racers=racers, to=9, chat=chat))


PLAIN = Look()


def text(session: Session, width: int = 31, height: int = 20, look: Look = PLAIN) -> list[str]:
    return ["".join(span.text for span in line) for line in panel_lines(session, look, width, height)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [29, 31, 60])
def test_every_name_fits(name: str, width: int) -> None:
    chat = (ChatLine(1, BOB, name, "x" * 100),)
    lines = text(session(racer(state="racing"), racer(BOB, name, state="racing"), chat=chat), width)
    assert all(cell_len(line) <= width for line in lines)
    assert any(line.startswith(name[:4]) for line in lines)


def test_a_robot_is_told_as_one_and_one_that_cannot_win_as_such() -> None:
    robot = racer(BOB, "Robot", robot="fast", state="racing")
    assert text(session(racer(state="racing", home=1), robot), 40)[2].startswith("Robot (fast robot)")
    hopeless = racer(BOB, "Robot", robot="fast", no_way=True)
    assert state_text(hopeless, session(hopeless)) == "knows no way to win"
    assert state_text(with_fields(hopeless, state="resigned"), session(hopeless)) == "knows no way to win"


def test_who_is_ahead_and_by_how_much() -> None:
    told = session(racer(state="racing", home=2, actions=8), racer(BOB, "bob", state="racing", home=10))
    # The answer to a move comes before the race is told of it: one's own board is ahead.
    board = with_fields(LAYOUT, home=(0, 3, 0, 0), actions=9)
    lines = text(replace(told, board=board))
    assert lines[0].startswith("bob")
    assert lines[2].startswith("ann (you, host)")
    assert lines[3].endswith(" 3/52 9 actions -7")


def test_the_bar_is_full_when_all_are_home() -> None:
    done = racer(state="finished", home=52, ended_ms=61_234, rank=1)
    lines = text(session(done), look=Look(symbols=False))
    assert "1st 1:01.234" in lines[0]
    assert "." not in lines[1]
    assert lines[1].startswith("#")


def test_more_racers_than_there_is_room_for() -> None:
    racers = [racer(f"{place:016}", f"racer {place}", state="racing") for place in range(20)]
    lines = text(session(*racers), height=9)
    assert len(lines) <= 9
    assert lines[-1] == "and 16 more"


@pytest.mark.parametrize(
    ("somebody", "said"),
    [
        (racer(state="racing"), "racing"),
        (racer(state="resigned"), "resigned"),
        (racer(state="out_of_time"), "out of time"),
        (racer(state="finished"), "finished"),
        (racer(state="waiting", ready=True), "ready"),
        (racer(state="waiting"), "not ready"),
    ],
)
def test_what_everybody_does_is_said_in_words(somebody: Racer, said: str) -> None:
    assert state_text(somebody, session(racer())) == said


def test_who_is_away() -> None:
    here = replace(session(racer(), racer(BOB, "bob")), here=frozenset({ME}))
    assert state_text(racer(BOB, "bob", state="racing"), here) == "away"
    assert state_text(racer(state="racing"), here) == "racing"
    assert state_text(with_fields(racer(BOB, "bob"), state="resigned"), here) == "resigned"


def test_cutting() -> None:
    assert cut("abc", 3) == ("abc", 3)
    assert cut("abcd", 3) == ("ab~", 3)
    assert cell_len(cut("\u592a\u90ce\u592a", 4).text) == 4


def test_letters_stand_before_the_names() -> None:
    both = session(racer(state="racing"), racer(BOB, "bob", state="racing"))
    lines = panel_lines(both, PLAIN, 40, 20, {BOB: "B"})
    shown = ["".join(span.text for span in line) for line in lines]
    assert shown[0].startswith("ann (you, host)")
    assert shown[2].startswith("B bob ")
