"""How a race of one's own begins at once: robots sit down one by one, then it starts. Pure.

A robot that is refused is the end of it: whoever asked for one does not want to race alone.
"""

from collections.abc import Sequence

from client_cli.connection import Heard
from client_cli.language import tr
from client_cli.session import Session
from protocol.commands import AddRobot, RobotLevel, Start
from protocol.events import Ack, Refused


def opening(session: Session, robots: Sequence[RobotLevel]) -> AddRobot | Start:
    """What to say next in the lobby: the next robot, or once all of them have a seat, the start."""
    seated = sum(isinstance(command, AddRobot) for command in session.speech.accepted)
    return AddRobot("", 0, robots[seated]) if seated < len(robots) else Start("", 0)


def has_seated_robot(heard: Heard) -> bool:
    """Whether a robot that was asked for has sat down, and the race has not begun."""
    return isinstance(heard.event, Ack) and _is_about_robot(heard, heard.event)


def why_no_robot(heard: Heard) -> str:
    """Why a robot is refused that was asked for before the start; "" where none is."""
    event = heard.event
    if not isinstance(event, Refused) or heard.step.retry_ms is not None or not _is_about_robot(heard, event):
        return ""
    return no_race(event.detail)


def no_race(why: str) -> str:
    """That there is no race, as there is no robot."""
    return tr("No race without the robot: {why}").format(why=why)


def _is_about_robot(heard: Heard, event: Ack | Refused) -> bool:
    is_lobby = heard.step.session.phase == "lobby"
    return is_lobby and isinstance(heard.before.speech.command(event.c), AddRobot)
