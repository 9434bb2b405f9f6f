"""Deciding a batch: which commands can be appended together, and how each is answered afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from server.race import decision
from server.race.commands import Command
from server.race.decide import decide
from server.race.decision import Decision, Refusal, Repeated, Verdict
from server.race.events import Ended, Event, Stamped
from server.race.evolve import evolve
from server.race.questions import Answer, AskHint, Calculate, Destinations, HintGiven, Question, answer
from server.race.state import Answer as OldAnswer
from server.race.state import Race
from server.store.base import CLEAR, KEEP, Wake

MAX_QUESTIONS: Final = 8
"""How many questions are answered at once; one may take milliseconds."""

MAX_EVENTS: Final = 256
"""How many events go into one append, unless one decision alone has more."""


@dataclass(frozen=True, slots=True)
class Done:
    """The command took effect: these events, between these states."""

    before: Race
    events: tuple[Stamped, ...]
    after: Race


@dataclass(frozen=True, slots=True)
class Refused:
    """It had no effect, on this state."""

    refusal: Refusal
    race: Race


@dataclass(frozen=True, slots=True)
class DoneBefore:
    """It had taken effect earlier, and was answered so."""

    answer: OldAnswer
    race: Race


@dataclass(frozen=True, slots=True)
class Busy:
    """Whether it took effect cannot be told now; send it again after so long."""

    retry_ms: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A question's answer."""

    answer: Destinations | HintGiven


Outcome = Done | Refused | DoneBefore | Answered | Busy


@dataclass(frozen=True, slots=True)
class Request:
    """A command or a question, and who is to be told."""

    command: Command | Question
    reply: Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """The verdicts on the first requests of a batch, what to append for them, and the requests left over.

    `unprojected`: the race comes to a result that is to be written elsewhere, too.
    """

    verdicts: tuple[tuple[Request, Verdict | Answer], ...]
    events: tuple[Event, ...]
    not_before: int | None
    not_after: int | None
    wake: Wake
    rest: tuple[Request, ...]
    unprojected: bool = False


def make_plan(race: Race, batch: Sequence[Request], now_ms: int) -> Plan:
    """Decide requests in order, each on the state those before lead to, while one time window holds all.

    The states in between are folded with `now_ms`, for deciding only; what is kept is folded anew from the
    stamps.
    """
    verdicts: list[tuple[Request, Verdict | Answer]] = []
    events: list[Event] = []
    questions = 0
    window: _Window = (None, None)
    wake: Wake = KEEP
    for place, request in enumerate(batch):
        questions += isinstance(request.command, Calculate | AskHint)
        if questions > MAX_QUESTIONS:
            return _plan(race, verdicts, events, window, wake, batch[place:])
        verdict = _judge(race, request.command, now_ms)
        if isinstance(verdict, Decision):
            joint = _intersect(window, (verdict.not_before, verdict.not_after))
            if events and (joint is None or len(events) + len(verdict.events) > MAX_EVENTS):
                return _plan(race, verdicts, events, window, wake, batch[place:])
            window = joint or window
            events += verdict.events
            wake = _wake(verdict.wake, wake)
            if place + 1 < len(batch):
                race = _provisional(race, verdict.events, now_ms)
        verdicts.append((request, verdict))
    return _plan(race, verdicts, events, window, wake, ())


def settle(
    race: Race, plan: Plan, stamped: Sequence[Stamped]
) -> tuple[list[tuple[Request, Outcome]], list[Race]]:
    """The outcome of each request once `stamped` are durable, and the state after each of the events."""
    outcomes: list[tuple[Request, Outcome]] = []
    states: list[Race] = []
    for request, verdict in plan.verdicts:
        match verdict:
            case Decision(events):
                before, mine = race, tuple(stamped[len(states) : len(states) + len(events)])
                for one in mine:
                    race = evolve(race, one)
                    states.append(race)
                outcomes.append((request, Done(before, mine, race)))
            case Refusal():
                outcomes.append((request, Refused(verdict, race)))
            case Repeated(old):
                outcomes.append((request, DoneBefore(old, race)))
            case Destinations() | HintGiven():
                outcomes.append((request, Answered(verdict)))
    return outcomes, states


def _judge(race: Race, command: Command | Question, now_ms: int) -> Verdict | Answer:
    if isinstance(command, Calculate | AskHint):
        return answer(race, command)
    return decide(race, command, now_ms)


_Window = tuple[int | None, int | None]


def _plan(
    race: Race,
    verdicts: Sequence[tuple[Request, Verdict | Answer]],
    events: Sequence[Event],
    window: _Window,
    wake: Wake,
    rest: Sequence[Request],
) -> Plan:
    unprojected = race.life.setup.ranked and any(isinstance(event, Ended) for event in events)
    return Plan(tuple(verdicts), tuple(events), *window, wake, tuple(rest), unprojected)


def _intersect(one: _Window, other: _Window) -> _Window | None:
    starts = [start for start in (one[0], other[0]) if start is not None]
    ends = [end for end in (one[1], other[1]) if end is not None]
    start, end = max(starts, default=None), min(ends, default=None)
    return None if start is not None and end is not None and start > end else (start, end)


def _wake(new: decision.Wake | int, old: Wake) -> Wake:
    if new is decision.Wake.KEEP:
        return old
    return CLEAR if isinstance(new, decision.Wake) else new


def _provisional(race: Race, events: Sequence[Event], now_ms: int) -> Race:
    for event in events:
        race = evolve(race, Stamped(race.seq + 1, now_ms, event))
    return race
