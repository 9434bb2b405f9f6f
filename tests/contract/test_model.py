"""Random appends, several at once and from several clients, against what a log is in the plainest terms."""

import asyncio
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.store.base import (
    CLEAR,
    KEEP,
    PAGE,
    START,
    Appended,
    Conflict,
    Diverged,
    Outcome,
    Store,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Wake,
    new_tag,
)
from tests.contract.conftest import OpenStore
from tests.contract.helpers import read_all

LOGS = 3
_examples = count(1)


@dataclass(frozen=True)
class Try:
    """One append to be tried: `back` events before the end that the model knows."""

    log: int
    client: int
    events: int
    back: int = 0
    wrong_tag: bool = False
    window: str = "open"
    wake: Wake = KEEP


tries = st.builds(
    Try,
    log=st.integers(0, LOGS - 1),
    client=st.integers(0, 1),
    events=st.integers(1, 4),
    back=st.sampled_from([0, 0, 0, 0, 1, 2, 7]),
    wrong_tag=st.sampled_from([False] * 9 + [True]),
    window=st.sampled_from(["open"] * 6 + ["past", "future"]),
    wake=st.one_of(st.just(KEEP), st.just(CLEAR), st.integers(0, 10**6)),
)


@dataclass
class Log:
    """A log and its deadline, as the model has them."""

    events: list[Stored] = field(default_factory=list)
    due_ms: int | None = None

    def tip(self, back: int = 0) -> Tip:
        kept = self.events[: max(0, len(self.events) - back)]
        return Tip(kept[-1].seq, kept[-1].tag) if kept else START

    def holds(self, tip: Tip) -> bool:
        return tip == START or any((event.seq, event.tag) == (tip.seq, tip.tag) for event in self.events)


@dataclass(frozen=True)
class Tried:
    what: Try
    after: Tip
    tag: bytes
    events: list[bytes]
    outcome: Outcome


@given(rounds=st.lists(st.lists(tries, min_size=1, max_size=6), min_size=1, max_size=8))
@settings(
    # The store is shared by the examples on purpose; each has logs of its own.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
    max_examples=60,
)
async def test_a_store_is_a_list_of_events_for_every_name(
    open_store: OpenStore, rounds: list[list[Try]]
) -> None:
    clients = [await open_store(), await open_store()]
    prefix = f"model:{next(_examples)}:"
    logs = [Log() for _ in range(LOGS)]
    for together in rounds:
        tried = await asyncio.gather(*(attempt(clients[t.client], prefix, logs[t.log], t) for t in together))
        for number, log in enumerate(logs):
            settle(log, [t for t in tried if t.what.log == number])
            await compare(clients, f"{prefix}{number}", log)
    await compare_deadlines(clients[0], prefix, logs)


async def attempt(client: Store, prefix: str, log: Log, what: Try) -> Tried:
    after = log.tip(what.back)
    if what.wrong_tag:
        after = Tip(after.seq, new_tag())
    tag, events = new_tag(), [b"%d" % i for i in range(what.events)]
    now_ms = client.now_ms()
    outcome = await client.append(
        f"{prefix}{what.log}",
        after,
        events,
        tag=tag,
        not_before=now_ms + 3_600_000 if what.window == "future" else None,
        not_after=now_ms - 3_600_000 if what.window == "past" else None,
        wake=what.wake,
    )
    return Tried(what, after, tag, events, outcome)


def settle(log: Log, tried: list[Tried]) -> None:
    """Carry what came of the appends of one round over into the model, in whatever order they took effect."""
    end = log.tip()
    took = [t for t in tried if isinstance(t.outcome, Appended)]
    assert len(took) <= 1, "of those who knew one end only one can have met it"
    before = list(log.events)
    for t in took:
        assert isinstance(t.outcome, Appended)
        assert t.after == end
        assert t.outcome.first_seq == end.seq + 1
        assert not before or t.outcome.at_ms >= before[-1].at_ms
        seqs = range(t.outcome.first_seq, t.outcome.first_seq + len(t.events))
        log.events += [
            Stored(seq, t.outcome.at_ms, t.tag, data) for seq, data in zip(seqs, t.events, strict=True)
        ]
        if t.what.wake is CLEAR:
            log.due_ms = None
        elif t.what.wake is not KEEP:
            log.due_ms = t.outcome.at_ms + t.what.wake
    for t in tried:
        match t.outcome:
            case Appended():
                pass
            case Diverged():
                assert not log.holds(t.after)
            case Conflict(missed):
                assert log.holds(t.after)
                assert list(missed) in (before[t.after.seq :][:PAGE], log.events[t.after.seq :][:PAGE])
                assert missed
            case TooEarly():
                assert t.after == end
                assert t.what.window == "future"
            case TooLate():
                assert t.after == end
                assert t.what.window == "past"
    if any(t.after == end and t.what.window == "open" for t in tried):
        assert took, "someone met the end in time, so someone must have been taken"


async def compare(clients: list[Store], log_id: str, log: Log) -> None:
    for client in clients:
        assert await read_all(client, log_id) == log.events
        assert await client.is_newest(log_id, log.tip())
        assert not log.events or not await client.is_newest(log_id, log.tip(1))


async def compare_deadlines(client: Store, prefix: str, logs: list[Log]) -> None:
    expected = sorted(
        (log.due_ms, f"{prefix}{number}") for number, log in enumerate(logs) if log.due_ms is not None
    )
    due = [(at_ms, name) for name, at_ms in await client.due(2**53, 1000) if name.startswith(prefix)]
    assert sorted(due) == expected
    assert [at_ms for at_ms, _ in due] == [at_ms for at_ms, _ in expected]


def test_the_model_refuses_two_winners() -> None:
    one, two = (Tried(Try(0, 0, 1), START, new_tag(), [b"x"], Appended(1, 5)) for _ in range(2))
    with pytest.raises(AssertionError, match="only one"):
        settle(Log(), [one, two])
