"""What has happened in a race. Events record outcomes, never notation; folding them takes no judgement.

An event that answers a player's command carries its number `c`. `Stamped` is an event with its place in the
log and the store's time.
"""

from dataclasses import dataclass
from typing import NamedTuple

from server.freecell.moves import Move
from server.race.robot import Level
from server.race.state import Ending, PlayerId, RaceCode, Setup


@dataclass(frozen=True, slots=True)
class Created:
    """The race exists. Its creator is the host."""

    code: RaceCode
    create_id: str
    creator: PlayerId
    setup: Setup


@dataclass(frozen=True, slots=True)
class Joined:
    """A player took a seat."""

    player: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class Attached:
    """A connection of the player took over; the `seq` of this event is its session."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Readied:
    """A racer said whether he is ready."""

    player: PlayerId
    c: int
    ready: bool


@dataclass(frozen=True, slots=True)
class Configured:
    """The host changed the setup; nobody is ready any more."""

    player: PlayerId
    c: int
    setup: Setup


@dataclass(frozen=True, slots=True)
class Kicked:
    """The host sent a racer away."""

    player: PlayerId
    c: int
    target: PlayerId


@dataclass(frozen=True, slots=True)
class RobotJoined:
    """The player `robot` has a seat, and is one; by command `c` of the host, or with no player and 0."""

    player: PlayerId
    c: int
    robot: PlayerId
    name: str
    level: Level


@dataclass(frozen=True, slots=True)
class RobotPlanned:
    """A robot has its game: the moves it will make, and when, in milliseconds after the start; or none."""

    robot: PlayerId
    line: tuple[Move, ...]
    at_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """A racer gave his seat up before the start."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class HostPassed:
    """Another racer is the host now."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class CountdownBegun:
    """The countdown runs; by command `c` of its host, or with no player and 0 when all were ready."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class Started:
    """The cards are dealt; the time of this event is the start of the race."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A racer moved cards; `sent` if the server chose where to."""

    player: PlayerId
    c: int
    move: Move
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """A racer took his last action back."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class Redone:
    """A racer did again what he had undone."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """A racer went back to the deal."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class AutoFinished:
    """A racer had the rest sent home."""

    player: PlayerId
    c: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class HintTaken:
    """A racer asked for a hint, for the first time, in a race where that counts."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Finished:
    """A racer has all 52 cards home; his place is the order of these events."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Resigned:
    """A racer gave up."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The time limit passed; whoever was racing is out of time."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The race is over."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class Said:
    """A player said something."""

    player: PlayerId
    c: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rematched:
    """A racer asked for another race: all that its log begins with."""

    player: PlayerId
    c: int
    code: RaceCode
    name: str
    setup: Setup


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """One more racer asked for the rematch there is."""

    player: PlayerId
    c: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    """The log of the rematch has begun."""


@dataclass(frozen=True, slots=True)
class TailLost:
    """The store had lost events that some had seen; the race goes on from what was left."""


BoardEvent = Moved | Undone | Redone | Restarted | AutoFinished

Event = (
    Created
    | Joined
    | Attached
    | Readied
    | Configured
    | Kicked
    | RobotJoined
    | RobotPlanned
    | Left
    | HostPassed
    | CountdownBegun
    | Started
    | Moved
    | Undone
    | Redone
    | Restarted
    | AutoFinished
    | HintTaken
    | Finished
    | Resigned
    | TimeUp
    | Ended
    | Said
    | Rematched
    | RematchAsked
    | RematchMade
    | TailLost
)


class Stamped(NamedTuple):
    """An event as it stands in the log: the `seq`-th, at `at_ms` (since 1970) by the store's clock."""

    seq: int
    at_ms: int
    event: Event
