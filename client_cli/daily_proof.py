"""What a server promises of the deals of the day, to be noted before them and checked after."""

from client_cli.daily_words import day_lines
from client_cli.language import tr
from client_cli.visit import Visitor
from protocol.commands import Commitments, Daily, DailyCells
from protocol.events import Committed, DayTold


async def all_promised(visitor: Visitor, cells: DailyCells) -> list[str]:
    """A line for today and each of the days that follow.

    Raises:
        ClientError: as `Visitor.ask`.
    """
    (told,) = await visitor.ask((Commitments(0, cells), Committed))
    return [f"{one.day}  {one.commitment}" for one in told.days]


async def promised(visitor: Visitor, cells: DailyCells, day: str | None) -> list[str]:
    """What is known of a day, of today where none is named; one to come is promised and no more.

    Raises:
        ClientError: as `Visitor.ask`; there is nothing of that day.
    """
    (committed,) = await visitor.ask((Commitments(0, cells), Committed))
    for ahead in committed.days[1:]:
        if ahead.day == day:
            later = tr("Its deal is told on the day, its value an hour after the end of the day.")
            return [f"{tr('commitment:')} {ahead.commitment}", later]
    (told,) = await visitor.ask((Daily(0, cells, day), DayTold))
    return _proof_lines(told)


def _proof_lines(told: DayTold) -> list[str]:
    """The commitment, and once the day is closed, the command that checks it."""
    lines = [*day_lines(told), f"{tr('commitment:')} {told.commitment}"]
    if told.value is None:
        return [*lines, tr("Its value is told when the day is closed, an hour after its end.")]
    check = f"cellrace-server daily-proof {told.day} --cells {told.cells} --value {told.value}"
    return [*lines, f"{tr('check it with:')} {check} --commitment {told.commitment}"]
