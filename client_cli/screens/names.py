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
    """A racer's name with what is said of him; where room is short, the name is cut before that is.

    Args:
        racer: who.
        session: where he races.
        width: cells there are.
    """
    full = name_text(racer, session)
    if cell_len(full) <= width:
        return Fitted(full, cell_len(full))
    note = level_note(racer) or full.removeprefix(racer.name)
    left = width - cell_len(note)
    return cut(f"{cut(racer.name, left).text}{note}" if left >= LEAST else full, width)


def level_note(racer: Racer) -> str:
    """What is put behind a robot's name; nothing behind a person's."""
    return f" ({tr(LEVELS[racer.robot])})" if racer.robot else ""
