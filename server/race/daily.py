"""What is different where the deal is that of the day.

A ranked attempt is a race of one, which runs from its first event on and is gone on with until it is won,
given up or out of time. Others' races on a daily take only people who are entitled to see its cards, which
the shell knows and `Join` says.
"""

from server.race.commands import Create, Join, NoteHint
from server.race.decision import NOT_DUE, Decision, Refusal, Verdict
from server.race.events import CountdownBegun, Created, HintTaken, Joined, Started
from server.race.state import Phase, PlayerId, Race, Setup, Standing

_NOBODY = PlayerId("")
_HIDDEN = Refusal("daily_first", "its deal is that of the day: play your own ranked attempt first")


def begin_attempt(command: Create) -> Decision:
    """The events that begin a ranked attempt: there and then the cards are shown, and its time runs.

    The caller adds the window, which is the day.
    """
    events = (
        Created(command.code, command.create_id, command.player, command.setup),
        Joined(command.player, command.name),
        CountdownBegun(_NOBODY, 0),
        Started(),
    )
    return Decision(events, wake=command.setup.time_limit_ms)


def why_hidden(setup: Setup, command: Join) -> Refusal | None:
    """Why one who has no seat yet may not have one; None if nothing is to be kept from him."""
    return _HIDDEN if setup.daily and command.daily != setup.daily else None


def note_hint(race: Race, command: NoteHint) -> Verdict:
    """Write down that a hint was asked for in a ranked attempt, the first time."""
    member = race.members.get(command.player)
    if member is None or member.hinted or member.session != command.session:
        return NOT_DUE
    if race.life.phase is not Phase.RUNNING or member.standing is not Standing.RACING:
        return NOT_DUE
    if not race.life.setup.ranked or not race.life.setup.rules.hints:
        return NOT_DUE
    return Decision((HintTaken(command.player),))
