"""Messages from client to server.

A race-changing command is numbered `c` = 1, 2, 3, ... by its seat and takes effect at most once, however
often it is sent. A board command also carries `n`, the version of the board it was meant for. A question
carries `q`, a number of the client's own that the answer repeats.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ"
"""The letters of a race code: none that is easily taken for another, or for a digit."""

# In Python `$` also matches before a line break at the end; `(?!\n)` says that there is none.
RaceCode = Annotated[
    str,
    Meta(
        pattern=r"^([A-HJKMNP-Z]{8}|daily:[0-9]{4}-[0-9]{2}-[0-9]{2}:[24]:[a-z2-7]{16})$(?!\n)",
        description="eight letters, without I, L and O; or the name of a ranked attempt at a daily",
    ),
]
PlayerId = Annotated[str, Meta(pattern=r"^[a-z2-7]{16}$(?!\n)")]
Token = Annotated[
    str, Meta(pattern=r"^[a-z2-7]{16}\.[a-z2-7]{26}$(?!\n)", description="player id, dot, secret")
]
CommandNumber = Annotated[int, Meta(ge=1, le=2**31 - 1)]
BoardVersion = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Sequence = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Question = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Tag = Annotated[str, Meta(pattern=r"^([0-9a-f]{16})?$(?!\n)")]
RawName = Annotated[str, Meta(min_length=1, max_length=200)]
Ruleset = Literal["classic", "app", "solitarium", "cardems", "race"]
RobotLevel = Literal["easy", "even", "fast"]
Day = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$(?!\n)", description="a day, in UTC")]
Period = Annotated[
    str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$(?!\n)", description="a day or a month, in UTC")
]
DailyCells = Literal[4, 2]
BoardBy = Literal["time", "actions", "no-undo", "no-hints"]
WatchPolicy = Literal["none", "progress", "delayed", "live"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a host decides about a race. Where a rule is absent, the ruleset's own stands."""

    ruleset: Ruleset = "race"
    cells: Annotated[int, Meta(ge=1, le=4)] | None = None
    deal: (
        Annotated[int, Meta(ge=1, le=2**33 - 1)]
        | Annotated[str, Meta(max_length=32, description='"random", a deal code, "daily" or "daily:DAY"')]
    ) = "random"
    max_racers: Annotated[int, Meta(ge=2, le=100)] = 8
    time_limit_s: Annotated[int, Meta(ge=10, le=86_400)] = 1800
    countdown_s: Annotated[int, Meta(ge=0, le=60)] = 5
    watch: WatchPolicy = "delayed"
    delay_s: Annotated[int, Meta(ge=1, le=600)] = 30
    returns: bool | None = None
    undo_limit: Annotated[int, Meta(ge=0, le=3000)] | None = None
    hints: bool | None = None


class _Command(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="t"):
    """What all commands share: the tag `t`, and no field that is not known."""


class Numbered(_Command, frozen=True):
    """What all race-changing commands share."""

    race: RaceCode
    c: CommandNumber


class _Board(Numbered, frozen=True):
    n: BoardVersion


class Hello(_Command, frozen=True, tag="hello"):
    """First on every connection, within ten seconds."""

    v: int
    name: RawName
    token: Token | None = None


class Create(_Command, frozen=True, tag="create"):
    """Make a race and take the host's seat in it. The same `id` again finds the same race."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{8,32}$(?!\n)")]
    settings: Settings = Settings()
    q: Question | None = None


class Join(_Command, frozen=True, tag="join"):
    """Take a seat, or one's own seat again; `to` and `tag` are the last the client has of this race."""

    race: RaceCode
    q: Question | None = None
    to: Sequence = 0
    tag: Tag = ""


class Watch(_Command, frozen=True, tag="watch"):
    """Follow a race without a seat, as far as its host allows."""

    race: RaceCode
    q: Question | None = None
    to: Sequence = 0
    tag: Tag = ""


class Unwatch(_Command, frozen=True, tag="unwatch"):
    """Stop following."""

    race: RaceCode
    q: Question | None = None


class Configure(Numbered, frozen=True, tag="configure"):
    """The host changes the settings in the lobby; the commitment is renewed, and nobody is ready any more."""

    settings: Settings


class Ready(Numbered, frozen=True, tag="ready"):
    """A racer is ready, or not after all."""

    ready: bool = True


class Start(Numbered, frozen=True, tag="start"):
    """The host starts without waiting for the rest."""


class Kick(Numbered, frozen=True, tag="kick"):
    """The host sends a racer out of the lobby, for good."""

    player: PlayerId


class AddRobot(Numbered, frozen=True, tag="add_robot"):
    """The host gives a seat in the lobby to a robot, which is sent out by `kick`."""

    level: RobotLevel = "even"


class Leave(Numbered, frozen=True, tag="leave"):
    """Give the seat up; in a running race this is resigning."""


class Move(_Board, frozen=True, tag="move"):
    """A move in standard notation: `3a`, `26`, `7h`, `13v2`, `hs4`."""

    move: Annotated[str, Meta(min_length=2, max_length=8)]


class Send(_Board, frozen=True, tag="send"):
    """The tap: send a card, or the run it heads, where the ruleset says.

    `pile` is where it lies: `1`-`8`, `a`-`d`, `hc`, `hd`, `hh` or `hs`.
    """

    pile: Annotated[str, Meta(min_length=1, max_length=2)]
    count: Annotated[int, Meta(ge=1, le=13)] = 1


class Undo(_Board, frozen=True, tag="undo"):
    """Take the last action back."""


class Redo(_Board, frozen=True, tag="redo"):
    """Do again what was undone last."""


class Restart(_Board, frozen=True, tag="restart"):
    """Back to the deal; an action like any other, and the clock runs on."""


class AutoFinish(_Board, frozen=True, tag="auto_finish"):
    """Send the rest home, when offered."""


class Resign(Numbered, frozen=True, tag="resign"):
    """Stop racing."""


class Say(Numbered, frozen=True, tag="say"):
    """A chat line."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Rematch(Numbered, frozen=True, tag="rematch"):
    """After the end: another race with the same settings; all who ask are seated in the same one."""


class Hint(_Command, frozen=True, tag="hint"):
    """Ask for a legal move, where the race allows it."""

    race: RaceCode
    q: Question


class Calc(_Command, frozen=True, tag="calc"):
    """Ask how many cards of a pile could move where, and why not."""

    race: RaceCode
    q: Question
    pile: Annotated[str, Meta(min_length=1, max_length=2)]


class Replay(_Command, frozen=True, tag="replay"):
    """Ask for what a racer did, from step `after` on; open once the race is over."""

    race: RaceCode
    q: Question
    player: PlayerId
    after: Annotated[int, Meta(ge=0, le=100_000)] = 0


class Report(_Command, frozen=True, tag="report"):
    """Ask until when a racer's game could be won, and where his board and another's first differed.

    Open once the race is over; the answer may take a while.
    """

    race: RaceCode
    q: Question
    player: PlayerId
    other: PlayerId | None = None


class Trace(_Command, frozen=True, tag="trace"):
    """Ask how far everybody was at every time; the first `after` racers are left out.

    It tells progress only, and so is open to whoever may see it.
    """

    race: RaceCode
    q: Question
    after: Annotated[int, Meta(ge=0, le=100)] = 0


class Daily(_Command, frozen=True, tag="daily"):
    """Ask about the deal of a day, today's if none is named."""

    q: Question
    cells: DailyCells = 4
    day: Day | None = None


class Attempt(_Command, frozen=True, tag="attempt"):
    """Begin one's only ranked attempt at the deal of today, or go on with it."""

    day: Day
    cells: DailyCells = 4
    q: Question | None = None


class Ranking(_Command, frozen=True, tag="ranking"):
    """Ask for the leaderboard of a day or a month, from place `start` on; of today if none is named."""

    q: Question
    cells: DailyCells = 4
    period: Period | None = None
    by: BoardBy = "time"
    start: Annotated[int, Meta(ge=0, le=10_000_000)] = 0


class Record(_Command, frozen=True, tag="record"):
    """Ask for what one has done on all days."""

    q: Question
    cells: DailyCells = 4


class Commitments(_Command, frozen=True, tag="commitments"):
    """Ask for the commitments to the deals of today and the days that follow."""

    q: Question
    cells: DailyCells = 4


Command = (
    Hello
    | Create
    | Join
    | Watch
    | Unwatch
    | Configure
    | Ready
    | Start
    | Kick
    | AddRobot
    | Leave
    | Move
    | Send
    | Undo
    | Redo
    | Restart
    | AutoFinish
    | Resign
    | Say
    | Rematch
    | Hint
    | Calc
    | Replay
    | Report
    | Trace
    | Daily
    | Attempt
    | Ranking
    | Record
    | Commitments
)
