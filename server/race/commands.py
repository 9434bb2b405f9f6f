"""What can be asked of a race. Randomness (a new deal, a nonce, a code) and presence come in as arguments."""

from dataclasses import dataclass

from server.freecell.moves import Move as CardMove
from server.race.robot import Level
from server.race.state import PlayerId, RaceCode, Setup


@dataclass(frozen=True, slots=True)
class Create:
    """Begin the log of a race, with its host in the first seat."""

    code: RaceCode
    create_id: str
    player: PlayerId
    name: str
    setup: Setup


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat, or one's own seat again: a new session either way.

    One who is `resuming` comes back to a seat that he believes is his; if he left it, he gets none anew.
    `daily` is the daily whose cards he is entitled to see, if that was asked.
    """

    player: PlayerId
    name: str
    resuming: bool = False
    daily: str = ""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A command of a session, the `c`-th of its player."""

    player: PlayerId
    session: int
    c: int


@dataclass(frozen=True, slots=True)
class Configure(Numbered):
    """The host changes the setup; with it come a new deal and a new nonce."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class Ready(Numbered):
    """Ready, or not after all."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Start(Numbered):
    """The host starts without waiting for the rest."""


@dataclass(frozen=True, slots=True)
class Kick(Numbered):
    """The host sends a racer out of the lobby."""

    target: PlayerId


@dataclass(frozen=True, slots=True)
class AddRobot(Numbered):
    """The host seats a robot, which is to be the player `robot`: an id that nobody has.

    `why_not` says why there is none to be had; it is empty if there is one.
    """

    robot: PlayerId
    level: Level
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Leave(Numbered):
    """Give the seat up; in a running race this is resigning."""


@dataclass(frozen=True, slots=True)
class Resign(Numbered):
    """Stop racing."""


@dataclass(frozen=True, slots=True)
class Say(Numbered):
    """A chat line; the only command of one who has no seat, whose session is 0.

    A racer is shown by the name he has at his seat, not by `name`.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class AskRematch(Numbered):
    """Another race like this one. `code` and `setup` serve only if nobody asked before."""

    code: RaceCode
    setup: Setup


@dataclass(frozen=True, slots=True)
class Board(Numbered):
    """A command for the board of version `n`."""

    n: int


@dataclass(frozen=True, slots=True)
class Move(Board):
    """A move in standard notation."""

    text: str


@dataclass(frozen=True, slots=True)
class Send(Board):
    """Send a card, or the run of `count` cards it heads, where the ruleset says."""

    pile: str
    count: int


@dataclass(frozen=True, slots=True)
class Undo(Board):
    """Take the last action back."""


@dataclass(frozen=True, slots=True)
class Redo(Board):
    """Do again what was undone last."""


@dataclass(frozen=True, slots=True)
class Restart(Board):
    """Back to the deal."""


@dataclass(frozen=True, slots=True)
class AutoFinish(Board):
    """Send the rest home."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Look whether a deadline has passed."""


@dataclass(frozen=True, slots=True)
class PassHost:
    """The host is not there; `present` are those who are."""

    present: frozenset[PlayerId]


@dataclass(frozen=True, slots=True)
class PlanRobot:
    """A robot's game was looked for on the deal that `nonce` belongs to; see `Robot` for what was found."""

    robot: PlayerId
    nonce: str
    line: tuple[CardMove, ...]
    at_ms: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoteHint:
    """A player is about to be given a hint, in his session."""

    player: PlayerId
    session: int


@dataclass(frozen=True, slots=True)
class LinkRematch:
    """The log of the rematch has begun."""


@dataclass(frozen=True, slots=True)
class NoteTailLoss:
    """A node has seen events that the log does not hold any more."""


BoardCommand = Move | Send | Undo | Redo | Restart | AutoFinish
LobbyCommand = Configure | Ready | Start | Kick | AddRobot
SeatCommand = BoardCommand | LobbyCommand | Leave | Resign | AskRematch
NumberedCommand = SeatCommand | Say
Command = NumberedCommand | Join | Tick | PassHost | PlanRobot | NoteHint | LinkRematch | NoteTailLoss
