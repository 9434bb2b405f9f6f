"""What a race is at one point of its log. All of it is frozen; `evolve` makes the next one."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, NamedTuple, NewType, assert_never

from server.freecell.game import Game
from server.freecell.position import Position
from server.freecell.rulesets import Rules
from server.race.robot import Robot

PlayerId = NewType("PlayerId", str)
RaceCode = NewType("RaceCode", str)

LOBBY_LIFE_MS: Final = 3_600_000
"""An unstarted lobby is closed after this time."""

KEPT_ANSWERS: Final = 32
"""How many of a player's last answers the fold keeps, and so how many commands he may leave unanswered."""

MAX_BOARD_COMMANDS: Final = 3000
MAX_CHAT_LINES: Final = 500
MAX_MEMBERS: Final = 500
MAX_SESSIONS: Final = 1000
MAX_OTHER_COMMANDS: Final = 500
"""Commands of one player that are not for his board, after which a lobby takes no more of them."""
MAX_COMMANDS_BESIDES: Final = 1500
"""The same for asking again for a rematch: more than a lobby, the chat and the race leave anybody with."""


class Phase(StrEnum):
    """Where a race is in its life."""

    LOBBY = "lobby"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    OVER = "over"


class Standing(Enum):
    """What a member is in the race. Those from WAITING to OUT_OF_TIME have a seat."""

    WAITING = "waiting"
    RACING = "racing"
    FINISHED = "finished"
    RESIGNED = "resigned"
    OUT_OF_TIME = "out_of_time"
    GONE = "gone"
    KICKED = "kicked"
    WATCHING = "watching"


SEATED: Final = frozenset(
    {Standing.WAITING, Standing.RACING, Standing.FINISHED, Standing.RESIGNED, Standing.OUT_OF_TIME}
)


class Policy(StrEnum):
    """What those who have no seat get to see while the race is on."""

    NONE = "none"
    PROGRESS = "progress"
    DELAYED = "delayed"
    LIVE = "live"


class Ending(StrEnum):
    """Why a race is over."""

    FINISHED = "finished"
    ABANDONED = "abandoned"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Setup:
    """What is raced on, and how. `deal` and `nonce` are what `commitment` hides until the start.

    `daily` names the day and cells (`2026-11-30:4`) that the deal is the daily of; a `ranked` race is
    somebody's ranked attempt at it. `lost` says what is proved of a deal that cannot be won: `unwinnable`, or
    `lost_without_return` where cards may come back; else it is empty.
    """

    rules: Rules
    deal: int
    nonce: str
    deal_named: bool = False
    certified: bool = False
    max_racers: int = 8
    time_limit_ms: int = 1_800_000
    countdown_ms: int = 5_000
    policy: Policy = Policy.DELAYED
    delay_ms: int = 30_000
    daily: str = ""
    ranked: bool = False
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Rematch:
    """The race that follows; `made` once its own log has begun."""

    code: RaceCode
    setup: Setup
    host: PlayerId
    host_name: str
    made: bool = False


@dataclass(frozen=True, slots=True)
class Life:
    """What is true of the race as a whole. Times are the store's, in milliseconds since 1970.

    `deals` counts the deals that were set so far, and `robots` are the racers that are no people.
    """

    code: RaceCode
    create_id: str
    creator: PlayerId
    host: PlayerId
    setup: Setup
    created_at: int
    phase: Phase = Phase.LOBBY
    countdown_at: int = 0
    started_at: int = 0
    over_at: int = 0
    ending: Ending | None = None
    layout: Position | None = None
    finishers: int = 0
    rematch: Rematch | None = None
    robots: tuple[PlayerId, ...] = ()
    deals: int = 1

    @property
    def starts_at(self) -> int:
        """When the countdown reaches zero."""
        return self.countdown_at + self.setup.countdown_ms

    @property
    def ends_at(self) -> int:
        """The first millisecond that is too late."""
        return self.started_at + self.setup.time_limit_ms

    @property
    def has_started(self) -> bool:
        """Whether the cards are on the table, and the deal is known to all."""
        return self.layout is not None


class Answer(NamedTuple):
    """How an accepted command was answered."""

    c: int
    n: int
    seq: int


class Member(NamedTuple):
    """A player who ever acted in the race: with a seat, without one any more, or watching.

    `session` is the `seq` of his newest `Attached`, 0 for none; `n` the version of his board; `others` counts
    his accepted commands that were not for it. `robot` is the game he plays, if he is a robot;
    `hinted` whether he asked for a hint, where that counts.
    """

    player: PlayerId
    name: str
    standing: Standing
    ready: bool = False
    session: int = 0
    sessions: int = 0
    last_c: int = 0
    answers: tuple[Answer, ...] = ()
    n: int = 0
    game: Game | None = None
    ended_at: int | None = None
    rank: int | None = None
    others: int = 0
    robot: Robot | None = None
    hinted: bool = False

    @property
    def seated(self) -> bool:
        """Whether he is one of the racers."""
        return self.standing in SEATED


class Turn(NamedTuple):
    """When a robot acts next, in milliseconds since 1970, and which."""

    due_ms: int
    player: PlayerId


class ChatLine(NamedTuple):
    """Something said; `seq` is its place in the log."""

    seq: int
    player: PlayerId
    name: str
    text: str
    watcher: bool


class Race(NamedTuple):
    """A race folded up to and with event `seq`. Members are in the order in which they took their seats."""

    seq: int
    life: Life
    members: Mapping[PlayerId, Member]
    chat: tuple[ChatLine, ...] = ()

    @property
    def racers(self) -> tuple[Member, ...]:
        """Those with a seat, in the order in which they took it."""
        return tuple(member for member in self.members.values() if member.standing in SEATED)

    @property
    def next_turn(self) -> Turn | None:
        """The robot that acts next while the race runs; None if no robot is racing."""
        turns: list[Turn] = []
        for player in self.life.robots:
            member = self.members[player]
            if member.robot is not None and member.standing is Standing.RACING:
                turns.append(Turn(self.life.started_at + member.robot.due_ms(member.n), player))
        return min(turns, default=None)

    @property
    def next_deadline(self) -> int | None:
        """When something is to happen by itself; None when nothing is."""
        life = self.life
        match life.phase:
            case Phase.LOBBY:
                return life.created_at + LOBBY_LIFE_MS
            case Phase.COUNTDOWN:
                return life.starts_at
            case Phase.RUNNING:
                turn = self.next_turn
                return life.ends_at if turn is None else min(life.ends_at, turn.due_ms)
            case Phase.OVER:
                return life.over_at if life.rematch and not life.rematch.made else None
            case _:
                assert_never(life.phase)
