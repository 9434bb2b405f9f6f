"""Short ways to make what the tests are about: races, racers, boards and events."""

import hashlib
from typing import Final

from msgspec.structs import replace

from client_cli.mind import receive
from client_cli.session import Session
from protocol.commands import Join, Move
from protocol.errors import ErrorCode
from protocol.events import Ack, Event, Refused, Seat, Snapshot, Update, Welcome
from protocol.views import (
    Board,
    CardMove,
    Change,
    Dealt,
    Feed,
    HeldSeat,
    Life,
    LifeChanged,
    Phase,
    Racer,
    RacerChanged,
    Terms,
)

RACE: Final = "ABCDEFGH"
OTHER_RACE: Final = "BBBBBBBB"
ME: Final = "aaaaaaaaaaaaaaaa"
BOB: Final = "bbbbbbbbbbbbbbbb"
TOKEN: Final = f"{ME}.{'c' * 26}"
NONCE: Final = "00ff"
DEAL: Final = 1
COMMITMENT: Final = hashlib.sha256(f"{NONCE}:{DEAL}".encode()).hexdigest()

LAYOUT: Final = Board(
    (
        "JD KD 2S 4C 3S 6D 6S",
        "2D KC KS 5C TD 8S 9C",
        "9H 9S 9D TS 4S 8D 2H",
        "JC 5S QD QH TH QS 6H",
        "5D AD JS 4H 8H 6C",
        "7H QC AS AC 2C 3D",
        "7C KH AH 4D JH 8C",
        "5H 3H 3C 7S 7D TC",
    ),
    (None, None, None, None),
    (0, 0, 0, 0),
)
"""Deal 1."""


def life(phase: Phase = "lobby", **more: object) -> Life:
    plain = Life(phase, ME, Terms(cells=4), ("ruleset race",), COMMITMENT, countdown_ms=5000)
    if phase in {"running", "over"}:
        plain = replace(plain, deal=DEAL, nonce=NONCE, deal_code="FC1-C4-AAAAAAB")
    return replace(plain, **more)


def racer(player: str = ME, name: str = "ann", **more: object) -> Racer:
    return replace(Racer(player, name), **more)


def snapshot(phase: Phase = "lobby", *, to: int = 3, feed: Feed = "seat", **more: object) -> Snapshot:
    racers = (racer(), racer(BOB, "bob"))
    if phase == "running":
        racers = (racer(state="racing"), racer(BOB, "bob", state="racing"))
    layout = LAYOUT if phase in {"running", "over"} else None
    plain = Snapshot(RACE, feed, "racer", to, f"{to:016x}", life(phase), layout=layout, racers=racers)
    return replace(plain, **more)


def update(from_: int, to: int, *changes: Change, feed: Feed = "seat", clock: int | None = None) -> Update:
    return Update(RACE, feed, "racer", from_=from_, to=to, tag=f"{to:016x}", changes=changes, clock=clock)


def start_of_race(from_: int = 3) -> Update:
    """The update by which a race starts, for both racers."""
    return update(
        from_,
        from_ + 1,
        LifeChanged(life("running")),
        RacerChanged(racer(state="racing")),
        RacerChanged(racer(BOB, "bob", state="racing")),
        Dealt(LAYOUT),
        clock=0,
    )


def move(text: str) -> Move:
    """A move as it is typed."""
    return Move("", 0, 0, text)


def seat(last_c: int = 0, *, n: int = 0, board: Board | None = None, seq: int = 3) -> Seat:
    return Seat(RACE, seq, seq, last_c, n, board)


def ack(c: int, n: int, *moves: CardMove, seq: int = 5, **more: object) -> Ack:
    return replace(Ack(RACE, c, n, seq, moves, actions=n), **more)


def refused(c: int, code: ErrorCode = ErrorCode.ILLEGAL_MOVE, detail: str = "no", **more: object) -> Refused:
    return replace(Refused(code, detail, RACE, c), **more)


def welcome(*races: str, token: str | None = None, seats: tuple[HeldSeat, ...] = ()) -> Welcome:
    return Welcome(1, 0, ME, "ann", token, races, seats)


def alone(race: str = RACE) -> HeldSeat:
    """A seat in a race that runs and in which nobody else has one."""
    return HeldSeat(race, "running", Terms(cells=4), host=True, deal=DEAL, deal_code="FC1-C4-AAAAAAB")


def hear(session: Session, *events: Event, now_ms: int = 0) -> Session:
    """The session after these events."""
    for event in events:
        session = receive(session, event, now_ms).session
    return session


def in_lobby() -> Session:
    """A session with a seat in the lobby."""
    return hear(Session(Join(RACE)), welcome(), seat(), snapshot())


def racing() -> Session:
    """A session that has just been dealt its cards."""
    return hear(in_lobby(), start_of_race())
