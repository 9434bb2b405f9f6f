"""What no event can say though its types allow it, and what it can."""

from typing import Any

import msgspec
import pytest

from protocol.codec import BadMessage, encode, read_event
from protocol.errors import ErrorCode
from protocol.events import (
    Ack,
    Curve,
    DayTold,
    Event,
    Mine,
    Ranked,
    Ranks,
    Recorded,
    Refused,
    RematchReady,
    Replayed,
    Seat,
    Snapshot,
    Step,
    Traced,
    Update,
    Welcome,
)
from protocol.sense import LONGEST_MS, MOST_PAGED
from protocol.views import (
    Board,
    BoardReset,
    Change,
    Dealt,
    HeldSeat,
    Life,
    LifeChanged,
    Racer,
    RacerChanged,
    RacerLeft,
    Terms,
)

RACE = "KMNPQRST"
LAYOUT = Board(
    (
        "JD 2D 9H JC 5D 7H 7C",
        "5H KD KC 9S 5S AD QC",
        "KH 3H 2S KS 9D QD JS",
        "AS AH TH 5C TS 4C QH",
        "8D 6S AC 6C 4H 8C",
        "7D TC 3C 8H 4D JH",
        "6D 4S TD 7S 9C 6H",
        "QS 2C 2H 8S 3S 3D",
    ),
    (None, None),
    (0, 0, 0, 0),
)
WON = Board(("",) * 8, (), (13, 13, 13, 13), 90)
LIFE = Life("running", "ana", Terms(), ("ruleset race",), "c0ffee", deal=1, nonce="00")


def board(**parts: object) -> Board:
    return msgspec.structs.replace(LAYOUT, **parts)


def snapshot(**parts: Any) -> Snapshot:
    return Snapshot(RACE, "watch", "boards", 7, "aa", LIFE, **parts)


def update(*changes: Change) -> Update:
    return Update(RACE, "watch", "boards", 7, 8, "bb", changes)


def replayed(*steps: Step, **parts: Any) -> Replayed:
    fields = {"layout": LAYOUT, "after": 0, **parts}
    return Replayed(RACE, 1, "ana", "Ana", 1, 4, "race", steps=steps, **fields)


def traced(*points: tuple[int, int], **parts: Any) -> Traced:
    return Traced(RACE, 1, curves=(Curve("ana", "Ana", points),), **{"after": 0, **parts})


def told(*curve: int) -> DayTold:
    return DayTold(1, "2026-11-30", 4, "2026-11-30", "c0ffee", 1, mine=Mine(RACE, "won", curve=curve))


def ranks(*lines: Ranked, **parts: Any) -> Ranks:
    return Ranks(1, "2026-11", 4, "time", 9, lines=lines, **parts)


def welcome(name: str = "Ana", *races: str, **parts: Any) -> Welcome:
    return Welcome(1, 0, "mfrggzdfmztwq2lk", name, races=races, **parts)


TOKEN = "mfrggzdfmztwq2lk.pmrhazlomnxw4zlsmvxgk3tfmu"
ATTEMPT = "daily:2026-11-30:4:mfrggzdfmztwq2lk"
REMATCH = msgspec.structs.replace(LIFE, rematch="ABCDEFGH")
MISNAMED = msgspec.structs.replace(LIFE, rematch="daily:x")
LINE = Ranked(1, "ana", "Ana", "2026-11-30", RACE, 61_000, 80)


@pytest.mark.parametrize(
    "event",
    [
        Seat(RACE, 3, 3, 0),
        Seat(RACE, 3, 3, 0, board=LAYOUT),
        Ack(RACE, 1, 1, 9),
        Ack(RACE, 1, 90, 9, board=WON),
        snapshot(layout=LAYOUT, boards={"ana": WON}, racers=(Racer("ana", "Ana", home=52),)),
        snapshot(),
        update(Dealt(LAYOUT), BoardReset("ana", WON), RacerChanged(Racer("ana", "Ana")), RacerLeft("ana")),
        replayed(Step(0, "move"), Step(0, "restart", board=LAYOUT), Step(LONGEST_MS, "move"), more=True),
        replayed(),
        traced((0, 0), (5, 2), (5, 52), (LONGEST_MS, 0), more=True, after=MOST_PAGED),
        Traced(RACE, 1, 0, ()),
        told(),
        told(0, 26, 52),
        ranks(),
        ranks(LINE, more=True),
        ranks(unreadable=1, more=True),
        ranks(mine=LINE),
        welcome(),
        welcome("W" * 200, RACE, ATTEMPT, token=TOKEN, seats=(HeldSeat(RACE, "lobby", Terms()),)),
        RematchReady(RACE, "ABCDEFGH"),
        update(LifeChanged(LIFE), LifeChanged(REMATCH)),
        Refused(ErrorCode.BAD_MESSAGE, "no such name", "daily:x"),
        Recorded(1, 4),
    ],
)
def test_what_can_be_is_read(event: Event) -> None:
    assert read_event(encode(event)) == event


@pytest.mark.parametrize(
    "wrong",
    [
        board(cascades=()),
        board(cascades=LAYOUT.cascades[:7]),
        board(cascades=(*LAYOUT.cascades, "")),
        board(cascades=("XX", *LAYOUT.cascades[1:])),
        board(cascades=("JD  2D", *LAYOUT.cascades[1:])),
        board(cascades=("JD JD", *LAYOUT.cascades[1:])),
        board(cells=("10",)),
        board(cells=("JD",)),
        board(cells=(None,) * 5),
        board(home=(99, 0, 0, 0)),
        board(home=(0, -(2**62), 0, 0)),
    ],
)
def test_a_board_that_cannot_be_is_refused_wherever_it_stands(wrong: Board) -> None:
    for event in (
        Seat(RACE, 3, 3, 0, board=wrong),
        Ack(RACE, 1, 90, 9, board=wrong),
        snapshot(layout=wrong),
        snapshot(boards={"ana": LAYOUT, "ben": wrong}),
        update(Dealt(wrong)),
        update(BoardReset("ana", wrong)),
        replayed(layout=wrong),
        replayed(Step(0, "restart", board=wrong)),
    ):
        with pytest.raises(BadMessage, match=r"a board|a foundation"):
            read_event(encode(event))


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (snapshot(racers=(Racer("ana", "Ana", home=-1),)), "cards home"),
        (update(RacerChanged(Racer("ana", "Ana", home=53))), "cards home"),
        (replayed(Step(5, "move"), Step(4, "move")), "a time"),
        (replayed(Step(LONGEST_MS + 1, "move")), "a time"),
        (replayed(Step(-1, "move")), "a time"),
        (replayed(more=True), "more to come"),
        (replayed(after=-1), "more left out"),
        (replayed(after=MOST_PAGED + 1), "more left out"),
        (traced(), "without points"),
        (traced((0, 0), (-5, 1)), "a time"),
        (traced((7, 0), (5, 1)), "a time"),
        (traced((0, 53)), "cards home"),
        (Traced(RACE, 1, 0, (), more=True), "more to come"),
        (told(-(2**62)), "cards home"),
        (ranks(more=True), "more to come"),
        (welcome(" "), "no name"),
        (welcome("W" * 201), "no name"),
        (welcome(token="zz"), "no token"),
        (welcome("Ana", "daily:x"), "none has"),
        (welcome(seats=(HeldSeat("x", "lobby", Terms()),)), "none has"),
        (Seat("daily:x", 3, 3, 0), "none has"),
        (RematchReady(RACE, "daily:x"), "none has"),
        (update(LifeChanged(MISNAMED)), "none has"),
        (msgspec.structs.replace(snapshot(), life=MISNAMED), "none has"),
        (ranks(msgspec.structs.replace(LINE, race="x")), "none has"),
        (ranks(mine=msgspec.structs.replace(LINE, race="x")), "none has"),
        (msgspec.structs.replace(told(), mine=Mine("x", "won")), "none has"),
        (ranks(LINE, unreadable=-1, more=True), "more to come"),
    ],
)
def test_what_cannot_be_is_refused(event: Event, why: str) -> None:
    with pytest.raises(BadMessage, match=why):
        read_event(encode(event))
