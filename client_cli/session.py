"""What the client knows of one race: frozen values, with nothing of how they come about (`mind`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from client_cli.going_on import Found, Intent
from client_cli.speech import Speech
from protocol.commands import Attempt, Create, Join, Settings, Watch
from protocol.events import Refused, Verdict, Watching
from protocol.picture import Following
from protocol.views import Board, Feed, Phase, Picture, Racer


@dataclass(frozen=True, slots=True)
class Visit:
    """No race is entered: questions are asked, about dailies or about races by their names."""


Entrance = Create | Join | Watch | Attempt | Visit


@dataclass(frozen=True, slots=True)
class Clock:
    """The race's clock: it showed `race_ms` when ours showed `at_ms`."""

    race_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Options:
    """What the server says of the board as it stands."""

    undo: bool = False
    redo: bool = False
    finish: bool = False
    blocked: bool = False
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """Settings that one has asked for as the host, and that the server has taken.

    Attributes:
        settings: with the deal, which is told to nobody before the start.
        seq: the event that has put them in force; 0 for those the race was made with.
        commitment: to the deal that was drawn with them; "" until it was told.
    """

    settings: Settings
    seq: int = 0
    commitment: str = ""


@dataclass(frozen=True, slots=True)
class Session:
    """One race, from a seat in it or as a watcher.

    Attributes:
        entrance: how it is entered.
        intent: what race is wanted, where one that was left may be gone on with; None once settled.
        found: the race that was found then.
        instead: the race to make where that one turns out to be none to enter.
        if_no_robots: what to say where a race is to be made against robots, and the server has none; "" where
            it is made without them.
        has_robots: whether the server has any, once welcome.
        player: one's own id, once welcome.
        race: the race's code, once known.
        inside: whether the server counts this connection in.
        broken: whether what it sends cannot be joined to what is known, and a snapshot was asked for.
        following: the race as followed so far.
        asked: the newest settings of one's own; whether they are in force, `own_settings` tells.
        promise: the commitment to the deal that was seen before the start; "" if none was.
        board: one's own board, once dealt.
        options: what can be done on it.
        clock: the race's clock, once it runs.
        here: who has a connection; None as long as that was not told.
        away: who had one and has none now.
        arrived: who took a seat since that was last told.
        watchers: how many watch.
        watching: what one is allowed to see as a watcher.
        verdicts: the newest on each racer's board, by player.
        last_words: the last that was more than "unknown", likewise.
        speech: what was said and is to be said.
        acknowledged_to: the newest event that an answer told of.
        has_left: whether one gave the seat up before the start.
        refusal: why the server does not let one in, or keep playing.
        lost: whether the server has lost the race.
    """

    entrance: Entrance
    intent: Intent | None = None
    found: Found | None = None
    instead: Create | None = None
    if_no_robots: str = ""
    has_robots: bool = True
    player: str = ""
    race: str = ""
    inside: bool = False
    broken: bool = False
    following: Following | None = None
    asked: Asked | None = None
    promise: str = ""
    board: Board | None = None
    options: Options = Options()
    clock: Clock | None = None
    here: frozenset[str] | None = None
    away: frozenset[str] = frozenset()
    arrived: frozenset[str] = frozenset()
    watchers: int = 0
    watching: Watching | None = None
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    last_words: Mapping[str, str] = field(default_factory=dict)
    speech: Speech = field(default_factory=Speech)
    acknowledged_to: int = 0
    has_left: bool = False
    refusal: Refused | None = None
    lost: bool = False

    @property
    def feed(self) -> Feed:
        """Which of the two feeds of a race this session lives on."""
        return "watch" if isinstance(self.entrance, Watch) else "seat"

    @property
    def picture(self) -> Picture | None:
        """The race as last told; None before the first whole snapshot."""
        following = self.following
        return following.picture if following and not following.pages_left else None

    @property
    def phase(self) -> Phase | None:
        """Where the race is in its life, if known."""
        return self.picture.life.phase if self.picture else None

    @property
    def racers(self) -> tuple[Racer, ...]:
        """All seats, in the order in which they were taken."""
        return self.picture.racers if self.picture else ()

    @property
    def me(self) -> Racer | None:
        """One's own seat."""
        return next((racer for racer in self.racers if racer.player == self.player), None)

    @property
    def is_racing(self) -> bool:
        """Whether one's own board takes moves."""
        return self.phase == "running" and self.me is not None and self.me.state == "racing"

    @property
    def is_done(self) -> bool:
        """Whether one's own board is closed while others still race."""
        return self.phase == "running" and self.me is not None and self.me.state != "racing"

    @property
    def is_host(self) -> bool:
        """Whether the settings and the start are one's own to decide."""
        return self.picture is not None and self.picture.life.host == self.player

    @property
    def is_settled(self) -> bool:
        """Whether everything said was answered, and what it led to was seen."""
        return self.inside and self.is_up_to_date and not self.speech.questions

    @property
    def is_up_to_date(self) -> bool:
        """Whether all that one has done was answered, and what it led to was seen."""
        has_all = self.following is not None and self.following.to >= self.acknowledged_to
        return has_all and not self.broken and self.picture is not None and not self.speech.is_busy

    def verdict_on(self, player: str) -> Verdict | None:
        """What is known of a racer's board as it is shown."""
        verdict = self.verdicts.get(player)
        board = self.picture.boards.get(player) if self.picture else None
        return verdict if verdict and board and verdict.n == board.n else None

    def race_ms(self, now_ms: int) -> int | None:
        """The race's clock: negative in the countdown; None before it."""
        return None if self.clock is None else self.clock.race_ms + now_ms - self.clock.at_ms
