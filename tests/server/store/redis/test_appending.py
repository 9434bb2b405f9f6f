"""An append whose answers are lost, against a Redis that does what a test tells it."""

from collections.abc import Sequence

import pytest

from server.clock import SystemClock
from server.store.append_call import AppendCall
from server.store.base import (
    START,
    Appended,
    Conflict,
    Diverged,
    Outcome,
    Stored,
    Tip,
    TooEarly,
    TooLate,
    Unavailable,
    new_tag,
)
from server.store.redis.appending import append
from server.store.redis.calls import Calls
from server.store.redis.driver import Away, DriverError, Lost, OnHearing, OnMessage, Refused
from server.store.redis.replies import write_rows
from server.store.redis.scripts import APPEND, Script
from server.store.redis.timing import Timing

LOST, AWAY, REFUSED = Lost("no answer"), Away("refused"), Refused("OOM")
TAG, OTHER = new_tag(), new_tag()
OWN, ANOTHERS = Stored(1, 77, TAG, b"x"), Stored(1, 66, OTHER, b"y")


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


APPENDED = b"A", number(1) + number(88)
CONFLICT_OWN = b"C", write_rows([OWN])
CONFLICT_OTHER = b"C", write_rows([ANOTHERS])
DIVERGED = b"D", b""
EARLY = b"E", number(55)
LATE = b"L", number(55)


class ScriptedDriver:
    """Answers as it was told, one by one, and the last of it for ever."""

    is_one_place = True

    def __init__(self, answers: Sequence[tuple[bytes, bytes] | DriverError]) -> None:
        self._answers = [*answers]
        self.calls: list[tuple[Script, Sequence[bytes]]] = []

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]) -> bytes:
        self.calls.append((script, args))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, DriverError):
            raise answer
        kind, body = answer
        return kind + bytes(8) + number(1_700_000_000_000_000) + body

    async def run_everywhere(
        self, script: Script, keys: Sequence[bytes], args: Sequence[bytes]
    ) -> list[bytes]:
        raise NotImplementedError

    def listen(self, on_message: OnMessage, on_hearing: OnHearing) -> None:
        raise NotImplementedError

    subscribe = unsubscribe = staticmethod(print)

    async def close(self) -> None:
        pass


async def attempt(*answers: tuple[bytes, bytes] | DriverError) -> tuple[Outcome, ScriptedDriver]:
    driver = ScriptedDriver(answers)
    calls = Calls(driver, SystemClock(), Timing(call_s=0.1, pause_s=0.001))
    outcome = await calls.within_time(append(calls, AppendCall("race:A", START, (b"x",), TAG)))
    return outcome, driver


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (APPENDED, Appended(1, 88)),
        (CONFLICT_OTHER, Conflict((ANOTHERS,))),
        # Nothing was lost, so it was the caller who sent it twice; he is told what he asked for.
        (CONFLICT_OWN, Conflict((OWN,))),
        (DIVERGED, Diverged()),
        (EARLY, TooEarly(55)),
        (LATE, TooLate(55)),
    ],
)
async def test_an_answer_is_an_answer(answer: tuple[bytes, bytes], outcome: Outcome) -> None:
    assert (await attempt(answer))[0] == outcome


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (APPENDED, Appended(1, 88)),  # the first one did not arrive
        (CONFLICT_OWN, Appended(1, 77)),  # the first one took effect
        (CONFLICT_OTHER, Conflict((ANOTHERS,))),  # somebody else was faster, so the first one cannot have
        (DIVERGED, Diverged()),
        (LATE, TooLate(55)),  # and so it will be for the first one
    ],
)
async def test_after_a_lost_answer_the_same_append_is_sent_again_and_its_tag_tells(
    answer: tuple[bytes, bytes], outcome: Outcome
) -> None:
    for before in ([LOST], [LOST, LOST, LOST], [LOST, AWAY, REFUSED, LOST]):
        came_to, driver = await attempt(*before, answer)
        assert came_to == outcome
        assert [script for script, _ in driver.calls] == [APPEND] * (len(before) + 1)
        assert len({tuple(args) for _, args in driver.calls}) == 1


async def test_too_early_after_a_lost_answer_is_not_known_to_have_no_effect() -> None:
    with pytest.raises(Unavailable, match="may yet take effect"):
        await attempt(LOST, EARLY)


@pytest.mark.parametrize("failure", [AWAY, REFUSED])
async def test_what_had_no_effect_fails_at_once(failure: DriverError) -> None:
    driver = ScriptedDriver([failure])
    calls = Calls(driver, SystemClock(), Timing())
    with pytest.raises(Unavailable) as raised:
        await append(calls, AppendCall("race:A", START, (b"x",), TAG))
    assert len(driver.calls) == 1
    assert raised.value.retry_ms > 0
    assert str(failure) in raised.value.detail


@pytest.mark.parametrize("failure", [LOST, AWAY])
async def test_it_is_asked_for_as_long_as_a_call_may_take_and_no_longer(failure: DriverError) -> None:
    with pytest.raises(Unavailable, match="in time"):
        await attempt(LOST, failure)


async def test_an_append_after_a_tip_repeated_says_where_its_first_event_is() -> None:
    driver = ScriptedDriver([LOST, (b"C", write_rows([Stored(8, 99, TAG, b"x")]))])
    calls = Calls(driver, SystemClock(), Timing(pause_s=0.001))
    outcome = await append(calls, AppendCall("race:A", Tip(7, OTHER), (b"x",), TAG))
    assert outcome == Appended(8, 99)
