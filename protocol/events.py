"""Messages from server to client.

A client ignores message types and fields it does not know. `seq` counts the events of a race's log. Private
messages (`ack`, `refused`, `seat`) come before the public `update` that covers their `seq`.
"""

from typing import Literal

from msgspec import Struct, field

from protocol.commands import BoardBy
from protocol.errors import ErrorCode
from protocol.views import Board, CardMove, Change, ChatLine, Feed, HeldSeat, Life, Phrase, Racer, ViewName

Known = Literal["winnable", "unwinnable", "lost_without_return", "unknown"]
"""What can be known of a game; where cards may be taken back, it may be lost only `without_return`."""
Outcome = Literal["won", "winnable", "unwinnable", "lost_without_return", "unknown"]
"""How a game was left: won, or what was known of it then."""


class _Event(Struct, frozen=True, omit_defaults=True, tag_field="t"):
    """What all events share: the tag `t`."""


class Welcome(_Event, frozen=True, tag="welcome"):
    """The answer to `hello`; `token` only for a new player.

    `races` are those he has a seat in that are not over, `seats` what they are. `robots` is whether a
    robot can be seated here.
    """

    v: int
    minor: int
    player: str
    name: str
    token: str | None = None
    races: tuple[str, ...] = ()
    seats: tuple[HeldSeat, ...] = ()
    robots: bool = True


class Created(_Event, frozen=True, tag="created"):
    """The race that `create` made or found; `seat` and `snapshot` follow."""

    id: str
    race: str
    q: int | None = None


class Seat(_Event, frozen=True, tag="seat"):
    """Your seat, as of `seq`: the next command is `last_c` + 1. `board` is there once dealt."""

    race: str
    session: int
    seq: int
    last_c: int
    n: int = 0
    board: Board | None = None
    undo: bool = False
    redo: bool = False
    finish: bool = False
    blocked: bool = False
    q: int | None = None
    stuck: bool = False


class Watching(_Event, frozen=True, tag="watching"):
    """You follow this race, `delay_ms` behind it; `why` says what the host allows, in words.

    `last_c` is the highest number of yours that took effect: your next chat line is above it. Told again when
    any of that changes; `paused` is whether nothing more is shown until then.
    """

    race: str
    view: ViewName
    last_c: int = 0
    delay_ms: int = 0
    why: str = ""
    q: int | None = None
    phrases: tuple[Phrase, ...] = ()
    paused: bool = False


class Unwatched(_Event, frozen=True, tag="unwatched"):
    """You follow this race no longer."""

    race: str
    q: int | None = None


class Snapshot(_Event, frozen=True, tag="snapshot"):
    """The whole picture as of `to`, in `pages` pages: later ones add to `racers`, `boards` and `chat`.

    `clock` is the race's clock when this was sent: milliseconds since the start, negative in the countdown,
    absent in the lobby. `rewound` means that events you have seen were lost.
    """

    race: str
    feed: Feed
    view: ViewName
    to: int
    tag: str
    life: Life
    clock: int | None = None
    rewound: bool = False
    page: int = 1
    pages: int = 1
    layout: Board | None = None
    racers: tuple[Racer, ...] = ()
    boards: dict[str, Board] = field(default_factory=dict)
    chat: tuple[ChatLine, ...] = ()


class Update(_Event, frozen=True, tag="update"):
    """What happened after `from_` up to and with `to`."""

    race: str
    feed: Feed
    view: ViewName
    from_: int = field(name="from")
    to: int
    tag: str
    changes: tuple[Change, ...] = ()
    clock: int | None = None


class Ack(_Event, frozen=True, tag="ack"):
    """Command `c` took effect at `seq`.

    `moves` are the card movements it made on your board, `board` the whole board instead where cards cannot
    tell it. An answer given again (`repeated`) carries neither. `singles` are the movements card by card, for
    who draws them; absent where `moves` are that already.
    """

    race: str
    c: int
    n: int
    seq: int
    moves: tuple[CardMove, ...] = ()
    board: Board | None = None
    score: int = 0
    actions: int = 0
    home: int = 0
    undo: bool = False
    redo: bool = False
    finish: bool = False
    blocked: bool = False
    won: bool = False
    repeated: bool = False
    singles: tuple[CardMove, ...] = ()
    stuck: bool = False


class Refused(_Event, frozen=True, tag="refused"):
    """A command had no effect; `detail` is a sentence to act on, `n` the board's version as it stands.

    `seq` is the newest event of the race when it was refused, `phrases` what `detail` was made of.
    """

    code: ErrorCode
    detail: str
    race: str | None = None
    c: int | None = None
    q: int | None = None
    n: int | None = None
    retry_ms: int | None = None
    seq: int | None = None
    phrases: tuple[Phrase, ...] = ()


class Presence(_Event, frozen=True, tag="presence"):
    """Who has a connection just now, and how many watch. Not part of the log, and not promised."""

    race: str
    here: tuple[str, ...]
    watchers: int = 0


class Hinted(_Event, frozen=True, tag="hinted"):
    """A legal move in notation, or none."""

    race: str
    q: int
    n: int
    move: str | None = None


class Destination(Struct, frozen=True, omit_defaults=True):
    """How many cards could move to a pile; where none, why."""

    to: str
    most: int
    why: str = ""
    phrases: tuple[Phrase, ...] = ()


class Calculated(_Event, frozen=True, tag="calculated"):
    """The answer to `calc`."""

    race: str
    q: int
    n: int
    pile: str
    destinations: tuple[Destination, ...]


class Step(Struct, frozen=True, omit_defaults=True):
    """One thing a racer did. `what` is `move`, `send`, `undo`, `redo`, `restart` or `auto_finish`."""

    ms: int
    what: str
    notation: tuple[str, ...] = ()
    moves: tuple[CardMove, ...] = ()
    board: Board | None = None
    singles: tuple[CardMove, ...] = ()


class Replayed(_Event, frozen=True, tag="replayed"):
    """A page of a racer's steps; ask on with `after` + the number of steps while `more`."""

    race: str
    q: int
    player: str
    name: str
    deal: int
    cells: int
    ruleset: str
    layout: Board
    after: int
    steps: tuple[Step, ...]
    more: bool = False


class Curve(Struct, frozen=True, omit_defaults=True):
    """How far a racer was at every time: from each point's `ms` on, so many of his cards were home."""

    player: str
    name: str
    points: tuple[tuple[int, int], ...]


class Traced(_Event, frozen=True, tag="traced"):
    """A page of a race's curves up to `clock`; ask on with `after` + the number of curves while `more`."""

    race: str
    q: int
    after: int
    curves: tuple[Curve, ...]
    clock: int | None = None
    more: bool = False


class Verdict(_Event, frozen=True, tag="verdict"):
    """What is known of whether version `n` of a racer's board can be won; `moves` by how few more.

    Not part of the log, and told only to who sees the board.
    """

    race: str
    feed: Feed
    player: str
    n: int
    what: Known
    moves: int | None = None


class Mark(Struct, frozen=True, omit_defaults=True):
    """A place in what a racer did: so many steps, the last of them this one; `number` 0 is the deal."""

    number: int
    ms: int = 0
    what: str = "deal"
    notation: tuple[str, ...] = ()


class Parting(Struct, frozen=True, omit_defaults=True):
    """The first steps after which two racers' boards differed; none if they never did, or one took none."""

    player: str
    name: str
    own: Mark | None = None
    other: Mark | None = None


class Reported(_Event, frozen=True, tag="reported"):
    """The answer to `report`: how a racer's game ended, and until when it could be won.

    `winnable_to` is the last place from which a win is known, `lost_from` the one from which on there was
    none to the end.
    """

    race: str
    q: int
    player: str
    name: str
    steps: int
    what: Outcome
    winnable_to: Mark | None = None
    lost_from: Mark | None = None
    parting: Parting | None = None


class RematchReady(_Event, frozen=True, tag="rematch_ready"):
    """The race that your `rematch` made or found; you have a seat in it once you `join`."""

    race: str
    next: str


class Mine(Struct, frozen=True, omit_defaults=True):
    """One's own ranked attempt. `curve` is cards home at times evenly spread over it.

    `rank`, `of` and `percentile` tell where it stands among those who have won, by time.
    """

    race: str
    state: Literal["racing", "won", "lost"]
    ms: int | None = None
    actions: int = 0
    taken_back: int = 0
    hinted: bool = False
    rank: int | None = None
    of: int = 0
    percentile: int | None = None
    curve: tuple[int, ...] = ()


class DayTold(_Event, frozen=True, tag="day"):
    """The answer to `daily`. `deal` only for those who may see the cards, `value` only once it is closed.

    `since` is the first day that has a deal.
    """

    q: int
    day: str
    cells: int
    today: str
    commitment: str
    table: int
    closed: bool = False
    left_ms: int | None = None
    won: int = 0
    value: str | None = None
    deal: int | None = None
    deal_code: str | None = None
    mine: Mine | None = None
    since: str = ""


class Attempted(_Event, frozen=True, tag="attempted"):
    """The ranked attempt that `attempt` began or found; `seat` and `snapshot` follow."""

    race: str
    day: str
    cells: int
    q: int | None = None


class Ranked(Struct, frozen=True, omit_defaults=True):
    """A line of a leaderboard; `race` is what to ask for its replay."""

    rank: int
    player: str
    name: str
    day: str
    race: str
    ms: int
    actions: int
    taken_back: int = 0
    hinted: bool = False


class Ranks(_Event, frozen=True, tag="ranks"):
    """The answer to `ranking`: a page of lines, and one's own, if one is on the board of a day."""

    q: int
    period: str
    cells: int
    by: BoardBy
    of: int
    start: int = 0
    lines: tuple[Ranked, ...] = ()
    mine: Ranked | None = None
    more: bool = False
    unreadable: int = 0

    @property
    def next(self) -> int:
        """How many lines come before those of the next page."""
        return self.start + len(self.lines) + self.unreadable


class PlayedDay(Struct, frozen=True, omit_defaults=True):
    """A day one has played."""

    day: str
    won: bool
    ms: int
    rank: int | None = None
    of: int = 0
    percentile: int | None = None


class Recorded(_Event, frozen=True, tag="recorded"):
    """The answer to `record`. `days` are the latest, newest first."""

    q: int
    cells: int
    played: int = 0
    won: int = 0
    streak: int = 0
    best_streak: int = 0
    median_ms: int | None = None
    days: tuple[PlayedDay, ...] = ()


class Commitment(Struct, frozen=True):
    """What promises the deal of a day."""

    day: str
    commitment: str


class Committed(_Event, frozen=True, tag="committed"):
    """The answer to `commitments`; `table` is the version of the table of deals they are drawn from."""

    q: int
    cells: int
    table: int
    days: tuple[Commitment, ...]


class RaceLost(_Event, frozen=True, tag="race_lost"):
    """The server's store has lost this race; nothing can be done."""

    race: str


class Bye(_Event, frozen=True, tag="bye"):
    """The last message before the server closes, where there is time for one."""

    code: str
    detail: str
    retry_ms: int | None = None
    phrases: tuple[Phrase, ...] = ()


RaceEvent = (
    Seat
    | Watching
    | Unwatched
    | Snapshot
    | Update
    | Ack
    | Presence
    | Hinted
    | Calculated
    | Replayed
    | Traced
    | Verdict
    | Reported
    | RematchReady
    | RaceLost
)
"""What is told of one race to whoever is in it, or watches it."""

Event = Welcome | Created | RaceEvent | Refused | Bye | DayTold | Attempted | Ranks | Recorded | Committed
