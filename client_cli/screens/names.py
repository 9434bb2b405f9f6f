"""Names of racers where room may be short. Pure."""

from typing import Final

from rich.cells import cell_len

from client_cli.language import mark, tr
from client_cli.session import Session
from client_cli.standings import name_text
from client_cli.text_width import Fitted, cut
from protocol.commands import RobotLevel
from protocol.views import Racer

LEVELS: Final[dict[RobotLevel, str]] = {"easy": mark("easy"), "even": mark("even"), "fast": mark("fast")}
"""How fast a robot plays, in a word; only robots have one, so it tells them, too."""

LEAST: Final = 3
"""Cells of a name that are left at least."""


def fitted_name(racer: Racer, session: Session, width: int) -> Fitted:
    """A racer's name with what is said of him; where room is short, less is said before the name is cut.

    Args:
        racer: who.
        session: where he races.
        width: cells there are.
    """
    level = level_note(racer)
    mine = f" ({tr('you')})" if racer.player == session.player else ""
    for text in (name_text(racer, session), f"{racer.name}{level or mine}"):
        if cell_len(text) <= width:
            return Fitted(text, cell_len(text))
    # One robot is told from another by its level.
    left = width - cell_len(level)
    return cut(f"{cut(racer.name, left).text}{level}" if left >= LEAST else racer.name, width)


def level_note(racer: Racer) -> str:
    """What is put behind a robot's name; nothing behind a person's."""
    return f" ({tr(LEVELS[racer.robot])})" if racer.robot else ""
