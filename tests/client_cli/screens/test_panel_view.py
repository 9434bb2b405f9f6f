from dataclasses import replace

import pytest
from msgspec.structs import replace as with_fields
from rich.cells import cell_len

from client_cli.ghosts import Ghost
from client_cli.screens.look import Look
from client_cli.screens.panel_view import panel_lines
from client_cli.screens.part import Pick, part_of
from client_cli.screens.racer_rows import state_text
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
LOW = 9
"""Rows that leave two to each of two racers; three would leave too few for the chat."""


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
    assert text(session(racer(state="racing", home=1), robot), 40)[3].startswith("Robot (fast robot)")
    hopeless = racer(BOB, "Robot", robot="fast", no_way=True)
    assert state_text(hopeless, session(hopeless)) == "knows no way to win"
    assert state_text(with_fields(hopeless, state="resigned"), session(hopeless)) == "knows no way to win"


def test_who_is_ahead_and_by_how_much() -> None:
    told = session(racer(state="racing", home=2, actions=8), racer(BOB, "bob", state="racing", home=10))
    # The answer to a move comes before the race is told of it: one's own board is ahead.
    board = with_fields(LAYOUT, home=(0, 3, 0, 0), actions=9)
    lines = text(replace(told, board=board), height=LOW)
    assert lines[0].startswith("bob")
    assert lines[2].startswith("ann (you)  ")
    assert lines[3].endswith("\u2591  3/52 -7")
    # Where there is room, the actions, too: behind, so that all figures stand below each other.
    wide = text(replace(told, board=board), 64)
    assert wide[1].endswith(" 10/52     0 actions")
    assert wide[3].endswith("  3/52 -7  9 actions")


def test_in_little_room_names_are_whole_and_actions_are_told() -> None:
    long = "Averyveryverylongname" + "x" * 3
    done = racer(BOB, long, state="finished", home=52, actions=110, ended_ms=23_522, rank=1)
    robot = racer("c" * 16, "Robot", robot="fast", state="racing", home=1, actions=12)
    told = replace(
        session(racer(state="racing"), done, robot), board=with_fields(LAYOUT, home=(1, 0, 0, 0), actions=1)
    )
    assert [line.split("  ")[0] for line in text(told, 30)] == [
        *(long, "1st 0:23.522", "\u2588" * 20 + " 52/52"),
        *("ann (you)", "racing", "\u2588" + "\u2591" * 19),
        *("Robot (fast robot)", "racing", "\u2588" + "\u2591" * 19),
    ]
    assert [line.split("  ")[-1].strip() for line in text(told, 30)[1::3]] == [
        "110 actions",
        "1 action",
        "12 actions",
    ]
    # Where there is room for two rows only, that he makes them is news enough of one who races.
    low = text(told, 30, 14)
    assert low[2].endswith("  1 action")
    assert low[4].endswith("  12 actions")
    assert low[0].endswith(" 1st 0:23.522")
    away = replace(told, here=frozenset({ME}))
    assert text(away, 30, 14)[4].endswith("  away")


@pytest.mark.parametrize(("count", "rows"), [(2, 3), (4, 3), (5, 2), (9, 2)])
def test_a_racer_has_three_rows_where_the_chat_keeps_some(count: int, rows: int) -> None:
    racers = [racer(ME if place == 0 else f"{place:016}", f"racer {place}") for place in range(count)]
    chat = tuple(ChatLine(place, ME, "racer 0", f"line {place}") for place in range(9))
    lines = text(session(*racers, chat=chat), 30, 20)
    assert [line.startswith("racer ") and ":" not in line for line in lines[: count * rows : rows]] == [
        True
    ] * count
    assert len(lines) <= 20
    assert sum("line " in line for line in lines) >= (4 if rows == 3 else 0)


def test_a_ghost_has_as_many_rows_as_a_racer() -> None:
    ghost = Ghost("rotrotrotrotrot", ((0, 0), (23_522, 52)))
    lines = panel_lines(session(racer(state="racing")), PLAIN, 30, 20, {}, (ghost, 30_000))
    shown = ["".join(span.text for span in line).rstrip() for line in lines]
    assert shown[3:] == ["ghost of rotrotrotrotrot", "won in 0:23.522", "\u2588" * 20 + " 52/52"]


def test_the_bar_is_full_when_all_are_home() -> None:
    done = racer(state="finished", home=52, ended_ms=61_234, rank=1)
    lines = text(session(done), look=Look(symbols=False))
    assert "won in 1:01.234" in lines[0]
    assert "." not in lines[1]
    assert lines[1].startswith("#")


def test_there_is_a_place_where_there_are_several() -> None:
    done = racer(state="finished", home=52, ended_ms=61_234, rank=1)
    assert text(session(done, racer(BOB, "bob")), height=LOW)[0].endswith("1st 1:01.234")


def bars(lines: list[str]) -> list[str]:
    return [line[: len(line) - len(line.lstrip("\u2588\u2591"))] for line in lines[1::2]]


@pytest.mark.parametrize("width", [29, 31, 40, 60])
def test_all_bars_are_equally_long_and_show_the_first_card_home(width: int) -> None:
    homes = (52, 34, 5, 1, 0)
    racers = [
        racer(f"{place:016}", f"racer {place}", state="racing", home=home, actions=10**place)
        for place, home in enumerate(homes)
    ]
    shown = bars(text(session(*racers), width))
    assert len({len(shown_bar) for shown_bar in shown}) == 1
    assert len(shown[0]) >= 19
    full = [shown_bar.count("\u2588") for shown_bar in shown]
    assert full[0] == len(shown[0])
    assert full == sorted(full, reverse=True)
    assert full[-2:] == [1, 0]


def test_a_ghost_is_ahead_or_behind_as_anybody_is() -> None:
    alone, ghost = session(racer(state="racing")), Ghost("cy", ((0, 0), (1_000, 9), (60_000, 52)))
    shown = [
        ["".join(span.text for span in line).rstrip() for line in panel_lines(alone, PLAIN, 31, LOW, {}, at)]
        for at in ((ghost, 0), (ghost, 1_000))
    ]
    assert all(line.endswith("  0/52") for line in shown[0][1::2])
    assert shown[1][1].endswith("  0/52 -9")
    assert shown[1][3].endswith("  9/52")
    assert len({len(bar_) for bar_ in bars(shown[1])}) == 1


@pytest.mark.parametrize(("width", "state"), [(31, "not won"), (60, "gave up, or ran out of time")])
def test_a_ghost_that_did_not_win_keeps_its_name(width: int, state: str) -> None:
    ghost = Ghost("cleo", ((0, 0), (1_000, 9)))
    lines = panel_lines(session(racer(state="racing")), PLAIN, width, LOW, {}, (ghost, 2_000))
    shown = "".join(span.text for span in lines[2])
    assert shown.startswith("ghost of cleo  ")
    assert shown.endswith(f"  {state}")
    assert cell_len(shown) == width


def test_a_ghost_has_a_sign_where_racers_have_letters() -> None:
    ghost = Ghost("cleo", ((0, 0), (1_000, 9)))
    lines = panel_lines(session(racer(state="racing")), PLAIN, 60, 20, {ME: "A"}, (ghost, 500))
    assert [line[0].text for line in lines[::2]] == ["A ann (you)", "@ ghost of cleo"]


def test_a_bar_stays_as_long_as_it_is_while_actions_are_made() -> None:
    lengths = {
        len(bars(text(session(racer(state="racing"), racer(BOB, "bob", actions=actions)), 64))[0])
        for actions in (0, 1, 10, 100, 999)
    }
    assert len(lengths) == 1


def test_who_races_alone_sees_his_actions_in_little_room() -> None:
    alone = replace(session(racer(state="racing")), board=with_fields(LAYOUT, actions=7))
    assert text(alone)[1].endswith(" 0/52 7 actions")


def test_rows_change_places_only_where_somebody_is_further() -> None:
    ahead = racer(BOB, "bob", state="racing", home=1)
    for actions in (0, 5, 50):
        lines = text(session(racer(state="racing", actions=actions), with_fields(ahead, home=0)))
        assert lines[0].startswith("ann"), "on even terms as they sit"
    assert text(session(racer(state="racing"), ahead))[0].startswith("bob")


def many(own: int) -> list[Racer]:
    """Twenty racers, oneself among them."""
    return [
        racer(ME if place == own else f"{place:016}", f"racer {place}", state="racing", home=20 - place)
        for place in range(20)
    ]


@pytest.mark.parametrize("own", [1, 2, 3, 11, 19])
def test_more_racers_than_there_is_room_for(own: int) -> None:
    lines = text(session(*many(own)), height=10)
    assert len(lines) <= 10
    assert lines[-1] == "and 16 more: Page Down"
    assert sum(line.startswith(f"racer {own} (you)") for line in lines) == 1
    assert lines[0].startswith("racer 0 "), "and who is first"


def scrolled(first: int) -> Pick:
    return lambda count, room, own: part_of(count, room, own, first).places


@pytest.mark.parametrize("own", [0, 5, 19, None])
def test_every_racer_is_seen_page_by_page(own: int | None) -> None:
    racers, room, first = session(*many(20 if own is None else own)), 4, 0
    seen: set[str] = set()
    for _ in range(8):
        part = part_of(20, room, own, first)
        lines = panel_lines(racers, PLAIN, 31, 2 * room + 2, pick=scrolled(part.first))
        assert len(lines) == 2 * room + 1
        seen |= {line[0].text.removesuffix(" (you)").strip() for line in lines[:-1:2]}
        first = part.first + room - 1
    assert seen == {f"racer {place}" for place in range(20)}


def test_a_list_is_not_scrolled_beyond_its_end() -> None:
    assert part_of(10, 4, None, 99) == ([6, 7, 8, 9], 6)
    assert part_of(10, 4, 0, 99) == ([0, 7, 8, 9], 7)
    assert part_of(10, 4, 9, -5) == ([0, 1, 2, 9], 0)
    assert part_of(10, 1, 4, 0) == ([4], 0)
    assert part_of(3, 9, 1, 5) == ([0, 1, 2], 0)
    assert part_of(0, 9, None) == ([], 0)


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
    lines = panel_lines(both, PLAIN, 40, LOW, {BOB: "B"})
    shown = ["".join(span.text for span in line) for line in lines]
    assert shown[0].startswith("ann (you)  ")
    assert shown[2].startswith("B bob ")
