"""Which screen a race belongs on, by where it is in its life and how one is in it. Pure."""

from typing import Final

from client_cli.language import tr
from client_cli.screens.after import AfterScreen
from client_cli.screens.lobby import CountdownScreen, LobbyScreen
from client_cli.screens.race import RaceScreen
from client_cli.screens.replay import ReplayScreen
from client_cli.screens.room import Room
from client_cli.screens.wall import WallScreen
from client_cli.session import Session
from client_cli.standings import in_order
from protocol.commands import Watch
from protocol.views import Phase, Racer

_RACING: Final[dict[Phase, type[Room]]] = {
    "lobby": LobbyScreen,
    "countdown": CountdownScreen,
    "running": RaceScreen,
    "over": AfterScreen,
}
_WATCHING: Final[dict[Phase, type[Room]]] = {
    "lobby": WallScreen,
    "countdown": WallScreen,
    "running": WallScreen,
    "over": AfterScreen,
}


def room_for(session: Session, phase: Phase, *, has_more: bool, is_replaying: bool) -> type[Room]:
    """The screen for a race.

    Args:
        session: the race, and how one is in it.
        phase: where it is in its life, as far as that was told.
        has_more: whether other races are watched beside it, or this one besides one's seat in it.
        is_replaying: whether a replay of it is looked at once it is over.
    """
    is_watching = isinstance(session.entrance, Watch)
    if has_more and (is_watching or session.is_done):
        return WallScreen
    if phase == "over" and is_replaying:
        return ReplayScreen
    return (_WATCHING if is_watching else _RACING)[phase]


def whose_replay(session: Session, name: str) -> Racer | None:
    """The racer of that name; with no name, who came first."""
    if not name:
        return next(iter(in_order(session.racers)), None)
    return next((racer for racer in session.racers if racer.name.casefold() == name.casefold()), None)


def why_home(session: Session | None) -> str:
    """What has happened to one's place in a race that one is told to have left."""
    if session is None or session.phase is None:
        return tr("That did not work")
    if session.lost:
        return tr("The race is lost")
    if session.is_racing:
        return tr("The race goes on without this screen")
    return tr("You are not in this race any more")
