import asyncio
from collections.abc import Sequence

import pytest

from server.store.redis import lane as lane_module
from server.store.redis.driver import Away, Lost, Refused
from server.store.redis.lane import Call, Lane
from server.store.redis.scripts import IS_NEWEST, READ
from server.store.redis.timing import Timing

QUICK = Timing(answer_s=0.05, connect_s=0.05, pause_s=0.02)


def answer_to(call: Call, text: bytes = b"") -> bytes:
    return b"N" + call.args[0] + bytes(8) + text


class FakeLink:
    """A connection whose answers a test gives by hand."""

    def __init__(self) -> None:
        self.sent: list[list[Call]] = []
        self.answers: list[asyncio.Future[bytes]] = []
        self.is_lost = False

    @property
    def calls(self) -> list[Call]:
        return [call for calls in self.sent for call in calls]

    def send(self, calls: Sequence[Call]) -> list[asyncio.Future[bytes]]:
        self.sent.append([*calls])
        new = [asyncio.get_running_loop().create_future() for _ in calls]
        self.answers += new
        return new

    def close(self) -> None:
        self.is_lost = True
        for answer in self.answers:
            if not answer.done():
                answer.set_exception(Lost("closed"))

    def answer(self, number: int, text: bytes = b"") -> None:
        self.answers[number].set_result(answer_to(self.calls[number], text))


class Links:
    """Makes connections, and remembers them; `failure` is raised instead while it is set."""

    def __init__(self) -> None:
        self.made: list[FakeLink] = []
        self.tried = 0
        self.failure: Exception | None = None

    async def connect(self) -> FakeLink:
        self.tried += 1
        if self.failure:
            raise self.failure
        self.made.append(FakeLink())
        return self.made[-1]


@pytest.fixture
def links() -> Links:
    return Links()


@pytest.fixture
async def lane(links: Links) -> Lane:
    return Lane(links.connect, QUICK)


async def turns(many: int = 10) -> None:
    for _ in range(many):
        await asyncio.sleep(0)


async def ready(lane: Lane, links: Links) -> FakeLink:
    """Have the lane connect."""
    answer = lane.run(IS_NEWEST, (), ())
    await turns()
    links.made[-1].answer(-1)
    await answer
    return links.made[-1]


# Sending.


async def test_calls_of_one_turn_go_out_together_and_in_order(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    answers = [lane.run(READ, [b"key"], [b"%d" % i]) for i in range(5)]
    await turns()
    assert [call.args[1] for call in link.sent[1]] == [b"0", b"1", b"2", b"3", b"4"]
    for number in range(5):
        link.answer(number + 1, b"%d" % number)
    assert [(await answer)[17:] for answer in answers] == [b"0", b"1", b"2", b"3", b"4"]


async def test_nobody_waits_for_an_answer_before_the_next_call_is_sent(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    for number in range(3):
        _ = lane.run(IS_NEWEST, (), ())
        await turns()
        assert len(link.sent) == number + 2


async def test_what_is_handed_over_before_there_is_a_connection_waits_for_it(
    lane: Lane, links: Links
) -> None:
    first, second = lane.run(IS_NEWEST, (), ()), lane.run(IS_NEWEST, (), ())
    await turns()
    assert len(links.made) == 1
    links.made[0].answer(0)
    links.made[0].answer(1)
    await asyncio.gather(first, second)


async def test_cancelling_a_caller_does_not_take_his_call_back(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    first, second = lane.run(READ, (), [b"first"]), lane.run(READ, (), [b"second"])
    first.cancel()
    await turns()
    assert [call.args[1] for call in link.sent[1]] == [b"first", b"second"]
    link.answer(1, b"for the first")
    link.answer(2, b"for the second")
    assert (await second)[17:] == b"for the second"


async def test_a_script_that_redis_has_forgotten_is_sent_again_with_its_text(
    lane: Lane, links: Links
) -> None:
    link = await ready(lane, links)
    answer = lane.run(READ, [b"key"], [b"x"])
    for number in (1, 2):  # it may be forgotten again in between
        await turns()
        link.answers[number].set_exception(Refused("NOSCRIPT No matching script."))
    await turns()
    assert [call.load for call in link.calls] == [False, False, True, True]
    assert link.calls[1].args == link.calls[3].args
    link.answer(3)
    await answer


async def test_another_error_is_told(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    answer = lane.run(IS_NEWEST, (), ())
    await turns()
    link.answers[1].set_exception(Refused("OOM command not allowed"))
    with pytest.raises(Refused, match="OOM"):
        await answer


async def test_there_is_a_bound_to_what_waits(
    lane: Lane, links: Links, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lane_module, "MAX_WAITING", 3)
    link = await ready(lane, links)
    answers = [lane.run(IS_NEWEST, (), ()) for _ in range(3)]
    await turns()
    with pytest.raises(Away, match="3 calls are waiting"):
        await lane.run(IS_NEWEST, (), ())
    for number in (1, 2, 3):
        link.answer(number)
    await asyncio.gather(*answers)
    _ = lane.run(IS_NEWEST, (), ())
    await turns()
    assert len(link.calls) == 5


# Connections that fail.


async def test_an_answer_that_is_late_ends_the_connection_and_reaches_nobody(
    lane: Lane, links: Links
) -> None:
    link = await ready(lane, links)
    late = lane.run(IS_NEWEST, (), ())
    with pytest.raises(Lost):
        await late
    assert link.is_lost
    after = lane.run(IS_NEWEST, (), ())
    await turns()
    assert len(links.made) == 2
    links.made[1].answer(0, b"right")
    assert (await after)[17:] == b"right"


async def test_answers_in_time_keep_a_connection_however_long_it_is_busy(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    until = asyncio.get_running_loop().time() + 4 * QUICK.answer_s
    number = 1
    while asyncio.get_running_loop().time() < until:
        answer = lane.run(IS_NEWEST, (), ())
        await asyncio.sleep(QUICK.answer_s / 5)
        link.answer(number)
        await answer
        number += 1
    assert links.made == [link]


async def test_an_answer_to_another_call_is_given_to_nobody(
    lane: Lane, links: Links, caplog: pytest.LogCaptureFixture
) -> None:
    link = await ready(lane, links)
    first, second, third = (lane.run(IS_NEWEST, (), ()) for _ in range(3))
    await turns()
    # The answer to the first is gone, and all others have moved up.
    link.answers[1].set_result(answer_to(link.calls[2]))
    link.answers[2].set_result(answer_to(link.calls[3]))
    for answer in (first, second, third):
        with pytest.raises(Lost):
            await answer
    assert link.is_lost
    assert caplog.text.count("not the one that was due") == 1


async def test_a_connection_that_was_lost_is_not_used(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    link.is_lost = True
    _ = lane.run(IS_NEWEST, (), ())
    await turns()
    assert len(link.calls) == 1
    assert len(links.made[1].calls) == 1


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ConnectionRefusedError(111, "Connection refused"), Away),
        (Away("no Sentinel"), Away),
        (Refused("WRONGPASS"), Refused),
    ],
)
async def test_calls_fail_at_once_when_there_is_no_connection(
    lane: Lane, links: Links, failure: Exception, told: type[Exception]
) -> None:
    links.failure = failure
    answers = [lane.run(IS_NEWEST, (), ()) for _ in range(3)]
    for answer in answers:
        with pytest.raises(told):
            await answer
    assert links.tried == 1


async def test_a_connection_that_does_not_come_about_is_not_waited_for(links: Links) -> None:
    async def never() -> FakeLink:
        await asyncio.Event().wait()
        raise AssertionError

    with pytest.raises(Away, match="in time"):
        await Lane(never, QUICK).run(IS_NEWEST, (), ())


async def test_who_comes_while_redis_is_away_does_not_make_it_worse(lane: Lane, links: Links) -> None:
    links.failure = ConnectionRefusedError()
    for _ in range(100):
        with pytest.raises(Away):
            await lane.run(IS_NEWEST, (), ())
    assert links.tried <= 2


async def test_it_is_back_by_itself(lane: Lane, links: Links) -> None:
    links.failure = ConnectionRefusedError()
    with pytest.raises(Away):
        await lane.run(IS_NEWEST, (), ())
    links.failure = None
    await asyncio.sleep(2 * QUICK.pause_s)
    await ready(lane, links)


# The end.


async def test_closing_waits_for_what_is_under_way(lane: Lane, links: Links) -> None:
    link = await ready(lane, links)
    answer = lane.run(IS_NEWEST, (), ())
    closing = asyncio.create_task(lane.close())
    await turns()
    assert not closing.done()
    link.answer(1)
    await closing
    assert link.is_lost
    await answer


async def test_closing_waits_no_longer_than_for_any_answer(lane: Lane, links: Links) -> None:
    await ready(lane, links)
    lane.run(IS_NEWEST, (), ()).cancel()
    await lane.close()


async def test_a_late_answer_of_a_connection_that_was_given_up_does_no_harm_to_the_next(
    lane: Lane, links: Links
) -> None:
    link = await ready(lane, links)
    late = lane.run(IS_NEWEST, (), ())
    await turns()
    answers = [*link.answers]
    link.answers = []  # so that dropping it does not settle them
    lane.drop()
    with pytest.raises(Lost):
        await late
    new = await ready(lane, links)
    answers[1].set_result(answer_to(link.calls[1]))
    await turns()
    assert not new.is_lost
    assert links.made == [link, new]


async def test_a_lane_that_was_never_used_is_closed_at_once(lane: Lane) -> None:
    await lane.close()
