"""What can and could be won, as messages."""

from typing import Final

from protocol import commands, events, views
from server.deals.certified import Known
from server.race.replays import Step
from server.race.reports import Finding, Trail, parting
from server.race.state import Member, Race
from server.solver.verdict import Verdict, Winnable, known_of

_KNOWN: Final[dict[Known, events.Known]] = {
    Known.WINNABLE: "winnable",
    Known.UNWINNABLE: "unwinnable",
    Known.LOST_WITHOUT_RETURN: "lost_without_return",
    Known.UNKNOWN: "unknown",
}


def verdict(
    code: str, feed: views.Feed, player: str, n: int, found: Verdict, *, returns: bool
) -> events.Verdict:
    """The verdict on version `n` of a racer's board, where cards may (`returns`) or may not be taken back."""
    what = _KNOWN[known_of(found, returns=returns)]
    return events.Verdict(code, feed, player, n, what, found.left if isinstance(found, Winnable) else None)


def reported(
    race: Race,
    member: Member,
    command: commands.Report,
    walked: Trail,
    found: Finding,
    compared: tuple[Member, Trail] | None,
) -> events.Reported:
    """What was found out of a racer's game, and where it parted from another's."""
    return events.Reported(
        race.life.code,
        command.q,
        member.player,
        member.name,
        len(walked.steps),
        _outcome(walked, found, returns=race.life.setup.rules.returns),
        _mark(walked, found.winnable_to),
        _mark(walked, found.lost_from),
        None if compared is None else _parting(walked, *compared),
    )


def _outcome(walked: Trail, found: Finding, *, returns: bool) -> events.Outcome:
    if walked.positions[-1].is_won:
        return "won"
    if found.winnable_to == len(walked.steps):
        return "winnable"
    if found.lost_from is None:
        return "unknown"
    return "lost_without_return" if returns else "unwinnable"


def _parting(walked: Trail, other: Member, his: Trail) -> events.Parting:
    number = parting(walked, his)
    return events.Parting(other.player, other.name, _mark(walked, number), _mark(his, number))


def _mark(walked: Trail, number: int | None) -> events.Mark | None:
    if number is None or number > len(walked.steps):
        return None
    return _step_mark(number, walked.steps[number - 1]) if number else events.Mark(0)


def _step_mark(number: int, step: Step) -> events.Mark:
    return events.Mark(number, step.ms, step.what, step.notation)
