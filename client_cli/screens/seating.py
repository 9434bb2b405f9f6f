"""What a command asks the full screen to begin with."""

from dataclasses import dataclass

from client_cli.ghosts import Haunt
from client_cli.own_server import OwnServer
from client_cli.session import Session
from client_cli.wiring import Server
from protocol.commands import RobotLevel


@dataclass(frozen=True, slots=True)
class Seating:
    """A race to begin with.

    Attributes:
        server: where it is.
        session: how to enter it.
        public_url: where others find the server.
        starts: start at once, alone.
        readies: be ready at once.
        robots: how fast robots are to play against whom one starts.
        return_hint: what to say at the end of how to come back, `{race}` being the code.
        own: the server, if it is one's own; whoever is given it, ends it.
        beside: codes of races to watch beside this one.
        replays: show a replay as soon as the race is over.
        whose: the name of the racer whose replay to show; "" for who came first.
        haunt: whose race that is over to race against.
        word: what to say once one has arrived.
    """

    server: Server
    session: Session
    public_url: str
    starts: bool = False
    readies: bool = False
    robots: tuple[RobotLevel, ...] = ()
    return_hint: str = ""
    own: OwnServer | None = None
    beside: tuple[str, ...] = ()
    replays: bool = False
    whose: str = ""
    haunt: Haunt | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """A replay one has asked for: of whom, and from when on."""

    player: str
    ms: int = 0
